"""Warnings about a suite that can be loaded, placed as well as its records allow.

What comes in: words, and the file or the case that they are about. What goes out: `Problem`s that refuse
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from evalkit.errors import Problem
from evalkit.records.case import Case

_LISTED = 5  # names that one warning lists


def warning(code: str, file: str, key: str, value: str, message: str, suggestion: str) -> Problem:
    """Return a warning about a file of the suite.

    Args:
        code: A key of `codes.CODES`.
        file: The file.
        key: Key path inside it.
        value: What is warned of.
        message: What to know.
        suggestion: What to do about it.
    """
    return Problem(
        file=file, key=key, value=value, message=message, suggestion=suggestion, code=code, warning=True
    )


def of_case(code: str, case: Case, key: str, message: str, suggestion: str) -> Problem:
    """Return a warning about a case, placed where it stands.

    Args:
        code: A key of `codes.CODES`.
        case: The case.
        key: Key path inside it.
        message: What to know.
        suggestion: What to do about it.
    """
    file, _, line = case.place.rpartition(":")
    return Problem(
        file=file or case.place,
        line=int(line) if line.isdigit() else 0,
        column=1 if line.isdigit() else 0,
        key=key,
        value=case.id,
        message=message,
        suggestion=suggestion,
        code=code,
        warning=True,
    )


def listed(names: Iterable[str]) -> str:
    """Return the first names and how many more there are.

    >>> listed("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    some = list(names)
    more = f" and {len(some) - _LISTED} more" if len(some) > _LISTED else ""
    return ", ".join(some[:_LISTED]) + more
