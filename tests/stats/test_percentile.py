"""Percentiles against numpy, whose default is the same definition."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.stats.percentile import percentile

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)
PERCENTS = st.sampled_from([0, 1, 25, 50, 90, 99, 100]) | st.floats(0, 100)


@pytest.mark.parametrize(("percent", "expected"), [(50, 5.5), (90, 9.1), (99, 9.91), (0, 1.0), (100, 10.0)])
def test_the_first_ten_numbers(percent: float, expected: float) -> None:
    """p50, p90 and p99 of 1..10 by definition 7 of Hyndman and Fan: 1 + 9 percent / 100."""
    figure = percentile(range(10, 0, -1), percent)
    assert expected == pytest.approx(figure.value)
    assert (10, "realised") == (figure.n, figure.estimand)
    assert f"p{percent}, linear interpolation of order statistics (Hyndman-Fan type 7)" == figure.method


@given(values=VALUES, percent=PERCENTS)
def test_numpy_agrees(values: list[float], percent: float) -> None:
    """To rounding, numpy.percentile with its default method."""
    theirs = float(np.percentile(values, percent))
    assert theirs == pytest.approx(percentile(values, percent).known(), rel=1e-9, abs=1e-6)


@given(values=VALUES, low=PERCENTS, high=PERCENTS, seed=st.integers(0, 99))
def test_percentiles_are_ordered_and_inside(values: list[float], low: float, high: float, seed: int) -> None:
    """They rise with the percentage, stay inside, and do not depend on the order of the values."""
    first, second = (percentile(values, percent).known() for percent in sorted((low, high)))
    assert min(values) <= first <= second <= max(values)
    assert percentile(values, low) == percentile(random.Random(seed).sample(values, len(values)), low)


def test_nothing_measured_is_none() -> None:
    """No value, no percentile: None with its reason, never 0."""
    figure = percentile([], 50)
    assert (None, 0, "nothing was measured") == (figure.value, figure.n, figure.reason)


def test_no_interval_is_pretended() -> None:
    """The limits are None, and the figure says why."""
    figure = percentile([3.0], 99)
    assert (3.0, None, None) == (figure.value, figure.low, figure.high)
    assert "no interval: it would need a bootstrap over cases" == figure.reason


@pytest.mark.parametrize(
    ("values", "percent"), [([math.nan], 50), ([math.inf], 50), ([1.0], 101), ([1.0], -1)]
)
def test_unmeasured_is_not_nan(values: list[float], percent: float) -> None:
    """NaN, infinity and percentages outside [0, 100] raise."""
    with pytest.raises(ValueError, match=r"finite|percentage"):
        percentile(values, percent)
