"""Counts of a case, coverage, and the completion of what was not measured."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.stats.tally import CaseTally, completed, coverage
from tests.stats.drawn import SUITES


def test_counts_cannot_be_negative() -> None:
    """A negative count of any kind is refused."""
    for counts in ((-1, 0, 0), (0, -1, 0), (0, 0, -1)):
        with pytest.raises(ValueError, match="negative"):
            CaseTally(n_pass=counts[0], n_fail=counts[1], n_unmeasured=counts[2])


@given(tallies=SUITES)
def test_completion_keeps_what_was_asked(tallies: list[CaseTally]) -> None:
    """Worst and best ask as many trials of each case, measure all, keep the cluster, bracket the passes."""
    worst, best = completed(tallies, "fail"), completed(tallies, "pass")
    for tally, low, high in zip(tallies, worst, best, strict=True):
        assert (tally.n_asked, tally.cluster) == (low.n_measured, low.cluster)
        assert (tally.n_asked, tally.cluster) == (high.n_measured, high.cluster)
        assert (0, 0) == (low.n_unmeasured, high.n_unmeasured)
        assert (tally.n_pass, tally.n_pass + tally.n_unmeasured) == (low.n_pass, high.n_pass)


@given(tallies=SUITES, seed=st.integers(0, 99))
def test_coverage_is_the_measured_share_of_the_asked(tallies: list[CaseTally], seed: int) -> None:
    """1 - unmeasured / asked over all trials, whatever the order; None with its reason without trials."""
    found = coverage(tallies)
    asked = sum(tally.n_asked for tally in tallies)
    if not asked:
        assert (None, "nothing was asked") == (found.value, found.reason)
    else:
        expected = 1 - sum(tally.n_unmeasured for tally in tallies) / asked
        assert expected == pytest.approx(found.value)
        assert (found.value, found.value, asked) == (found.low, found.high, found.n)
    assert found == coverage(random.Random(seed).sample(tallies, len(tallies)))


def test_coverage_counts_trials_not_cases() -> None:
    """One case of nine measured trials and one of a single unmeasured trial have coverage .9, not .5."""
    tallies = [CaseTally(n_pass=9, n_fail=0), CaseTally(n_pass=0, n_fail=0, n_unmeasured=1)]
    assert 0.9 == coverage(tallies).value
