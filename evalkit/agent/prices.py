"""What a model reply cost, where its provider does not say.

What comes in: a usage row and an arm's prices. What goes out: the row with its cost; unknown is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from evalkit.records.event import Usage

BUCKETS: Final = ("input", "cache_read", "cache_write", "output")
"""The four disjoint token buckets, as `Usage` and `Arm.prices` name them."""

_PER_MILLION = 1e6  # prices are US dollars per million tokens


def known_tokens(usage: Usage) -> int:
    """Return the sum of the buckets that are known: a lower bound where one is not.

    >>> known_tokens(Usage(input=10, output=5))
    15
    """
    return sum(tokens for tokens in (getattr(usage, bucket) for bucket in BUCKETS) if tokens is not None)


def priced(usage: Usage, prices: Mapping[str, float] | None) -> Usage:
    """Return a usage row with its cost, where the cost can be known.

    Args:
        usage: The row; a cost that the provider gave stays.
        prices: US dollars per million tokens by bucket; None: unknown.

    Returns:
        The row itself where it has a cost, or where tokens or the price of a used bucket are unknown.

    >>> priced(
    ...     Usage(input=1000, cache_read=0, cache_write=0, output=10), {"input": 3.0, "output": 15.0}
    ... ).cost_usd
    0.00315
    >>> priced(Usage(input=1000), {"input": 3.0}).cost_usd is None
    True
    """
    if usage.cost_usd is not None or prices is None:
        return usage
    cost = 0.0
    for bucket in BUCKETS:
        tokens: int | None = getattr(usage, bucket)
        if tokens is None or (tokens and bucket not in prices):
            return usage
        cost += tokens * prices.get(bucket, 0.0)
    return structs.replace(usage, cost_usd=cost / _PER_MILLION)
