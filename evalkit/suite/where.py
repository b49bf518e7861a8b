"""Expressions that select cases: ``key=v[,v]``, ``key!=v[,v]``, ``key~glob``, joined by ``and``.

What comes in: the text of an expression. What goes out: `Where`, which says whether a case fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from evalkit.errors import InputError, Problem
from evalkit.records.case import Case
from evalkit.records.written import Json
from evalkit.suite.words import suggest

Operator = Literal["=", "!=", "~"]
"""Equal to one of, equal to none of, like one of."""

_FIELDS = ("id", "split", "signal", "cluster", "origin")
_VALUE = r'"[^"]*"|[^\s,"=!~][^\s,"]*'
_TERM = re.compile(
    rf"\s*(?P<key>[^\s=!~,\"]+)\s*(?P<operator>!=|=|~)\s*(?P<values>(?:{_VALUE})(?:\s*,\s*(?:{_VALUE}))*)\s*"
)
_AND = re.compile(r"and\s", re.IGNORECASE)
_GRAMMAR = "write `key=value`, `key!=value` or `id~glob`, joined by `and`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One comparison.

    Attributes:
        key: id, split, signal, cluster, origin, or a tag (with or without `tags.`).
        operator: How.
        values: What with.
    """

    key: str
    operator: Operator
    values: tuple[str, ...]

    def matches(self, case: Case) -> bool:
        """Whether a case fits; a list fits where one of its entries does."""
        found = _texts(_value(case, self.key))
        return _OPERATORS[self.operator](found, self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """An expression, read.

    Attributes:
        text: As written.
        terms: All must fit; none at all fits every case.
    """

    text: str
    terms: tuple[Term, ...]

    def matches(self, case: Case) -> bool:
        """Whether a case fits."""
        return all(term.matches(case) for term in self.terms)

    def unknown_keys(self, cases: Iterable[Case]) -> tuple[tuple[str, str], ...]:
        """Return the keys that no case has, each with the advice of a message.

        Args:
            cases: The cases that are selected from.
        """
        tags = {name for case in cases for name in case.tags}
        asked = [term.key for term in self.terms if term.key not in _FIELDS]
        return tuple(
            (key, suggest(key.removeprefix("tags."), {*tags, *_FIELDS}))
            for key in dict.fromkeys(asked)
            if key.removeprefix("tags.") not in tags
        )

    def unknown_values(self, cases: Iterable[Case]) -> tuple[tuple[str, str], ...]:
        """Return what ``=`` asks for and no case has, as ``key=value``, each with the advice of a message.

        Args:
            cases: The cases that are selected from; keys that none has are not told again.
        """
        cases = tuple(cases)
        found = []
        for term in self.terms:
            had = {text for case in cases for text in _texts(_value(case, term.key))}
            strange = [value for value in term.values if value not in had and term.operator == "=" and had]
            found += [(f"{term.key}={value}", suggest(value, had)) for value in strange]
        return tuple(found)


def parse_where(text: str) -> Where:
    """Return an expression.

    Args:
        text: The expression; empty text selects everything. Values with space or comma stand in double
            quotes.

    Raises:
        InputError: bad-expression, with the place at which it stops being one.

    >>> parse_where("capability=refund,exchange and id~win*").terms[1]
    Term(key='id', operator='~', values=('win*',))
    """
    terms: list[Term] = []
    at = 0
    while text[at:].strip():
        if terms:
            found_and = _AND.match(text, at)
            if found_and is None:
                raise _bad(text, at)
            at = found_and.end()
        found = _TERM.match(text, at)
        if found is None:
            raise _bad(text, at)
        values = tuple(value.strip('"') for value in re.findall(_VALUE, found["values"]))
        terms.append(Term(key=found["key"], operator=_operator(found["operator"]), values=values))
        at = found.end()
    return Where(text=text, terms=tuple(terms))


def _operator(text: str) -> Operator:
    return "=" if text == "=" else "~" if text == "~" else "!="


def _bad(text: str, at: int) -> InputError:
    said = f"the expression cannot be read from character {at + 1} on"
    problem = Problem(
        message=said,
        column=at + 1,
        value=text[at:][:40] or "the end",
        suggestion=_GRAMMAR,
        code="bad-expression",
    )
    return InputError((problem,))


def _value(case: Case, key: str) -> Json:
    if key == "cluster":
        return case.cluster_name
    if key == "origin":
        return case.source.origin if case.source else None
    if key in _FIELDS:
        return getattr(case, key)
    return case.tags.get(key.removeprefix("tags."))


def _texts(value: Json) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(text for entry in value for text in _texts(entry))
    return (str(value).lower() if isinstance(value, bool) else str(value),)


def _equal(found: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return any(text in wanted for text in found)


def _like(found: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, glob) for text in found for glob in wanted)


_OPERATORS: dict[Operator, Callable[[tuple[str, ...], tuple[str, ...]], bool]] = {
    "=": _equal,
    "!=": lambda found, wanted: not _equal(found, wanted),
    "~": _like,
}
