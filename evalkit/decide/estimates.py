"""Tallies -> estimates: every figure with interval, n, method, worst and best.

What comes in: case tallies of one metric and one slice. What goes out: `Estimate`s; what is undefined is
None with its reason. The arithmetic is that of `stats`; this page says which counts are a pass, a fail
and unmeasured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalkit.decide.counts import coverage
from evalkit.decide.tally import Tallies
from evalkit.records.estimate import CaseTally, Estimate
from evalkit.records.policy import Estimand
from evalkit.records.suite import Suite
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
        metric: The metric.
        slice: Name of the slice.
        statistic: rate, conditional, clean, degraded, pass^k or pass@k.
        estimand: population or suite.
        confidence: One-sided confidence of the bounds.
    """

    metric: str
    slice: str = "suite"
    statistic: str = "rate"
    estimand: Estimand = "population"
    confidence: float = 0.95


def counted(tallies: Sequence[CaseTally], statistic: str) -> tuple[Tally, ...]:
    """Return what counts as a pass, a fail and unmeasured for a statistic.

    Args:
        tallies: One tally per case.
        statistic: See `Asked`.

    Returns:
        One tally per case for `stats`; a failure upstream is a fail everywhere but in `conditional`.
    """
    return tuple(_counted(one, statistic) for one in tallies)


def _counted(one: CaseTally, statistic: str) -> Tally:
    measured = one.passed + one.failed + one.explained
    if statistic == "conditional":
        return Tally(n_pass=one.passed, n_fail=one.failed, n_unmeasured=one.unmeasured, cluster=one.cluster)
    hits = {"degraded": one.degraded, "clean": one.passed - one.degraded_passed}.get(statistic, one.passed)
    return Tally(n_pass=hits, n_fail=measured - hits, n_unmeasured=one.unmeasured, cluster=one.cluster)


def values_of(tallies: Sequence[Tally], statistic: str) -> CaseValues:
    """Return one number per case.

    Args:
        tallies: What `counted` gave.
        statistic: A rate, or pass^k.
    """
    if statistic.startswith("pass^"):
        return pass_hat_values(tallies, int(statistic[5:]))
    return rate_values(tallies)


def bounds_of(tallies: Sequence[Tally], asked: Asked) -> DecisionBounds:
    """Return the one-sided bounds that decide.

    Args:
        tallies: What `counted` gave.
        asked: What is estimated.
    """
    if asked.estimand == "suite":
        return suite_bounds(tallies, asked.confidence)
    return population_bounds(values_of(tallies, asked.statistic), asked.confidence)


def estimate(tallies: Sequence[CaseTally], asked: Asked) -> Estimate:
    """Return one figure, not yet held against anything.

    Args:
        tallies: Tallies of the slice, one per case.
        asked: What is estimated.
    """
    numbers = counted(tallies, asked.statistic)
    figure = _figure(numbers, asked.statistic)
    interval = _interval(numbers, asked)
    passed, failed = sum(one.passed for one in tallies), sum(one.failed for one in tallies)
    planned = sum(one.planned for one in tallies)
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
        coverage=coverage(
            planned - sum(one.not_asked for one in tallies), sum(one.unmeasured for one in tallies)
        ),
        worst=figure.worst,
        best=figure.best,
        clean=suite_rate(counted(tallies, "clean")).value,
        degraded=suite_rate(counted(tallies, "degraded")).value,
        confidence=asked.confidence,
        method=f"{figure.method}; {interval.method}" if interval is not None else figure.method,
        reason=figure.reason or "",
        flags=_flags(figure),
    )


def _figure(numbers: Sequence[Tally], statistic: str) -> SuiteFigure:
    if statistic.startswith("pass^"):
        return suite_pass_hat(numbers, int(statistic[5:]))
    if statistic.startswith("pass@"):
        return suite_pass_at(numbers, int(statistic[5:]))
    return suite_rate(numbers)


def _interval(numbers: Sequence[Tally], asked: Asked) -> Figure | None:
    """Return the displayed interval; pass@k is only observed and has none."""
    if asked.statistic.startswith("pass@"):
        return None
    if asked.estimand == "suite":
        return suite_interval(numbers, _DISPLAYED)
    return population_interval(values_of(numbers, asked.statistic), _DISPLAYED)


def _flags(figure: SuiteFigure) -> tuple[str, ...]:
    named = {
        "cases_below_k": figure.cases_below_k,
        "cases_unmeasured": figure.cases_unmeasured,
        "cases_not_asked": figure.cases_not_asked,
    }
    return tuple(f"{name}={count}" for name, count in named.items() if count)


def shown(suite: Suite, tallies: Tallies, trials: int) -> tuple[Estimate, ...]:
    """Return the figures that a run is shown with.

    Args:
        suite: The loaded suite.
        tallies: The arm's tallies.
        trials: Trials per case: pass^1 .. pass^k are given up to it.

    Returns:
        Of the deciding primary: rate, of those that got there, pass^1 .. pass^k, pass@k; of other metrics
        that may decide or be compared: rate.
    """
    deciding = suite.deciding.name
    names = ["rate", "conditional", *(f"pass^{k}" for k in range(1, trials + 1))]
    names += [f"pass@{trials}"] if trials > 1 else []
    own = [estimate(tallies.metrics[deciding], Asked(metric=deciding, statistic=name)) for name in names]
    others = [metric.name for metric in suite.metrics if metric.name != deciding and metric.tier != "observe"]
    return (*own, *(estimate(tallies.metrics[name], Asked(metric=name)) for name in others))
