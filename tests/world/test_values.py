"""Values of databases and tools as JSON."""

import datetime as dt
import enum
import json
import math
import uuid
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.world.values import decimal_number, json_value, parsed_json


class _Mood(enum.StrEnum):
    SAD = "sad"


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (87.5, Decimal("87.50")),
        (100.0, Decimal(100)),
        (2**70 + 1, 2**70 + 1),
        ("2026-10-02", dt.date(2026, 10, 2)),
        ("2026-10-02T01:02:03", dt.datetime(2026, 10, 2, 1, 2, 3)),  # noqa: DTZ001 - a TIMESTAMP has no zone
        ("2026-10-02T01:02:03+00:00", dt.datetime(2026, 10, 2, 1, 2, 3, tzinfo=dt.UTC)),
        ("01:02:03", dt.time(1, 2, 3)),
        ("P1DT1.5S", dt.timedelta(days=1, seconds=1.5)),
        ("PT0S", dt.timedelta()),
        ("sad", _Mood.SAD),
        ("12345678-1234-5678-1234-567812345678", uuid.UUID("12345678123456781234567812345678")),
        ([1, [2]], (1, (2,))),
        ({"a": [None, True]}, {"a": [None, True]}),
    ],
)
def test_values_of_a_database_become_json(expected: object, value: object) -> None:
    """Every type that SQL knows has one JSON form."""
    found = json_value(value)
    assert (expected, type(expected)) == (found, type(found))


@pytest.mark.parametrize("value", [b"x", math.nan, math.inf, Decimal("NaN"), {1: 2}, object(), {1, 2}])
def test_what_has_no_json_form_is_refused(value: object) -> None:
    """Bytes, non-finite numbers, keys that are not text, sets and objects are no JSON values."""
    with pytest.raises(ValueError, match=r"\w"):
        json_value({"nested": [value]})


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_no_decimal_loses_anything(value: Decimal) -> None:
    """A decimal comes back from its JSON text with the same value."""
    text = json.dumps(decimal_number(value))
    assert value == Decimal(text.strip('"'))


def test_a_json_column_may_not_hold_nan() -> None:
    """NaN is not JSON, whatever a parser may accept."""
    with pytest.raises(ValueError, match="NaN"):
        parsed_json("[NaN]")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_json_values_are_copied(value: object) -> None:
    """A JSON value stays as it is, and shares no list with what it came from."""
    found = json_value(value)
    assert value == found
    assert not isinstance(value, list) or found is not value
