"""Figures as tables of GitHub's Markdown.

What comes in: `Counts` and `Estimate`s. What goes out: lines of a table, none where there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalkit.records.decision import Counts
from evalkit.records.estimate import Estimate
from evalkit.report.console import number
from evalkit.report.inert import cell

_MOST_FIGURES = 40  # rows of one table


def asked_table(estimates: Sequence[Estimate]) -> list[str]:
    """Return the figures that a policy asked for, each with what is proven and its own decision.

    Args:
        estimates: Figures with a threshold.
    """
    head = ("metric", "statistic", "slice", "value", "proven", "asked", "n", "worst", "best", "decision")
    return _table(head, [_asked(one) for one in estimates])


def shown_table(estimates: Sequence[Estimate]) -> list[str]:
    """Return figures with their intervals.

    Args:
        estimates: Figures of which nothing was asked.
    """
    head = ("metric", "statistic", "value", "95 % interval", "n", "worst", "best", "clean", "degraded")
    return _table(head, [_shown(one) for one in estimates])


def arm_table(arms: Mapping[str, Counts]) -> list[str]:
    """Return the trials of every arm by the deciding primary; planned is the sum of the next three.

    Args:
        arms: Arm -> counts.
    """
    head = ("arm", "planned", "pass", "fail", "error", "of these unmeasured", "degraded", "coverage")
    return _table(head, [_counted(arm, counts) for arm, counts in arms.items()])


def _counted(arm: str, counts: Counts) -> tuple[str, ...]:
    numbers = (
        counts.planned,
        counts.passed,
        counts.failed,
        counts.errors,
        counts.unmeasured,
        counts.degraded,
    )
    return (cell(arm), *map(str, numbers), number(counts.coverage))


def _asked(one: Estimate) -> tuple[str, ...]:
    least, against = "at_most" not in one.flags, one.decision == "no-go"
    proven = f"{_sign(least=least != against)} {number(one.bound)}" if one.bound is not None else "-"
    asked = f"{_sign(least=least)} {number(one.threshold)}"
    ends = number(one.worst), number(one.best)
    name = cell(one.metric), cell(one.statistic), cell(one.slice)
    return (*name, _value(one), proven, asked, str(one.n), *ends, one.decision or "-")


def _shown(one: Estimate) -> tuple[str, ...]:
    interval = f"{number(one.low)} to {number(one.high)}" if one.low is not None else "-"
    figures = (one.worst, one.best, one.clean, one.degraded)
    return (cell(one.metric), cell(one.statistic), _value(one), interval, str(one.n), *map(number, figures))


def _value(one: Estimate) -> str:
    """Return a value, or why there is none."""
    if one.value is None and one.reason:
        return f"- {cell(one.reason, 200)}"
    return number(one.value)


def _sign(*, least: bool) -> str:
    return "≥" if least else "≤"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows[:_MOST_FIGURES]]
    if len(rows) > _MOST_FIGURES:
        lines += ["", f"and {len(rows) - _MOST_FIGURES} more figures"]
    return lines
