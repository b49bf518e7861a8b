"""Uncertainty of a mean over cases: standard error over clusters, and the number of cases that it is worth.

One number per case in (rates or pass^k in [0, 1] where an effective size is asked), with the cluster of
each case; figures out. Trials do not occur here: each case has been brought to one number before.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from evalkit.stats.distributions import t_quantile
from evalkit.stats.figure import Figure, average, check_numbers, check_reason
from evalkit.stats.interval import check_confidence

FEW_CLUSTERS = 10
"""Clusters; with fewer the CR1 standard error is itself so uncertain that the figure is flagged."""

# Below this a standard error is rounding: case values are ratios of small whole numbers, far coarser.
_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The mean over cases and its standard error as a sample of all cases (E3).

    Attributes:
        mean: Unweighted mean over cases; None without a case.
        se: Standard error, never 0; None where it cannot be estimated.
        df: Degrees of freedom, clusters - 1; None where there is no standard error.
        n_cases: Cases, >= 0.
        n_clusters: Clusters, equal to `n_cases` where none are declared.
        few_clusters: Fewer than `FEW_CLUSTERS` clusters.
        reason: Why `mean` or `se` is None.
    """

    mean: float | None
    se: float | None
    df: int | None
    n_cases: int
    n_clusters: int
    few_clusters: bool
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse non-finite numbers, a standard error of 0, and a None without its reason."""
        check_numbers(self.mean, self.se)
        check_reason(self.reason, self.mean, self.se, self.df)
        if self.se == 0:
            raise ValueError("a standard error of 0 is not an estimate")


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveSize:
    """How many independent cases a clustered sample is worth.

    Attributes:
        n: Effective number of cases, > 0, possibly fractional; None where it cannot be estimated.
        reason: Why `n` is None.
    """

    n: float | None
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse a non-finite size, and a None without its reason."""
        check_numbers(self.n)
        check_reason(self.reason, self.n)


def spread(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Spread:
    """Return the mean over cases with its cluster-robust (CR1) standard error.

    SE = sqrt(C / (C - 1) * sum over clusters of (sum of residuals)^2) / n with C - 1 degrees of freedom;
    where every case is its own cluster this is sd / sqrt(n).

    Args:
        values: One finite number per case, shape (n_cases,).
        clusters: Cluster label per case, shape (n_cases,); None: every case is its own cluster.

    Returns:
        Mean and standard error, the latter None with one cluster or without spread between them.

    Raises:
        ValueError: If a value is not finite or the shapes differ.

    Source: Cameron and Miller 2015, J. Human Resources 50, section II; Miller 2024, arXiv 2411.00640,
    section 2.2.

    >>> result = spread([1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1], [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4])
    >>> round(result.mean, 6), round(result.se, 6), result.df
    (0.666667, 0.158358, 4)
    """
    labels = _labels(values, clusters)
    c = len(set(labels))
    mean = average(values) if values else None
    se = _standard_error(values, labels, mean) if mean is not None and c > 1 else 0.0
    return _spread(mean, se, len(values), c)


def t_interval(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, confidence: float = 0.95
) -> Figure:
    """Return the mean over cases with its t interval (C - 1 degrees of freedom), not clipped to any range.

    Args:
        values: One finite number per case, shape (n_cases,).
        clusters: Cluster label per case, shape (n_cases,); None: every case is its own cluster.
        confidence: Two-sided confidence in (0, 1).

    Returns:
        Mean and limits mean -+ t * SE; without limits where there is no standard error.

    Raises:
        ValueError: If a value is not finite, the shapes differ, or confidence is out of range.

    Source: Cameron and Miller 2015, section VI.

    >>> figure = t_interval([1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1], [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4])
    >>> round(figure.low, 4), round(figure.high, 4)
    (0.227, 1.1063)
    """
    check_confidence(confidence)
    found = spread(values, clusters)
    low, high = _t_limits(found, confidence)
    method = f"mean over cases, CR1 t interval, {found.n_clusters} clusters, confidence {confidence}"
    return Figure(
        value=found.mean,
        low=low,
        high=high,
        n=found.n_cases,
        method=method,
        estimand="population",
        reason=found.reason,
    )


def effective_size(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, quantile: float = 0.95
) -> EffectiveSize:
    """Return n*, the number of independent cases that bound a rate as tightly as these.

    n_eff = min(n, n / (n - 1) * p (1 - p) / SE^2), or C without spread between the C clusters;
    n* = n_eff * (t_{n-1} / t_{C-1})^2. At p = 0 or 1, where no spread can show, n* is C.

    Args:
        values: One number per case in [0, 1], shape (n_cases,).
        clusters: Cluster label per case, shape (n_cases,); None: every case is its own cluster.
        quantile: Level of the t quantiles in (.5, 1): .95 for one bound at 95 %, .975 for two sides.

    Returns:
        The effective size; None without a case, or with one cluster and 0 < p < 1.

    Raises:
        ValueError: If a value is outside [0, 1], the shapes differ, or the quantile is out of range.

    Source: Korn and Graubard 1998, Survey Methodology 24, 193-201.

    >>> round(effective_size([1, 1, 1, 1, 1, 1, 1, 0]).n, 9)
    8.0
    """
    if not (0.5 < quantile < 1 and all(0 <= value <= 1 for value in values)):
        raise ValueError(
            f"an effective size needs values in [0, 1] and a quantile in (.5, 1), not {quantile!r}"
        )
    found = spread(values, clusters)
    if found.mean in (0.0, 1.0):
        return EffectiveSize(n=found.n_clusters)
    if found.mean is None or found.n_clusters < 2:
        return EffectiveSize(n=None, reason=found.reason)
    return EffectiveSize(n=_effective(found.mean, found, quantile))


def _labels(values: Sequence[float], clusters: Sequence[Hashable] | None) -> Sequence[Hashable]:
    """Return one cluster label per value; refuse values that are not finite and shapes that differ."""
    check_numbers(*values)
    labels: Sequence[Hashable] = range(len(values)) if clusters is None else clusters
    if len(labels) != len(values):
        raise ValueError(f"{len(values)} values, but {len(labels)} cluster labels")
    return labels


def _spread(mean: float | None, se: float, n: int, c: int) -> Spread:
    """Return the spread, with the reason where the mean or the standard error is missing."""
    few = c < FEW_CLUSTERS
    if mean is not None and se > _NO_SPREAD:
        return Spread(mean=mean, se=se, df=c - 1, n_cases=n, n_clusters=c, few_clusters=few)
    reason = "no spread between clusters" if c > 1 else "one cluster: its spread cannot be estimated"
    reason = reason if n else "no case has a value"
    return Spread(mean=mean, se=None, df=None, n_cases=n, n_clusters=c, few_clusters=few, reason=reason)


def _t_limits(found: Spread, confidence: float) -> tuple[float, float] | tuple[None, None]:
    """Return mean -+ t * SE where there is a standard error."""
    if found.mean is None or found.se is None or found.df is None:
        return None, None
    half = t_quantile((1 + confidence) / 2, found.df) * found.se
    return found.mean - half, found.mean + half


def _effective(p: float, found: Spread, quantile: float) -> float:
    """Return n* for 0 < p < 1 and at least two clusters."""
    n, c = found.n_cases, found.n_clusters
    n_eff = float(c) if found.se is None else min(float(n), n / (n - 1) * p * (1 - p) / found.se**2)
    return n_eff if c == n else n_eff * (t_quantile(quantile, n - 1) / t_quantile(quantile, c - 1)) ** 2


def _standard_error(values: Sequence[float], labels: Sequence[Hashable], mean: float) -> float:
    """Return the CR1 standard error of the mean, for at least two clusters."""
    residuals: dict[Hashable, list[float]] = {}
    for value, label in zip(values, labels, strict=True):
        residuals.setdefault(label, []).append(value - mean)
    c = len(residuals)
    squares = math.fsum(math.fsum(group) ** 2 for group in residuals.values())
    return math.sqrt(c / (c - 1) * squares) / len(values)
