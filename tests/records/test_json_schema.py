"""JSON Schemas of suites: the dialect, formats, and that nothing is ever fetched."""

from __future__ import annotations

import pytest

from evalkit.records.json_schema import as_json, faults_of, schema_fault
from evalkit.records.written import Json


def test_a_sound_schema_has_no_fault() -> None:
    """Of dialect 2020-12, with what it defines itself."""
    schema = {"$defs": {"n": {"type": "integer"}}, "prefixItems": [{"$ref": "#/$defs/n"}], "items": False}
    assert schema_fault(schema) is None
    said = {(fault.way, fault.said) for fault in faults_of(["x", 2], as_json(schema))}
    assert {((0,), '"x" is not of type "integer"'), ((1,), "False schema does not allow 2")} == said


@pytest.mark.parametrize(
    ("schema", "way"),
    [
        ({"properties": {"a": {"minLength": -1}}}, ("properties", "a", "minLength")),
        ({"type": "strng"}, ("type",)),
        ({"pattern": "("}, ("pattern",)),
        ({"$ref": "#/$defs/no"}, ()),
        ([1], ()),
    ],
)
def test_what_is_no_schema_has_a_place(schema: Json, way: tuple[str, ...]) -> None:
    """The innermost value that the dialect refuses."""
    fault = schema_fault(schema)
    assert fault is not None
    assert (way, True) == (fault.way, bool(fault.said))


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/x.json", "https://example.org/s", "file:///etc/hostname", "other.json", "urn:x"],
)
def test_nothing_is_fetched(address: str) -> None:
    """A reference that leads elsewhere is a fault, whatever it leads to."""
    for schema in (
        {"$ref": address},
        {"$dynamicRef": address},
        {"$id": "http://127.0.0.1:9/", "$ref": address},
    ):
        assert schema_fault(schema) is not None


def test_formats_are_asserted_and_unknown_ones_refused() -> None:
    """A date that is none does not fit, and a misspelt format is a fault."""
    assert [] == list(faults_of("2026-10-02", as_json({"format": "date"})))
    assert 1 == len(list(faults_of("2026-13-02", as_json({"format": "date"}))))
    fault = schema_fault({"format": "dat"})
    assert fault is not None
    assert ("format",) == fault.way
