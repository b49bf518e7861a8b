"""The door for tau-bench: a result file becomes a suite, an arm and traces.

What comes in: a file as tau-bench writes it, one JSON array with one entry per trial. What goes out: an
`Imported`. The file is gone through twice: once to know all that is wrong with it, and once more, trial by
trial, for the events. Its text is held, its trials are not.

Source: sierra-research/tau-bench (MIT), tau_bench/run.py and tau_bench/types.py.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.exchange.imported import Imported
from evalkit.exchange.strict_json import piece_at
from evalkit.exchange.tau_census import Census, Key, take_census
from evalkit.exchange.tau_entries import Entry
from evalkit.exchange.tau_events import Recorded, events_of
from evalkit.exchange.tau_suite import case_id, domain_of, suite_of
from evalkit.exchange.tau_told import figures, losses

_KEPT = ("source", "user_cost", "reward_info", "error")
"""What a closing line keeps of `info`; the task is the case's, and a traceback is full of foreign paths."""

_LISTED = 5  # files that a message lists


def read(path: Path) -> Imported:
    """Return what a tau-bench result file holds.

    Args:
        path: The file.

    Returns:
        Suite, arm and events. Ids and order depend on content and name of the file alone, so that the same
        file gives the same verdicts, byte for byte.

    Raises:
        InputError: All that is wrong with the file, by entry and key.
        Undecidable: It holds no trial.
    """
    text, digest = _text(path)
    census = take_census(text, str(path))
    domain = domain_of(census.system)
    suite = suite_of(census.tasks, domain)
    tasks = {case_id(domain, task): task for task in census.tasks}
    cases = {case.id: case for case in suite.cases}
    held = _Held(text=text, census=census)
    arm = _arm_name(path)
    return Imported(
        suite=suite,
        arms={arm: {"arm": arm, "system": census.system or ""}},
        trials=census.trials,
        losses=losses(census),
        figures=figures(census, digest),
        events=lambda trial: events_of(
            trial, cases[trial.case], held.recorded((tasks[trial.case], trial.trial))
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """The file's text, and where each trial stands in it."""

    text: str
    census: Census

    def recorded(self, key: Key) -> Recorded | None:
        """Return what the file holds of a trial."""
        start = self.census.places.get(key)
        if start is None:
            return None
        value = piece_at(self.text, start)
        entry = Entry.model_validate(value)
        source = {"reward": entry.reward} | {name: value["info"].get(name) for name in _KEPT}
        if entry.system is not None and entry.system != self.census.system:
            source["system"] = entry.system
        return Recorded(entry=entry, source=source)


def _text(path: Path) -> tuple[str, str]:
    """Return the file's text and its sha256."""
    if path.is_dir():
        inside = ", ".join(sorted(one.name for one in path.glob("*.json"))[:_LISTED])
        advice = f"name one of its files: {inside}" if inside else "name a .json file that tau-bench wrote"
        raise InputError.of(
            "a file is wanted, and this is a folder", file=str(path), value=path.name, suggestion=advice
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError.of(f"cannot be read: {error.strerror}", file=str(path)) from error
    try:
        return content.decode("utf-8-sig"), hashlib.sha256(content).hexdigest()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        value = content[error.start : error.start + 4].hex(" ")
        problem = Problem(file=str(path), line=line, value=value, message="this is not UTF-8")
        raise InputError((problem,)) from None


def _arm_name(path: Path) -> str:
    """Return the file's name without its ending: the one thing that tells two recordings apart."""
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in path.stem) or "imported"
