"""What a sample is worth: successes among independent units, about the population or about the suite.

Case values or tallies in, units out. Here, and only here, the unit of a claim is chosen: for the population
of cases (E3) it is the effective case, for exactly these cases (E2), or for one of them, the measured trial.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalkit.stats.case_values import CaseValues
from evalkit.stats.figure import Estimand, average, check_reason
from evalkit.stats.suite_mean import EffectiveSize, effective_size, spread
from evalkit.stats.tally import CaseTally


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Successes among independent units, both possibly fractional.

    Attributes:
        successes: Successes, 0 <= successes <= n.
        n: Units, > 0.
    """

    successes: float
    n: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a sample says of a rate, in independent units.

    Attributes:
        value: The estimate; None where it is not a point.
        below: The units that a lower bound rests on; None where they cannot be estimated.
        above: The units that an upper bound rests on: the same, unless unmeasured trials leave cases open.
        uniform: Units that the sample would be worth without a single fail, or without a single pass.
        n_cases: Cases that enter, >= 0.
        n_clusters: Clusters that they form.
        few_clusters: A standard error over clusters is used and rests on too few of them.
        estimand: What the units are evidence about.
        reason: Why something is None.
    """

    value: float | None
    below: Units | None
    above: Units | None
    uniform: float
    n_cases: int
    n_clusters: int
    few_clusters: bool
    estimand: Estimand
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse a None without its reason, and units for one bound only."""
        check_reason(self.reason, self.value, self.below.n if self.below else None)
        if (self.below is None) != (self.above is None):
            raise ValueError("both bounds have units, or none has")


def population_evidence(values: CaseValues, quantile: float) -> Evidence:
    """Return what the cases say of the population that they were drawn from (E3).

    Args:
        values: The cases' numbers.
        quantile: Level of the t quantiles in (.5, 1), that of the bound that is asked for.

    Returns:
        p n* successes among n* effective cases, at the least and at the most that the cases can be.

    Raises:
        ValueError: If the quantile is out of range.

    Source: Korn and Graubard 1998, Survey Methodology 24, 193-201.
    """
    below = effective_size(values.least, values.clusters, quantile)
    above = effective_size(values.most, values.clusters, quantile)
    found = spread(values.least, values.clusters)
    both = below.n is not None and above.n is not None
    return Evidence(
        value=found.mean if values.n_open == 0 else None,
        below=_share(values.least, below) if both else None,
        above=_share(values.most, above) if both else None,
        uniform=found.n_clusters,
        n_cases=found.n_cases,
        n_clusters=found.n_clusters,
        few_clusters=found.few_clusters,
        estimand="population",
        reason=below.reason or above.reason or _open(values.n_open),
    )


def suite_evidence(tallies: Sequence[CaseTally]) -> Evidence:
    """Return what the measured trials say of exactly these cases under new trials (E2).

    Where the cases have different numbers of measured trials k_i, every case still weighs the same, and the
    mean of the case rates has the variance of C^2 / sum(1 / k_i) trials. Pooling the trials would bound
    another number than the one that is shown: 0 of 1 and 9 of 9 are a rate of .5, not of .9.

    Args:
        tallies: One tally per case; a single one for the evidence about that case.

    Returns:
        Passes among measured trials; None where nothing was measured.
    """
    measured = [tally for tally in tallies if tally.n_measured]
    units = _trials(measured) if measured else None
    return Evidence(
        value=units.successes / units.n if units else None,
        below=units,
        above=units,
        uniform=units.n if units else 0,
        n_cases=len(measured),
        n_clusters=len(measured),
        few_clusters=False,
        estimand="suite",
        reason=None if units else "nothing was measured",
    )


def _share(values: Sequence[float], size: EffectiveSize) -> Units:
    """Return the mean of the values as successes among the effective cases."""
    n = size.n or 0.0
    return Units(successes=average(values) * n, n=n)


def _open(count: int) -> str | None:
    """Say how many cases are not points."""
    cases = "1 case is an interval" if count == 1 else f"{count} cases are intervals"
    return f"{cases}: too few trials were measured" if count else None


def _trials(measured: Sequence[CaseTally]) -> Units:
    """Return passes and trials that weigh every case the same; plain sums where all have as many."""
    sizes = [tally.n_measured for tally in measured]
    if len(set(sizes)) == 1:
        return Units(successes=sum(tally.n_pass for tally in measured), n=sum(sizes))
    n = len(sizes) ** 2 / math.fsum(1 / size for size in sizes)
    return Units(successes=average(tally.n_pass / tally.n_measured for tally in measured) * n, n=n)
