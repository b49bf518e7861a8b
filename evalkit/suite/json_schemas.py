"""JSON Schemas in a suite: sound, without misspelt keywords, and standing alone.

What comes in: a schema and where it stands. What goes out: problems, each at the innermost place.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.json_schema import schema_fault
from evalkit.records.written import Json
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.words import suggest

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")

# What stands below a keyword: one schema, a list of them, a mapping to them; or a value.
_ONE_NAMES = """
additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems
unevaluatedProperties
"""
_VALUE_NAMES = """
$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema const contentEncoding contentMediaType default
dependentRequired deprecated description enum examples exclusiveMaximum exclusiveMinimum format maxContains
maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf
pattern readOnly required title type uniqueItems writeOnly
"""
_ONE = frozenset(_ONE_NAMES.split())
_LIST = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_MAPPING = frozenset(("$defs", "definitions", "dependentSchemas", "patternProperties", "properties"))
_KEYWORDS = _ONE | _LIST | _MAPPING | frozenset(_VALUE_NAMES.split())


def check_json_schema(findings: Findings, path: KeyPath, schema: Json) -> None:
    """Note what is wrong with a schema: what the dialect refuses, misspelt keywords, references elsewhere.

    Args:
        findings: Where to.
        path: Where the schema stands.
        schema: The schema.
    """
    found = len(findings.problems)
    for below, one in _schemas(schema):
        _check_keywords(findings, (*path, *below), one)
    if len(findings.problems) > found:
        return
    fault = schema_fault(schema)
    if fault is not None:
        place = fault.way or _place_of_reference(schema, fault.said)
        advice = suggest("", _TYPES) if place[-1:] == ("type",) else "see JSON Schema 2020-12"
        value = _at(schema, fault.way)
        if place[-1:] == ("type",) and isinstance(value, str):
            advice = suggest(value, _TYPES)
        findings.add((*path, *place), "bad-schema", fault.said, suggestion=advice)


def _check_keywords(findings: Findings, path: KeyPath, schema: dict[str, Json]) -> None:
    for keyword, value in schema.items():
        here = (*path, keyword)
        if keyword not in _KEYWORDS and not keyword.startswith("x-"):
            said = f"`{keyword}` is no keyword of JSON Schema 2020-12, so that it would hold for every reply"
            findings.add(here, "bad-schema", said, suggestion=suggest(keyword, _KEYWORDS), at_key=True)
        elif keyword in ("$ref", "$dynamicRef") and not str(value).startswith("#"):
            said = "a schema stands alone: nothing is fetched from elsewhere"
            advice = "write what it refers to under `$defs`, and refer to `#/$defs/NAME`"
            findings.add(here, "bad-schema", said, suggestion=advice)
        elif keyword == "$schema" and str(value).rstrip("#") != _DIALECT:
            said = "schemas are read as dialect 2020-12"
            findings.add(here, "bad-schema", said, suggestion=f"write {_DIALECT}, or leave it out")


def _schemas(schema: Json) -> Iterator[tuple[KeyPath, dict[str, Json]]]:
    """Yield a schema and every schema in it, with the way to each."""
    waiting: list[tuple[KeyPath, Json]] = [((), schema)]
    while waiting:
        way, one = waiting.pop()
        if not isinstance(one, dict):
            continue
        yield way, one
        for keyword, value in one.items():
            here = (*way, keyword)
            if keyword in _ONE:
                waiting.append((here, value))
            elif keyword in _LIST and isinstance(value, list):
                waiting.extend(((*here, at), inner) for at, inner in enumerate(value))
            elif keyword in _MAPPING and isinstance(value, dict):
                waiting.extend(((*here, name), inner) for name, inner in value.items())


def _place_of_reference(schema: Json, said: str) -> KeyPath:
    """Return the reference that a message is about; the schema as a whole where it is about none."""
    for way, one in _schemas(schema):
        reference = one.get("$ref")
        if isinstance(reference, str) and f"'{reference.removeprefix('#')}'" in said:
            return (*way, "$ref")
    return ()


def _at(schema: Json, way: KeyPath) -> Json:
    for part in way:
        schema = schema[part]
    return schema
