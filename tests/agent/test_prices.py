"""Prices: the four buckets, and that unknown is unknown."""

import pytest

from evalkit.agent.prices import known_tokens, priced
from evalkit.records.event import Usage

PRICES = {"input": 2.0, "cache_read": 0.2, "cache_write": 2.5, "output": 10.0}


def test_the_cost_is_the_sum_over_the_four_buckets() -> None:
    """Every bucket has its own price per million tokens."""
    usage = Usage(input=1_000_000, cache_read=500_000, cache_write=100_000, output=10_000)
    assert pytest.approx(2.0 + 0.1 + 0.25 + 0.1) == priced(usage, PRICES).cost_usd


def test_a_cost_that_the_provider_gave_stays() -> None:
    """The provider's own figure is never replaced, not even where it is nothing."""
    assert 0.0 == priced(Usage(input=5, cost_usd=0.0), PRICES).cost_usd


@pytest.mark.parametrize(
    ("usage", "prices"),
    [
        (Usage(input=5, output=1, cache_read=0), PRICES),
        (Usage(input=5, output=1, cache_read=0, cache_write=0), {"input": 2.0}),
        (Usage(input=5, output=1, cache_read=0, cache_write=0), None),
    ],
)
def test_an_unknown_bucket_or_price_leaves_the_cost_unknown(
    usage: Usage, prices: dict[str, float] | None
) -> None:
    """Nothing is taken for 0 that was not said."""
    assert priced(usage, prices).cost_usd is None


def test_a_bucket_without_tokens_needs_no_price() -> None:
    """Zero tokens cost nothing at any price."""
    usage = Usage(input=1_000_000, output=0, cache_read=0, cache_write=0)
    assert 2.0 == priced(usage, {"input": 2.0}).cost_usd


def test_known_tokens_are_a_lower_bound() -> None:
    """Unknown buckets add nothing."""
    assert 7 == known_tokens(Usage(input=3, cache_read=4))
