"""JSON values held against each other, however deep and however hostile."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.paths import same
from evalkit.records.written import Json
from evalkit.score.checks.values import as_text, fingerprint, leaves, near, shown

SCALARS = st.none() | st.booleans() | st.integers(-1, 1) | st.sampled_from([0.0, 1.0, 0.5, "", "a", "1"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
)


def deep(levels: int, end: Json = 1) -> Json:
    """A list in a list in a list."""
    value = end
    for _ in range(levels):
        value = [value]
    return value


@given(VALUES, VALUES)
def test_without_a_tolerance_near_is_the_same(left: Json, right: Json) -> None:
    """`same`, `near` and the fingerprint are one relation, and a symmetric one."""
    assert same(left, right) is near(left, right) is near(right, left)
    assert same(left, right) is (fingerprint(left) == fingerprint(right))
    assert near(left, left)


@pytest.mark.parametrize(
    ("left", "right", "tolerance", "expected"),
    [
        (87.5, 87.51, 0.01, True),
        (0.3, 0.1 + 0.2, 0.0, False),
        (0.3, 0.1 + 0.2, 1e-9, True),
        (1, 2, 1, True),
        (1, 2.5, 1.5, True),
        (10**400, 10**400 + 1, 1.0, True),
        (10**400, 1.0, 1e300, False),
        (10**400, 1.0, 0.0, False),
        (math.inf, 1.0, 1.0, False),
        (math.inf, math.inf, 0.0, True),
        (math.nan, math.nan, 1.0, False),
        (True, 1, 5.0, False),
        (None, 0, 5.0, False),
        ("1", 1, 5.0, False),
        ([1, [2]], [1.5, [2.5]], 0.5, True),
        ([1], [1, 1], 0.5, False),
        ({"a": 1}, {"a": 1.5, "b": 1}, 0.5, False),
        ({"a": 1}, [1], 0.5, False),
    ],
)
def test_near(left: Json, right: Json, tolerance: float, expected: bool) -> None:  # noqa: FBT001
    """Numbers within the tolerance, inclusive; everything else equal."""
    assert expected is near(left, right, tolerance)
    assert expected is near(right, left, tolerance)


def test_no_depth_stops_a_comparison() -> None:
    """Values deeper than the interpreter's own stack are compared, grouped and shown."""
    left, right, other = deep(100_000), deep(100_000, 1.0), deep(100_000, 2)
    assert near(left, right)
    assert not near(left, other)
    assert fingerprint(left) == fingerprint(right) != fingerprint(other)
    assert [1] == list(leaves(left))
    assert shown(left) == "[" * 160 + " ..."
    assert "1" == as_text(left)


@given(VALUES)
def test_what_is_shown_is_the_beginning_of_the_value(value: Json) -> None:
    """Text as it is, anything else as JSON, cut where it is long."""
    whole = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    assert (whole if len(whole) <= 160 else f"{whole[:160]} ...") == shown(value)


@pytest.mark.parametrize("value", ["退" * 1000, ["退" * 1000], {"退" * 1000: 1}, list(range(1000))])
def test_long_values_are_cut(value: Json) -> None:
    """A reason stays a sentence."""
    assert 164 == len(shown(value))


def test_text_is_compact_json() -> None:
    """As the text of an object reply is."""
    assert ('{"a":[1,"退"]}', "a", "true", "1.5") == tuple(map(as_text, ({"a": [1, "退"]}, "a", True, 1.5)))
