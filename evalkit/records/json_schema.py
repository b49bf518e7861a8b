"""JSON Schemas that suites write, compiled: dialect 2020-12, formats asserted, nothing ever fetched.

What comes in: a schema as JSON text. What goes out: a validator, made once for each text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

import jsonschema_rs
from msgspec import Struct

from evalkit.records.written import Json


class SchemaFault(Struct, frozen=True, kw_only=True):
    """Where a value does not fit a schema: the way to the innermost value, and what is wrong with it."""

    way: tuple[str | int, ...]
    said: str


def as_json(schema: Json) -> str:
    """Return a schema as text that two equal schemas share."""
    return json.dumps(schema, ensure_ascii=True, sort_keys=True)


@lru_cache(maxsize=512)
def _compiled(text: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        json.loads(text), validate_formats=True, ignore_unknown_formats=False, retriever=_refused
    )


def _refused(address: str) -> Json:
    """Fetch nothing: what a suite is held against stands in the suite."""
    raise ValueError(f"a schema stands alone, and {address} is not fetched")


def schema_fault(schema: Json) -> SchemaFault | None:
    """Return what keeps a schema from being one; None where it is sound.

    Args:
        schema: A JSON value that somebody wrote for a schema.
    """
    try:
        _compiled(as_json(schema))
    except jsonschema_rs.ValidationError as error:
        return SchemaFault(way=tuple(error.instance_path), said=error.message)
    except ValueError as error:
        return SchemaFault(way=(), said=str(error))
    return None


def faults_of(value: Json, text: str) -> Iterator[SchemaFault]:
    """Yield where a value does not fit a schema, in the schema's order.

    Args:
        value: A JSON value without lone surrogates, nested no deeper than a JSON reader reads.
        text: A sound schema, see `as_json`.

    Raises:
        ValueError: The text is no schema.
    """
    for error in _compiled(text).iter_errors(value):
        yield SchemaFault(way=tuple(error.instance_path), said=error.message)
