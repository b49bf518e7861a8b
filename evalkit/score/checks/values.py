"""JSON values held against each other and put into words, whoever wrote them and however deep they are.

What comes in: JSON values, some of them hostile. What goes out: whether they agree, keys to group by, text.
Nothing here follows a value down by recursion, so that no depth of nesting can stop a check.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from evalkit.records.paths import same
from evalkit.records.written import Json

_SHOWN = 160  # characters of a value in a reason; the trace has the rest
_FEW = 8  # items of a list that are encoded at a time: a row of an answer takes some twenty characters
_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)


def is_number(value: Json) -> bool:
    """Return whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def near(expected: Json, actual: Json, tolerance: float = 0.0) -> bool:
    """Return whether two values are equal, numbers within a tolerance, lists and objects item by item.

    Differences are those of the decimals as they are written: 87.51 is 0.01 away from 87.5.

    Args:
        expected: JSON value.
        actual: JSON value.
        tolerance: Largest absolute difference between numbers, inclusive; 0 asks for equality.

    >>> near({"a": [1.0, "x"]}, {"a": [1.004, "x"]}, 0.01), near(True, 1, 1.0), near(87.5, 87.51, 0.01)
    (True, False, True)
    """
    if isinstance(expected, list | dict):
        alike = _alike(expected, actual)
        if alike or (alike is False and not tolerance):
            return alike
    waiting = [(expected, actual)]
    while waiting:
        want, have = waiting.pop()
        if isinstance(want, list) and isinstance(have, list):
            if len(want) != len(have):
                return False
            waiting.extend(zip(want, have, strict=True))
        elif isinstance(want, dict) and isinstance(have, dict):
            if want.keys() != have.keys():
                return False
            waiting.extend((want[key], have[key]) for key in want)
        elif not (same(want, have) or _within(want, have, tolerance)):
            return False
    return True


def _alike(one: Json, other: Json) -> bool | None:
    """Return whether two values are written alike, or False where they are not even equal; None says neither.

    Most answers are the expected ones to the letter, and an encoder sees that at once.
    """
    try:
        written, equal = msgspec.json.encode(one), one == other
        if (
            equal and b"null" not in written and written == msgspec.json.encode(other)
        ):  # it writes NaN as null
            return True
    except (RecursionError, UnicodeError, TypeError, OverflowError):
        return None
    return None if equal else False


def _within(want: Json, have: Json, tolerance: float) -> bool:
    if not (tolerance and is_number(want) and is_number(have)):
        return False
    if not all(isinstance(one, int) or math.isfinite(one) for one in (want, have, tolerance)):
        return False
    return abs(_decimal(want) - _decimal(have)) <= _decimal(tolerance)


def _decimal(number: float) -> Decimal:
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def fingerprint(value: Json) -> tuple[object, ...]:
    """Return a key that two JSON values share exactly when they are the same: 1 and 1.0, but not true.

    Args:
        value: A JSON value without NaN.

    >>> fingerprint({"a": 1, "b": [2]}) == fingerprint({"b": [2.0], "a": 1.0})
    True
    >>> fingerprint([1]) == fingerprint([True]), fingerprint([[], 1]) == fingerprint([[1]])
    (False, False)
    """
    found: list[object] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            keys = sorted(one)
            found.append(("object", *keys))
            waiting.extend(one[key] for key in keys)
        elif isinstance(one, list):
            found.append(("list", len(one)))
            waiting.extend(one)
        else:
            found.append((isinstance(one, bool), one))
    return tuple(found)


def leaves(value: Json) -> Iterator[Json]:
    """Yield every value inside a value that holds no others, in order; keys are none.

    >>> list(leaves({"a": [3, {"b": 1}], "c": 2}))
    [3, 1, 2]
    """
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        else:
            yield one


def as_text(value: Json) -> str:
    """Return a value as text that patterns are tried on: text as it is, all else as compact JSON.

    Args:
        value: A JSON value; of one that is nested beyond what the encoder can follow, its leaves.

    >>> as_text("a"), as_text({"id": 7}), as_text(None)
    ('a', '{"id":7}', 'null')
    """
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return " ".join(str(leaf) for leaf in leaves(value))


def shown(value: Json) -> str:
    """Return a value for a reason, shortened; no more of it is read than is shown.

    >>> shown({"id": 7}), len(shown("x" * 1000))
    ('{"id": 7}', 164)
    """
    text = value[: _SHOWN + 1] if isinstance(value, str) else _beginning(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def _beginning(value: Json) -> str:
    if is_number(value):
        return repr(value)
    try:
        return _of_items(value) if isinstance(value, list) else _ENCODER.encode(value)
    except RecursionError:
        return _bit_by_bit(value)


def _of_items(value: list[Json]) -> str:
    """Return a list as JSON, hardly more items than are shown."""
    if len(value) < _FEW:
        return _ENCODER.encode(value)
    parts: list[str] = []
    length = 0
    for start in range(0, len(value), _FEW):
        parts.append(_ENCODER.encode(value[start : start + _FEW])[1:-1])
        length += len(parts[-1]) + 2
        if length > _SHOWN:
            break
    return f"[{', '.join(parts)}]"


def _bit_by_bit(value: Json) -> str:
    """Return the first characters of a value that is nested beyond what the encoder can follow."""
    text = ""
    for part in _ENCODER.iterencode(value):
        text += part
        if len(text) > _SHOWN:
            break
    return text
