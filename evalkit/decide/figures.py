"""Tallies -> estimates: every figure with interval, n, method, worst and best.

What comes in: case tallies of one metric and one slice. What goes out: `Estimate`s; what is undefined is
None with its reason. The arithmetic is that of `stats`; this page says which counts are a pass, a fail
and unmeasured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalkit.decide.counts import coverage
from evalkit.records.estimate import CaseTally, Estimate
from evalkit.records.policy import Estimand
from evalkit.stats.bounds import (
    DecisionBounds,
    population_bounds,
    population_interval,
    suite_bounds,
    suite_interval,
)
from evalkit.stats.case_values import CaseValues, pass_hat_values, rate_values
from evalkit.stats.figure import Figure, SuiteFigure
from evalkit.stats.passk import suite_pass_at, suite_pass_hat
from evalkit.stats.rate import suite_rate
from evalkit.stats.tally import CaseTally as Tally

_DISPLAYED = 0.95  # two-sided confidence of the intervals that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is estimated.

    Attributes:
        metric: The metric; the stage for `ran`.
        slice: Name of the slice.
        statistic: rate, conditional, ran, degraded, pass^k or pass@k.
        estimand: population or suite.
        confidence: One-sided confidence of the bounds.
        flags: What else is to be said of the figure, e.g. ``grade=isolated``.
    """

    metric: str
    slice: str = "suite"
    statistic: str = "rate"
    estimand: Estimand = "population"
    confidence: float = 0.95
    flags: tuple[str, ...] = ()


def counted(tallies: Sequence[CaseTally], statistic: str) -> tuple[Tally, ...]:
    """Return what counts as a pass, a fail and unmeasured for a statistic.

    Args:
        tallies: One tally per case.
        statistic: See `Asked`; also ``clean``, passes that were not degraded.

    Returns:
        One tally per case for `stats`; a failure upstream is a fail everywhere but in `conditional`. A pass
        of `degraded` is a degraded trial.
    """
    return tuple(_counted(one, statistic) for one in tallies)


def _counted(one: CaseTally, statistic: str) -> Tally:
    explained = 0 if statistic == "conditional" else one.explained
    measured = one.passed + one.failed + explained
    hits = {"degraded": one.degraded, "clean": one.passed - one.degraded_passed}.get(statistic, one.passed)
    return Tally(n_pass=hits, n_fail=measured - hits, n_unmeasured=one.unmeasured, cluster=one.cluster)


def bounds_of(tallies: Sequence[Tally], asked: Asked) -> DecisionBounds:
    """Return the one-sided bounds that decide.

    Args:
        tallies: What `counted` gave.
        asked: What is estimated.
    """
    if asked.estimand == "suite":
        return suite_bounds(tallies, asked.confidence)
    return population_bounds(_values(tallies, asked.statistic), asked.confidence)


def estimate(tallies: Sequence[CaseTally], asked: Asked) -> Estimate:
    """Return one figure, not yet held against anything.

    Args:
        tallies: Tallies of the slice, one per case.
        asked: What is estimated.
    """
    numbers = counted(tallies, asked.statistic)
    figure, interval = _figure(numbers, asked.statistic), _interval(numbers, asked)
    passed, failed = sum(one.passed for one in tallies), sum(one.failed for one in tallies)
    planned = sum(one.planned for one in tallies)
    not_asked, unmeasured = sum(one.not_asked for one in tallies), sum(one.unmeasured for one in tallies)
    worst, best = _ends(figure, asked.statistic)
    return Estimate(
        metric=asked.metric,
        slice=asked.slice,
        statistic=asked.statistic,
        estimand=asked.estimand,
        value=figure.value,
        low=interval.low if interval is not None else None,
        high=interval.high if interval is not None else None,
        n=figure.n_cases if asked.estimand == "population" else sum(one.n_measured for one in numbers),
        n_planned=planned,
        n_pass=passed,
        n_fail=failed,
        n_error=planned - passed - failed,
        coverage=coverage(planned - not_asked, unmeasured),
        worst=worst,
        best=best,
        clean=suite_rate(counted(tallies, "clean")).value,
        degraded=suite_rate(counted(tallies, "degraded")).value,
        confidence=asked.confidence,
        method=_method(figure, interval),
        reason=figure.reason or "",
        flags=(*asked.flags, *_flags(figure)),
    )


def figure_of(value: float | None) -> str:
    """Return a figure as it is printed; what is undefined has no digits.

    Args:
        value: In [0, 1], or None.

    >>> figure_of(0.5), figure_of(1.0), figure_of(None)
    ('.500', '1.000', 'undefined')
    """
    return "undefined" if value is None else f"{value:.3f}".removeprefix("0")


def _values(tallies: Sequence[Tally], statistic: str) -> CaseValues:
    """Return one number per case, the one that the figure averages."""
    if statistic.startswith("pass^"):
        return pass_hat_values(tallies, int(statistic[5:]))
    return rate_values(tallies)


def _figure(numbers: Sequence[Tally], statistic: str) -> SuiteFigure:
    if statistic.startswith("pass^"):
        return suite_pass_hat(numbers, int(statistic[5:]))
    if statistic.startswith("pass@"):
        return suite_pass_at(numbers, int(statistic[5:]))
    return suite_rate(numbers)


def _ends(figure: SuiteFigure, statistic: str) -> tuple[float | None, float | None]:
    """Return worst and best; the worst that an unmeasured trial can have been is a degraded one."""
    return (figure.best, figure.worst) if statistic == "degraded" else (figure.worst, figure.best)


def _interval(numbers: Sequence[Tally], asked: Asked) -> Figure | None:
    """Return the displayed interval; pass@k is only observed and has none."""
    if asked.statistic.startswith("pass@"):
        return None
    if asked.estimand == "suite":
        return suite_interval(numbers, _DISPLAYED)
    return population_interval(_values(numbers, asked.statistic), _DISPLAYED)


def _method(figure: SuiteFigure, interval: Figure | None) -> str:
    if interval is None:
        return figure.method
    return f"{figure.method}; interval: {interval.method.removeprefix('mean over cases, ')}"


def _flags(figure: SuiteFigure) -> tuple[str, ...]:
    named = {
        "cases_below_k": figure.cases_below_k,
        "cases_unmeasured": figure.cases_unmeasured,
        "cases_not_asked": figure.cases_not_asked,
    }
    return tuple(f"{name}={count}" for name, count in named.items() if count)
