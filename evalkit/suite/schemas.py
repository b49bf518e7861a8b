"""JSON Schemas of what people write, and what they say about one place in a file.

What comes in: a form, a key path. What goes out: a schema for editors; known keys, allowed values and types
for messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import cache
from typing import Literal, get_args

from pydantic import BaseModel

from evalkit.records.checks import CHECKS
from evalkit.records.policy import GatePolicy
from evalkit.records.written import Json
from evalkit.suite.descriptions import describe
from evalkit.suite.document import KeyPath
from evalkit.suite.forms import ArmFile, CaseFile, SuiteFile

Kind = Literal["suite", "case", "arm", "gate"]
"""What a schema can be asked for."""

FORMS: dict[Kind, type[BaseModel]] = {
    "suite": SuiteFile,
    "case": CaseFile,
    "arm": ArmFile,
    "gate": GatePolicy,
}
"""Kind -> the model of its written form."""

_BESIDE: dict[str, Json] = {
    "for": {"type": "string", "description": "The metric that this entry feeds."},
    "turn": {
        "type": "integer",
        "minimum": 0,
        "description": "The user turn, from 0, that this entry is about.",
    },
}
_UNIONS = ("anyOf", "oneOf", "allOf")


def schema(kind: Kind) -> dict[str, Json]:
    """Return the JSON Schema of a written form, for editors.

    Args:
        kind: suite, case, arm or gate.

    Returns:
        A schema of dialect 2020-12, with a description under every key.
    """
    found = deepcopy(schema_of(FORMS[kind]))
    describe(found, FORMS[kind])
    written = {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
    return {**written, "title": f"evalkit {kind}"}


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Json]:
    """Return the schema of a model, with `for` and `turn` among the arguments of every check."""
    found = model.model_json_schema(by_alias=True)
    for name in (*(check.__name__ for check in CHECKS.values()), "CalledOnce"):
        if name in found.get("$defs", {}):
            found["$defs"][name].setdefault("properties", {}).update(_BESIDE)
    return found


def known_keys(model: type[BaseModel], path: KeyPath) -> tuple[str, ...]:
    """Return the keys that a mapping at a path may have; () where every key is allowed."""
    keys = (key for found in _at(model, path) for key in found.get("properties", {}))
    return tuple(dict.fromkeys(keys))


def allowed_values(model: type[BaseModel], path: KeyPath) -> tuple[str, ...]:
    """Return the words that a value at a path may be; () where it is free."""
    words = (word for found in _at(model, path) for word in _words(found))
    return tuple(dict.fromkeys(words))


def types_at(model: type[BaseModel], path: KeyPath) -> frozenset[str]:
    """Return the types that a value at a path may have.

    Args:
        model: The form of the file.
        path: Where.

    Returns:
        Of any, word (one of a list), date, and the types of JSON Schema; empty where the path leads nowhere.
    """
    return frozenset(_type(found) for found in _at(model, path))


def _type(found: dict[str, Json]) -> str:
    if "enum" in found or "const" in found:
        return "word"
    if found.get("format") == "date":
        return "date"
    return str(found.get("type", "any"))


def _words(found: dict[str, Json]) -> Iterable[str]:
    words = found.get("enum", [found["const"]] if "const" in found else [])
    return (str(word).lower() if isinstance(word, bool) else str(word) for word in words)


def _at(model: type[BaseModel], path: KeyPath) -> list[dict[str, Json]]:
    """Return every schema that may describe the value at a path."""
    root = schema_of(model)
    current = list(_flat(root, root))
    for part in path:
        current = [flat for found in current for below in _below(found, part) for flat in _flat(root, below)]
    return current


def _below(found: dict[str, Json], part: str | int) -> Iterator[dict[str, Json]]:
    if _type(found) == "any":
        yield {}
    elif isinstance(part, int):
        if "items" in found:
            yield found["items"]
    elif part in found.get("properties", {}):
        yield found["properties"][part]
    elif isinstance(found.get("additionalProperties"), dict):
        yield found["additionalProperties"]
    elif found.get("additionalProperties") is True:
        yield {}


def _flat(root: dict[str, Json], found: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield a schema, or what it refers to and the members of its unions."""
    if "$ref" in found:
        yield from _flat(root, root["$defs"][found["$ref"].rsplit("/", 1)[-1]])
        return
    members = [member for union in _UNIONS for member in found.get(union, [])]
    for member in members:
        yield from _flat(root, member)
    if not members:
        yield found


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of schema, in the order of the command line."""
    return get_args(Kind)
