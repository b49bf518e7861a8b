"""The deciding rate: passes over measured trials, worked per case and then averaged over the cases.

Tallies in, a figure out. The same function gives the other rates of a report: the conditional rate (tallies
without the explained errors), the clean rate (clean passes as passes) and the degradation rate (degraded
trials as passes).
"""

from collections.abc import Sequence

from evalkit.stats.figure import SuiteFigure, average
from evalkit.stats.tally import CaseTally, completed


def suite_rate(tallies: Sequence[CaseTally]) -> SuiteFigure:
    """Return the mean over cases of passes / measured trials, with equal weight for every case.

    Args:
        tallies: One tally per case.

    Returns:
        The rate over the cases that have a measured trial, or None; `worst` and `best` count the others too.

    Source: Manski 2003, Partial Identification of Probability Distributions, section 1.3, worked per case.

    >>> cases = [(1, 0, 0)] * 4 + [(0, 1, 0)] * 2 + [(0, 0, 1)] * 2
    >>> figure = suite_rate([CaseTally(n_pass=p, n_fail=f, n_unmeasured=u) for p, f, u in cases])
    >>> round(figure.value, 3), figure.worst, figure.best
    (0.667, 0.5, 0.75)
    """
    asked = [tally for tally in tallies if tally.n_asked]
    measured = [tally for tally in asked if tally.n_measured]
    value = _mean_rate(measured)
    return SuiteFigure(
        value=value,
        least=value,
        most=value,
        worst=_mean_rate(completed(asked, "fail")),
        best=_mean_rate(completed(asked, "pass")),
        n_cases=len(measured),
        cases_unmeasured=len(asked) - len(measured),
        cases_not_asked=len(tallies) - len(asked),
        method="mean over cases of passes / measured trials",
        reason=None if measured else "nothing was measured" if asked else "nothing was asked",
    )


def _mean_rate(tallies: Sequence[CaseTally]) -> float | None:
    """Return the mean of the case rates, None without a case; each has a measured trial."""
    return average(tally.n_pass / tally.n_measured for tally in tallies) if tallies else None
