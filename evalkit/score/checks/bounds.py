"""The check on what a trial used: within.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that measures the tightest bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.checks import Within
from evalkit.records.event import Usage
from evalkit.records.fact import FactSheet
from evalkit.records.verdict import Measure
from evalkit.score.checks.seen import calls_of
from evalkit.score.finding import CheckView, Finding


def within(wanted: Within, view: CheckView) -> Finding:
    """What the trial used stays within every bound; unknown usage is not observed, never 0.

    Args:
        wanted: The bounds.
        view: What may be read.
    """
    used = list(_used(wanted, view))
    known = [(name, value, bound) for name, value, bound in used if value is not None]
    over = [one for one in known if one[1] > one[2]]
    unknown = [name for name, value, _ in used if value is None]
    stop = (view.sheet.stop.seq,) if view.sheet.stop is not None else ()
    if over:
        name, value, bound = over[0]
        measure = Measure(value=value, unit=name, threshold=bound)
        reason = "; ".join(f"{n} {v:g} over {b:g}" for n, v, b in over)
        return Finding(held=False, reason=reason, cites=stop, measure=measure)
    if unknown:
        return Finding(held=None, cause="not_observed", reason=f"unknown: {', '.join(unknown)}")
    name, value, bound = max(known, key=_share)
    measure = Measure(value=value, unit=name, threshold=bound)
    reason = "; ".join(f"{n} {v:g} of {b:g}" for n, v, b in known)
    return Finding(held=True, reason=reason, cites=stop, measure=measure)


def _share(used: tuple[str, float, float]) -> float:
    return used[1] / used[2] if used[2] else 0.0


def _used(wanted: Within, view: CheckView) -> Iterator[tuple[str, float | None, float]]:
    """Yield name, what was used (None where unknown) and the bound."""
    sheet = view.sheet
    if wanted.turns is not None:
        yield "turns", sheet.model_replies if "replies" in sheet.observes else None, wanted.turns
    if wanted.tool_calls is not None:
        calls = len(calls_of(view))
        yield "tool_calls", calls if "calls" in sheet.observes else None, wanted.tool_calls
    if wanted.tokens is not None:
        yield "tokens", _tokens(sheet.usage), wanted.tokens
    if wanted.seconds is not None:
        yield "seconds", _seconds(sheet), wanted.seconds
    if wanted.cost_usd is not None:
        yield "cost_usd", sheet.usage.cost_usd if sheet.usage is not None else None, wanted.cost_usd


def _tokens(usage: Usage | None) -> float | None:
    """Return the sum of the four disjoint buckets; one unknown bucket makes the sum unknown."""
    if usage is None:
        return None
    buckets = (usage.input, usage.cache_read, usage.cache_write, usage.output)
    known = [bucket for bucket in buckets if bucket is not None]
    return float(sum(known)) if len(known) == len(buckets) else None


def _seconds(sheet: FactSheet) -> float | None:
    if sheet.timing is None or "timing" not in sheet.observes:
        return None
    return sheet.timing.model + sheet.timing.tool
