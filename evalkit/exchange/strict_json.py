"""JSON that strangers wrote: taken entry by entry, and every flaw named by its place.

What comes in: hostile text. What goes out: values, one entry of an array at a time, and what is wrong with
them. Halves of surrogate pairs are no flaw: JSON can say them, and the journal keeps them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.records.written import Json

_MAX_DEPTH = 64  # levels; readers of other languages give up not far beyond
_MAX_DIGITS = 300  # of an integer; more than any quantity has, and reading them takes quadratic time
_SPACE = re.compile(r"[ \t\n\r]*")


class _Doubled(dict[str, Json]):
    """An object in which a key stands twice; which of its values is meant, nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One entry of an array.

    Attributes:
        number: Its position, from 0.
        start: Where it starts in the text, in characters.
        line: The line on which it starts, from 1.
        value: Its value; see `flaws`.
    """

    number: int
    start: int
    line: int
    value: Json


def pieces(text: str) -> Iterator[Piece]:
    """Yield the entries of a text that is one JSON array; only one of them is held at a time.

    Args:
        text: The whole file.

    Raises:
        json.JSONDecodeError: Where the text stops being such an array; the entries before were yielded.
    """
    at = _expect(text, 0, "[", "the file must be one JSON array, with one entry per trial")
    number, line, counted = 0, 1, 0
    while number or text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        value, end = _decode(text, at)
        yield Piece(number=number, start=at, line=line, value=value)
        at = _SPACE.match(text, end).end()  # type: ignore[union-attr]  # it matches everywhere
        if text[at : at + 1] == "]":
            break
        at, number = _expect(text, at, ",", "there must be a comma or the end of the array"), number + 1
    end = _expect(text, at, "]", "the array must end")
    if end != len(text):
        raise json.JSONDecodeError("nothing may follow the array", text, end)


def whole(text: str) -> Json:
    """Return the one value that a text is; see `flaws`.

    Args:
        text: The whole file.

    Raises:
        json.JSONDecodeError: Where the text stops being one JSON value.
    """
    value, end = _decode(text, _SPACE.match(text).end())  # type: ignore[union-attr]  # it matches everywhere
    end = _SPACE.match(text, end).end()  # type: ignore[union-attr]  # the same
    if end != len(text):
        raise json.JSONDecodeError("nothing may follow the value", text, end)
    return value


def piece_at(text: str, start: int) -> Json:
    """Return the value that starts at a place which `pieces` told.

    Args:
        text: The same text.
        start: `Piece.start`.
    """
    return _decode(text, start)[0]


def flaws(value: Json, key: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield place and sentence of everything in a value that JSON readers do not agree about.

    Args:
        value: A value of `pieces`.
        key: Where it stands.
        depth: How deep it stands, in levels.
    """
    if depth > _MAX_DEPTH:
        yield key, f"nested more than {_MAX_DEPTH} levels deep"
    elif isinstance(value, dict):
        if isinstance(value, _Doubled):
            yield key, "a key stands twice in this object"
        for name, inner in value.items():
            yield from flaws(inner, f"{key}.{name}", depth + 1)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from flaws(inner, f"{key}[{position}]", depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        yield key, f"a number must be finite, and of at most {_MAX_DIGITS} digits"


def value_of(text: str) -> Json:
    """Return the JSON value that a text is, or the text itself where it is none or has flaws.

    Args:
        text: What a tool answered, or a model wrote.

    >>> value_of('{"a": 1}'), value_of("23.0"), value_of("NaN"), value_of("Transfer successful")
    ({'a': 1}, 23.0, 'NaN', 'Transfer successful')
    """
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return text
    return value if next(flaws(value), None) is None else text


def _decode(text: str, at: int) -> tuple[Json, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError:
        raise json.JSONDecodeError("nested too deep to be read", text, at) from None


def _expect(text: str, at: int, sign: str, otherwise: str) -> int:
    """Return where the next thing after a sign starts."""
    at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches everywhere
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(otherwise, text, at)
    return _SPACE.match(text, at + 1).end()  # type: ignore[union-attr]  # the same


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else _Doubled(value)


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _MAX_DIGITS else math.inf


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_integer)
