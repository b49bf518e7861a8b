"""The check on what a trial used: within.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that measures the tightest bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.checks import Within
from evalkit.records.event import Observable, Usage
from evalkit.records.fact import FactSheet
from evalkit.score.checks.seen import calls_of
from evalkit.score.checks.used import Used, is_quantity, quantile
from evalkit.score.finding import CheckView, Finding


def within(wanted: Within, view: CheckView) -> Finding:
    """What the trial used stays within every bound; unknown usage is not observed, never 0.

    What is known in part counts: tokens over the bound are too many, whatever the other buckets hold. Of one
    turn out of several only the calls are known; it used no more of the rest than the whole trial did.

    Args:
        wanted: The bounds.
        view: What may be read.
    """
    used = list(_used(wanted, view))
    stop = (view.sheet.stop.seq,) if view.sheet.stop is not None else ()
    over = [one for one in used if one.at_least > one.bound]
    if over:
        worst = max(over, key=lambda one: one.share)
        reason = "; ".join(f"{one.name} {one.at_least:g}, bound {one.bound:g}" for one in over)
        return Finding(held=False, reason=reason, cites=stop, measure=worst.seen)
    unknown = [one.name for one in used if one.at_most is None or one.at_most > one.bound]
    if unknown:
        return Finding(held=None, cause="not_observed", reason=f"not known: {', '.join(unknown)}")
    reason = "; ".join(f"{one.name} {one.at_most:g} of {one.bound:g}" for one in used)
    tightest = max(used, key=lambda one: one.share)
    return Finding(held=True, reason=reason, cites=stop, measure=tightest.measure)


def _used(wanted: Within, view: CheckView) -> Iterator[Used]:
    sheet = view.sheet
    if wanted.turns is not None:
        yield _of_trial("turns", _counted(sheet, "replies", sheet.model_replies), wanted.turns, view)
    if wanted.tool_calls is not None:
        at_least, at_most = _counted(sheet, "calls", len(calls_of(view)))
        yield Used("tool_calls", at_least, at_most, float(wanted.tool_calls))
    if wanted.tokens is not None:
        yield _of_trial("tokens", _tokens(sheet.usage), wanted.tokens, view)
    if wanted.seconds is not None:
        times = (sheet.timing.model, sheet.timing.tool) if sheet.timing is not None else (None,)
        yield _of_trial("seconds", _summed(*times), wanted.seconds, view)
    if wanted.cost_usd is not None:
        cost = sheet.usage.cost_usd if sheet.usage is not None else None
        yield _of_trial("cost_usd", _summed(cost), wanted.cost_usd, view)
    for one in wanted.quantiles:
        yield quantile(one, view)


_Limits = tuple[float, float | None]
"""At least, at most (None: unknown)."""


def _of_trial(name: str, used: _Limits, bound: float, view: CheckView) -> Used:
    """Return what is known of a thing that is counted for the trial as a whole."""
    at_least, at_most = used
    if view.turn is not None and view.sheet.turns > 1:
        at_least = 0.0
    return Used(name, at_least, at_most, float(bound))


def _counted(sheet: FactSheet, kind: Observable, count: int) -> _Limits:
    return float(count), float(count) if kind in sheet.observes else None


def _tokens(usage: Usage | None) -> _Limits:
    """Return the limits of the sum of the four disjoint buckets."""
    if usage is None:
        return 0.0, None
    return _summed(usage.input, usage.cache_read, usage.cache_write, usage.output)


def _summed(*parts: float | None) -> _Limits:
    """Return the limits of a sum; one unknown part leaves it open above, and a nonsensical one is unknown."""
    known = [float(part) for part in parts if part is not None and is_quantity(part)]
    return sum(known), sum(known) if len(known) == len(parts) else None
