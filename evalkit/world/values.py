"""What a database or a tool returns, as JSON values.

What comes in: Python values of suite code and of DuckDB. What goes out: None, bool, int, float, str, lists
and dicts of them, copied, so that nothing later changes what was recorded.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import uuid
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, Final, NoReturn, cast

from evalkit.records.written import Json

DEEPEST: Final = 100
"""Lists and objects inside each other; every reader of a journal walks them, and Python's stack is finite."""
WIDEST: Final = 1023
"""Bits of a whole number: one more, and no float comes near it, so that no check could compare it."""


def json_value(value: object) -> Json:
    """Return a value as JSON, without loss.

    Args:
        value: None, bool, int, float, str, Decimal, date, time, datetime, timedelta, UUID, an enum of these,
            or lists, tuples and dicts of these.

    Returns:
        A fresh JSON value: decimals as `decimal_number` says, dates and times as ISO 8601 text.

    Raises:
        ValueError: The value has no JSON form: bytes, NaN, infinity, keys that are not text, objects; or it
            is nested deeper than `DEEPEST`, itself included, or a whole number is wider than `WIDEST`.

    >>> json_value({"amount": Decimal("87.50"), "day": dt.date(2026, 10, 2), "tags": ("a", None)})
    {'amount': 87.5, 'day': '2026-10-02', 'tags': ['a', None]}
    """
    return _json(value, DEEPEST)


def _json(value: object, left: int) -> Json:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        return _narrow(cast("int", value))
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, Mapping | list | tuple) and left == 0:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        return {_key(key): _json(item, left - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item, left - 1) for item in value]
    return _rare(value)


def decimal_number(value: Decimal) -> Json:
    """Return a decimal as a number where that loses nothing, else as text.

    Args:
        value: A finite decimal.

    Returns:
        A float that prints as the same decimal; an int for whole numbers that no float holds; else text.

    >>> decimal_number(Decimal("87.50")), decimal_number(Decimal("123456789012345678901"))
    (87.5, 123456789012345678901)
    >>> decimal_number(Decimal("12345678901234567890.123456789"))
    '12345678901234567890.123456789'
    """
    if not value.is_finite():
        raise ValueError(f"{value} is not a number that can be stored")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value} is beyond every number that can be compared")
    if Decimal(repr(number)) == value:
        return number
    return int(value) if value == value.to_integral_value() else str(value)


def duration_text(value: dt.timedelta) -> str:
    """Return an ISO 8601 duration in days and seconds.

    >>> duration_text(dt.timedelta(days=32, seconds=3.5)), duration_text(dt.timedelta(hours=-1))
    ('P32DT3.5S', '-PT3600S')
    """
    sign, length = ("-", -value) if value < dt.timedelta() else ("", value)
    seconds = Decimal(length.seconds) + Decimal(length.microseconds) / 1_000_000
    days = f"{length.days}D" if length.days else ""
    rest = f"T{seconds.normalize():f}S" if seconds or not days else ""
    return f"{sign}P{days}{rest}"


def parsed_json(text: str) -> Json:
    """Return what a JSON column holds.

    Args:
        text: JSON text of the database.

    Raises:
        ValueError: The text is not JSON, or what it says is no value for `json_value`.

    >>> parsed_json("[1e999]")
    Traceback (most recent call last):
    ...
    ValueError: inf is not a number that can be stored
    """
    try:
        return json_value(_DECODER.decode(text))
    except RecursionError as error:
        raise ValueError(f"it is nested more than {DEEPEST} deep") from error


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number that can be stored")
    return float(value)


def _narrow(value: int) -> int:
    if value.bit_length() > WIDEST:
        raise ValueError(f"a whole number has more than {WIDEST} bits")
    return int(value)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the key {key!r} is not text")  # noqa: TRY004 - one kind of error for one kind of fault
    return str(key)


def _rare(value: object) -> Json:
    for kind, convert in _CONVERSIONS.items():
        if isinstance(value, kind):
            return convert(value)
    raise ValueError(f"{type(value).__name__} has no JSON form; return text, numbers, lists or dicts")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that can be stored")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


def _iso(value: Any) -> str:
    return str(value.isoformat())


# Enum stands first: an enum of texts is text too, and its value is what was meant.
_CONVERSIONS: dict[type, Callable[[Any], Json]] = {
    Enum: lambda member: json_value(member.value),
    bool: bool,
    int: _narrow,
    str: str,
    Decimal: decimal_number,
    dt.datetime: _iso,
    dt.date: _iso,
    dt.time: _iso,
    dt.timedelta: duration_text,
    uuid.UUID: str,
}
