"""The bounds that decide and the intervals that are shown, from tallies to the number a gate compares."""

import itertools
import math
import random
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.stats.bounds import population_bounds, population_interval, suite_bounds, suite_interval
from evalkit.stats.case_values import CaseValues, pass_hat_values, point_values, rate_values
from evalkit.stats.evidence import Evidence, Units, suite_evidence
from evalkit.stats.figure import known
from evalkit.stats.interval import lower_bound, upper_bound, wilson
from evalkit.stats.suite_mean import effective_size
from evalkit.stats.tally import CaseTally, completed
from tests.stats.drawn import CLUSTERED, CONFIDENCES, SUITES
from tests.stats.test_suite_mean import CLUSTERS, VALUES

OWN_CLUSTERS = st.lists(
    st.builds(CaseTally, n_pass=st.integers(0, 3), n_fail=st.integers(0, 3), n_unmeasured=st.integers(0, 2)),
    min_size=2,
    max_size=8,
)


@pytest.mark.parametrize(
    ("passes", "fails", "lower", "upper"),
    [(7, 1, 0.5293, 0.9936), (5, 0, 0.5493, 1.0), (40, 0, 0.9278, 1.0), (0, 5, 0.0, 0.4507)],
)
def test_the_worked_bounds_of_cases_without_clusters(
    passes: int, fails: int, lower: float, upper: float
) -> None:
    """7 of 8 proves .529, 5 of 5 .549, 40 of 40 .928; 0 of 5 is at most .4507 (semantics, section 6)."""
    bounds = population_bounds(point_values([1.0] * passes + [0.0] * fails))
    assert (lower, upper) == pytest.approx((bounds.lower, bounds.upper), abs=5e-5)
    assert passes + fails == pytest.approx(bounds.n_effective)
    assert ("population", None) == (bounds.estimand, bounds.reason)


@pytest.mark.parametrize("k", [1, 5])
def test_repeats_prove_nothing_about_the_population(k: int) -> None:
    """Five cases that pass k of k prove .549 of the population, whatever k; of themselves they prove more."""
    tallies = [CaseTally(n_pass=k, n_fail=0)] * 5
    assert 0.5493 == pytest.approx(population_bounds(rate_values(tallies)).lower, abs=5e-5)
    assert 0.05 ** (1 / (5 * k)) == pytest.approx(suite_bounds(tallies).lower)


def test_the_worked_cluster_example_decides_on_the_effective_size() -> None:
    """Clopper-Pearson on (p n*, n*) with n* = 6.8603 decides; Wilson with t at .975 is shown."""
    values = point_values(VALUES, CLUSTERS)
    bounds, figure = population_bounds(values), population_interval(values)
    n, wide = effective_size(VALUES, CLUSTERS).n or 0, effective_size(VALUES, CLUSTERS, 0.975).n or 0
    assert (lower_bound(2 / 3 * n, n), upper_bound(2 / 3 * n, n)) == pytest.approx(
        (bounds.lower, bounds.upper)
    )
    assert (wilson(2 / 3 * wide, wide).low, wilson(2 / 3 * wide, wide).high) == pytest.approx(
        (figure.low, figure.high)
    )
    assert (True, 12, 5) == (bounds.few_clusters, bounds.n_cases, bounds.n_clusters)


def test_a_fail_never_proves_more_than_none() -> None:
    """Five clusters of four: all pass proves .549, and a single fail of 20 must not prove .72 instead."""
    clusters = [i // 4 for i in range(20)]
    perfect = population_bounds(point_values([1.0] * 20, clusters))
    flawed = population_bounds(point_values([0.0] + [1.0] * 19, clusters))
    assert 0.05 ** (1 / 5) == pytest.approx(perfect.lower)
    assert 0.05 ** (1 / 5) == pytest.approx(flawed.lower)
    mirrored = population_bounds(point_values([1.0] + [0.0] * 19, clusters))
    assert 1 - 0.05 ** (1 / 5) == pytest.approx(mirrored.upper)


def test_pass_hat_bounds_use_both_ends_of_an_open_case() -> None:
    """A case with too few measured trials is 0 for the lower bound and 1 for the upper one."""
    tallies = [CaseTally(n_pass=3, n_fail=0)] * 4 + [CaseTally(n_pass=2, n_fail=0, n_unmeasured=1)]
    bounds = population_bounds(pass_hat_values(tallies, 3))
    assert (lower_bound(4, 5), 1.0) == pytest.approx((bounds.lower, bounds.upper))
    assert (None, "1 case is an interval: too few trials were measured") == (
        bounds.value,
        bounds.reason,
    )
    figure = population_interval(pass_hat_values(tallies, 3))
    assert (None, wilson(4, 5).low, 1.0) == pytest.approx((figure.value, figure.low, figure.high))


def test_each_bound_rests_on_the_effective_size_of_its_own_end() -> None:
    """In clusters, an open case that fails or passes changes the spread, and so the size of either end."""
    values = CaseValues(
        least=(1, 1, 0, 1, 0, 0), most=(1, 1, 0, 1, 1, 1), clusters=("a", "a", "b", "b", "c", "c")
    )
    below, above = (known(effective_size(end, values.clusters).n) for end in (values.least, values.most))
    assert below < above
    bounds, figure = population_bounds(values), population_interval(values)
    assert (lower_bound(below / 2, below), upper_bound(5 / 6 * above, above), below) == pytest.approx(
        (bounds.lower, bounds.upper, bounds.n_effective)
    )
    shown = known(effective_size(values.least, values.clusters, 0.975).n)
    assert (wilson(shown / 2, shown).low, shown) == pytest.approx((figure.low, figure.n))


def test_cases_without_the_trials_leave_with_their_cluster() -> None:
    """Values, ends and labels stay aligned when a case has no number."""
    tallies = [
        CaseTally(n_pass=2, n_fail=0, cluster="a"),
        CaseTally(n_pass=0, n_fail=0, n_unmeasured=1, cluster="b"),
        CaseTally(n_pass=1, n_fail=1),
        CaseTally(n_pass=0, n_fail=2, cluster="a"),
    ]
    rates, hats = rate_values(tallies), pass_hat_values(tallies, 2)
    assert (1.0, 0.5, 0.0) == rates.least == rates.most
    assert (1.0, 0.0, 0.0) == hats.least
    for values in (rates, hats):
        assert values.clusters[0] == values.clusters[2]
        assert 2 == len(set(values.clusters))


def test_a_case_without_cluster_shares_no_label() -> None:
    """An undeclared cluster is the case's own, also beside declared labels such as 0 or ("case", 0)."""
    tallies = [CaseTally(n_pass=1, n_fail=0, cluster=label) for label in (None, None, 0, ("case", 0))]
    assert 4 == len(set(rate_values(tallies).clusters))


@pytest.mark.parametrize(
    ("tallies", "reason"),
    [
        ([], "no case has a value"),
        ([CaseTally(n_pass=0, n_fail=0, n_unmeasured=3)], "no case has a value"),
        ([CaseTally(n_pass=3, n_fail=2)], "one cluster: its spread cannot be estimated"),
        (
            [CaseTally(n_pass=1, n_fail=0, cluster="a"), CaseTally(n_pass=0, n_fail=1, cluster="a")],
            "one cluster: its spread cannot be estimated",
        ),
    ],
)
def test_what_the_cases_cannot_say_is_none(tallies: list[CaseTally], reason: str) -> None:
    """No case, or one cluster in between: no bounds, no interval, no units, and the reason."""
    bounds, figure = population_bounds(rate_values(tallies)), population_interval(rate_values(tallies))
    assert (None, None, None, reason) == (bounds.lower, bounds.upper, bounds.n_effective, bounds.reason)
    assert (None, None, reason) == (figure.low, figure.high, figure.reason)


def test_nothing_measured_is_no_bound_about_the_suite() -> None:
    """Not (0, 1): None, with the reason."""
    bounds, figure = suite_bounds([CaseTally(n_pass=0, n_fail=0, n_unmeasured=2)]), suite_interval([])
    assert (None, None, None, "nothing was measured") == (
        bounds.value,
        bounds.lower,
        bounds.upper,
        bounds.reason,
    )
    assert (None, None, None, "nothing was measured") == (
        figure.value,
        figure.low,
        figure.high,
        figure.reason,
    )


def test_one_case_is_bounded_by_its_trials() -> None:
    """17 of 20 trials of one case: Wilson .6396 to .9476 shown, Clopper-Pearson decides (per: case)."""
    tally = CaseTally(n_pass=17, n_fail=3, n_unmeasured=2)
    figure, bounds = suite_interval([tally]), suite_bounds([tally])
    assert (0.85, 0.6396, 0.9476, 20) == pytest.approx(
        (figure.value, figure.low, figure.high, figure.n), abs=5e-5
    )
    assert (lower_bound(17, 20), upper_bound(17, 20), 20) == (bounds.lower, bounds.upper, bounds.n_effective)
    assert ("suite", "suite") == (figure.estimand, bounds.estimand)


def test_unequal_trials_do_not_outvote_a_case() -> None:
    """0 of 1 and 9 of 9 are a rate of .5 worth 3.6 trials; pooled they would prove .606 about it."""
    bounds = suite_bounds([CaseTally(n_pass=0, n_fail=1), CaseTally(n_pass=9, n_fail=0)])
    assert (0.5, 3.6, lower_bound(1.8, 3.6)) == pytest.approx(
        (bounds.value, bounds.n_effective, bounds.lower)
    )
    assert lower_bound(9, 10) > 0.6


@pytest.mark.parametrize("sizes", [(1, 9), (2, 5), (4, 5, 5), (1, 2, 3), (3, 3, 3)])
def test_the_suite_bound_errs_no_more_often_than_it_says(sizes: tuple[int, ...]) -> None:
    """Cases of different chances and numbers of trials: the exact error of the lower bound is at most 5 %."""
    outcomes = list(itertools.product(*(range(k + 1) for k in sizes)))
    lows = {
        xs: suite_bounds([CaseTally(n_pass=x, n_fail=k - x) for x, k in zip(xs, sizes, strict=True)]).lower
        or 0
        for xs in outcomes
    }
    drawn = random.Random(7)
    for _ in range(60):
        ps = [drawn.choice([1.0, 0.9, 0.5, drawn.random()]) for _ in sizes]
        truth = sum(ps) / len(ps)
        error = sum(
            math.prod(comb(k, x) * p**x * (1 - p) ** (k - x) for k, p, x in zip(sizes, ps, xs, strict=True))
            for xs in outcomes
            if lows[xs] > truth + 1e-12
        )
        assert 0.05 >= error


@given(tallies=SUITES, confidence=CONFIDENCES)
def test_bounds_enclose_the_figure(tallies: list[CaseTally], confidence: float) -> None:
    """The value lies between its bounds and inside its displayed interval, and no interval has width zero."""
    values = rate_values(tallies)
    for bounds in (population_bounds(values, confidence), suite_bounds(tallies, confidence)):
        if bounds.lower is not None and bounds.upper is not None and bounds.value is not None:
            assert bounds.lower <= bounds.value + 1e-12
            assert bounds.value <= bounds.upper + 1e-12
    for figure in (population_interval(values, confidence), suite_interval(tallies, confidence)):
        if figure.low is not None and figure.high is not None:
            assert figure.low - 1e-12 <= figure.known() <= figure.high + 1e-12
            assert figure.low < figure.high


@given(tallies=SUITES, seed=st.integers(0, 99))
def test_no_bound_depends_on_the_order_of_cases(tallies: list[CaseTally], seed: int) -> None:
    """Shuffling the cases changes nothing, to the last bit."""
    shuffled = random.Random(seed).sample(tallies, len(tallies))
    assert suite_bounds(tallies) == suite_bounds(shuffled)
    assert suite_interval(tallies) == suite_interval(shuffled)
    assert population_bounds(rate_values(tallies)) == population_bounds(rate_values(shuffled))
    assert population_interval(pass_hat_values(tallies, 2)) == population_interval(
        pass_hat_values(shuffled, 2)
    )


@given(tallies=OWN_CLUSTERS)
def test_an_unmeasured_trial_taken_for_a_fail_never_raises_the_lower_bound(tallies: list[CaseTally]) -> None:
    """Worst <= complete <= best for both bounds of the population, where cases are their own clusters."""
    worst, middle, best = (
        population_bounds(rate_values(completion))
        for completion in (completed(tallies, "fail"), tallies, completed(tallies, "pass"))
    )
    if middle.n_cases < 2 or worst.lower is None or best.lower is None or middle.lower is None:
        return
    assert worst.lower <= middle.lower + 1e-9
    assert (middle.upper or 0) <= (best.upper or 0) + 1e-9


@given(rows=CLUSTERED, confidence=CONFIDENCES)
def test_no_sample_proves_more_than_one_without_a_fail(
    rows: list[tuple[float, int]], confidence: float
) -> None:
    """What `check` says can be proven at most, (1 - confidence)^(1/C), holds for every outcome."""
    values, clusters = zip(*rows, strict=True)
    bounds = population_bounds(point_values(values, clusters), confidence)
    if bounds.lower is not None and bounds.upper is not None:
        c = len(set(clusters))
        assert bounds.lower <= (1 - confidence) ** (1 / c) + 1e-12
        assert bounds.upper >= 1 - (1 - confidence) ** (1 / c) - 1e-12


@given(tallies=SUITES)
def test_more_confidence_is_less_proven(tallies: list[CaseTally]) -> None:
    """The 95 % bounds enclose the 90 % bounds, and so do the displayed intervals."""
    values = rate_values(tallies)
    pairs = [
        (population_bounds(values, 0.90), population_bounds(values, 0.95)),
        (suite_bounds(tallies, 0.90), suite_bounds(tallies, 0.95)),
    ]
    for narrow, wide in pairs:
        if narrow.lower is not None and narrow.upper is not None and wide.upper is not None:
            assert (wide.lower or 0) <= narrow.lower + 1e-12
            assert narrow.upper <= wide.upper + 1e-12
    shown, wider = population_interval(values, 0.90), population_interval(values, 0.95)
    if shown.low is not None and shown.high is not None and wider.low is not None and wider.high is not None:
        assert wider.low <= shown.low + 1e-12
        assert shown.high <= wider.high + 1e-12


@given(tallies=SUITES, k=st.integers(1, 5))
def test_repeating_every_trial_proves_nothing_about_the_population(tallies: list[CaseTally], k: int) -> None:
    """Outcomes repeated k times have the same bounds of the rate (statistics, section 6.4)."""
    repeated = [
        CaseTally(
            n_pass=k * t.n_pass, n_fail=k * t.n_fail, n_unmeasured=k * t.n_unmeasured, cluster=t.cluster
        )
        for t in tallies
    ]
    assert population_bounds(rate_values(tallies)) == population_bounds(rate_values(repeated))


def test_case_values_are_checked() -> None:
    """Crossed ends, values outside [0, 1], differing shapes and k < 1 raise."""
    with pytest.raises(ValueError, match="0 <= least"):
        CaseValues(least=(0.5,), most=(0.4,), clusters=("a",))
    with pytest.raises(ValueError, match="0 <= least"):
        point_values([1.5])
    with pytest.raises(ValueError, match=r"shorter|longer"):
        point_values([0.5, 0.5], ["a"])
    with pytest.raises(ValueError, match="at least 1"):
        pass_hat_values([], 0)


def test_confidence_is_a_proportion() -> None:
    """95 is not .95, whatever is asked."""
    values, tallies = point_values([1.0, 0.0]), [CaseTally(n_pass=1, n_fail=1)]
    for call in (
        lambda: population_bounds(values, 95),
        lambda: population_interval(values, 95),
        lambda: suite_bounds(tallies, 95),
        lambda: suite_interval(tallies, 95),
    ):
        with pytest.raises(ValueError, match=r"must lie|quantile in"):
            call()


def test_evidence_has_units_for_both_bounds_or_none() -> None:
    """Half of an evidence cannot be built."""
    fields: dict[str, Any] = {
        "n_cases": 1,
        "n_clusters": 1,
        "few_clusters": False,
        "uniform": 1,
        "value": 1.0,
    }
    with pytest.raises(ValueError, match="both bounds"):
        Evidence(below=Units(successes=1, n=1), above=None, estimand="suite", **fields)
    assert Units(successes=3, n=4) == suite_evidence([CaseTally(n_pass=3, n_fail=1)]).below
