"""Known failures: shown with what they hide, and ended on their day."""

from __future__ import annotations

import datetime as dt

import pytest

from evalkit.diagnose.waived import waiver_lines
from evalkit.records.board import BoardRow
from evalkit.records.suite import Waiver
from tests.score.building import outcome, stage, suite_of

DAY = dt.date(2026, 11, 30)
SUITE = suite_of((stage("reply"),), (outcome("reply"),))
CASE = SUITE.cases[0].id


def _waiver(case: str, until: dt.date) -> Waiver:
    return Waiver(case=case, reason="under review", owner="returns team", until=until)


@pytest.mark.parametrize(
    ("case", "until", "state"),
    [
        (CASE, DAY, "active"),
        (CASE, DAY - dt.timedelta(days=1), "expired"),
        ("nobody", DAY, "unknown_case"),
    ],
)
def test_a_waiver_holds_through_its_last_day(case: str, until: dt.date, state: str) -> None:
    """A waiver is active up to and with its day, and of a case that the suite has."""
    suite = SUITE.model_copy(update={"known": (_waiver(case, until),)})
    (line,) = waiver_lines(suite, (), DAY)
    assert (state, until.isoformat()) == (line.state, line.until)


def test_a_waiver_tells_what_it_hides() -> None:
    """Failed and planned trials of the case are summed over the arms."""
    suite = SUITE.model_copy(update={"known": (_waiver(CASE, DAY),)})
    rows = [BoardRow(case=CASE, arm=arm, trials=5, cells=(), outcome=(2, 3, 0)) for arm in ("a", "b")]
    (line,) = waiver_lines(suite, rows, DAY)
    assert (6, 10) == (line.failed, line.trials)
