"""Events -> verdicts and attributions, with nothing executed: the second half of the main job.

What comes in: a run folder with journal, plan and suite. What goes out: `verdicts.jsonl`, `blame.jsonl`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from evalkit.diagnose.attribute import attribute
from evalkit.facts.derive import derive
from evalkit.records.attribution import Attribution
from evalkit.records.case import Case
from evalkit.records.event import Trace
from evalkit.records.fact import FactSheet
from evalkit.records.plan import PlannedTrial
from evalkit.records.suite import Suite
from evalkit.records.verdict import Outcome, Verdict
from evalkit.score.scorer import Scorer
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal
from evalkit.suite.functions import load_functions


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What one trial came to.

    Attributes:
        trial: The planned trial.
        sheet: Its facts; None where it was never closed.
        verdicts: Stages, then metrics, in the suite's order.
        attribution: What a failing trial leaves behind.
    """

    trial: PlannedTrial
    sheet: FactSheet | None
    verdicts: tuple[Verdict, ...]
    attribution: Attribution | None


class Rescorer:
    """Trace -> verdicts for one suite; the suite's own check functions are loaded once."""

    def __init__(self, suite: Suite, functions: Mapping[str, Callable[..., object]]) -> None:
        """Prepare.

        Args:
            suite: The loaded suite.
            functions: Its own check functions by ``file.py:name``.
        """
        self._suite = suite
        self._score = Scorer(suite, functions)
        self._deciding = suite.deciding.name
        self._cases: dict[str, Case] = {case.id: case for case in suite.cases}

    def __call__(self, trial: PlannedTrial, trace: Trace | None) -> Scored:
        """Return what a trial came to.

        Args:
            trial: The planned trial.
            trace: Its events; None where it was never closed.
        """
        case = self._cases[trial.case]
        sheet = derive(self._suite, case, trace) if trace is not None else None
        attempt = trace.opened.attempt if trace is not None else 0
        verdicts = self._score(trial, sheet, attempt=attempt)
        blame = attribute(self._suite, case, sheet, verdicts)
        return Scored(trial=trial, sheet=sheet, verdicts=verdicts, attribution=blame)

    def outcome(self, verdicts: tuple[Verdict, ...]) -> Outcome:
        """Return how a trial ended by its deciding primary.

        Args:
            verdicts: Its verdicts.
        """
        return next(row.outcome for row in verdicts if row.of == "metric" and row.name == self._deciding)


def scored(
    folder: RunFolder,
    wanted: Callable[[PlannedTrial], bool] | None = None,
    journal: Journal | None = None,
) -> Iterator[Scored]:
    """Yield what planned trials came to by the journal, in plan order.

    Args:
        folder: A run.
        wanted: Which trials; None means all.
        journal: The run's journal, where that was read already.

    Raises:
        StoreError: The folder is damaged.
    """
    stored = _Stored(folder, journal)
    return (stored(trial) for trial in folder.plan() if wanted is None or wanted(trial))


class _Stored:
    """Planned trial -> what it came to by the journal; nothing is read before the first one."""

    def __init__(self, folder: RunFolder, journal: Journal | None = None) -> None:
        self._folder = folder
        self._read = journal

    @cached_property
    def journal(self) -> Journal:
        return self._read or Journal(self._folder.path)

    @cached_property
    def _rescore(self) -> Rescorer:
        suite = self._folder.suite()
        return Rescorer(suite, load_functions(self._folder.code, suite.own_checks))

    def __call__(self, trial: PlannedTrial) -> Scored:
        execution = self.journal.last((trial.arm, trial.case, trial.trial))
        return self._rescore(trial, self.journal.trace(execution) if execution is not None else None)


def verdict_rows(folder: RunFolder) -> Iterator[Verdict]:
    """Return the verdicts of a run in plan order: the stored ones, or from the journal where it never ended.

    A killed run has no verdicts, and those of before a killed `resume` are no longer true.

    Args:
        folder: A run.
    """
    if folder.is_settled():
        return folder.verdicts()
    return (row for one in scored(folder) for row in one.verdicts)


def blame_rows(folder: RunFolder) -> Iterator[Attribution]:
    """Return the attribution records of a run in plan order, stored or from the journal like `verdict_rows`.

    Args:
        folder: A run.
    """
    if folder.is_settled():
        return folder.blame()
    return (one.attribution for one in scored(folder) if one.attribution is not None)


def settle(folder: RunFolder) -> bool:
    """Write `verdicts.jsonl` and `blame.jsonl` anew.

    What closed in this process was kept when it closed; the rest is decided from the journal.

    Args:
        folder: A run, held for writing.

    Returns:
        Whether every planned trial has a closing line.

    Raises:
        OutputError: They cannot be written.
        StoreError: The folder is damaged.
    """
    stored = _Stored(folder)
    owed = 0

    def results(trial: PlannedTrial) -> tuple[tuple[Verdict, ...], Attribution | None]:
        nonlocal owed
        one = stored(trial)
        owed += one.sheet is None
        return one.verdicts, one.attribution

    with chdir(Path.cwd()):  # a suite's own checks may go elsewhere
        folder.write_results((trial.index, partial(results, trial)) for trial in folder.plan())
    return owed == 0
