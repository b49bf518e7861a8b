"""Where reports go: every path that a person typed is looked at before anything is run or read.

What comes in: paths. What goes out: the same paths, or every problem with them at once.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from evalkit.errors import InputError, Problem
from evalkit.suite.words import nearest

EXTENSIONS: Final = (".html", ".md", ".xml", ".json", ".csv", ".parquet")
"""What a report can end with; the extension is the format."""

_OF_A_RUN: Final = frozenset({"manifest.json", "suite.json", "decision.json"})
"""Files of a run folder that a report of that name would destroy."""


def check_outputs(outputs: Sequence[Path], summary: Path | None = None) -> None:
    """Refuse paths that no report can be written to.

    Args:
        outputs: Files of `-o`.
        summary: File of `--github-summary`.

    Raises:
        InputError: Every path of unknown format, of a missing folder, that is no file, or given twice.
    """
    problems = [problem for path in outputs for problem in _problems(path)]
    places = Counter(os.path.realpath(path) for path in (*outputs, *(() if summary is None else (summary,))))
    twice = [place for place, times in places.items() if times > 1]
    problems += [_problem("named more than once: one report would replace the other", one) for one in twice]
    problems += [] if summary is None else list(_place_problems(summary))
    if problems:
        raise InputError(tuple(problems))


def extension(path: Path) -> str:
    """Return the extension that names the format, in lower case.

    Args:
        path: A file of `-o`.
    """
    return path.suffix.lower()


def _problems(path: Path) -> Iterator[Problem]:
    if extension(path) not in EXTENSIONS:
        close = nearest(extension(path), EXTENSIONS) if path.suffix else ""
        hint = f"did you mean {path.with_suffix(close)}? " if close else ""
        known = ", ".join(EXTENSIONS)
        told = "the extension of a report names its format, and there is none such"
        yield _problem(told, str(path), f"{hint}known: {known}; one JSON object on stdout: --json")
    yield from _place_problems(path)
    if path.name in _OF_A_RUN and _mode(path.parent / "manifest.json") is not None:
        yield _problem("this is a file of the run itself", str(path), "name another")


def _place_problems(path: Path) -> Iterator[Problem]:
    mode = _mode(path)
    if mode is not None and stat.S_ISDIR(mode):
        yield _problem("this is a folder, and a report is a file", str(path), f"{path / 'report.html'}, say")
    elif mode is not None and not stat.S_ISREG(mode):
        yield _problem("this is no ordinary file", str(path), "name a file")
    elif not stat.S_ISDIR(_mode(Path(os.path.realpath(path)).parent) or 0):
        yield _problem("there is no such folder", str(path), f"make it: mkdir -p {path.parent}")


def _mode(path: Path) -> int | None:
    """Return what a path leads to, None where there is nothing, or nothing that can be seen."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return None


def _problem(message: str, path: str, suggestion: str = "") -> Problem:
    return Problem(message=message, value=path, suggestion=suggestion, code="output")
