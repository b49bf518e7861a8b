"""Trials by the deciding primary: what every command prints first.

What comes in: tallies. What goes out: `Counts`, planned = passed + failed + errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evalkit.decide.tally import Tallies
from evalkit.records.decision import Counts
from evalkit.records.estimate import CaseTally
from evalkit.records.suite import Suite


def counts(suite: Suite, tallies: Tallies) -> Counts:
    """Return the trials of one arm by the deciding primary.

    Args:
        suite: The loaded suite.
        tallies: The arm's tallies.
    """
    return _summed(tallies.metrics[suite.deciding.name])


def _summed(tallies: Sequence[CaseTally]) -> Counts:
    causes: Counter[str] = Counter()
    for one in tallies:
        causes.update(one.causes)
    planned = sum(one.planned for one in tallies)
    passed = sum(one.passed for one in tallies)
    failed = sum(one.failed for one in tallies)
    unmeasured = sum(one.unmeasured for one in tallies)
    asked = planned - sum(one.not_asked for one in tallies)
    return Counts(
        planned=planned,
        passed=passed,
        failed=failed,
        errors=planned - passed - failed,
        causes=dict(sorted(causes.items())),
        coverage=coverage(asked, unmeasured),
        asked=asked,
        unmeasured=unmeasured,
        degraded=sum(one.degraded for one in tallies),
    )


def coverage(asked: int, unmeasured: int) -> float | None:
    """Return the share of what was asked that was measured, None where nothing was asked.

    Args:
        asked: Planned trials without the not-asked ones, >= 0.
        unmeasured: Unmeasured trials, 0 <= unmeasured <= asked.

    Source: semantics, section 2. One division, so that 98 of 100 is the same number as a written .98.

    >>> coverage(8, 2), coverage(100, 2), coverage(0, 0)
    (0.75, 0.98, None)
    """
    return (asked - unmeasured) / asked if asked else None


def total(parts: Sequence[Counts]) -> Counts:
    """Return the counts of several arms together.

    Args:
        parts: Counts of each arm.
    """
    causes: Counter[str] = Counter()
    for part in parts:
        causes.update(part.causes)
    unmeasured = sum(part.unmeasured for part in parts)
    asked = sum(part.asked for part in parts)
    return Counts(
        planned=sum(part.planned for part in parts),
        passed=sum(part.passed for part in parts),
        failed=sum(part.failed for part in parts),
        errors=sum(part.errors for part in parts),
        causes=dict(sorted(causes.items())),
        coverage=coverage(asked, unmeasured),
        asked=asked,
        unmeasured=unmeasured,
        degraded=sum(part.degraded for part in parts),
    )
