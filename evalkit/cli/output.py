"""How the command line speaks: results on stdout, notices and errors on stderr, JSON where asked.

What comes in: texts, errors, JSON objects. What goes out: printed lines. Modules that `--help` has no need of
are imported where they are used.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TextIO, TypeVar

import click

from evalkit.errors import InputError, OutputError

_Command = TypeVar("_Command", bound=Callable[..., object])


def json_option(command: _Command) -> _Command:
    """Add `--json`."""
    option = click.option(
        "--json", "as_json", is_flag=True, envvar="EVALKIT_JSON", help="Print one JSON object on stdout."
    )
    return option(command)


def notice(text: str) -> None:
    """Say one line to the person."""
    click.echo(text, err=True)


def say(text: str) -> None:
    """Print a result; what the encoding of stdout does not know is escaped.

    Raises:
        OutputError: Nobody could be told: stdout is closed.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _echo(text.encode(encoding, "backslashreplace").decode(encoding), color=colour())


def say_json(value: Mapping[str, object]) -> None:
    """Print one JSON object; NaN is refused, surrogates are escaped by ASCII.

    Raises:
        OutputError: Nobody could be told: stdout is closed.
    """
    import json

    _echo(json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2), color=False)


def width() -> int:
    """Return the width of the terminal in cells, 80 where there is none."""
    import shutil

    return max(40, shutil.get_terminal_size((80, 24)).columns) if _is_terminal() else 80


def colour() -> bool:
    """Whether colour is wanted: a terminal, and neither `NO_COLOR` nor `CI` is set."""
    return _is_terminal() and not os.environ.get("NO_COLOR") and not os.environ.get("CI")


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Keep stdout for results: what a suite's own code prints in the block goes to stderr.

    The file descriptor is turned, too, for what code below Python and child processes print; and code that
    closes its stdout closes no more than that.
    """
    try:
        kept = os.dup(1)
    except OSError:  # stdout is closed: there is nothing to keep, and nothing may take its place
        kept = os.open(os.devnull, os.O_WRONLY)
    try:
        with _turned() as aside, contextlib.redirect_stdout(aside):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@contextlib.contextmanager
def _turned() -> Iterator[TextIO]:
    """Let file descriptor 1 lead to stderr, or nowhere, and yield a text file on it."""
    if sys.stdout is not None:
        sys.stdout.flush()
    try:
        os.dup2(2, 1)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    with open(1, "w", closefd=False, buffering=1, encoding="utf-8", errors="backslashreplace") as aside:
        yield aside


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _echo(text: str, *, color: bool) -> None:
    if sys.stdout is None or sys.stdout.closed:
        raise OutputError("the result could not be printed: stdout is closed")
    click.echo(text, color=color)


def fail(error: BaseException | str, code: int, *, as_json: bool, usage: str = "") -> int:
    """Say what went wrong and return the exit code.

    Args:
        error: The exception, or its text.
        code: The exit code.
        as_json: Print a JSON object on stdout instead of text on stderr.
        usage: What to type instead.

    Returns:
        `code`.
    """
    if as_json:
        say_json({"error": _text(error), "exit_code": code, "problems": _problems(error)})
        return code
    if code == 70 and isinstance(error, BaseException):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
        notice("evalkit: this is a bug in evalkit; please report it with the lines above")
        return code
    for line in _text(error).splitlines():
        notice(f"evalkit: {line}")
    if isinstance(error, InputError) and len(error.problems) > 1:
        notice(f"evalkit: {len(error.problems)} problems")
    if usage:
        notice(f"evalkit: {usage}")
    return code


def _text(error: BaseException | str) -> str:
    # Escapes what a terminal would obey; the rooms' own escaping is not loaded on this path.
    text = str(error) or type(error).__name__
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def _problems(error: BaseException | str) -> list[dict[str, object]]:
    if not isinstance(error, InputError):
        return []
    return [
        {name: getattr(problem, name) for name in type(problem).__dataclass_fields__}
        for problem in error.problems
    ]
