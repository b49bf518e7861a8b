"""Reading arguments: what is repaired, what is refused, and that nothing else is touched."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.agent.arguments import read_arguments
from evalkit.records.written import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(OBJECTS, st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": False}]))
def test_a_well_formed_object_is_read_as_it_is(value: dict[str, Json], written: dict[str, Json]) -> None:
    """Repairs change nothing that needs no repair."""
    assert value == read_arguments(json.dumps(value, **written)).value


@given(OBJECTS)
def test_known_malformed_forms_are_read_as_what_they_mean(value: dict[str, Json]) -> None:
    """Double encoding, a code fence and a list of one give the object itself, also one within the other."""
    text = json.dumps(value)
    for raw in (json.dumps(text), f"```json\n{text}\n```", f"```\n{text}\n```", f" [{text}] "):
        assert value == read_arguments(raw).value
    assert value == read_arguments(json.dumps(f"```json\n[{text}]\n```")).value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("", {}),
        ("  \n", {}),
        ("null", {}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}),
        ('{"a": ",}",}', {"a": ",}"}),
        ('{"a": "\\",}",}', {"a": '",}'}),
        ('{"text": "```json {} ```"}', {"text": "```json {} ```"}),
        ('{"n": 123456789012345678901234567890}', {"n": 123456789012345678901234567890}),
    ],
)
def test_a_repair_touches_only_what_is_broken(raw: str, value: dict[str, Json]) -> None:
    """No text is no arguments; a trailing comma is dropped, but never one inside a text."""
    assert value == read_arguments(raw).value


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("{", "not JSON"),
        ('{"a": 1', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ('"hello"', "a text"),
        ("[1, 2]", "a list"),
        ('[{"a": 1}, {"b": 2}]', "a list"),
        ("5", "a number"),
        ("true", "a truth value"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "Infinity"),
        ('{"a": ' + "9" * 5000 + "}", "cannot be read"),
        ('{"a": 1e999}', "cannot be read"),
        ('{"a": [-1e999]}', "cannot be read"),
        ('{"a": ' + "9" * 400 + "}", "cannot be read"),
        ('{"a": ' + "[" * 101 + "]" * 101 + "}", "nested more than"),
        ("[" * 200_000, "nested more than"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(raw: str, why: str) -> None:
    """Anything else is a problem in words, never a guess and never a crash."""
    read = read_arguments(raw)
    assert read.value is None
    assert why in read.problem
    assert 500 > len(read.problem)


@given(st.text() | st.text(alphabet='{}[]",:` \\n1'))
def test_any_text_is_read_or_refused(raw: str) -> None:
    """Hostile text gives arguments or a problem, exactly one of them."""
    read = read_arguments(raw)
    assert (read.value is None) == bool(read.problem)
