"""A file as plain values, with the place of every key and value, and the problems found in it.

What comes in: values and marks from a reader. What goes out: `Document`, which turns a key path into a
`Problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from evalkit.errors import Problem
from evalkit.records.safe import printable
from evalkit.records.written import Json
from evalkit.suite.codes import WARNINGS

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and list positions (from 0) that lead to a value."""

_SHOWN = 60  # characters of a value that a message shows


@dataclass(slots=True)
class Mark:
    """Where a value stands, and everything below it.

    Attributes:
        line: 1-based.
        column: 1-based.
        text: A plain scalar as written, "" for anything else.
        keys: For mappings: key -> (line, column) of the key.
        inner: For mappings: key -> mark of its value; for lists: the marks of the entries.
    """

    line: int = 0
    column: int = 0
    text: str = ""
    keys: Mapping[str, tuple[int, int]] | None = None
    inner: Mapping[str, Mark] | Sequence[Mark] = ()

    def all_below(self) -> tuple[Mark, ...]:
        """Return the marks directly below, in order."""
        return tuple(self.inner.values() if isinstance(self.inner, Mapping) else self.inner)

    def below(self, part: str | int) -> Mark | None:
        """Return the mark under a key or at a position, or None."""
        if isinstance(self.inner, Mapping):
            return self.inner.get(part) if isinstance(part, str) else None
        if isinstance(part, int) and part < len(self.inner):
            return self.inner[part]
        return None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A plain scalar that means one thing to people and another to YAML.

    Attributes:
        path: Where it stands.
        kind: boolean, number, date, underscore or sexagesimal.
        text: As written.
    """

    path: KeyPath
    kind: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Document:
    """One file, or one row of a table.

    Attributes:
        file: As the person gave it.
        value: What it says.
        line: 1-based line at which it begins.
        marks: Makes the marks; called when the first problem is placed.
        doubts: Plain scalars that are right only in some fields.
        unreadable: It could not be read as a whole, and that has been reported.
    """

    file: str
    value: Json = None
    line: int = 1
    marks: Callable[[], Mark] = Mark
    doubts: tuple[Doubt, ...] = ()
    unreadable: bool = False

    @cached_property
    def mark(self) -> Mark:
        """The mark of the whole."""
        return self.marks()

    def place(self, path: KeyPath, *, at_key: bool = False) -> tuple[int, int]:
        """Return line and column of a value, or of the innermost value on the way that exists.

        Args:
            path: Where; parts that do not exist are passed over.
            at_key: The place of the last part's key instead of its value.

        Returns:
            1-based line and column; 0 where unknown.
        """
        mark, key = self.mark, None
        for part in path:
            below = mark.below(part)
            if below is not None:
                key = (mark.keys or {}).get(part) if isinstance(part, str) else None
                mark = below
        return key if at_key and key else (mark.line, mark.column)

    def real(self, path: KeyPath) -> KeyPath:
        """Return a path without the parts that the source does not have (short forms leave some out)."""
        value, kept = self.value, []
        for part in path:
            below = inside(value, part)
            if below is not value:
                kept.append(part)
                value = below
        return tuple(kept)

    def text(self, path: KeyPath) -> str:
        """Return the value at a path as written, shortened; for keys that are missing, what holds them."""
        mark, value = self.mark, self.value
        for part in path:
            below = mark.below(part)
            mark = below if below is not None else mark
            value = inside(value, part)
        return short(mark.text if mark.text and not isinstance(value, dict | list) else value)

    def problem(
        self,
        path: KeyPath,
        code: str,
        message: str,
        *,
        suggestion: str = "",
        value: str = "",
        at_key: bool = False,
    ) -> Problem:
        """Return a problem with a value of this document.

        Args:
            path: Where.
            code: A key of `codes.CODES`.
            message: What is wrong.
            suggestion: What to write instead.
            value: What to show; default: the value as written.
            at_key: The key is meant, not its value.

        Returns:
            The problem, placed; a warning where its code is one.
        """
        line, column = self.place(path, at_key=at_key)
        return Problem(
            file=self.file,
            line=line,
            column=column,
            key=dotted(path),
            value=value or self.text(path),
            message=message,
            suggestion=suggestion,
            code=code,
            warning=code in WARNINGS,
        )


@dataclass(frozen=True, slots=True)
class Findings:
    """The problems of one document, collected on the way.

    Attributes:
        document: Where they are.
        problems: In the order in which they were found.
    """

    document: Document
    problems: list[Problem] = field(default_factory=list)

    def add(
        self,
        path: KeyPath,
        code: str,
        message: str,
        *,
        suggestion: str = "",
        value: str = "",
        at_key: bool = False,
    ) -> None:
        """Note a problem; arguments as in `Document.problem`."""
        self.problems.append(
            self.document.problem(path, code, message, suggestion=suggestion, value=value, at_key=at_key)
        )


def inside(value: Json, part: str | int) -> Json:
    """Return what lies under a key or at a position, or the value itself where there is nothing."""
    if isinstance(value, dict) and part in value:
        return value[part]
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        return value[part]
    return value


def dotted(path: Iterable[str | int]) -> str:
    """Return a key path as people write it.

    >>> dotted(("expect", 0, "state", "sql"))
    'expect[0].state.sql'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def short(value: Json) -> str:
    """Return a value on one line, at most sixty characters, without what a terminal would obey.

    >>> short({"id": 1, "input": "x"}), short([1, 2]), short(None), short("")
    ('{id, input}', '[2 entries]', 'null', '""')
    """
    if isinstance(value, dict):
        text = "{" + ", ".join(str(key) for key in value) + "}"
    elif isinstance(value, list | tuple):
        text = f"[{len(value)} {'entry' if len(value) == 1 else 'entries'}]"
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    else:
        text = str(value) or '""'
    text = printable(text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def read_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems by file, line and column, as a person reads them, doublets left out."""
    unique = dict.fromkeys(problems)
    files = list(dict.fromkeys(problem.file for problem in unique))
    return tuple(
        sorted(unique, key=lambda problem: (files.index(problem.file), problem.line, problem.column))
    )
