"""What a sample can prove before it is run, held against the bounds that decide after it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.stats.interval import lower_bound, upper_bound
from evalkit.stats.power import most_fails, most_hits, provable_at_least, provable_at_most, units_needed
from tests.stats.drawn import CONFIDENCES

UNITS = st.integers(0, 80)
THRESHOLDS = st.floats(0, 1)


def test_the_worked_thresholds() -> None:
    """5 of 5 proves .549, 40 of 40 .928 (semantics, section 6); 0 hits in 29 prove .098 (statistics, 3.3)."""
    assert [0.549, 0.928] == [round(provable_at_least(n), 3) for n in (5, 40)]
    assert [0.221, 0.098, 0.0495] == pytest.approx([provable_at_most(n) for n in (12, 29, 59)], abs=5e-4)


def test_no_unit_proves_nothing() -> None:
    """Without a unit nothing above 0 can be proven, and nothing below 1 excluded."""
    assert (0.0, 1.0) == (provable_at_least(0), provable_at_most(0))
    assert (None, 0) == (most_fails(0, 0.1), most_fails(0, 0.0))
    assert (None, 0) == (most_hits(0, 0.9), most_hits(0, 1.0))


@pytest.mark.parametrize(("units", "passes"), [(50, 47), (100, 92), (200, 179), (300, 266), (19, 19)])
def test_the_worked_fails_allowed(units: int, passes: int) -> None:
    """Minimum passes that prove .85: 47/50, 92/100, 179/200, 266/300, 19/19 (statistics, section 3.1)."""
    assert units - passes == most_fails(units, 0.85)


@pytest.mark.parametrize(("at_least", "units"), [(0.80, 14), (0.85, 19), (0.90, 29), (0.95, 59), (0.99, 299)])
def test_the_worked_units_needed(at_least: float, units: int) -> None:
    """Straight passes that demonstrate p0: 14, 19, 29, 59, 299 (statistics, section 1.10)."""
    assert units == units_needed(at_least)


def test_one_is_beyond_proof() -> None:
    """No sample proves a rate of 1, or excludes any rate above 0."""
    assert (None, None, None) == (most_fails(1000, 1.0), most_hits(1000, 0.0), units_needed(1.0))


@given(units=UNITS, at_least=THRESHOLDS, confidence=CONFIDENCES)
def test_the_most_fails_are_the_last_that_pass(units: int, at_least: float, confidence: float) -> None:
    """With that many fails the gate says go, with one more it does not; None: not even without a fail."""
    found = most_fails(units, at_least, confidence)
    allowed = [f for f in range(units + 1) if lower_bound(units - f, units, confidence) >= at_least]
    assert (max(allowed) if allowed else None) == found


@given(units=UNITS, at_most=THRESHOLDS, confidence=CONFIDENCES)
def test_the_most_hits_are_the_last_that_pass(units: int, at_most: float, confidence: float) -> None:
    """The mirror image, for `at_most`."""
    found = most_hits(units, at_most, confidence)
    allowed = [x for x in range(units + 1) if upper_bound(x, units, confidence) <= at_most]
    assert (max(allowed) if allowed else None) == found


@given(at_least=st.floats(0, 0.97), fails=st.integers(0, 5), confidence=CONFIDENCES)
def test_the_units_needed_are_the_fewest(at_least: float, fails: int, confidence: float) -> None:
    """That many units prove the threshold in spite of the fails, and one fewer does not."""
    found = units_needed(at_least, fails, confidence)
    assert found is not None
    assert lower_bound(found - fails, found, confidence) >= at_least
    fewer = found - 1
    assert fewer < max(fails, 1) or lower_bound(fewer - fails, fewer, confidence) < at_least


@pytest.mark.parametrize("threshold", [-0.1, 1.1, 85, float("nan")])
def test_a_threshold_is_a_proportion(threshold: float) -> None:
    """85 is not .85."""
    with pytest.raises(ValueError, match="threshold"):
        most_fails(5, threshold)
    with pytest.raises(ValueError, match="threshold"):
        most_hits(5, threshold)
    with pytest.raises(ValueError, match="threshold"):
        units_needed(threshold)
    with pytest.raises(ValueError, match="negative"):
        units_needed(0.5, -1)
