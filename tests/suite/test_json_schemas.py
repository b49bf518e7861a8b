"""JSON Schemas in expectations: what is refused at load, with its place and the nearest right word."""

from pathlib import Path

import pytest

from tests.suite.building import Change, in_case, problems_of


def _entry(schema: str) -> dict[str, Change]:
    """Add an expectation to the first case."""
    entry = f"  - reply: {{json_schema: {schema}}}\n"
    return in_case("  - reply: {contains: enjoy}\n", f"  - reply: {{contains: enjoy}}\n{entry}")


@pytest.mark.parametrize(
    "schema",
    [
        "{required: [x], properties: {if: {type: string}, x: {$ref: '#/$defs/n'}}, $defs: {n: {}}}",
        "{$schema: 'https://json-schema.org/draft/2020-12/schema', anyOf: [{const: 1}, {x-n: 1}]}",
        "{enum: [{typ: 1}], default: {typ: 1}}",
    ],
)
def test_a_sound_schema_is_taken(tmp_path: Path, schema: str) -> None:
    """Names of properties and values of `enum` are no keywords."""
    assert () == problems_of(tmp_path, _entry(schema))


@pytest.mark.parametrize(
    ("schema", "key", "advice"),
    [
        ("{typ: object}", "typ", "did you mean `type`?"),
        ("{properties: {a: {requried: [b]}}}", "properties.a.requried", "did you mean `required`?"),
        ("{anyOf: [{}, {not: {minimun: 3}}]}", "anyOf[1].not.minimun", "did you mean `minimum`?"),
        ("{properties: {a: {type: strng}}}", "properties.a.type", "did you mean `string`?"),
        ("{type: [strng]}", "type", "known: array, boolean"),
        ("{items: {minLength: -1}}", "items.minLength", "2020-12"),
        ("{pattern: '('}", "pattern", "2020-12"),
        ("{format: emial}", "format", "2020-12"),
        ("{items: {$ref: '#/$defs/no'}, $defs: {}}", "items.$ref", "2020-12"),
        ("{items: {$ref: 'https://example.org/x'}}", "items.$ref", "#/$defs/NAME"),
        ("{$ref: other.json}", "$ref", "#/$defs/NAME"),
        ("{$schema: 'http://json-schema.org/draft-07/schema#'}", "$schema", "leave it out"),
    ],
)
def test_a_schema_that_is_wrong_is_refused(tmp_path: Path, schema: str, key: str, advice: str) -> None:
    """One problem, at the innermost place; what the dialect would pass over in silence included."""
    (found,) = problems_of(tmp_path, _entry(schema))
    assert ("bad-schema", f"expect[3].reply.json_schema.{key}") == (found.code, found.key)
    assert advice in found.suggestion
    assert found.line > 1


def test_a_schema_that_every_reply_fits_expects_nothing(tmp_path: Path) -> None:
    """An empty expectation, as anywhere."""
    assert ["empty-expectation"] == [one.code for one in problems_of(tmp_path, _entry("{}"))]
