"""Checks on calls: called, order, only_called, refused, schema.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.checks import Called, ExpectedCall, OnlyCalled, Order, Refused, Schema
from evalkit.records.fact import CallFact
from evalkit.records.verdict import Measure
from evalkit.score.checks.matching import fits, match_calls
from evalkit.score.checks.patterns import is_found
from evalkit.score.checks.seen import calls_of, cited, could_have_run, ending, ran, told, unobserved, unseen
from evalkit.score.checks.values import as_text, shown
from evalkit.score.finding import CheckView, Finding


def called(wanted: Called, view: CheckView) -> Finding:
    """Every expected call is matched with a call of its own; with `times`, exactly so many match.

    Args:
        wanted: The expected calls.
        view: What may be read.
    """
    calls = calls_of(view) if wanted.attempted else ran(calls_of(view))
    if wanted.times is not None:
        return _called_times(wanted, wanted.times, calls, view)
    matched = match_calls(wanted.calls, calls)
    missing = [one for at, one in enumerate(wanted.calls) if at not in matched]
    seqs = cited(calls[at] for at in matched.values())
    if not missing:
        names = ", ".join(one.tool for one in wanted.calls)
        return Finding(held=True, reason=f"called as expected: {shown(names)}", cites=seqs)
    if not wanted.attempted:
        perhaps = len(match_calls(wanted.calls, could_have_run(view))) == len(wanted.calls)
        blind = unseen(view, perhaps=perhaps)
    else:
        blind = unobserved(view, "calls")
    return blind or _not_called(wanted, missing, view, seqs)


def _not_called(
    wanted: Called, missing: Sequence[ExpectedCall], view: CheckView, seqs: tuple[int, ...]
) -> Finding:
    words = ", ".join(f"{one.tool}({shown(one.args)})" for one in missing)
    tools = {one.tool for one in missing}
    close = [call for call in calls_of(view) if call.tool in tools]
    had = f"there was {told(close)}" if close else "no such tool was called"
    verb = "not even attempted" if wanted.attempted else "not called"
    cites = cited(close) or seqs or ending(view)
    return Finding(held=False, reason=f"{verb}: {words}; {had}", cites=cites)


def _called_times(wanted: Called, times: int, calls: Sequence[CallFact], view: CheckView) -> Finding:
    """Count exactly; more than asked is a fail whatever else the trace does not show."""
    expected = wanted.calls[0]
    matching = [call for call in calls if fits(expected, call)]
    found = len(matching)
    could = calls if wanted.attempted else could_have_run(view)
    at_most = sum(fits(expected, call) for call in could)
    blind = unseen(view, perhaps=found < at_most and at_most >= times)
    if blind is not None and found <= times:
        return blind
    reason = f"{expected.tool} was called so {found} times, expected {times}"
    measure = Measure(value=float(found), unit="calls", threshold=float(times))
    cites = cited(matching) or ending(view)
    return Finding(held=found == times, reason=reason, cites=cites, measure=measure)


def order(wanted: Order, view: CheckView) -> Finding:
    """The first successful calls of the tools come in the given order.

    Args:
        wanted: Tools, earliest first.
        view: What may be read.
    """
    calls = calls_of(view)
    first: dict[str, int] = {}
    for at, call in enumerate(calls):
        if call.status == "ok":
            first.setdefault(call.tool, at)
    missing = [tool for tool in wanted.tools if tool not in first]
    if missing:
        could = {call.tool for call in could_have_run(view)}
        blind = unseen(view, perhaps=could.issuperset(missing))
        reason = f"never ran: {', '.join(missing)}"
        cites = cited(calls[at] for tool, at in first.items() if tool in wanted.tools) or ending(view)
        return blind or Finding(held=False, reason=reason, cites=cites)
    return _in_order(wanted, calls, [first[tool] for tool in wanted.tools])


def _in_order(wanted: Order, calls: Sequence[CallFact], at: list[int]) -> Finding:
    cites = cited(calls[position] for position in at)
    if at != sorted(at):
        had = ", ".join(calls[position].tool for position in sorted(at))
        return Finding(held=False, reason=f"the order was {had}", cites=cites)
    between = [call for call in calls[at[0] : at[-1]] if call.tool not in wanted.tools]
    if wanted.adjacent and between:
        return Finding(held=False, reason=f"in between lies {told(between)}", cites=cited(between))
    return Finding(held=True, reason=f"the order was {', '.join(wanted.tools)}", cites=cites)


def only_called(wanted: OnlyCalled, view: CheckView) -> Finding:
    """No tool outside the list was called, not even in vain.

    Args:
        wanted: The allowed tools.
        view: What may be read.
    """
    calls = calls_of(view)
    others = [call for call in calls if call.tool not in wanted.tools]
    if others:
        return Finding(held=False, reason=f"also called: {told(others)}", cites=cited(others))
    cites = cited(calls) or ending(view)
    return unobserved(view, "calls") or Finding(held=True, reason="no other tool was called", cites=cites)


def refused(wanted: Refused, view: CheckView) -> Finding:
    """The world refused a call of the tool.

    Args:
        wanted: Tool and, if given, what the reason says.
        view: What may be read.
    """
    calls = [call for call in calls_of(view) if call.tool == wanted.tool]
    noes = [call for call in calls if call.status == "refused"]
    pattern = wanted.matches
    fitting = [call for call in noes if pattern is None or is_found(pattern, as_text(call.message))]
    if fitting:
        return Finding(held=True, reason=f"refused: {shown(fitting[0].message)}", cites=cited(fitting))
    blind = unseen(view, perhaps=any(call.status == "unanswered" for call in calls))
    if blind is not None:
        return blind
    had = f"refused for other reasons: {shown(noes[0].message)}" if noes else "no call was refused"
    cites = cited(noes or calls) or ending(view)
    return Finding(held=False, reason=f"{wanted.tool}: {had}", cites=cites)


def schema(wanted: Schema, view: CheckView) -> Finding:
    """No call was of an unknown tool or had invalid arguments.

    Args:
        wanted: Tools that are looked at; none means all.
        view: What may be read.
    """
    looked_at = [call for call in calls_of(view) if not wanted.tools or call.tool in wanted.tools]
    wrong = [call for call in looked_at if call.status in ("invalid", "unknown")]
    measure = Measure(value=float(len(wrong)), unit="malformed calls", n=len(looked_at), threshold=0.0)
    if wrong:
        reason = f"{shown(wrong[0].tool)}: {wrong[0].status}: {shown(wrong[0].message)}"
        return Finding(held=False, reason=reason, cites=cited(wrong), measure=measure)
    blind = unseen(view, perhaps=any(call.status == "unanswered" for call in looked_at))
    reason = "every call was well formed" if looked_at else "there was no call"
    cites = cited(looked_at) or ending(view)
    return blind or Finding(held=True, reason=reason, cites=cites, measure=measure)
