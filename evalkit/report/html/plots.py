"""Figures as drawings: intervals, curves, bars and spreads, as coordinates that a template draws.

What comes in: estimates, counts, spreads. What goes out: positions; every drawing stands beside its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalkit.records.decision import Counts
from evalkit.records.document import Spread
from evalkit.records.estimate import Estimate
from evalkit.report.html.signs import EXPLAINED, NOT_ASKED, PASSED, ROOT, UNMEASURED, Sign

_LEFT, _WIDE = 6, 148  # of an interval plot


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate on a line from 0 to `top`; what is undefined is None.

    Attributes:
        value: Where the figure stands.
        low: Lower end of the displayed interval.
        high: Upper end.
        bound: What is proven.
        asked: What was asked.
    """

    value: float | None
    low: float | None
    high: float | None
    bound: float | None
    asked: float | None


def interval(one: Estimate) -> Interval:
    """Return an estimate as positions.

    Args:
        one: Any estimate; rates stand on a line from 0 to 1, others on one that ends at the largest number.
    """
    known = [one.value, one.low, one.high, one.bound, one.threshold]
    top = max([1.0, *(number for number in known if number is not None)])
    value, low, high, bound, asked = (_x(number, top) for number in known)
    return Interval(value=value, low=low, high=high, bound=bound, asked=asked)


def _x(number: float | None, top: float) -> float | None:
    return None if number is None else round(_LEFT + _WIDE * min(max(number, 0.0), top) / top, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One figure of a curve.

    Attributes:
        k: Trials.
        x: Where it stands.
        y: Where it stands.
        power: The figure of pass^k.
        best: The figure of pass@k, None where there is none.
    """

    k: int
    x: float
    y: float
    power: Estimate
    best: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """pass^k of one metric over k.

    Attributes:
        metric: The metric.
        points: In the order of k.
        line: Points of the line.
        band: Points of the band between the ends of the intervals; "" where they are not known.
    """

    metric: str
    points: tuple[Point, ...]
    line: str
    band: str


def curves(estimates: Sequence[Estimate]) -> list[Curve]:
    """Return the curve of every metric of which pass^k is known for more than one k.

    Args:
        estimates: Figures of one arm.
    """
    powers: dict[str, dict[int, Estimate]] = {}
    best = {(one.metric, one.statistic): one for one in estimates if one.statistic.startswith("pass@")}
    for one in estimates:
        k = one.statistic.removeprefix("pass^")
        if k != one.statistic and k.isdecimal() and one.value is not None and one.slice == "suite":
            powers.setdefault(one.metric, {})[int(k)] = one
    return [
        _curve(metric, found, {k: best.get((metric, f"pass@{k}")) for k in found})
        for metric, found in powers.items()
        if len(found) > 1
    ]


def beside_curves(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the figures that no curve shows.

    Args:
        estimates: Figures of one arm.
    """
    drawn = {one.metric for one in curves(estimates)}
    return [
        one for one in estimates if one.metric not in drawn or one.statistic[:5] not in ("pass^", "pass@")
    ]


def _curve(metric: str, found: dict[int, Estimate], best: dict[int, Estimate | None]) -> Curve:
    ks = sorted(found)
    xs = {k: round(34 + 270 * at / (len(ks) - 1), 1) for at, k in enumerate(ks)}
    points = tuple(Point(k=k, x=xs[k], y=_y(found[k].value or 0.0), power=found[k], best=best[k]) for k in ks)
    ends = [(xs[k], found[k].low, found[k].high) for k in ks]
    upper = [f"{x},{_y(high)}" for x, _, high in ends if high is not None]
    lower = [f"{x},{_y(low)}" for x, low, _ in reversed(ends) if low is not None]
    return Curve(
        metric=metric,
        points=points,
        line=" ".join(f"{one.x},{one.y}" for one in points),
        band=" ".join([*upper, *lower]) if len(upper) == len(lower) == len(ks) else "",
    )


def _y(value: float) -> float:
    return round(14 + 150 * (1 - min(max(value, 0.0), 1.0)), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a bar.

    Attributes:
        sign: What it holds.
        number: How many.
        x: Where it begins, 0 to 1000.
        width: How wide it is, 0 to 1000.
    """

    sign: Sign
    number: int
    x: float
    width: float


def bar(counts: Counts) -> list[Segment]:
    """Return the trials of an arm as the parts of a bar.

    Args:
        counts: By the deciding primary.
    """
    not_asked = max(0, min(counts.errors - counts.unmeasured, counts.planned - counts.asked))
    explained = max(0, counts.errors - counts.unmeasured - not_asked)
    numbers = (
        (PASSED, counts.passed),
        (ROOT, counts.failed),
        (EXPLAINED, explained),
        (UNMEASURED, counts.unmeasured),
        (NOT_ASKED, not_asked),
    )
    scale = 1000 / max(1, counts.planned)
    x, segments = 0.0, []
    for sign, number in numbers:
        if number:
            width = number * scale
            segments.append(Segment(sign=sign, number=number, x=round(x, 1), width=round(width, 1)))
            x += width
    return segments


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadPlot:
    """A spread on a line from 0 to its 99th percentile.

    Attributes:
        p50: Where the median stands.
        p90: Where the 90th percentile stands.
        p99: Where the 99th percentile stands.
    """

    p50: float
    p90: float
    p99: float


def spread_plot(one: Spread) -> SpreadPlot | None:
    """Return a spread as positions; None where nothing is known.

    Args:
        one: The spread.
    """
    if one.p50 is None or one.p90 is None or one.p99 is None:
        return None
    top = one.p99 if one.p99 > 0 else 1.0
    p50, p90, p99 = (
        round(_LEFT + _WIDE * max(number, 0.0) / top, 1) for number in (one.p50, one.p90, one.p99)
    )
    return SpreadPlot(p50=p50, p90=p90, p99=p99)


def quantity(value: float | None, unit: str) -> str:
    """Return a measured quantity for people; what is unknown is a dash, never 0.

    >>> quantity(1234.0, "tokens"), quantity(0.1234, "s"), quantity(None, "USD")
    ('1,234', '.123', '-')
    """
    if value is None:
        return "-"
    if unit == "USD":
        return f"{value:.4f}"
    if unit == "s":
        return f"{value:.3f}".removeprefix("0")
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
