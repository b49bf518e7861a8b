"""The figures that a run is shown with, whether or not a policy asks for them.

What comes in: an arm's tallies. What goes out: `Estimate`s of tier observe: they explain and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.decide.figures import Asked, estimate
from evalkit.decide.tally import Tallies
from evalkit.records.estimate import Estimate
from evalkit.records.suite import Suite

# All of 1..32, then fewer: a run of a thousand trials is not shown with a thousand figures.
_POWERS = (*range(1, 33), 50, 100, 200, 500)


def shown(suite: Suite, tallies: Tallies, trials: int) -> tuple[Estimate, ...]:
    """Return the figures that a run is shown with.

    Args:
        suite: The loaded suite.
        tallies: The arm's tallies.
        trials: Trials per case: pass^1 .. pass^k are given up to it.

    Returns:
        Of the deciding primary: rate, pass^1 .. pass^k, pass@k, and the degradation rate where a trial was
        degraded. Of other metrics that may decide or be compared: rate. After each rate that failures
        upstream went into: the rate of those that got there, and beside it how often its root stages ran.
    """
    deciding = suite.deciding.name
    own = [f"pass^{k}" for k in powers(trials)]
    own += [f"pass@{trials}"] if trials > 1 else []
    own += ["degraded"] if any(one.degraded for one in tallies.metrics[deciding]) else []
    others = [metric.name for metric in suite.metrics if metric.name != deciding and metric.tier != "observe"]
    return (
        *rates(tallies, deciding),
        *(of_metric(tallies, deciding, name) for name in own),
        *(one for name in others for one in rates(tallies, name)),
    )


def powers(trials: int) -> tuple[int, ...]:
    """Return the k for which pass^k is shown, the number of trials always among them.

    Args:
        trials: Trials per case, >= 1.

    >>> powers(4), powers(60)[-3:]
    ((1, 2, 3, 4), (32, 50, 60))
    """
    return (*(k for k in _POWERS if k < trials), trials)


def rates(tallies: Tallies, metric: str) -> Iterator[Estimate]:
    """Yield the deciding rate; with failures upstream also that of those that got there, and of its roots.

    The conditional rate alone would praise an arm for what it no longer reaches, so it never stands alone.

    Args:
        tallies: The arm's tallies.
        metric: A metric.
    """
    yield of_metric(tallies, metric, "rate")
    if any(one.explained for one in tallies.metrics[metric]):
        yield of_metric(tallies, metric, "conditional")
        for stage in tallies.blocked_at.get(metric, ()):
            yield estimate(
                tallies.stages[stage], Asked(metric=stage, statistic="ran", flags=(f"root_of={metric}",))
            )


def of_metric(tallies: Tallies, metric: str, statistic: str) -> Estimate:
    """Return one figure of a metric over the whole suite, with the grade of its evidence.

    Args:
        tallies: The arm's tallies.
        metric: A metric.
        statistic: See `figures.Asked`.
    """
    found = tallies.metrics[metric]
    grade = tallies.weakest(metric, (one.case for one in found))
    flags = (f"grade={grade}",) if grade is not None else ()
    return estimate(found, Asked(metric=metric, statistic=statistic, flags=flags))
