"""The deciding rate: per case, then averaged, with what the unmeasured trials could make of it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.stats.rate import suite_rate
from evalkit.stats.tally import CaseTally, completed, coverage
from tests.stats.drawn import SUITES


def _tallies(*counts: tuple[int, int, int]) -> list[CaseTally]:
    return [CaseTally(n_pass=p, n_fail=f, n_unmeasured=u) for p, f, u in counts]


def test_eight_cases_two_lost_four_pass() -> None:
    """Rate .667 at coverage .75, worst .50, best .75: never a bare 66.7 % (peers, line 4)."""
    tallies = _tallies(*[(1, 0, 0)] * 4, *[(0, 1, 0)] * 2, *[(0, 0, 1)] * 2)
    figure = suite_rate(tallies)
    assert 4 / 6 == figure.value
    assert (0.5, 0.75, 0.75) == (figure.worst, figure.best, coverage(tallies).value)
    assert (6, 2, 0) == (figure.n_cases, figure.cases_unmeasured, figure.cases_not_asked)


def test_one_pass_and_one_provider_error() -> None:
    """Coverage 50 %, bounds 50 to 100 % (peers, line 3)."""
    tallies = _tallies((1, 0, 0), (0, 0, 1))
    figure = suite_rate(tallies)
    assert (1.0, 0.5, 1.0, 0.5) == (figure.value, figure.worst, figure.best, coverage(tallies).value)


@pytest.mark.parametrize(
    ("arm", "complete", "worst", "best"),
    [("champion", 80 / 98, 0.80, 0.82), ("challenger", 85 / 92, 0.85, 0.93)],
)
def test_the_worked_bounds_of_two_arms(arm: str, complete: float, worst: float, best: float) -> None:
    """A 80P/18F/2NE in [.80, .82], B 85P/7F/8NE in [.85, .93] (statistics, section 6.2)."""
    counts = {"champion": (80, 18, 2), "challenger": (85, 7, 8)}[arm]
    cases = _tallies(*[(1, 0, 0)] * counts[0], *[(0, 1, 0)] * counts[1], *[(0, 0, 1)] * counts[2])
    figure = suite_rate(cases)
    assert (complete, worst, best) == pytest.approx((figure.value, figure.worst, figure.best))


def test_every_case_weighs_the_same() -> None:
    """One case of 1 in 10 and one of 1 in 1 have the rate .55, not 2 of 11."""
    assert 0.55 == suite_rate(_tallies((1, 9, 0), (1, 0, 0))).value


def test_nothing_asked_and_nothing_measured_are_none() -> None:
    """Two different reasons; where something was asked, worst and best still say 0 to 1."""
    unasked, unmeasured = suite_rate(_tallies((0, 0, 0))), suite_rate(_tallies((0, 0, 2)))
    assert (None, None, "nothing was asked", 1) == (
        unasked.value,
        unasked.worst,
        unasked.reason,
        unasked.cases_not_asked,
    )
    assert (None, 0.0, 1.0, "nothing was measured") == (
        unmeasured.value,
        unmeasured.worst,
        unmeasured.best,
        unmeasured.reason,
    )


@given(tallies=SUITES)
def test_worst_and_best_enclose_the_rate(tallies: list[CaseTally]) -> None:
    """The rate lies between worst and best, which are the rates of the completed suites."""
    figure = suite_rate(tallies)
    assert [suite_rate(completed(tallies, kind)).value for kind in ("fail", "pass")] == [
        figure.worst,
        figure.best,
    ]
    if figure.value is not None and figure.worst is not None and figure.best is not None:
        assert figure.worst <= figure.value <= figure.best


@given(tallies=SUITES, seed=st.integers(0, 99))
def test_the_rate_does_not_depend_on_the_order_of_cases(tallies: list[CaseTally], seed: int) -> None:
    """Shuffling the cases changes nothing, to the last bit."""
    assert suite_rate(tallies) == suite_rate(random.Random(seed).sample(tallies, len(tallies)))


@given(tallies=SUITES)
def test_repeating_every_trial_changes_no_rate(tallies: list[CaseTally]) -> None:
    """Every outcome counted twice gives the same figure."""
    doubled = [
        CaseTally(n_pass=2 * t.n_pass, n_fail=2 * t.n_fail, n_unmeasured=2 * t.n_unmeasured) for t in tallies
    ]
    assert suite_rate(tallies) == suite_rate(doubled)


def test_the_conditional_rate_hides_what_the_deciding_rate_shows() -> None:
    """Retrieves 60 of 100 and is faithful in 57: conditional .95, deciding .57 (semantics, section 2)."""
    reached = _tallies(*[(1, 0, 0)] * 57, *[(0, 1, 0)] * 3, *[(0, 0, 0)] * 40)
    planned = _tallies(*[(1, 0, 0)] * 57, *[(0, 1, 0)] * 43)
    assert (0.95, 0.57) == (suite_rate(reached).value, suite_rate(planned).value)
