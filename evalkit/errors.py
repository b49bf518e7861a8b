"""The exception tree of evalkit, and the exit code that each branch stands for.

What comes in: nothing. What goes out: exceptions that every room may raise.

::

    EvalkitError
    ├── InputError            exit 2   what a person wrote is wrong; carries every Problem found
    ├── Undecidable           exit 3   nothing could be measured or selected
    ├── OutputError           exit 4   the result is known but could not be written
    ├── StoreError            exit 2   a run folder cannot be read as one
    ├── InvalidFigure         exit 70  somebody averaged a figure that is undefined
    └── SuiteFault                     raised inside a trial, turned into events at one boundary
        ├── ToolRefusal                the tool answers the agent: no, because ...
        ├── DependencyError            a real dependency broke (status, retry_after)
        ├── FixtureMissing             mock mode, and nothing pinned answers
        └── SuiteBug                   the suite's own tool, probe or check is wrong
"""

from __future__ import annotations

from dataclasses import dataclass


class EvalkitError(Exception):
    """The root of the tree; `exit_code` is what the command line returns for it."""

    exit_code = 70


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong in a file that a person wrote.

    Attributes:
        file: Path as the person gave it, or "" where there is no file.
        line: 1-based line, 0 where unknown.
        column: 1-based column, 0 where unknown.
        key: Dotted key path inside the file, e.g. ``metrics.refunded.scope``.
        value: The offending value as text, already shortened; "" where there is none.
        message: One sentence that says what is wrong.
        suggestion: The nearest known word or what to write instead; "" where there is none.
        code: Stable name of the rule, e.g. ``unknown-key``; lint rules use it in docs and tests.
        warning: True for a finding that does not refuse the file.
    """

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    key: str = ""
    value: str = ""
    suggestion: str = ""
    code: str = ""
    warning: bool = False

    def __str__(self) -> str:
        """Return ``file:line:column: key: message (value ...; suggestion)``."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        head = ": ".join(part for part in (place, self.key) if part)
        notes = [f"got {self.value}"] if self.value else []
        notes += [self.suggestion] if self.suggestion else []
        tail = f" ({'; '.join(notes)})" if notes else ""
        rule = f" [{self.code}]" if self.code else ""
        return f"{head}: {self.message}{tail}{rule}" if head else f"{self.message}{tail}{rule}"


class InputError(EvalkitError):
    """What a person wrote is wrong; all problems are reported at once."""

    exit_code = 2

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep the problems in the order in which they should be read."""
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    @classmethod
    def of(cls, message: str, *, file: str = "", value: str = "", suggestion: str = "") -> InputError:
        """Return an error that holds one problem."""
        return cls((Problem(message=message, file=file, value=value, suggestion=suggestion),))


class Undecidable(EvalkitError):
    """Nothing was selected, or nothing that was asked about could be measured."""

    exit_code = 3


class OutputError(EvalkitError):
    """The result is known but could not be written."""

    exit_code = 4


class StoreError(EvalkitError):
    """A run folder, or a file in one, is not what it must be."""

    exit_code = 2


class InvalidFigure(EvalkitError):
    """An undefined figure was used as if it were a number."""


class SuiteFault(EvalkitError):
    """Raised by a suite's code or by the world inside a trial; becomes an event, never a crash."""


class ToolRefusal(SuiteFault):
    """A tool's declared answer to the agent: no, and why. It is the agent's to deal with."""

    def __init__(self, reason: str) -> None:
        """Keep the reason that the agent will read."""
        super().__init__(reason)
        self.reason = reason


class DependencyError(SuiteFault):
    """A real dependency broke; retried below the agent, then cause `environment`.

    Attributes:
        status: HTTP status, or 0 where none was had (host down, time-out).
        retry_after: Seconds that the dependency asked to wait, or None.
    """

    def __init__(self, status: int = 0, retry_after: float | None = None, message: str = "") -> None:
        """Keep status and waiting time; `message` is for people."""
        super().__init__(message or f"dependency broke (status {status})")
        self.status = status
        self.retry_after = retry_after

    @property
    def passes(self) -> bool:
        """Whether asking again may help: no answer, a rate limit, or a fault of the dependency's own.

        >>> DependencyError(503).passes, DependencyError(400).passes
        (True, False)
        """
        return self.status in {0, 408, 429} or self.status >= 500

    @property
    def sub(self) -> str | None:
        """The sub-cause of `environment` that the status stands for; words in a message do not count.

        >>> DependencyError(429).sub, DependencyError(0, message="429 Too Many Requests").sub
        ('rate', 'no_reply')
        """
        if self.status == 429:
            return "rate"
        if self.status in {0, 408, 504}:
            return "no_reply"
        return "bad_argument" if self.status < 500 else None


class FixtureMissing(SuiteFault):
    """Mock mode, and nothing pinned answers this call."""


class SuiteBug(SuiteFault):
    """The suite's own tool, probe or check raised something other than its declared refusal."""
