"""The one-sided bounds that decide a gate, and the two-sided intervals that are displayed beside them.

Case values or tallies in, bounds out. What decides is Clopper-Pearson, because a one-sided Wilson bound
errs more often than it says; what is displayed is Wilson.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evalkit.stats.case_values import CaseValues
from evalkit.stats.evidence import Evidence, population_evidence, suite_evidence
from evalkit.stats.figure import Estimand, Figure, check_numbers, check_order, check_reason
from evalkit.stats.interval import check_confidence, lower_bound, upper_bound, wilson
from evalkit.stats.tally import CaseTally


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionBounds:
    """Two one-sided bounds, each at the stated confidence by itself.

    Attributes:
        value: The estimate; None where it is not a point.
        lower: With this confidence the figure is at least that; None where it cannot be said.
        upper: With this confidence the figure is at most that; None where it cannot be said.
        confidence: One-sided confidence of each bound, in (0, 1).
        n_effective: Independent units that the bounds rest on, possibly fractional (the smaller of the two
            where the bounds rest on different ones); None where it cannot be said.
        n_cases: Cases that enter, >= 0.
        n_clusters: Clusters that they form.
        few_clusters: The standard error rests on too few clusters to go unflagged (population only).
        method: How the bounds were worked out.
        estimand: What the bounds are about.
        reason: Why something is None.
    """

    value: float | None
    lower: float | None
    upper: float | None
    confidence: float
    n_effective: float | None
    n_cases: int
    n_clusters: int
    few_clusters: bool
    method: str
    estimand: Estimand
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse non-finite numbers, crossed bounds, and a None without its reason."""
        check_numbers(self.value, self.lower, self.upper, self.n_effective)
        check_order(self.lower, self.upper)
        check_reason(self.reason, self.value, self.lower, self.n_effective)


def population_bounds(values: CaseValues, confidence: float = 0.95) -> DecisionBounds:
    """Return the bounds on the mean over the population that the cases were drawn from (E3).

    One-sided Clopper-Pearson on (p n*, n*). Neither bound is tighter than C clusters without a fail (or
    without a pass) would give: otherwise, with clusters, a suite that fails a case could prove more than
    one that passes all.

    Args:
        values: The cases' numbers.
        confidence: One-sided confidence of each bound, in (.5, 1).

    Returns:
        The bounds; None without a case, or with one cluster that is neither all 0 nor all 1.

    Raises:
        ValueError: If confidence is out of range.

    Source: Korn and Graubard 1998, Survey Methodology 24, 193-201; the cap at C clusters is evalkit's.

    >>> from evalkit.stats.case_values import point_values
    >>> bounds = population_bounds(point_values([1, 1, 1, 1, 1, 1, 1, 0]))
    >>> round(bounds.lower, 4), round(bounds.n_effective, 6)
    (0.5293, 8.0)
    """
    return _decided(population_evidence(values, confidence), confidence, "effective number of cases")


def suite_bounds(tallies: Sequence[CaseTally], confidence: float = 0.95) -> DecisionBounds:
    """Return the bounds on the deciding rate of exactly these cases, or of one case, under new trials (E2).

    Args:
        tallies: One tally per case; a single one for a bound per case.
        confidence: One-sided confidence of each bound, in (0, 1).

    Returns:
        One-sided Clopper-Pearson on the measured trials; None where nothing was measured.

    Raises:
        ValueError: If confidence is out of range.

    Source: Clopper and Pearson 1934; Hoeffding 1956, Annals of Mathematical Statistics 27, 713-721 (trials of
    unequal chances spread less than the binomial).

    >>> bounds = suite_bounds([CaseTally(n_pass=5, n_fail=0)])
    >>> round(bounds.lower, 4), bounds.upper
    (0.5493, 1.0)
    """
    return _decided(suite_evidence(tallies), confidence, "measured trials")


def population_interval(values: CaseValues, confidence: float = 0.95) -> Figure:
    """Return the mean over cases with the interval to be displayed, about the population of cases (E3).

    Args:
        values: The cases' numbers.
        confidence: Two-sided confidence in (0, 1).

    Returns:
        Wilson on the effective number of cases; no interval where that cannot be estimated.

    Raises:
        ValueError: If confidence is out of range.

    Source: Korn and Graubard 1998, with the Wilson in place of the Clopper-Pearson interval.

    >>> from evalkit.stats.case_values import point_values
    >>> figure = population_interval(point_values([1, 1, 1, 1, 1, 1, 1, 0]))
    >>> round(figure.low, 4), round(figure.high, 4)
    (0.5291, 0.9776)
    """
    check_confidence(confidence)
    evidence = population_evidence(values, (1 + confidence) / 2)
    return _displayed(evidence, confidence, "effective number of cases")


def suite_interval(tallies: Sequence[CaseTally], confidence: float = 0.95) -> Figure:
    """Return the mean of the case rates with the interval to be displayed, about exactly these cases (E2).

    Args:
        tallies: One tally per case; a single one for an interval per case.
        confidence: Two-sided confidence in (0, 1).

    Returns:
        Wilson on the measured trials; None where nothing was measured.

    Raises:
        ValueError: If confidence is out of range.

    Source: Wilson 1927, JASA 22, 209-212.

    >>> figure = suite_interval([CaseTally(n_pass=17, n_fail=3)])
    >>> figure.value, round(figure.low, 4), round(figure.high, 4)
    (0.85, 0.6396, 0.9476)
    """
    check_confidence(confidence)
    return _displayed(suite_evidence(tallies), confidence, "measured trials")


def _decided(evidence: Evidence, confidence: float, units: str) -> DecisionBounds:
    """Return the bounds that the evidence allows."""
    check_confidence(confidence)
    below, above, uniform = evidence.below, evidence.above, evidence.uniform
    lower = upper = n_effective = None
    if below and above:
        lower = min(
            lower_bound(below.successes, below.n, confidence), lower_bound(uniform, uniform, confidence)
        )
        upper = max(upper_bound(above.successes, above.n, confidence), upper_bound(0, uniform, confidence))
        n_effective = min(below.n, above.n)
    return DecisionBounds(
        value=evidence.value,
        lower=lower,
        upper=upper,
        confidence=confidence,
        n_effective=n_effective,
        n_cases=evidence.n_cases,
        n_clusters=evidence.n_clusters,
        few_clusters=evidence.few_clusters,
        method=f"one-sided clopper-pearson on the {units}",
        estimand=evidence.estimand,
        reason=evidence.reason,
    )


def _displayed(evidence: Evidence, confidence: float, units: str) -> Figure:
    """Return the interval that the evidence allows."""
    below, above = evidence.below, evidence.above
    return Figure(
        value=evidence.value,
        low=wilson(below.successes, below.n, confidence).low if below else None,
        high=wilson(above.successes, above.n, confidence).high if above else None,
        n=min(below.n, above.n) if below and above else 0,
        method=f"mean over cases, wilson on the {units}, confidence {confidence}",
        estimand=evidence.estimand,
        reason=evidence.reason,
    )
