"""What a reply is held against as a whole: a JSON Schema.

What comes in: a reply, hostile, and a schema of the suite. What goes out: what does not fit, in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evalkit.errors import SuiteBug
from evalkit.records.json_schema import SchemaFault, faults_of
from evalkit.records.safe import printable, storable
from evalkit.records.written import Json
from evalkit.score.checks.values import shown

_DEEPEST = 200  # levels of nesting that are read; the validator recurses, and must not be made to crash
_LISTED = 3  # faults that one reason names


def misfits(value: Json, schema: str) -> str:
    """Return what of a value does not fit a schema, the first few faults with their paths; "" where it fits.

    Args:
        value: A JSON value.
        schema: The schema as JSON text.

    Raises:
        SuiteBug: The schema is none.
    """
    if _is_too_deep(value):
        return f"is nested deeper than {_DEEPEST} levels"
    try:
        faults = _first(value, schema)
    except ValueError as error:
        raise SuiteBug(f"this is no JSON Schema: {error}") from error
    more = " and more" if len(faults) > _LISTED else ""
    return "; ".join(map(_told, faults[:_LISTED])) + more


def _first(value: Json, schema: str) -> list[SchemaFault]:
    try:
        return list(islice(faults_of(value, schema), _LISTED + 1))
    except UnicodeEncodeError:  # lone surrogates, which no JSON holds
        return list(islice(faults_of(storable(value), schema), _LISTED + 1))


def _told(fault: SchemaFault) -> str:
    at = printable("".join(_steps(fault.way)).removeprefix("."))
    return f"{shown(at)}: {shown(printable(fault.said))}" if at else shown(printable(fault.said))


def _steps(way: tuple[str | int, ...]) -> Iterator[str]:
    return (f"[{part}]" if isinstance(part, int) else f".{part}" for part in way)


def _is_too_deep(value: Json) -> bool:
    """Go down level by level: no depth of nesting can stop it."""
    level, depth = [value], 0
    while level and depth <= _DEEPEST:
        lists = (
            one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)
        )
        level, depth = [inner for one in lists for inner in one], depth + 1
    return bool(level)
