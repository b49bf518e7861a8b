"""The counts of one case for one metric: where every rate and every pass^k starts.

Counts in, counts and coverage out. Not-asked trials are no part of a tally; explained errors are fails in it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evalkit.stats.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTally:
    """How the asked trials of one case came out.

    Attributes:
        n_pass: Trials that passed, >= 0.
        n_fail: Trials that failed, explained errors included (leave these out only for the conditional
            rate), >= 0.
        n_unmeasured: Trials that should have been examined and were not, >= 0.
        cluster: Label of the cluster that the case belongs to; None: the case is its own cluster.
    """

    n_pass: int
    n_fail: int
    n_unmeasured: int = 0
    cluster: Hashable = None

    def __post_init__(self) -> None:
        """Refuse negative counts."""
        if self.n_pass < 0 or self.n_fail < 0 or self.n_unmeasured < 0:
            raise ValueError(f"counts cannot be negative: {self!r}")

    @property
    def n_measured(self) -> int:
        """Trials that passed or failed."""
        return self.n_pass + self.n_fail

    @property
    def n_asked(self) -> int:
        """Trials that were asked: measured and unmeasured."""
        return self.n_measured + self.n_unmeasured


def completed(tallies: Sequence[CaseTally], unmeasured_as: Literal["pass", "fail"]) -> tuple[CaseTally, ...]:
    """Return the tallies as if every unmeasured trial had passed, or had failed.

    With ``"fail"`` this is the worst case that a `go` must survive where coverage is low, with ``"pass"``
    the best case that a `no-go` must survive. It is asked beside the bound of the measured trials, never
    instead of it: with clusters, a fail more can lower the variance between them, and so raise a bound.

    Args:
        tallies: One tally per case.
        unmeasured_as: What the unmeasured trials are taken for.

    Returns:
        Tallies without unmeasured trials, in the same order.

    >>> completed([CaseTally(n_pass=3, n_fail=1, n_unmeasured=1)], "fail")
    (CaseTally(n_pass=3, n_fail=2, n_unmeasured=0, cluster=None),)
    """
    return tuple([_completed(tally, unmeasured_as) if tally.n_unmeasured else tally for tally in tallies])


def _completed(tally: CaseTally, unmeasured_as: Literal["pass", "fail"]) -> CaseTally:
    if unmeasured_as == "pass":
        return replace(tally, n_pass=tally.n_pass + tally.n_unmeasured, n_unmeasured=0)
    return replace(tally, n_fail=tally.n_fail + tally.n_unmeasured, n_unmeasured=0)


def coverage(tallies: Sequence[CaseTally]) -> Figure:
    """Return the share of the asked trials that was measured.

    Args:
        tallies: One tally per case.

    Returns:
        Coverage in [0, 1], n = asked trials; None where nothing was asked. It states what happened in exactly
        these trials, so that there is no interval around it: both ends equal the value.

    >>> coverage([CaseTally(n_pass=4, n_fail=2, n_unmeasured=2)]).value
    0.75
    """
    asked = sum(tally.n_asked for tally in tallies)
    method = "measured trials / asked trials"
    if not asked:
        return Figure(value=None, n=0, method=method, estimand="realised", reason="nothing was asked")
    share = sum(tally.n_measured for tally in tallies) / asked
    return Figure(value=share, low=share, high=share, n=asked, method=method, estimand="realised")
