"""A whole tau-bench result file, read once: which trials it holds, what they are about, what is wrong.

What comes in: the text of the file. What goes out: a `Census` that knows where every trial stands; of the
trials themselves only one is held at a time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from evalkit.errors import InputError, Problem, Undecidable
from evalkit.exchange.strict_json import Piece, pieces
from evalkit.exchange.tau_entries import SUCCESS, Entry, Task, entry_of
from evalkit.exchange.tau_trace import TraceReader

_MOST_PROBLEMS = 1000  # more of them tell a reader nothing new

Key = tuple[int, int]
"""(task, trial)."""


@dataclass(slots=True)
class Census:
    """What a file holds.

    Attributes:
        file: Its path as typed.
        places: Where each trial starts in the text.
        tasks: Task id -> task; None where no entry tells it.
        succeeded: Trials whose reward is 1.
        unrecorded: Trials without a recorded outcome.
        systems: System prompts, in order of appearance, with the number of trials.
        counts: What a reader should know of the traces.
        problems: What is wrong.
    """

    file: str
    places: dict[Key, int] = field(default_factory=dict)
    tasks: dict[int, Task | None] = field(default_factory=dict)
    succeeded: set[Key] = field(default_factory=set)
    unrecorded: list[Key] = field(default_factory=list)
    systems: Counter[str | None] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    @property
    def trials(self) -> int:
        """Trials per task."""
        return max(trial for _, trial in self.places) + 1

    @property
    def missing(self) -> tuple[Key, ...]:
        """Planned trials that the file does not hold."""
        numbers = range(self.trials)
        planned = ((task, trial) for task in sorted(self.tasks) for trial in numbers)
        return tuple(key for key in planned if key not in self.places)

    @property
    def system(self) -> str | None:
        """The system prompt of the first trial that has one."""
        return next((text for text in self.systems if text is not None), None)

    def add(self, piece: Piece) -> None:
        """Take one entry in.

        Args:
            piece: A value of the file's array.
        """
        entry = entry_of(piece)
        if not isinstance(entry, Entry):
            for told in entry[:_MOST_PROBLEMS]:
                self._note(piece, *told)
            return
        key = (entry.task_id, entry.trial)
        if key in self.places:
            self._note(piece, "", f"task {key[0]} has a trial {key[1]} already", "")
        self.places.setdefault(key, piece.start)
        self._learn(piece, entry)
        if abs(entry.reward - 1) <= SUCCESS:
            self.succeeded.add(key)
        if not entry.recorded:
            self.unrecorded.append(key)
        reader = TraceReader(
            flaw=lambda at, message, value: self._note(piece, at, message, value), counts=self.counts
        )
        for _ in reader.bodies(entry.traj):
            pass

    def _learn(self, piece: Piece, entry: Entry) -> None:
        """A task is the same in all of its trials."""
        known = self.tasks.get(entry.task_id)
        if known is not None and entry.info.task not in (None, known):
            self._note(piece, ".info.task", f"it differs from an earlier entry's task {entry.task_id}", "")
        self.tasks[entry.task_id] = known or entry.info.task
        self.systems[entry.system] += bool(entry.traj)

    def _note(self, piece: Piece, key: str, message: str, value: str) -> None:
        place = f"[{piece.number}]{key}"
        self.problems.append(
            Problem(file=self.file, line=piece.line, key=place, message=message, value=value[:60])
        )


def take_census(text: str, file: str) -> Census:
    """Read a file.

    Args:
        text: Its text.
        file: Its path as typed, for messages.

    Raises:
        InputError: All that is wrong with it.
        Undecidable: It holds no trial.
    """
    census = Census(file=file)
    try:
        for piece in pieces(text):
            census.add(piece)
            if len(census.problems) >= _MOST_PROBLEMS:
                census.problems.append(Problem(file=file, message="the rest was not looked at"))
                break
    except json.JSONDecodeError as error:
        census.problems.append(_unreadable(file, error))
    problems = census.problems or list(_too_few(census))
    if problems:
        raise InputError(tuple(problems))
    return census


def _too_few(census: Census) -> Iterator[Problem]:
    """A file that stops early lacks some trials; one that lacks most is not what it seems."""
    if not census.places:
        raise Undecidable(f"{census.file} holds no trial: nothing was measured")
    planned, held = len(census.tasks) * census.trials, len(census.places)
    if planned > 2 * held:
        said = f"{len(census.tasks)} tasks and trials up to number {census.trials - 1} make {planned} trials"
        advice = "import the whole result file; trials are numbered from 0"
        yield Problem(file=census.file, message=f"{said}, but it holds {held}", suggestion=advice)


def _unreadable(file: str, error: json.JSONDecodeError) -> Problem:
    near = error.doc[error.pos : error.pos + 20].strip()
    return Problem(
        file=file,
        line=error.lineno,
        column=error.colno,
        message=f"this cannot be read: {error.msg}",
        value=near or "the end",
    )
