"""What is undefined stays undefined: no NaN, no reasonless None, and no mean of a None."""

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import InvalidFigure
from evalkit.stats.figure import CaseFigure, Figure, SuiteFigure, average, known

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


def _figure(**changed: Any) -> Figure:
    fields = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 10, "method": "m", "estimand": "population"}
    return Figure(**{**fields, **changed})


def _case_figure(**changed: Any) -> CaseFigure:
    fields = {"value": 0.5, "least": 0.5, "most": 0.5, "worst": 0.4, "best": 0.6, "n": 3, "method": "m"}
    return CaseFigure(**{**fields, **changed})


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["value", "low", "high", "n"])
def test_a_figure_holds_no_number_that_is_not_finite(field: str, number: float) -> None:
    """NaN and infinity are refused wherever a number stands."""
    with pytest.raises(ValueError, match="finite"):
        _figure(**{field: number})


@pytest.mark.parametrize("field", ["value", "least", "most", "worst", "best"])
def test_a_case_figure_holds_no_nan(field: str) -> None:
    """NaN is refused in every field of a partly measured number."""
    with pytest.raises(ValueError, match="finite"):
        _case_figure(**{field: math.nan})


@pytest.mark.parametrize(
    "fields", [{"low": 0.7}, {"low": None, "reason": "r"}, {"high": None, "reason": "r"}]
)
def test_an_interval_has_two_ends_in_order(fields: dict[str, Any]) -> None:
    """Crossed limits and an interval with one end are refused."""
    with pytest.raises(ValueError, match="interval"):
        _figure(**fields)


@pytest.mark.parametrize("fields", [{"least": 0.7}, {"most": 0.1}, {"worst": 0.7}, {"best": 0.1}])
def test_bounds_are_in_order(fields: dict[str, Any]) -> None:
    """Least above most, or worst above best, is refused."""
    with pytest.raises(ValueError, match="crossed"):
        _case_figure(**fields)


@pytest.mark.parametrize(
    "fields",
    [{"value": None}, {"low": None, "high": None}, {"value": None, "reason": ""}, {"reason": "all is there"}],
)
def test_a_reason_stands_exactly_where_something_is_missing(fields: dict[str, Any]) -> None:
    """A None without a reason is refused, and so is a reason without a None."""
    with pytest.raises(ValueError, match="reason"):
        _figure(**fields)
    assert "r" == _figure(value=None, reason="r").reason


def test_a_figure_without_a_value_is_no_number() -> None:
    """Using it as one raises, and the message says why it is undefined."""
    undefined: dict[str, Any] = {"value": None, "reason": "nothing was asked"}
    bounds: dict[str, Any] = {"least": None, "most": None, "worst": None, "best": None}
    suite = SuiteFigure(n_cases=0, method="m", **bounds, **undefined)
    for figure in (_figure(**undefined), _case_figure(**undefined), suite):
        with pytest.raises(InvalidFigure, match="nothing was asked"):
            figure.known()
    assert [0.5, 0.5] == [_figure().known(), _case_figure().known()]


def test_averaging_a_none_raises() -> None:
    """A None is not skipped and not zero, and neither is the empty mean."""
    with pytest.raises(InvalidFigure, match="None"):
        average([0.5, None])
    with pytest.raises(InvalidFigure, match="no values"):
        average([])
    with pytest.raises(InvalidFigure, match="no reason given"):
        known(None)


@given(numbers=NUMBERS, seed=st.integers(0, 99))
def test_a_mean_does_not_depend_on_the_order(numbers: list[float], seed: int) -> None:
    """Shuffling changes no bit of the mean, and it lies between the extremes."""
    shuffled = random.Random(seed).sample(numbers, len(numbers))
    slack = 1e-9 * max(1.0, *map(abs, numbers))
    assert average(numbers) == average(shuffled)
    assert min(numbers) - slack <= average(numbers) <= max(numbers) + slack
