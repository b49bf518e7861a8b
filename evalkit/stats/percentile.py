"""Percentiles of measured quantities (seconds, tokens, cost): p50, p90, p99.

Numbers in, figures out. They describe exactly the trials that were run; an interval would need a bootstrap
over cases, and is not given.
"""

from collections.abc import Sequence

from evalkit.stats.figure import Figure, check_numbers

_METHOD = "linear interpolation of order statistics (Hyndman-Fan type 7)"


def percentile(values: Sequence[float], percent: float) -> Figure:
    """Return a percentile by linear interpolation between the order statistics.

    The same definition as numpy's and pandas' default and DuckDB's ``quantile_cont``, so that whoever works
    the figure out again from the stored rows gets the same.

    Args:
        values: Measured quantities in one unit, shape (n,); what was not measured is left out, never 0.
        percent: Percentage in [0, 100]: 50, 90, 99.

    Returns:
        The percentile in the unit of the values, without an interval; None where there is no value.

    Raises:
        ValueError: If a value is not finite or the percentage is out of range.

    Source: Hyndman and Fan 1996, American Statistician 50, 361-365, definition 7.

    >>> percentile([1, 2, 3, 4], 50).value, percentile([1, 2, 3, 4, 5], 90).value
    (2.5, 4.6)
    """
    check_numbers(*values)
    if not 0 <= percent <= 100:
        raise ValueError(f"a percentage lies in [0, 100], not {percent!r}")
    value = _interpolated(sorted(values), percent / 100) if values else None
    return Figure(
        value=value,
        low=None,
        high=None,
        n=len(values),
        method=f"p{percent:g}, {_METHOD}",
        estimand="realised",
        reason="no interval: it would need a bootstrap over cases" if values else "nothing was measured",
    )


def _interpolated(ordered: Sequence[float], fraction: float) -> float:
    """Return the point at the fraction of the way from the first to the last of the ordered values."""
    position = fraction * (len(ordered) - 1)
    index = min(int(position), len(ordered) - 2) if len(ordered) > 1 else 0
    low, high = ordered[index], ordered[min(index + 1, len(ordered) - 1)]
    return max(low, min(high, low + (high - low) * (position - index)))  # rounding must not leave [low, high]
