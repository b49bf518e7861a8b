"""Problems that are found after a file was read, led back to the line in it.

What comes in: where a case or a suite stands, and a key path. What goes out: a `Problem`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from evalkit.errors import Problem
from evalkit.records.paths import steps
from evalkit.suite.codes import WARNINGS
from evalkit.suite.document import Document, KeyPath, dotted, inside, short
from evalkit.suite.yaml_source import read_yaml

_YAML = (".yaml", ".yml")


def placed(place: str, path: KeyPath, code: str, message: str, *, suggestion: str, value: str) -> Problem:
    """Return a problem in a file that has been read before.

    Args:
        place: ``file`` or ``file:line``, such as `Case.place`.
        path: Where in the file; of a row of a table only the line is told.
        code: A key of `codes.CODES`.
        message: What is wrong.
        suggestion: What to write instead.
        value: What to show, shortened.

    Returns:
        The problem, a warning where its code is one.
    """
    file, line = _split(place)
    row, column = line, 1 if line else 0
    found = _document(file)
    if found is not None:
        row, column = found.place(path)
    return Problem(
        file=file,
        line=row,
        column=column,
        key=dotted(path),
        value=short(value),
        message=message,
        suggestion=suggestion,
        code=code,
        warning=code in WARNINGS,
    )


def led_back(problems: Iterable[Problem], folder: Path) -> tuple[Problem, ...]:
    """Return problems of records with file, line and column, as those have that are found in a file.

    Args:
        problems: Those without a line name their file as seen from the suite's folder.
        folder: The suite's folder, as the person gave it.
    """
    documents = cache(_document)
    found = []
    for problem in problems:
        file = problem.file if problem.line else str(folder / problem.file)
        document = documents(file)
        row, column = (problem.line, problem.column) if document is None else _at(document, problem.key)
        found.append(replace(problem, file=file, line=row, column=column))
    return tuple(found)


def _at(document: Document, key: str) -> tuple[int, int]:
    """Return where a dotted key stands: at the value, or at the key where the value is a block of its own."""
    try:
        path: KeyPath = tuple(step for step in steps(key) if step is not None)
    except ValueError:
        path = ()
    value = document.value
    for step in path:
        value = inside(value, step)
    return document.place(path, at_key=isinstance(value, dict | list))


def _split(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return (file, int(line)) if file and line.isdigit() else (place, 0)


def _document(file: str) -> Document | None:
    """Return a YAML file once more; None where it is none, or has gone since."""
    if not file.endswith(_YAML):
        return None
    try:
        document, _ = read_yaml(Path(file).read_text(encoding="utf-8"), file)
    except (OSError, UnicodeDecodeError):
        return None
    return None if document.unreadable else document
