"""Quantiles of the beta, Student's t and normal distributions, for the intervals of this room.

Numbers in, numbers out. They are written here, in plain Python, because importing ``scipy.special`` costs
about one second of CPU (scipy 1.17: it loads its array-API layer, numpy.testing and f2py) on every command
that shows an interval, and evalkit needs three functions of it on a few hundred numbers. The tests hold
each of them against scipy.
"""

import math
from statistics import NormalDist

_ROUNDING = 2.0**-52  # relative spacing of doubles: the accuracy at which an iteration stops
_TINY = 1e-300  # stands for 0 in a denominator, and ends the search for a quantile that underflows
_MAX_TERMS = 100_000  # the fraction needs about sqrt(max(a, b)) terms: enough for shapes beyond 1e9
_MAX_STEPS = 1_100  # halvings from 1 down to _TINY, the worst case of the root search


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), the distribution function of Beta(a, b).

    Args:
        x: Point in [0, 1].
        a: First shape, > 0.
        b: Second shape, > 0.

    Returns:
        The probability that a Beta(a, b) variable is at most x.

    Raises:
        ValueError: If a shape is not positive or x is outside [0, 1].

    Source: NIST DLMF 8.17.22 (continued fraction) and 8.17.4 (symmetry), https://dlmf.nist.gov/8.17.

    >>> round(beta_cdf(0.5, 2, 3), 12)  # binomial tail: P(Bin(4, .5) >= 2) = 11/16
    0.6875
    """
    _check_shapes(a, b)
    if not 0.0 <= x <= 1.0:
        raise ValueError(f"x must lie in [0, 1], not {x!r}")
    if x in (0.0, 1.0):
        return x
    front = math.exp(_log_kernel(x, a, b))
    if x <= (a + 1.0) / (a + b + 2.0):  # where the fraction converges fast
        return front * _beta_fraction(x, a, b) / a
    return 1.0 - front * _beta_fraction(1.0 - x, b, a) / b


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x at which the Beta(a, b) distribution function reaches p.

    Newton's method on ``beta_cdf``, kept inside a shrinking bracket so that it cannot leave [0, 1].

    Args:
        p: Probability in [0, 1].
        a: First shape, > 0.
        b: Second shape, > 0.

    Returns:
        The quantile, in [0, 1].

    Raises:
        ValueError: If a shape is not positive or p is outside [0, 1].

    Source: NIST DLMF 8.17.1 (definition), https://dlmf.nist.gov/8.17.

    >>> round(beta_quantile(0.05, 5, 1), 6)  # Beta(5, 1): x**5 = .05
    0.54928
    """
    _check_shapes(a, b)
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"p must lie in [0, 1], not {p!r}")
    if p in (0.0, 1.0):
        return p
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(_MAX_STEPS):
        if not 0.0 < x < 1.0:  # nearer to the edge than a double can say
            return x
        excess = beta_cdf(x, a, b) - p
        low, high = (low, x) if excess > 0 else (x, high)
        density = math.exp(_log_kernel(x, a, b)) / (x * (1.0 - x))
        following = x - excess / density if density > 0 else low
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 4 * _ROUNDING * x + _TINY:
            return following
        x = following
    return x


def t_quantile(p: float, df: float) -> float:
    """Return the quantile of Student's t distribution.

    Args:
        p: Probability in (0, 1).
        df: Degrees of freedom, > 0.

    Returns:
        The t at which the distribution function is p.

    Raises:
        ValueError: If p is outside (0, 1) or df is not positive.

    Source: NIST DLMF 8.17 with x = df / (df + t^2); Abramowitz and Stegun 26.7.1.

    >>> round(t_quantile(0.975, 4), 5)
    2.77645
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"p must lie in (0, 1), not {p!r}")
    if not df > 0:
        raise ValueError(f"df must be positive, not {df!r}")
    outside = 2.0 * min(p, 1.0 - p)  # probability in both tails
    if outside < 0.5:  # work with the smaller of the two probabilities: it is the one that is accurate
        x = beta_quantile(outside, df / 2, 0.5)
        size = math.sqrt(df * (1.0 - x) / x)
    else:
        y = beta_quantile(1.0 - outside, 0.5, df / 2)
        size = math.sqrt(df * y / (1.0 - y))
    return size if p > 0.5 else -size


def normal_quantile(p: float) -> float:
    """Return the quantile of the standard normal distribution.

    Args:
        p: Probability in (0, 1).

    Returns:
        The z at which the distribution function is p.

    Raises:
        ValueError: If p is outside (0, 1).

    Source: Wichura 1988, algorithm AS 241 (as in ``statistics.NormalDist``).

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"p must lie in (0, 1), not {p!r}")
    return NormalDist().inv_cdf(p)


def _check_shapes(a: float, b: float) -> None:
    """Refuse shapes that no beta distribution has."""
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise ValueError(f"shapes must be positive and finite, not {a!r} and {b!r}")


def _log_kernel(x: float, a: float, b: float) -> float:
    """Return log(x^a (1-x)^b / B(a, b)) for 0 < x < 1."""
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return a * math.log(x) + b * math.log1p(-x) - log_beta


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of DLMF 8.17.22 by the modified Lentz method (DLMF 3.10(iii))."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d or _TINY)
    total = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / ((1.0 + term * d) or _TINY)
            c = (1.0 + term / c) or _TINY
            total *= c * d
        if abs(c * d - 1.0) <= _ROUNDING:
            break
    return total
