"""The door for Terminal-Bench: the run files of one submission become a suite, an arm and trials.

What comes in: a folder with ``run-*.json`` as the harness writes them and its leaderboard collects them, or
one such file. What goes out: an `Imported`. What a trial's words mean for its verdict: `tbench_modes`.

Source: laude-institute/terminal-bench, terminal_bench/harness; laude-institute/terminal-bench-leaderboard.
"""

from __future__ import annotations

from pathlib import Path

from evalkit.exchange.imported import Imported
from evalkit.exchange.tbench_census import Census, take_census
from evalkit.exchange.tbench_events import Recorded, events_of
from evalkit.exchange.tbench_figures import chosen_ks, figures
from evalkit.exchange.tbench_suite import suite_of
from evalkit.exchange.tbench_tests import tests_in
from evalkit.exchange.tbench_told import losses
from evalkit.records.plan import PlannedTrial


def read(path: Path) -> Imported:
    """Return what the run files of a submission hold.

    Args:
        path: Their folder, or one file.

    Returns:
        Suite, arm and events; a function of content and names alone, so that the same files give the same
        verdicts, byte for byte.

    Raises:
        InputError: All that is wrong with the files, by file and key.
        Undecidable: They hold no trial.
    """
    census = take_census(path)
    tests = _tests(census)
    arm = _arm_name(path)

    def recorded(trial: PlannedTrial) -> Recorded | None:
        place = census.places.get((trial.case, trial.trial))
        if place is None:
            return None
        number, row = place
        return Recorded(row=row, file=census.files[number].name, tests=tests[row.task_id])

    return Imported(
        suite=suite_of(census.tasks),
        arms={arm: {"arm": arm}},
        trials=census.trials,
        losses=losses(census, tests),
        figures=figures(census),
        events=lambda trial: events_of(trial, recorded(trial)),
        pass_at=chosen_ks(census.rows),
    )


def _tests(census: Census) -> dict[str, frozenset[str]]:
    """Return the tests that any trial of a task reports, task by task."""
    found: dict[str, set[str]] = {}
    for row in census.rows:
        found.setdefault(row.task_id, set()).update(tests_in(row.parser_results or {}))
    return {task: frozenset(names) for task, names in found.items()}


def _arm_name(path: Path) -> str:
    """Return the folder's name, with the file's where only one of its runs is read."""
    place = path.resolve()
    name = place.name if place.is_dir() else f"{place.parent.name}-{place.stem}"
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in name) or "imported"
