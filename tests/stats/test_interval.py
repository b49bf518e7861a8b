"""Binomial intervals against worked values, scipy, and the laws that every interval obeys."""

import math
from collections.abc import Callable
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalkit.stats.interval import Interval, clopper_pearson, jeffreys, lower_bound, upper_bound, wilson
from tests.stats.drawn import CONFIDENCES, COUNTS

Method = Callable[[float, float, float], Interval]
METHODS: list[Method] = [wilson, clopper_pearson, jeffreys]

# The table of statistics, section 1.3, by statsmodels' proportion_confint (there .9680 for .96793).
WORKED = [
    (44, 50, (0.7620, 0.9438), (0.7569, 0.9547), (0.7693, 0.9483)),
    (33, 50, (0.5215, 0.7756), (0.5123, 0.7879), (0.5226, 0.7794)),
    (0, 50, (0.0, 0.0713), (0.0, 0.0711), (0.0, 0.0488)),
    (50, 50, (0.9287, 1.0), (0.9289, 1.0), (0.9512, 1.0)),
    (17, 20, (0.6396, 0.9476), (0.6211, 0.9679), (0.6514, 0.9559)),
    (105, 172, (0.5359, 0.6802), (0.5333, 0.6838), (0.5362, 0.6810)),
]


@pytest.mark.parametrize(("x", "n", "expected"), [(row[0], row[1], row[2:]) for row in WORKED])
def test_the_worked_table(x: int, n: int, expected: tuple[tuple[float, float], ...]) -> None:
    """Six proportions by three methods, to the four digits that are printed."""
    for method, ends in zip(METHODS, expected, strict=True):
        interval = method(x, n, 0.95)
        assert ends == pytest.approx((interval.low, interval.high), abs=5e-5)
        assert (0.95, True) == (interval.confidence, interval.evaluable)


@pytest.mark.parametrize(
    ("x", "n", "lower", "upper"),
    [
        (7, 8, 0.5293, 0.9936),  # 7 of 8: semantics and statistics 1.2; the upper one from scipy
        (5, 5, 0.5493, 1.0),  # semantics, section 6
        (40, 40, 0.9278, 1.0),  # semantics, section 6
        (0, 5, 0.0, 0.4507),  # the refund suite's gate
        (44, 50, 0.7768, 0.9464),  # statistics 3.1: one-sided lower .777
        (0, 50, 0.0, 0.0582),  # statistics 3.1
        (1, 40, 0.0013, 0.1132),  # statistics 3.3: 1 of 40 upper .113
    ],
)
def test_the_worked_one_sided_bounds(x: int, n: int, lower: float, upper: float) -> None:
    """Each bound holds at 95 % by itself."""
    assert (lower, upper) == pytest.approx((lower_bound(x, n), upper_bound(x, n)), abs=5e-5)


@pytest.mark.parametrize(("m", "lower"), [(3, 0.368), (5, 0.549), (10, 0.741), (20, 0.861), (29, 0.902)])
def test_a_row_of_passes_proves_its_root(m: int, lower: float) -> None:
    """After m straight passes the bound is .05^(1/m) (statistics, section 1.10)."""
    assert lower == pytest.approx(lower_bound(m, m), abs=5e-4)
    assert 0.05 ** (1 / m) == pytest.approx(lower_bound(m, m), abs=1e-12)


@given(n=st.integers(1, 400), share=st.floats(0, 1), confidence=CONFIDENCES)
def test_scipy_agrees(n: int, share: float, confidence: float) -> None:
    """Wilson and Clopper-Pearson are those of scipy.stats.binomtest, to 1e-9."""
    x = round(share * n)
    test = stats.binomtest(x, n)
    for interval, theirs in (
        (wilson(x, n, confidence), test.proportion_ci(confidence, method="wilson")),
        (clopper_pearson(x, n, confidence), test.proportion_ci(confidence, method="exact")),
    ):
        assert (theirs.low, theirs.high) == pytest.approx((interval.low, interval.high), abs=1e-9)


@given(counts=COUNTS, confidence=CONFIDENCES)
def test_an_interval_contains_the_proportion_and_has_width(
    counts: tuple[float, float], confidence: float
) -> None:
    """Wilson and Clopper-Pearson contain x/n, lie in [0, 1], and are never of width zero."""
    x, n = counts
    for method in (wilson, clopper_pearson):
        interval = method(x, n, confidence)
        assert 0 <= interval.low <= x / n <= interval.high <= 1
        assert interval.low < interval.high


@given(counts=COUNTS)
def test_more_confidence_is_a_wider_interval(counts: tuple[float, float]) -> None:
    """The 90 % interval lies in the 95 % interval, whatever the method."""
    for method in METHODS:
        narrow, wide = method(*counts, 0.90), method(*counts, 0.95)
        assert wide.low <= narrow.low
        assert narrow.high <= wide.high


@given(counts=COUNTS, confidence=CONFIDENCES)
def test_fails_are_passes_seen_from_the_other_side(counts: tuple[float, float], confidence: float) -> None:
    """The interval of n - x is the mirror image of that of x."""
    x, n = counts
    for method in METHODS:
        interval, mirrored = method(x, n, confidence), method(n - x, n, confidence)
        assert 1 - interval.low == pytest.approx(mirrored.high, abs=1e-9)
    assert 1 - lower_bound(x, n, confidence) == pytest.approx(upper_bound(n - x, n, confidence), abs=1e-9)


@given(counts=COUNTS, more=st.floats(0, 1), confidence=CONFIDENCES)
def test_a_pass_more_never_lowers_a_bound(
    counts: tuple[float, float], more: float, confidence: float
) -> None:
    """All ends rise with x at the same n, and the lower bound falls with each fail that is added."""
    x, n = counts
    higher = x + more * (n - x)
    slack = 1e-12
    for method in METHODS:
        before, after = method(x, n, confidence), method(higher, n, confidence)
        if method is not jeffreys or (0 < x and higher < n):  # its edges are set by hand
            assert before.low <= after.low + slack
            assert before.high <= after.high + slack
    assert lower_bound(x, n + more, confidence) <= lower_bound(x, n, confidence) + slack


@given(counts=COUNTS, confidence=CONFIDENCES)
def test_two_sides_are_two_bounds(counts: tuple[float, float], confidence: float) -> None:
    """The two-sided interval at 90 % is both one-sided bounds at 95 %."""
    interval = clopper_pearson(*counts, confidence)
    one_sided = (1 + confidence) / 2
    assert (interval.low, interval.high) == (lower_bound(*counts, one_sided), upper_bound(*counts, one_sided))


@pytest.mark.parametrize("method", METHODS)
def test_no_trial_is_no_evidence(method: Method) -> None:
    """Without a trial: (0, 1) and not evaluable, and bounds that bound nothing."""
    interval = method(0, 0, 0.95)
    assert (0.0, 1.0, False) == (interval.low, interval.high, interval.evaluable)
    assert (0.0, 1.0) == (lower_bound(0, 0), upper_bound(0, 0))


@pytest.mark.parametrize("method", METHODS)
def test_one_trial_is_an_interval(method: Method) -> None:
    """A single trial has an exact interval with width, never [1, 1] (peers, line 10)."""
    passed, failed = method(1, 1, 0.95), method(0, 1, 0.95)
    assert 1.0 == passed.high
    assert 0.0 == failed.low
    assert 0.0 < passed.low < 0.25
    assert 0.75 < failed.high < 1.0


def _error(bounds: list[float], p: float) -> float:
    """Return the exact chance that a lower bound, given per number of passes, exceeds the truth p."""
    n = len(bounds) - 1
    return sum(comb(n, x) * p**x * (1 - p) ** (n - x) for x, bound in enumerate(bounds) if bound > p)


@pytest.mark.parametrize("n", [1, 5, 10, 20, 40])
def test_the_deciding_bound_errs_no_more_often_than_it_says(n: int) -> None:
    """Over all p, the exact chance of a lower bound above the truth is at most 5 %."""
    bounds = [lower_bound(x, n) for x in range(n + 1)]
    assert 0.05 + 1e-12 >= max(_error(bounds, i / 500) for i in range(1, 500))


@pytest.mark.parametrize(("n", "error"), [(10, 0.091), (20, 0.079), (40, 0.073)])
def test_a_wilson_bound_would_err_more_often(n: int, error: float) -> None:
    """Why the gate does not use it: up to .091 / .079 / .073 at n = 10 / 20 / 40 (statistics, 1.3)."""
    bounds = [wilson(x, n, 0.90).low for x in range(n + 1)]
    worst = max(_error(bounds, i / 1000) for i in range(500, 1000))
    assert error == pytest.approx(worst, abs=0.004)


@pytest.mark.parametrize("call", [*METHODS, lower_bound, upper_bound])
@pytest.mark.parametrize(
    ("x", "n", "confidence"),
    [
        (3, 2, 0.95),
        (-1, 2, 0.95),
        (1, math.inf, 0.95),
        (math.nan, 2, 0.95),
        (1, math.nan, 0.95),
        (1, 2, 0.0),
        (1, 2, 1.0),
        (1, 2, 95),
    ],
)
def test_what_no_experiment_has_is_refused(
    call: Callable[[float, float, float], object], x: float, n: float, confidence: float
) -> None:
    """More successes than trials, NaN, and a confidence given in per cent raise."""
    with pytest.raises(ValueError, match="must"):
        call(x, n, confidence)
