"""Figures: which counts are a pass, worked per case and then averaged; held against the oracle."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from evalkit.decide.estimates import powers, rates, shown
from evalkit.decide.figures import Asked, estimate
from evalkit.decide.tally import tally
from evalkit.records.estimate import Estimate
from tests.decide.building import Drawn, cases, suite_of, tallies_of, verdicts_of
from tests.decide.drawing import drawn_cases
from tests.oracle import counting
from tests.oracle.model import Verdict as OracleVerdict


def _figure(drawn: tuple[Drawn, ...], statistic: str = "rate", **more: object) -> Estimate:
    found = tallies_of(drawn).metrics["solved"]
    return estimate(found, Asked(metric="solved", statistic=statistic, **more))  # type: ignore[arg-type]


def _counted(drawn: tuple[Drawn, ...]) -> list[counting.Counted]:
    rows = verdicts_of(drawn)
    return [
        counting.Counted(
            row.case,
            OracleVerdict(row.outcome, cause=row.cause or "", cause_class=row.cause_class or ""),
            row.degraded,
        )
        for row in rows
    ]


def _same(expected: object, found: float | None) -> bool:
    return found is None if expected is None else float(expected) == pytest.approx(found, abs=1e-12)  # type: ignore[arg-type]


@given(drawn_cases())
def test_rates_are_those_of_the_oracle(drawn: tuple[Drawn, ...]) -> None:
    """Deciding rate, worst, best, clean, degradation and coverage are those of the page, in fractions."""
    rows, found = _counted(drawn), _figure(drawn)
    assert _same(counting.deciding_rate(rows), found.value)
    assert _same(counting.worst_rate(rows), found.worst)
    assert _same(counting.best_rate(rows), found.best)
    assert _same(counting.clean_rate(rows), found.clean)
    assert _same(counting.degradation_rate(rows), found.degraded)
    assert _same(counting.coverage(rows), found.coverage)
    assert (found.n_planned, found.n_pass) == (len(rows), counting.tally(rows).n_pass)
    assert found.n_planned == found.n_pass + found.n_fail + found.n_error


@given(drawn_cases())
def test_worst_and_best_hold_the_value(drawn: tuple[Drawn, ...]) -> None:
    """A rate lies between its worst and best case where every case was measured, and these in [0, 1]."""
    found = _figure(drawn)
    if found.worst is not None and found.best is not None:
        assert 0 <= found.worst <= found.best <= 1
        if found.value is not None and all(one.passed + one.failed + one.explained for one in drawn):
            assert found.worst - 1e-12 <= found.value <= found.best + 1e-12


def test_clean_and_degraded_passes_are_apart() -> None:
    """90 of 100 pass, 30 of them degraded: .90, clean .60, degraded .30."""
    drawn = cases(100 - 10, passed=1) + cases(10, failed=1, start=91)
    drawn = tuple(
        Drawn(case=one.case, passed=one.passed, failed=one.failed, degraded_passed=int(at < 30))
        for at, one in enumerate(drawn)
    )
    found = _figure(drawn)
    assert (0.9, 0.6, 0.3) == (found.value, found.clean, found.degraded)
    assert 0.3 == _figure(drawn, "degraded").value


def test_a_degraded_fail_is_degraded_too() -> None:
    """The degradation rate counts degraded trials, passed or failed."""
    found = _figure((Drawn(passed=1, failed=1, degraded_failed=1),))
    assert (0.5, 0.5, 0.5) == (found.value, found.clean, found.degraded)


def test_the_worst_that_the_unmeasured_can_be_is_degraded() -> None:
    """For the degradation rate the worst case counts the unmeasured as degraded."""
    found = _figure((Drawn(passed=2, degraded_passed=1, unmeasured=2),), "degraded")
    assert (0.5, 0.75, 0.25) == (found.value, found.worst, found.best)


def _reaching(reached: int, faithful: int) -> tuple[Drawn, ...]:
    """100 cases: so many retrieve something, and of these so many are faithful."""
    return (
        *cases(faithful, passed=1),
        *cases(reached - faithful, failed=1, start=faithful + 1),
        *cases(100 - reached, explained=1, start=reached + 1),
    )


def _stages(reached: int) -> tuple[Drawn, ...]:
    return (*cases(reached, passed=1), *cases(100 - reached, failed=1, start=reached + 1))


@pytest.mark.parametrize(
    ("reached", "faithful", "expected"), [(100, 85, [0.85]), (60, 57, [0.57, 0.95, 0.6])]
)
def test_a_failure_upstream_never_leaves_the_denominator(
    reached: int, faithful: int, expected: list[float]
) -> None:
    """The page's example: conditional .85 and .95, deciding .85 and .57, with the root's rate beside it."""
    drawn = _reaching(reached, faithful)
    rows = [*verdicts_of(drawn, "faithful"), *verdicts_of(_stages(reached), "retrieve", of="stage")]
    found = list(rates(tally(suite_of(drawn), rows)["a"], "faithful"))
    assert ["rate", "conditional", "ran"][: len(expected)] == [one.statistic for one in found]
    assert expected == [one.value for one in found]
    assert ["faithful", "faithful", "retrieve"][: len(expected)] == [one.metric for one in found]


def test_no_conditional_rate_stands_alone() -> None:
    """Wherever those that got there are shown, the stage where the others fell is shown right after it."""
    drawn = _reaching(60, 57)
    rows = [
        *verdicts_of(_stages(60), "solved"),
        *verdicts_of(drawn, "faithful"),
        *verdicts_of(_stages(60), "retrieve", of="stage"),
    ]
    names = [one.statistic for one in shown(suite_of(drawn), tally(suite_of(drawn), rows)["a"], 1)]
    assert ["ran"] == [after for before, after in pairwise(names) if before == "conditional"]


def test_rates_weigh_every_case_the_same() -> None:
    """A rate is worked per case and then averaged: 1 of 1 and 0 of 3 are .5, not .25."""
    assert 0.5 == _figure((Drawn(passed=1), Drawn(case="c2", failed=3))).value


def test_nothing_asked_has_no_figure() -> None:
    """Without a trial that asks something, rate and coverage are None and the reason is given."""
    found = _figure((Drawn(not_asked=3),))
    assert (None, None, None, None) == (found.value, found.coverage, found.worst, found.low)
    assert "nothing was asked" == found.reason


def test_the_estimand_says_what_n_is() -> None:
    """Under estimand population n counts cases and measured trials under estimand suite."""
    drawn = cases(4, passed=5)
    assert 4 == _figure(drawn).n
    assert 20 == _figure(drawn, estimand="suite").n


def test_peer_04_what_was_lost_is_not_left_out() -> None:
    """Eight cases, two lost, four of six pass: .667 at coverage .75, worst .50, best .75."""
    drawn = (*cases(4, passed=1), *cases(2, failed=1, start=5), *cases(2, unmeasured=1, start=7))
    found = _figure(drawn)
    assert (8, 4, 2, 2) == (found.n_planned, found.n_pass, found.n_fail, found.n_error)
    assert pytest.approx(2 / 3) == found.value
    assert (0.75, 0.5, 0.75) == (found.coverage, found.worst, found.best)


def test_peer_10_one_trial_is_no_certainty() -> None:
    """One trial has an exact bound, and no interval of zero width."""
    found = _figure((Drawn(passed=1),))
    assert 1.0 == found.value
    assert found.low is not None
    assert found.low < 0.5
    assert 1.0 == found.high


def test_peer_10_what_cannot_be_estimated_says_so() -> None:
    """One case that passes now and then has no spread between cases: no interval, and the reason."""
    found = _figure((Drawn(passed=1, failed=1),))
    assert (0.5, None, None) == (found.value, found.low, found.high)


def test_peer_21_pass_hat_is_the_unbiased_estimator() -> None:
    """3 of 5 pass: pass^2 is .3, not .36; where k is more than n there is none."""
    drawn = (Drawn(passed=3, failed=2),)
    assert (0.3, None) == (_figure(drawn, "pass^2").value, _figure(drawn, "pass^6").value)
    assert (0.9, 0.6) == (_figure(drawn, "pass@2").value, _figure(drawn, "pass^1").value)
    assert "no case has k = 6 asked trials" == _figure(drawn, "pass^6").reason


def test_pass_at_k_is_only_observed() -> None:
    """pass@k has no interval and is shown after pass^1 .. pass^k of the deciding primary."""
    drawn = cases(3, passed=2, failed=1)
    found = shown(suite_of(drawn), tallies_of(drawn), 3)
    assert ["rate", "pass^1", "pass^2", "pass^3", "pass@3"] == [one.statistic for one in found[:5]]
    assert found[4].low is None
    assert all(one.decision is None for one in found)


def test_a_thousand_trials_are_not_shown_with_a_thousand_figures() -> None:
    """pass^k is shown for all k up to 32, then for few, and for the last."""
    assert tuple(range(1, 8)) == powers(7)
    assert 1000 == powers(1000)[-1]
    assert len(powers(1000)) < 50
