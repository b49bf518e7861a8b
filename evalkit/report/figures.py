"""Tables of estimates on a terminal.

What comes in: `Estimate`s. What goes out: lines. What hangs together stands together: the slices of one
require, and under a rate that of those that got there with its root stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from evalkit.records.estimate import Estimate
from evalkit.report.console import Look, number, wrap
from evalkit.report.tables import table

_MOST_POWERS = 5  # figures of pass^k on a page; --json has all


def asked_lines(estimates: Sequence[Estimate], look: Look) -> list[str]:
    """Return the figures that were asked for: value, what is proven, what was asked, worst, best.

    Args:
        estimates: Figures that were asked for.
        look: How it looks.
    """
    if not estimates:
        return []
    rows: list[tuple[str, ...]] = [("asked for", "value", "proven", "asked", "n", "worst", "best", "")]
    for name, group in groupby(estimates, key=family):
        found = list(group)
        if len(found) == 1 and found[0].slice == "suite":
            rows.append(asked_cells(name, found[0]))
        else:
            rows.append((name, *[""] * 7))
            rows += [asked_cells(f"- {slice_name(one)}", one) for one in found]
    lines = _headed(table(rows, look.width, right=frozenset({1, 4, 5, 6})), look)
    return [*lines, *_undefined(estimates, look)]


def family(one: Estimate) -> str:
    """Return what a figure is of, without its slice."""
    kind = one.slice.partition("=")[0]
    per = f" per {kind}" if kind in ("capability", "case") else ""
    return f"{one.metric} {one.statistic}{per}"


def slice_name(one: Estimate) -> str:
    """Return the cases that a figure is of."""
    kind, _, value = one.slice.partition("=")
    return value if kind in ("capability", "case") else one.slice


def asked_cells(name: str, one: Estimate) -> tuple[str, ...]:
    """Return a figure that was asked for: name, value, proven, asked, n, worst, best, decision.

    Args:
        name: What it is called.
        one: The figure.
    """
    least, against = "at_most" not in one.flags, one.decision == "no-go"
    proven = f"{'>=' if least != against else '<='} {number(one.bound)}" if one.bound is not None else "-"
    asked = f"{'>=' if least else '<='} {number(one.threshold)}"
    ends = number(one.worst), number(one.best)
    return name, number(one.value), proven, asked, str(one.n), *ends, one.decision or ""


def shown_lines(estimates: Sequence[Estimate], look: Look) -> list[str]:
    """Return figures with their intervals; nothing was asked of them.

    Args:
        estimates: Figures; under a rate those that belong to it.
        look: How it looks.
    """
    if not estimates:
        return []
    estimates = _few_powers(estimates)
    unsure = any(one.worst != one.best for one in estimates)
    degraded = any(one.degraded for one in estimates)
    head = ["figure", "value", "95 % interval", "n"]
    head += ["worst", "best"] if unsure else []
    head += ["clean", "degraded"] if degraded else []
    rows = [tuple(head), *(_shown(one, unsure=unsure, degraded=degraded) for one in estimates)]
    lines = _headed(table(rows, look.width, right=frozenset({1, *range(3, len(head))})), look)
    return [*lines, *_undefined(estimates, look), *([] if unsure else _worst_line(estimates))]


def _few_powers(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return figures with, of a long row of pass^1 .. pass^k, the first and the last alone."""
    powers: dict[str, list[int]] = {}
    for one in estimates:
        if one.statistic.startswith("pass^"):
            powers.setdefault(one.metric, []).append(int(one.statistic[5:]))
    left_out = {
        (metric, f"pass^{k}")
        for metric, found in powers.items()
        if len(found) > _MOST_POWERS
        for k in sorted(found)[1:-1]
    }
    return [one for one in estimates if (one.metric, one.statistic) not in left_out]


def _undefined(estimates: Sequence[Estimate], look: Look) -> Iterator[str]:
    for text in undefined(estimates):
        yield from wrap(text, look.width, "", "  ")


def undefined(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield why figures that have no value have none, each reason once.

    Args:
        estimates: Figures.
    """
    reasons: dict[str, list[str]] = {}
    for one in estimates:
        if one.value is None and one.reason:
            name = figure_name(one).removeprefix("- ")
            reasons.setdefault(one.reason, []).append(
                name if one.slice == "suite" else f"{name}, {slice_name(one)}"
            )
    for reason, names in reasons.items():
        yield f"- is undefined: {', '.join(names)}: {reason}"


def _shown(one: Estimate, *, unsure: bool, degraded: bool) -> tuple[str, ...]:
    interval = f"{number(one.low)} to {number(one.high)}" if one.low is not None else "-"
    ends = (number(one.worst), number(one.best)) if unsure else ()
    clean = (number(one.clean), number(one.degraded)) if degraded else ()
    return (figure_name(one), number(one.value), interval, str(one.n), *ends, *clean)


def figure_name(one: Estimate) -> str:
    """Return what a figure is called."""
    if one.statistic == "conditional":
        return "- of those that got there"
    if one.statistic == "ran":
        return f"- root stage {one.metric} ran"
    return f"{one.metric} {one.statistic}"


def _worst_line(estimates: Sequence[Estimate]) -> Iterator[str]:
    if any(one.worst is not None for one in estimates):
        yield "worst and best are the value itself: every trial of the run was measured"


def _headed(lines: list[str], look: Look) -> list[str]:
    return [look.tone(lines[0], "strong"), *lines[1:]]
