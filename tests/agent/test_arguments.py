"""Reading arguments: what is repaired, what is refused, and that nothing else is touched."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.agent.arguments import read_arguments
from evalkit.agent.batch import read_calls
from evalkit.records.event import CallRequest
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


@given(
    st.text(max_size=60)
    | OBJECTS.map(json.dumps)
    | OBJECTS.map(json.dumps).flatmap(lambda text: st.integers(0, len(text)).map(lambda at: text[:at]))
    | st.sampled_from(['{"a": NaN}', '{"a": 1e999}', '{"a": -0}', '{"a": "\\ud800"}', '{"a": 1, "a": 2}'])
)
def test_short_text_is_read_as_long_text_is(raw: str) -> None:
    """There is a faster way for short text, and nobody can tell by what comes out."""
    short, long = read_arguments(raw), read_arguments(raw + " " * 300)
    assert repr(long.value) == repr(short.value)
    assert bool(long.problem) == bool(short.problem)


@given(OBJECTS, OBJECTS)
def test_calls_are_identical_where_their_arguments_are(one: dict[str, Json], other: dict[str, Json]) -> None:
    """Order and spacing tell no calls apart, and everything else does, 1 and 1.0 and true included."""

    def key(value: dict[str, Json], **written: Any) -> str:
        (call,) = read_calls([CallRequest(id="c", tool="t", raw=json.dumps(value, **written))])
        return call.key

    assert key(one) == key(dict(reversed(one.items())), indent=1)
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert same == (key(one) == key(other))


def test_half_of_a_surrogate_pair_makes_a_key() -> None:
    """Arguments that no UTF-8 can hold are arguments all the same."""
    calls = read_calls(
        [
            CallRequest(id=str(n), tool="t", raw=json.dumps({"a": text}))
            for n, text in enumerate("\ud800\ud801\ud800")
        ]
    )
    assert calls[0].key == calls[2].key != calls[1].key
