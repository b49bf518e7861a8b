"""Standard error over clusters and the effective number of cases: worked values, identities, laws."""

import math
import random
import statistics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from evalkit.stats.figure import known
from evalkit.stats.suite_mean import EffectiveSize, Spread, effective_size, spread, t_interval
from tests.stats.drawn import CLUSTERED, CONFIDENCES

# Statistics, section 1.2; standard error and interval asserted there against statsmodels' clustered OLS.
VALUES = [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1]
CLUSTERS = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4]


def test_the_worked_cluster_example() -> None:
    """Mean .666667, clustered SE .158358 on 4 degrees of freedom, t interval [.2270, 1.1063]."""
    found = spread(VALUES, CLUSTERS)
    assert (0.666667, 0.158358) == pytest.approx((found.mean, found.se), abs=5e-7)
    assert (4, 12, 5, True) == (found.df, found.n_cases, found.n_clusters, found.few_clusters)
    figure = t_interval(VALUES, CLUSTERS)
    assert (0.2270, 1.1063) == pytest.approx((figure.low, figure.high), abs=5e-5)
    assert "population" == figure.estimand


def test_the_worked_example_without_clusters() -> None:
    """The naive SE of the same values is .142134: too small."""
    found = spread(VALUES)
    assert 0.142134 == pytest.approx(found.se, abs=5e-7)
    assert (11, 12, False) == (found.df, found.n_clusters, found.few_clusters)


def test_the_worked_effective_size() -> None:
    """By hand: n_eff = 12/11 (2/9) / SE^2 = 9.6671; times (1.795885 / 2.131847)^2 = 6.8603."""
    n_eff = 12 / 11 * (2 / 9) / 0.15835769793043583**2
    ratio = (float(stats.t.ppf(0.95, 11)) / float(stats.t.ppf(0.95, 4))) ** 2
    assert n_eff * ratio == pytest.approx(effective_size(VALUES, CLUSTERS).n, rel=1e-8)
    assert 6.8603 == pytest.approx(effective_size(VALUES, CLUSTERS).n, abs=5e-5)


def test_the_quantile_of_the_bound_is_used() -> None:
    """Two sides at 95 % use t at .975, so that n* is smaller than for one side."""
    n_eff = 12 / 11 * (2 / 9) / 0.15835769793043583**2
    ratio = (float(stats.t.ppf(0.975, 11)) / float(stats.t.ppf(0.975, 4))) ** 2
    assert n_eff * ratio == pytest.approx(effective_size(VALUES, CLUSTERS, 0.975).n, rel=1e-8)


@pytest.mark.parametrize("passes", [1, 3, 7])
def test_cases_without_clusters_are_worth_their_number(passes: int) -> None:
    """7 of 8 unclustered is n* = 8 (statistics, section 1.2), and so is every other mixture."""
    assert 8.0 == pytest.approx(effective_size([1.0] * passes + [0.0] * (8 - passes)).n, abs=1e-9)


@pytest.mark.parametrize(("value", "c"), [(1.0, 3), (0.0, 3), (1.0, 1), (0.0, 1)])
def test_all_alike_is_worth_its_clusters(value: float, c: int) -> None:
    """At p = 0 or 1 n* is the number of clusters, never of cases: a duplicated case proves nothing new."""
    assert EffectiveSize(n=c) == effective_size([value] * 12, [i % c for i in range(12)])


def test_no_spread_inside_is_worth_its_clusters() -> None:
    """With SE = 0 and 0 < p < 1, n_eff is C; without clusters that is n."""
    assert 6.0 == pytest.approx(effective_size([0.6] * 6).n)
    balanced = effective_size([0.4, 0.8] * 4, [0, 0, 1, 1, 2, 2, 3, 3])
    ratio = (float(stats.t.ppf(0.95, 7)) / float(stats.t.ppf(0.95, 3))) ** 2
    assert 4 * ratio == pytest.approx(balanced.n)


@pytest.mark.parametrize(
    ("values", "clusters"), [([0.6], None), ([1.0, 0.0], ["a", "a"]), ([0.5, 0.5], [1, 1])]
)
def test_one_cluster_in_between_has_no_size(values: list[float], clusters: list[object] | None) -> None:
    """C = 1 and 0 < p < 1: None and a reason."""
    found = effective_size(values, clusters)
    assert (None, "one cluster: its spread cannot be estimated") == (found.n, found.reason)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "no case has a value"),
        ([1.0], "one cluster: its spread cannot be estimated"),
        ([0.6] * 8, "no spread between clusters"),
        ([1.0] * 40, "no spread between clusters"),
    ],
)
def test_a_standard_error_of_zero_is_none(values: list[float], reason: str) -> None:
    """One case and equal values have no standard error, and no interval of width zero (peers, line 10)."""
    found, figure = spread(values), t_interval(values)
    assert (None, None, reason) == (found.se, found.df, found.reason)
    assert (None, None, reason) == (figure.low, figure.high, figure.reason)


def test_a_spread_of_zero_cannot_be_built() -> None:
    """Nobody may write a 0 into the field by hand."""
    with pytest.raises(ValueError, match="standard error of 0"):
        Spread(mean=1.0, se=0.0, df=3, n_cases=4, n_clusters=4, few_clusters=True)


@pytest.mark.parametrize(("c", "few"), [(9, True), (10, False)])
def test_few_clusters_are_flagged(c: int, few: bool) -> None:  # noqa: FBT001 - a table's column
    """Fewer than ten clusters."""
    assert few == spread([0.0, 1.0] * 10, [i % c for i in range(20)]).few_clusters


@given(values=st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_own_clusters_are_the_textbook(values: list[float]) -> None:
    """With C = n, CR1 is sd / sqrt(n)."""
    textbook = statistics.stdev(values) / math.sqrt(len(values))
    assume(textbook > 1e-9)
    assert textbook == pytest.approx(spread(values).se, rel=1e-6)


@given(rows=CLUSTERED)
def test_the_longhand_formula_agrees(rows: list[tuple[float, int]]) -> None:
    """CR1 written out cluster by cluster; None where that is 0."""
    values, clusters = zip(*rows, strict=True)
    n, labels = len(values), sorted(set(clusters))
    mean = sum(values) / n
    sums = [sum(v - mean for v, label in rows if label == wanted) for wanted in labels]
    c = len(labels)
    expected = math.sqrt(c / (c - 1) * sum(s * s for s in sums)) / n if c > 1 else 0.0
    assert expected == pytest.approx(spread(values, clusters).se or 0.0, abs=1e-9)


@given(
    passes=st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=2, max_size=10),
)
def test_averaging_first_and_clustering_trials_are_the_same(passes: list[list[int]]) -> None:
    """With equal k, SE of the case means equals CR1 over all trials clustered by case."""
    means = [sum(row) / len(row) for row in passes]
    trials = [float(x) for row in passes for x in row]
    labels = [i for i, row in enumerate(passes) for _ in row]
    assume(len(set(means)) > 1)
    assert known(spread(means).se) == pytest.approx(known(spread(trials, labels).se), rel=1e-9)


@given(rows=CLUSTERED, seed=st.integers(0, 99), confidence=CONFIDENCES)
def test_order_and_names_of_clusters_do_not_matter(
    rows: list[tuple[float, int]], seed: int, confidence: float
) -> None:
    """Shuffling the cases and renaming the clusters change nothing, to the last bit."""
    shuffled = random.Random(seed).sample(rows, len(rows))
    values, clusters = zip(*rows, strict=True)
    moved, renamed = [value for value, _ in shuffled], [f"name {label}" for _, label in shuffled]
    assert spread(values, clusters) == spread(moved, renamed)
    assert t_interval(values, clusters, confidence) == t_interval(moved, renamed, confidence)
    assert effective_size(values, clusters) == effective_size(moved, renamed)


@given(rows=CLUSTERED)
def test_clusters_never_make_a_sample_larger(rows: list[tuple[float, int]]) -> None:
    """Where it exists, 0 < n* <= n, and n* <= C at p = 0 or 1."""
    values, clusters = zip(*rows, strict=True)
    found = effective_size(values, clusters)
    if found.n is None:
        assert 1 == len(set(clusters))
        return
    assert 0 < found.n <= len(values) + 1e-9
    if set(values) in ({0.0}, {1.0}):
        assert len(set(clusters)) == found.n


@given(rows=CLUSTERED)
def test_more_confidence_is_a_wider_t_interval(rows: list[tuple[float, int]]) -> None:
    """The 90 % interval lies in the 95 % interval, and both around the mean."""
    values, clusters = zip(*rows, strict=True)
    narrow, wide = t_interval(values, clusters, 0.90), t_interval(values, clusters, 0.95)
    if narrow.low is None or narrow.high is None or wide.low is None or wide.high is None:
        assert narrow.low is wide.low is None
        return
    assert wide.low < narrow.low < narrow.known() < narrow.high < wide.high


def test_shapes_and_values_are_checked() -> None:
    """Labels for other cases, NaN, values outside [0, 1] and odd quantiles raise."""
    with pytest.raises(ValueError, match="cluster labels"):
        spread([0.5, 0.5], ["a"])
    with pytest.raises(ValueError, match="finite"):
        spread([math.nan])
    with pytest.raises(ValueError, match="confidence"):
        t_interval([0.5, 0.6], confidence=95)
    for values, quantile in (([1.1], 0.95), ([-0.1], 0.95), ([0.5], 0.5), ([0.5], 1.0)):
        with pytest.raises(ValueError, match="effective size needs"):
            effective_size(values, quantile=quantile)
