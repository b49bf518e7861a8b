"""The run files of one Terminal-Bench submission, read whole: which trials they hold, and what is wrong.

What comes in: a folder or one file. What goes out: a `Census`. Everything that is wrong with any of the files
is told at once, before anything is imported.

A file holds N-of-M trials of each task; the trials of the next file go on where it ends.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalkit.errors import InputError, Problem, Undecidable
from evalkit.exchange.strict_json import whole
from evalkit.exchange.tbench_entries import MOST_TRIALS, Row, Stated, Told, row_of, stated_of
from evalkit.records.written import Json

_MOST_PROBLEMS = 1000  # more of them tell a reader nothing new
_NAMED = 5  # folders that a suggestion names

Key = tuple[str, int]
"""(task, trial from 0)."""


@dataclass(slots=True, kw_only=True)
class RunFile:
    """One file.

    Attributes:
        name: Its name.
        digest: Its sha256.
        rows: Its results that are right.
        stated: What it says of itself.
    """

    name: str
    digest: str
    rows: list[Row] = field(default_factory=list)
    stated: Stated = field(default_factory=Stated)

    @property
    def attempts(self) -> int:
        """Trials per task."""
        return self.rows[0].attempt[1] if self.rows else 0

    @property
    def family(self) -> str:
        """The label of its trials without numbers and dates: runs of one submission share it."""
        return re.sub(r"[\d_\-]+$", "", self.rows[0].label) if self.rows else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """What a submission holds.

    Attributes:
        path: As typed.
        files: Its files, in the order of their names.
        places: Trial -> number of its file, and result.
        trials: Trials per task.
    """

    path: str
    files: tuple[RunFile, ...]
    places: dict[Key, tuple[int, Row]]
    trials: int

    @property
    def tasks(self) -> dict[str, str | None]:
        """Task -> instruction."""
        found: dict[str, str | None] = {}
        for row in self.rows:
            found[row.task_id] = found.get(row.task_id) or row.instruction
        return found

    @property
    def rows(self) -> tuple[Row, ...]:
        """All results."""
        return tuple(row for one in self.files for row in one.rows)

    @property
    def missing(self) -> tuple[Key, ...]:
        """Planned trials that the submission does not hold."""
        planned = ((task, trial) for task in sorted(self.tasks) for trial in range(self.trials))
        return tuple(key for key in planned if key not in self.places)


def take_census(path: Path) -> Census:
    """Read a submission.

    Args:
        path: A folder with ``run-*.json``, or one such file.

    Raises:
        InputError: All that is wrong with it.
        Undecidable: It holds no trial.
    """
    problems: list[Problem] = []
    files = tuple(_read(one, problems) for one in _files(path))
    if not problems and not any(one.rows for one in files):
        raise Undecidable(f"{path} holds no trial: nothing was measured")
    problems += _mixed(path, [one for one in files if one.rows])
    places: dict[Key, tuple[int, Row]] = {}
    offset = 0
    for number, one in enumerate(files):
        for row in one.rows:
            places[row.task_id, offset + row.attempt[0] - 1] = (number, row)
        offset += one.attempts
    census = Census(path=str(path), files=files, places=places, trials=offset)
    problems += [] if problems else _out_of_proportion(census)
    if problems:
        raise InputError(tuple(problems[:_MOST_PROBLEMS]))
    return census


def _files(path: Path) -> Sequence[Path]:
    """Return the run files, run-2 before run-10."""
    if not path.is_dir():
        return (path,)
    found = sorted(path.glob("run-*.json"), key=lambda one: (len(one.name), one.name))
    if found:
        return found
    inner = sorted({one.parent.name for one in path.glob("*/run-*.json")})
    advice = f"import one of its folders: {', '.join(inner[:_NAMED])}" if inner else ""
    raise InputError.of("there is no run-*.json in this folder", file=str(path), suggestion=advice)


def _read(path: Path, problems: list[Problem]) -> RunFile:
    """Return what a file holds that is right, and note the rest."""
    try:
        content = path.read_bytes()
    except OSError as error:
        problems.append(Problem(file=str(path), message=f"cannot be read: {error.strerror}"))
        return RunFile(name=path.name, digest="")
    one = RunFile(name=path.name, digest=hashlib.sha256(content).hexdigest())
    value = _value(path, content, problems)
    if value is None:
        return one
    results = value.get("results")
    if not isinstance(results, list):
        told = "a run file is an object whose `results` is a list of trials"
        problems.append(Problem(file=str(path), key="results", message=told))
        return one
    told_of = [stated_of(value), *(row_of(row, f"results[{at}]") for at, row in enumerate(results))]
    for found in told_of:
        if isinstance(found, Stated):
            one.stated = found
        elif isinstance(found, Row):
            one.rows.append(found)
        else:
            problems += [_problem(path, told) for told in found]
    problems += _unlike(path, one)
    return one


def _value(path: Path, content: bytes, problems: list[Problem]) -> dict[str, Json] | None:
    """Return the object that a file is; None, and noted, where it is none."""
    try:
        value = whole(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        shown = content[error.start : error.start + 4].hex(" ")
        problems.append(Problem(file=str(path), line=line, value=shown, message="this is not UTF-8"))
        return None
    except json.JSONDecodeError as error:
        near = error.doc[error.pos : error.pos + 20].strip() or "the end"
        said = f"this cannot be read: {error.msg}"
        problems.append(
            Problem(file=str(path), line=error.lineno, column=error.colno, message=said, value=near)
        )
        return None
    if not isinstance(value, dict):
        told = "a run file is an object whose `results` is a list of trials"
        problems.append(Problem(file=str(path), message=told))
        return None
    return value


def _problem(path: Path, told: Told) -> Problem:
    key, message, value = told
    return Problem(file=str(path), key=key, message=message, value=value)


def _unlike(path: Path, one: RunFile) -> Iterator[Problem]:
    """Yield the results of a file that stand there twice, or are of another run than its first."""
    seen: set[Key] = set()
    for row in one.rows:
        number, attempts = row.attempt
        key = f"trial {row.trial_name}"
        if (row.task_id, number) in seen:
            told = f"task {row.task_id} has a trial {number} already"
            yield Problem(file=str(path), key=key, message=told)
        seen.add((row.task_id, number))
        if attempts != one.attempts:
            told = f"it is one of {attempts} trials, the first result is one of {one.attempts}"
            yield Problem(file=str(path), key=key, message=told)
        elif row.label != one.rows[0].label:
            told = (
                f"it is labelled {row.label!r}, the first result {one.rows[0].label!r}: two runs in one file"
            )
            yield Problem(file=str(path), key=key, message=told)


def _mixed(path: Path, files: Sequence[RunFile]) -> Iterator[Problem]:
    """Yield files that cannot be of the first file's submission, or are there twice."""
    advice = "put each submission into a folder of its own"
    by_digest: dict[str, str] = {}
    by_id: dict[str, str] = {}
    for one in files:
        file, first = str(path / one.name if path.is_dir() else path), files[0]
        again = by_digest.setdefault(one.digest, one.name)
        same = by_id.setdefault(one.stated.id or file, one.name)
        if again != one.name:
            yield Problem(file=file, message=f"it is the same file as {again}")
        elif same != one.name:
            yield Problem(
                file=file, key="id", message=f"{same} is of the same run", value=one.stated.id or ""
            )
        if one.attempts != first.attempts:
            told = f"its tasks have {one.attempts} trials, those of {first.name} {first.attempts}"
            yield Problem(file=file, key="results", message=f"{told}: two submissions", suggestion=advice)
        elif one.family != first.family:
            labels = f"its trials are labelled {one.rows[0].label!r}"
            told = f"{labels}, those of {first.name} {first.rows[0].label!r}"
            yield Problem(file=file, key="results", message=f"{told}: two submissions", suggestion=advice)


def _out_of_proportion(census: Census) -> Iterator[Problem]:
    """A submission may lack some trials; one that lacks most is not what it seems."""
    planned, held = len(census.tasks) * census.trials, len(census.places)
    if planned > 2 * held:
        said = (
            f"{len(census.tasks)} tasks with {census.trials} trials each make {planned}, but it holds {held}"
        )
        yield Problem(file=census.path, message=said, suggestion="files of one submission share their tasks")
    if census.trials > MOST_TRIALS:
        said = f"{census.trials} trials for each task, and {MOST_TRIALS} are the most"
        yield Problem(file=census.path, message=said)
