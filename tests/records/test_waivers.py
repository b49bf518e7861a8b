"""Waivers as they stand on the day that somebody looks."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.suite import Waiver
from evalkit.records.waivers import told, waiver_line

TODAY = dt.date(2026, 11, 30)


def _told(until: dt.date, counts: tuple[int, int, int] = (0, 0, 0), *, known: bool = True) -> str:
    waiver = Waiver(case="c1", reason="odd", owner="us", until=until)
    return told(waiver_line(waiver, known=known, today=TODAY, counts=counts))


@pytest.mark.parametrize(
    ("days", "counts", "said"),
    [
        (
            62,
            (5, 2, 3),
            "waived until 2027-01-31, ends in 62 days: c1, odd (us); 3 of 5 trials failed",
        ),
        (
            1,
            (1, 0, 1),
            "waived until 2026-12-01, ends in 1 day: c1, odd (us); 1 of 1 trial failed",
        ),
        (0, (0, 0, 0), "waived until 2026-11-30, ends today: c1, odd (us); not in this run"),
        (
            0,
            (5, 5, 0),
            "waived until 2026-11-30, ends today: c1, odd (us); no longer needed: all 5 trials passed",
        ),
        (
            -1,
            (5, 4, 0),
            "the waiver of c1 ended on 2026-11-29 (us): it counts again; 0 of 5 trials failed",
        ),
    ],
)
def test_a_waiver_is_told_in_a_sentence(days: int, counts: tuple[int, int, int], said: str) -> None:
    """Case, reason, owner, until when, and what it hides; a case that is not measured is not called well."""
    assert said == _told(TODAY + dt.timedelta(days=days), counts)


def test_a_waiver_of_no_case_is_told() -> None:
    """A waiver that waives nothing is not told as if it did."""
    said = "a waiver names no case of this suite: c1, odd (us)"
    assert said == _told(TODAY, known=False)


@given(st.dates(), st.dates())
def test_a_waiver_holds_through_its_last_day(until: dt.date, today: dt.date) -> None:
    """It is active exactly while days are left, the last day included."""
    waiver = Waiver(case="c", reason="r", owner="o", until=until)
    line = waiver_line(waiver, known=True, today=today, counts=(0, 0, 0))
    assert (today <= until) == (line.state == "active")
    assert (until - today).days == line.days_left
