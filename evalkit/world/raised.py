"""What an exception of suite code means, in words and in the tree of errors.

What comes in: exceptions that suite code raised. What goes out: `DependencyError` where a dependency broke,
`SuiteBug` otherwise, with the tool, the exception and the line.
"""

from __future__ import annotations

import math
import sys
import traceback
from pathlib import Path

from evalkit.errors import DependencyError, Problem, SuiteBug, SuiteFault, ToolRefusal

_SHOWN = 500  # characters of an exception's text in a message


def load_problem(error: BaseException, path: Path) -> Problem:
    """Return what keeps a file from being loaded.

    Args:
        error: What it raised.
        path: The file.
    """
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return Problem(message=error.msg, file=str(path), line=error.lineno or 0, code="bad-tools")
    message = f"the file does not load: {type(error).__name__}: {_text(error)}"
    return Problem(message=message, file=str(path), line=_line(error, str(path)), code="bad-tools")


def fault_of(who: str, error: BaseException, file: str) -> SuiteFault:
    """Return what an exception means: a declared fault, a dependency that broke, or the suite's bug.

    A number in a message is no status: only httpx's own errors carry one.

    Args:
        who: What raised it, for messages.
        error: The exception.
        file: The file of the suite that the line is looked for in.
    """
    if isinstance(error, SuiteFault):
        return sound(who, error)
    return _broken_dependency(error) or SuiteBug(f"{who} raised {described(error, file)}")


def sound(who: str, error: SuiteFault) -> SuiteFault:
    """Return a declared fault, or the suite's bug where what it carries is of no use.

    A reason that is no text could not be read back from the journal, and a waiting time that is no number
    would make the waiting of the whole run endless.

    Args:
        who: What raised it, for messages.
        error: The fault.

    >>> sound("tool pay", DependencyError(503, math.nan))
    SuiteBug('tool pay raised DependencyError with retry_after nan, which is of no use')
    """
    if isinstance(error, ToolRefusal):
        return error if _is(error.reason, str) else _unsound(who, error, "reason", error.reason)
    if not isinstance(error, DependencyError):
        return error
    if not _is(error.status, int):
        return _unsound(who, error, "status", error.status)
    waits = error.retry_after is None or (
        _is(error.retry_after, int, float) and math.isfinite(error.retry_after)
    )
    return error if waits else _unsound(who, error, "retry_after", error.retry_after)


def _is(value: object, *kinds: type) -> bool:
    """Tell what suite code really gave; annotations bind nobody there."""
    return type(value) in kinds


def _unsound(who: str, error: SuiteFault, name: str, value: object) -> SuiteBug:
    shown = repr(value) if isinstance(value, int | float) else type(value).__name__
    return SuiteBug(f"{who} raised {type(error).__name__} with {name} {shown}, which is of no use")


def described(error: BaseException, file: str = "") -> str:
    """Return an exception's type, text and place on one line.

    Args:
        error: The exception.
        file: The file that the line is looked for in; "" takes the last place.
    """
    line = _line(error, file)
    place = f" ({Path(file).name}:{line})" if file and line else f" (line {line})" if line else ""
    return f"{type(error).__name__}: {_text(error)}{place}"


def _broken_dependency(error: BaseException) -> DependencyError | None:
    """Map httpx's errors; a tool that raised one has imported httpx, so nobody else has to."""
    httpx = sys.modules.get("httpx")
    if httpx is None:
        return None
    if isinstance(error, httpx.HTTPStatusError):
        status = int(error.response.status_code)
        if status == 429 or status >= 500:
            return DependencyError(status, _seconds(error.response.headers.get("retry-after")), _text(error))
    elif isinstance(error, httpx.TransportError):
        return DependencyError(0, message=f"{type(error).__name__}: {_text(error)}")
    return None


def _seconds(text: str | None) -> float | None:
    """Read a Retry-After header in seconds; a date would need the time of day, and is left alone."""
    return float(text) if text and text.isascii() and text.isdigit() else None


def _text(error: BaseException) -> str:
    """Return the text of an exception; the formatter of tracebacks bears a `__str__` that raises."""
    said = "".join(traceback.format_exception_only(error)).strip()
    return " ".join(said.partition(": ")[2].split())[:_SHOWN]


def _line(error: BaseException, file: str) -> int:
    """Return the last line of a file that an exception came through; of any file where `file` is ""."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not file or f.filename == file]
    return (frames[-1].lineno or 0) if frames else 0
