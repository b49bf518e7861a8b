"""The files of a suite that hold secrets, told without the secrets.

What comes in: the files that were read. What goes out: problems in which a secret is its first four
characters and its length. Whatever stands in these files is copied into every run folder and report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.suite.files import TABLE_LIMIT, Files
from evalkit.suite.secrets import Secret, guessed, known, without

MOST_TOLD = 20
"""Secrets of one file that are told; more are counted."""


def leaks(files: Files, paths: Iterable[Path]) -> list[Problem]:
    """Return the secrets of a known form in files, which refuse the suite.

    Args:
        files: What may be read.
        paths: The files that were read.
    """
    found: list[Problem] = []
    for path, text in _texts(files, paths):
        found += _placed(list(known(text)), text, str(path), _known)
    return found


def possible_leaks(files: Files, paths: Iterable[Path]) -> Iterator[Problem]:
    """Yield a warning for what may be a secret in files.

    Args:
        files: What may be read.
        paths: The files that were read.
    """
    for path, text in _texts(files, paths):
        yield from _placed(sorted(guessed(text), key=_start), text, str(path), _guess)


def masked(problem: Problem) -> Problem:
    """Return a problem that quotes no secret.

    Args:
        problem: Any problem of the suite's files.
    """
    if problem.code == "secret":
        return problem
    return replace(
        problem,
        key=without(problem.key),
        value=without(problem.value),
        message=without(problem.message),
        suggestion=without(problem.suggestion),
    )


def _texts(files: Files, paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files that can be read; why others cannot has been told where they are named."""
    for path in sorted(paths):
        try:
            yield path, files.text(path, TABLE_LIMIT)
        except InputError:
            continue


def _start(secret: Secret) -> int:
    return secret.start


def _placed(
    found: Sequence[Secret], text: str, file: str, told: Callable[[Secret, str], Problem]
) -> Iterator[Problem]:
    """Yield a problem for the first secrets of a text, the lines counted once; the last counts the rest."""
    line, since = 1, 0
    more = len(found) - MOST_TOLD
    for number, secret in enumerate(found[:MOST_TOLD], 1):
        line += text.count("\n", since, secret.start)
        since = secret.start
        column = secret.start - text.rfind("\n", 0, secret.start)
        problem = replace(told(secret, file), line=line, column=column)
        if number == MOST_TOLD and more > 0:
            problem = replace(problem, message=f"{problem.message}; and {more} more in this file")
        yield problem


def _known(secret: Secret, file: str) -> Problem:
    return Problem(
        file=file,
        value=secret.masked,
        message=f"this is {secret.what}, and would be copied into every run and report",
        suggestion="take it out and revoke it; a made-up one says so, with EXAMPLE in it",
        code="secret",
    )


def _guess(secret: Secret, file: str) -> Problem:
    return Problem(
        file=file,
        value=secret.masked,
        message=f"this looks like {secret.what}, and is copied into every run and report",
        suggestion="take it out; a made-up one says so, with EXAMPLE in it",
        code="possible-secret",
        warning=True,
    )
