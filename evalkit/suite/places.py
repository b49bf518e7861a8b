"""Problems that are found after a file was read, led back to the line in it.

What comes in: where a case or a suite stands, and a key path. What goes out: a `Problem`.
"""

from __future__ import annotations

from pathlib import Path

from evalkit.errors import Problem
from evalkit.suite.codes import WARNINGS
from evalkit.suite.document import Document, KeyPath, dotted, short
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
