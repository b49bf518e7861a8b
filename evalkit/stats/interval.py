"""Binomial intervals: Wilson to be displayed, Clopper-Pearson wherever something is decided, and Jeffreys.

Successes and trials in, an interval out. Both may be fractional, because an effective sample size is; the
formulas hold for independent units only, and turning cases and clusters into such units is the work of
``suite_mean``.
"""

import math
from dataclasses import dataclass

from evalkit.stats.distributions import beta_quantile, normal_quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A two-sided confidence interval of a proportion.

    Attributes:
        low: Lower limit in [0, 1].
        high: Upper limit in [0, 1], >= low.
        method: Name of the interval.
        confidence: Two-sided confidence in (0, 1).
        evaluable: False where there was no trial; the interval is then (0, 1).
    """

    low: float
    high: float
    method: str
    confidence: float
    evaluable: bool


def wilson(x: float, n: float, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval.

    Args:
        x: Successes, 0 <= x <= n, possibly fractional.
        n: Trials, >= 0, possibly fractional.
        confidence: Two-sided confidence in (0, 1).

    Returns:
        The interval; (0, 1) and not evaluable where n = 0.

    Raises:
        ValueError: If x, n or confidence is outside its range.

    Source: Wilson 1927, JASA 22, 209-212; Brown, Cai and DasGupta 2001, section 3.1.1.

    >>> interval = wilson(44, 50)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.762, 0.9438)
    """
    _check(x, n, confidence)
    if n == 0:
        return _no_trial("wilson", confidence)
    p, z = x / n, normal_quantile((1 + confidence) / 2)
    spread = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / spread
    half = z / spread * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if x == 0 else max(0.0, min(p, centre - half))  # min and max: rounding must not lose p itself
    high = 1.0 if x == n else min(1.0, max(p, centre + half))
    return Interval(low=low, high=high, method="wilson", confidence=confidence, evaluable=True)


def clopper_pearson(x: float, n: float, confidence: float = 0.95) -> Interval:
    """Return the Clopper-Pearson ("exact") interval.

    Args:
        x: Successes, 0 <= x <= n, possibly fractional.
        n: Trials, >= 0, possibly fractional.
        confidence: Two-sided confidence in (0, 1).

    Returns:
        The interval; (0, 1) and not evaluable where n = 0.

    Raises:
        ValueError: If x, n or confidence is outside its range.

    Source: Clopper and Pearson 1934, Biometrika 26, 404-413; fractional n: Korn and Graubard 1998.

    >>> interval = clopper_pearson(44, 50)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.7569, 0.9547)
    """
    _check(x, n, confidence)
    if n == 0:
        return _no_trial("clopper-pearson", confidence)
    low, high = (bound(x, n, (1 + confidence) / 2) for bound in (lower_bound, upper_bound))
    return Interval(low=low, high=high, method="clopper-pearson", confidence=confidence, evaluable=True)


def jeffreys(x: float, n: float, confidence: float = 0.95) -> Interval:
    """Return the Jeffreys interval, with the limit at an edge set to that edge.

    Args:
        x: Successes, 0 <= x <= n, possibly fractional.
        n: Trials, >= 0, possibly fractional.
        confidence: Two-sided confidence in (0, 1).

    Returns:
        The interval; (0, 1) and not evaluable where n = 0.

    Raises:
        ValueError: If x, n or confidence is outside its range.

    Source: Brown, Cai and DasGupta 2001, Statistical Science 16, section 3.1.3.

    >>> interval = jeffreys(0, 50)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.0488)
    """
    _check(x, n, confidence)
    if n == 0:
        return _no_trial("jeffreys", confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if x == 0 else beta_quantile(tail, x + 0.5, n - x + 0.5)
    high = 1.0 if x == n else beta_quantile(1 - tail, x + 0.5, n - x + 0.5)
    return Interval(low=low, high=high, method="jeffreys", confidence=confidence, evaluable=True)


def lower_bound(x: float, n: float, confidence: float = 0.95) -> float:
    """Return the one-sided Clopper-Pearson lower bound: with this confidence the proportion is at least that.

    Args:
        x: Successes, 0 <= x <= n, possibly fractional.
        n: Trials, >= 0, possibly fractional.
        confidence: One-sided confidence in (0, 1).

    Returns:
        The bound in [0, 1]; 0 where nothing speaks against 0 (x = 0 or n = 0).

    Raises:
        ValueError: If x, n or confidence is outside its range.

    Source: Clopper and Pearson 1934; Korn and Graubard 1998 for fractional n.

    >>> round(lower_bound(7, 8), 4), round(lower_bound(5, 5), 4), round(lower_bound(40, 40), 3)
    (0.5293, 0.5493, 0.928)
    """
    _check(x, n, confidence)
    if x == 0:
        return 0.0
    return min(x / n, beta_quantile(1 - confidence, x, n - x + 1))


def upper_bound(x: float, n: float, confidence: float = 0.95) -> float:
    """Return the one-sided Clopper-Pearson upper bound: with this confidence the proportion is at most that.

    Args:
        x: Successes, 0 <= x <= n, possibly fractional.
        n: Trials, >= 0, possibly fractional.
        confidence: One-sided confidence in (0, 1).

    Returns:
        The bound in [0, 1]; 1 where nothing speaks against 1 (x = n, which includes n = 0).

    Raises:
        ValueError: If x, n or confidence is outside its range.

    Source: Clopper and Pearson 1934; Korn and Graubard 1998 for fractional n.

    >>> round(upper_bound(0, 5), 4)
    0.4507
    """
    _check(x, n, confidence)
    if x == n:
        return 1.0
    return max(x / n, beta_quantile(confidence, x + 1, n - x))


def check_confidence(confidence: float) -> None:
    """Refuse a confidence outside (0, 1), a percentage for instance.

    Args:
        confidence: The confidence.

    Raises:
        ValueError: If it is not strictly between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie in (0, 1), not {confidence!r}")


def _check(x: float, n: float, confidence: float) -> None:
    """Refuse counts that no experiment can have."""
    check_confidence(confidence)
    if not (0 <= x <= n < math.inf):
        raise ValueError(f"successes and trials must satisfy 0 <= x <= n, not x = {x!r}, n = {n!r}")


def _no_trial(method: str, confidence: float) -> Interval:
    """Return what is known without a trial: nothing."""
    return Interval(low=0.0, high=1.0, method=method, confidence=confidence, evaluable=False)
