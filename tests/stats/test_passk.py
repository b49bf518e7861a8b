"""pass^k and pass@k against subset enumeration, exact expectations and the worked table."""

import random
from itertools import combinations
from math import comb

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalkit.stats.figure import known
from evalkit.stats.passk import case_pass_at, case_pass_hat, suite_pass_at, suite_pass_hat
from evalkit.stats.tally import CaseTally, completed
from tests.stats.drawn import SUITES, TALLIES

MEASURED = st.builds(CaseTally, n_pass=st.integers(0, 8), n_fail=st.integers(0, 8))
KS = st.integers(1, 7)

# tau-bench airline, 10 tasks x 4 trials of gpt-4o (59a200c): (passes, fails, unmeasured) per task.
TAU = [
    *((1, 2, 1), (0, 4, 0), (1, 3, 0), (2, 2, 0), (0, 4, 0)),
    *((2, 2, 0), (4, 0, 0), (1, 3, 0), (3, 1, 0), (4, 0, 0)),
]
TAU_TALLIES = [CaseTally(n_pass=p, n_fail=f, n_unmeasured=u) for p, f, u in TAU]


@pytest.mark.parametrize(
    ("n", "c", "k", "pass_at", "pass_hat"),
    [
        (5, 3, 2, 0.9, 0.3),
        (10, 8, 5, 1.0, 56 / 252),
        (5, 4, 5, 1.0, 0.0),
        (5, 5, 5, 1.0, 1.0),
        (5, 0, 1, 0.0, 0.0),
    ],
)
def test_the_worked_table(n: int, c: int, k: int, pass_at: float, pass_hat: float) -> None:
    """The table of statistics 1.1, where the plug-in (c/n)^k would give .36, .328, .328, 1 and 0."""
    tally = CaseTally(n_pass=c, n_fail=n - c)
    assert (pass_at, pass_hat) == (case_pass_at(tally, k).value, case_pass_hat(tally, k).value)


@pytest.mark.parametrize("tally", [CaseTally(n_pass=3, n_fail=0), CaseTally(n_pass=0, n_fail=0)])
def test_more_than_the_trials_is_none_with_a_reason(tally: CaseTally) -> None:
    """There is no clipping of k to n: three passes have no pass^5, and no trials have none at all."""
    for figure in (case_pass_hat(tally, 5), case_pass_at(tally, 5)):
        assert (None, None, None, None, None) == (
            figure.value,
            figure.least,
            figure.most,
            figure.worst,
            figure.best,
        )
        assert f"{tally.n_asked} trials asked, fewer than k = 5" == figure.reason


@pytest.mark.parametrize("k", [0, -1])
def test_k_is_at_least_one(k: int) -> None:
    """pass^0 is not a question."""
    for call in (case_pass_hat, case_pass_at):
        with pytest.raises(ValueError, match="at least 1"):
            call(CaseTally(n_pass=1, n_fail=0), k)


@given(tally=MEASURED, k=KS)
def test_it_is_the_share_of_subsets(tally: CaseTally, k: int) -> None:
    """Of all subsets of k trials, pass^k is the share that passes whole, pass@k the share with a pass."""
    assume(k <= tally.n_measured)
    outcomes = [True] * tally.n_pass + [False] * tally.n_fail
    subsets = list(combinations(outcomes, k))
    assert sum(map(all, subsets)) / len(subsets) == case_pass_hat(tally, k).value
    assert sum(map(any, subsets)) / len(subsets) == case_pass_at(tally, k).value


@pytest.mark.parametrize(("n", "k", "p"), [(10, 5, 0.8), (7, 3, 0.35), (4, 4, 0.9)])
def test_it_is_unbiased(n: int, k: int, p: float) -> None:
    """The exact expectation over Binomial(n, p) is p^k and 1 - (1 - p)^k; that of the plug-in is not."""
    chances = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    tallies = [CaseTally(n_pass=c, n_fail=n - c) for c in range(n + 1)]
    hats = [case_pass_hat(tally, k).known() for tally in tallies]
    ats = [case_pass_at(tally, k).known() for tally in tallies]
    assert p**k == pytest.approx(sum(q * x for q, x in zip(chances, hats, strict=True)), abs=1e-12)
    assert 1 - (1 - p) ** k == pytest.approx(sum(q * x for q, x in zip(chances, ats, strict=True)), abs=1e-12)
    assert p**k < sum(q * (c / n) ** k for c, q in enumerate(chances)) - 1e-3


@given(tally=MEASURED)
def test_with_one_trial_both_are_the_rate(tally: CaseTally) -> None:
    """pass^1 = pass@1 = c / n."""
    assume(tally.n_measured)
    assert tally.n_pass / tally.n_measured == case_pass_hat(tally, 1).value == case_pass_at(tally, 1).value


@given(tally=MEASURED, k=KS)
def test_each_is_the_others_complement(tally: CaseTally, k: int) -> None:
    """pass@k of the passes is 1 - pass^k of the fails."""
    assume(k <= tally.n_measured)
    swapped = CaseTally(n_pass=tally.n_fail, n_fail=tally.n_pass)
    assert case_pass_at(tally, k).known() == pytest.approx(1 - case_pass_hat(swapped, k).known(), abs=1e-15)


@given(tally=MEASURED, k=KS)
def test_more_trials_at_once_are_harder_to_pass_whole(tally: CaseTally, k: int) -> None:
    """pass^k never rises with k, and pass@k never falls."""
    assume(k + 1 <= tally.n_measured)
    assert case_pass_hat(tally, k + 1).known() <= case_pass_hat(tally, k).known()
    assert case_pass_at(tally, k + 1).known() >= case_pass_at(tally, k).known()


@given(n_pass=st.integers(0, 5), n_fail=st.integers(0, 5), n_unmeasured=st.integers(1, 4), data=st.data())
def test_the_interval_is_that_of_the_completions(
    n_pass: int, n_fail: int, n_unmeasured: int, data: st.DataObject
) -> None:
    """With fewer than k measured of k or more asked, the ends are the figures of all-fail and all-pass."""
    tally = CaseTally(n_pass=n_pass, n_fail=n_fail, n_unmeasured=n_unmeasured)
    k = data.draw(st.integers(tally.n_measured + 1, tally.n_asked))
    for call in (case_pass_hat, case_pass_at):
        figure = call(tally, k)
        ends = [call(completed([tally], kind)[0], k).value for kind in ("fail", "pass")]
        assert ends == [figure.least, figure.most] == [figure.worst, figure.best]
        assert (ends[0] if ends[0] == ends[1] else None) == figure.value


@given(tally=TALLIES, k=KS)
def test_worst_and_best_enclose_the_case(tally: CaseTally, k: int) -> None:
    """The order is worst, least, most, best, and all are equal where everything was measured."""
    assume(k <= tally.n_asked)
    for figure in (case_pass_hat(tally, k), case_pass_at(tally, k)):
        worst, least, most, best = map(known, (figure.worst, figure.least, figure.most, figure.best))
        assert worst <= least <= most <= best
        assert tally.n_unmeasured or worst == best


def test_enough_measured_trials_are_used_alone() -> None:
    """Three measured of four asked give pass^2 of the three as a point, with worst and best beside it."""
    figure = case_pass_hat(CaseTally(n_pass=2, n_fail=1, n_unmeasured=1), 2)
    assert (1 / 3, 1 / 6, 3 / 6, 3) == (figure.value, figure.worst, figure.best, figure.n)


def test_tau_bench_by_our_convention() -> None:
    """One trial of task 2 never completed: pass^1..4 = .458333, .283333, .225, .2 (README of the data)."""
    found = [suite_pass_hat(TAU_TALLIES, k).value for k in (1, 2, 3, 4)]
    assert [0.458333, 0.283333, 0.225, 0.2] == pytest.approx(found, abs=5e-7)
    assert 10 == suite_pass_hat(TAU_TALLIES, 4).n_cases  # not the 9 complete cases, which would give .2222


def test_tau_bench_by_the_authors_convention() -> None:
    """Counted as a fail, the same trial gives .45, .283333, .225, .2: the worst case of our figure."""
    found = [suite_pass_hat(TAU_TALLIES, k).worst for k in (1, 2, 3, 4)]
    assert [0.45, 0.283333, 0.225, 0.2] == pytest.approx(found, abs=5e-7)


def test_the_suite_is_an_interval_unless_every_case_is_a_point() -> None:
    """A case of two passes and an unmeasured trial leaves pass^3 of the suite between .5 and 1."""
    tallies = [CaseTally(n_pass=3, n_fail=0), CaseTally(n_pass=2, n_fail=0, n_unmeasured=1)]
    figure = suite_pass_hat(tallies, 3)
    assert (None, 0.5, 1.0, 0.5, 1.0) == (figure.value, figure.least, figure.most, figure.worst, figure.best)
    assert "1 case has fewer than k = 3 measured trials" == figure.reason


def test_cases_left_out_are_counted() -> None:
    """Too few asked, nothing asked and nothing measured are three counts, and none of them is a zero."""
    tallies = [
        CaseTally(n_pass=2, n_fail=0),
        CaseTally(n_pass=1, n_fail=0),
        CaseTally(n_pass=0, n_fail=0),
        CaseTally(n_pass=0, n_fail=0, n_unmeasured=2),
    ]
    figure = suite_pass_at(tallies, 2)
    assert (2, 1, 1, 1) == (
        figure.n_cases,
        figure.cases_below_k,
        figure.cases_not_asked,
        figure.cases_unmeasured,
    )
    assert (0.5, 1.0) == (figure.least, figure.most)


@pytest.mark.parametrize(
    ("tallies", "reason"),
    [
        ([], "nothing was asked"),
        ([CaseTally(n_pass=0, n_fail=0)], "nothing was asked"),
        ([CaseTally(n_pass=3, n_fail=1)], "no case has k = 5 asked trials"),
    ],
)
def test_a_suite_without_a_case_that_counts_is_none(tallies: list[CaseTally], reason: str) -> None:
    """No case, or none with enough trials: None and the reason, in every field."""
    figure = suite_pass_hat(tallies, 5)
    assert (None, None, None, reason) == (figure.value, figure.worst, figure.best, figure.reason)


@given(tallies=SUITES, k=st.integers(1, 4), seed=st.integers(0, 99))
def test_the_suite_does_not_depend_on_the_order_of_cases(tallies: list[CaseTally], k: int, seed: int) -> None:
    """Shuffling the cases changes nothing, to the last bit."""
    shuffled = random.Random(seed).sample(tallies, len(tallies))
    assert suite_pass_hat(tallies, k) == suite_pass_hat(shuffled, k)
    assert suite_pass_at(tallies, k) == suite_pass_at(shuffled, k)


@given(tallies=SUITES, k=st.integers(1, 4))
def test_worst_and_best_enclose_the_suite(tallies: list[CaseTally], k: int) -> None:
    """The order is worst, least, most, best; the outer two are the completed suites' own figures."""
    for call in (suite_pass_hat, suite_pass_at):
        figure = call(tallies, k)
        if figure.worst is None or figure.least is None or figure.most is None or figure.best is None:
            assert 0 == figure.n_cases
            continue
        assert figure.worst <= figure.least <= figure.most <= figure.best
        ends = [call(completed(tallies, kind), k).value for kind in ("fail", "pass")]
        assert ends == [figure.worst, figure.best]


def test_unstable_and_stable_suites_of_one_rate_differ() -> None:
    """Half of the cases at 1 and half at 0 have pass^2 .5; all cases at .5 have less than .25."""
    split = [CaseTally(n_pass=4, n_fail=0), CaseTally(n_pass=0, n_fail=4)]
    even = [CaseTally(n_pass=2, n_fail=2)] * 2
    assert (0.5, 1 / 6) == (suite_pass_hat(split, 2).value, suite_pass_hat(even, 2).value)
