"""One number per case, with its cluster: what stands between the tallies and the uncertainty over cases.

Tallies in, case values out. A case whose number is an interval because of unmeasured trials keeps both ends.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from evalkit.stats.figure import known
from evalkit.stats.passk import case_pass_hat
from evalkit.stats.tally import CaseTally


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseValues:
    """The cases' numbers in [0, 1], in the order of the cases that have one.

    Attributes:
        least: The least that each case can be, shape (n_cases,).
        most: The most that each case can be, shape (n_cases,); equal to `least` where all are points.
        clusters: Cluster label per case, shape (n_cases,).
    """

    least: tuple[float, ...]
    most: tuple[float, ...]
    clusters: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        """Refuse differing shapes, and ends that are crossed or outside [0, 1]."""
        ends = zip(self.least, self.most, self.clusters, strict=True)
        if not all(0 <= low <= high <= 1 for low, high, _ in ends):
            raise ValueError("a case value needs 0 <= least <= most <= 1")

    @property
    def n_open(self) -> int:
        """Cases that are intervals."""
        return sum(low != high for low, high in zip(self.least, self.most, strict=True))


def point_values(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> CaseValues:
    """Return case values that are all points.

    Args:
        values: One number per case in [0, 1], shape (n_cases,).
        clusters: Cluster label per case, shape (n_cases,); None: every case is its own cluster.

    Returns:
        The case values.

    Raises:
        ValueError: If a value is outside [0, 1] or the shapes differ.
    """
    labels = tuple(range(len(values))) if clusters is None else tuple(clusters)
    return CaseValues(least=tuple(values), most=tuple(values), clusters=labels)


def rate_values(tallies: Sequence[CaseTally]) -> CaseValues:
    """Return the rate of each case that has a measured trial.

    Args:
        tallies: One tally per case.

    Returns:
        Passes / measured trials, as points.
    """
    kept = [(index, tally) for index, tally in enumerate(tallies) if tally.n_measured]
    rates = [tally.n_pass / tally.n_measured for _, tally in kept]
    return point_values(rates, [_cluster(index, tally) for index, tally in kept])


def pass_hat_values(tallies: Sequence[CaseTally], k: int) -> CaseValues:
    """Return pass^k of each case of which at least k trials were asked.

    Args:
        tallies: One tally per case.
        k: Number of trials that must all pass, >= 1.

    Returns:
        The case figures' ends, equal where a case is a point.

    Raises:
        ValueError: If k < 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    kept = [(index, tally) for index, tally in enumerate(tallies) if tally.n_asked >= k]
    figures = [case_pass_hat(tally, k) for _, tally in kept]
    return CaseValues(
        least=tuple(known(figure.least, figure.reason) for figure in figures),
        most=tuple(known(figure.most, figure.reason) for figure in figures),
        clusters=tuple(_cluster(index, tally) for index, tally in kept),
    )


def _cluster(index: int, tally: CaseTally) -> Hashable:
    """Return a label that no case without a declared cluster shares with any other."""
    return ("case", index) if tally.cluster is None else ("cluster", tally.cluster)
