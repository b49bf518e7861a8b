"""Checks on calls: called, order, only_called, refused, idempotent, schema.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from evalkit.records.checks import Called, Idempotent, OnlyCalled, Order, Refused, Schema
from evalkit.records.fact import CallFact
from evalkit.records.verdict import Measure
from evalkit.score.checks.matching import fits, largest_matching
from evalkit.score.checks.seen import calls_of, shown, unobserved
from evalkit.score.finding import CheckView, Finding

_MOST_CITED = 20  # calls that one finding cites


def called(wanted: Called, view: CheckView) -> Finding:
    """Every expected call is matched with a call of its own; with `times`, exactly so many match.

    Args:
        wanted: The expected calls.
        view: What may be read.
    """
    calls = [call for call in calls_of(view) if wanted.attempted or call.status == "ok"]
    if wanted.times is not None and len(wanted.calls) == 1:
        return _called_times(wanted, calls, view)
    matched = largest_matching(wanted.calls, calls)
    cited = _cited(calls[at] for at in matched.values())
    missing = [one for at, one in enumerate(wanted.calls) if at not in matched]
    if not missing:
        return Finding(held=True, reason=f"{len(matched)} expected calls were made", cites=cited)
    blind = unobserved(view, "calls", "results")
    if blind is not None:
        return blind
    words = ", ".join(f"{one.tool}({shown(one.args)})" for one in missing)
    near = [call for call in calls_of(view) if call.tool in {one.tool for one in missing}]
    had = f"; there was {_words(near)}" if near else "; no such tool was called"
    return Finding(held=False, reason=f"not called: {words}{had}", cites=_cited(near) or cited)


def _called_times(wanted: Called, calls: Sequence[CallFact], view: CheckView) -> Finding:
    blind = unobserved(view, "calls", "results")
    matching = [call for call in calls if fits(wanted.calls[0], call)]
    expected, found = wanted.times or 0, len(matching)
    if blind is not None and found <= expected:
        return blind
    reason = f"{wanted.calls[0].tool} was called {found} times, expected {expected}"
    measure = Measure(value=found, unit="calls", n=1, threshold=expected)
    return Finding(held=found == expected, reason=reason, cites=_cited(matching), measure=measure)


def order(wanted: Order, view: CheckView) -> Finding:
    """The first successful calls of the tools come in the given order.

    Args:
        wanted: Tools, earliest first.
        view: What may be read.
    """
    ran = [call for call in calls_of(view) if call.status == "ok"]
    first = {call.tool: at for at, call in reversed(list(enumerate(ran)))}
    missing = [tool for tool in wanted.tools if tool not in first]
    if missing:
        blind = unobserved(view, "calls", "results")
        return blind or Finding(held=False, reason=f"never ran: {', '.join(missing)}")
    at = [first[tool] for tool in wanted.tools]
    cited = _cited(ran[position] for position in at)
    if at != sorted(at):
        return Finding(held=False, reason=f"the order was {_words(ran[p] for p in sorted(at))}", cites=cited)
    if wanted.adjacent and at != list(range(at[0], at[0] + len(at))):
        between = _words(ran[at[0] : at[-1] + 1])
        return Finding(held=False, reason=f"other calls lie between: {between}", cites=cited)
    return Finding(held=True, reason=f"the order was {', '.join(wanted.tools)}", cites=cited)


def only_called(wanted: OnlyCalled, view: CheckView) -> Finding:
    """No tool outside the list was called, not even in vain.

    Args:
        wanted: The allowed tools.
        view: What may be read.
    """
    others = [call for call in calls_of(view) if call.tool not in wanted.tools]
    if others:
        return Finding(held=False, reason=f"also called: {_words(others)}", cites=_cited(others))
    blind = unobserved(view, "calls")
    return blind or Finding(held=True, reason="no other tool was called", cites=_cited(calls_of(view)))


def refused(wanted: Refused, view: CheckView) -> Finding:
    """The world refused a call of the tool.

    Args:
        wanted: Tool and, if given, what the reason says.
        view: What may be read.
    """
    noes = [call for call in calls_of(view) if call.tool == wanted.tool and call.status == "refused"]
    fitting = [call for call in noes if wanted.matches is None or re.search(wanted.matches, call.message)]
    if fitting:
        return Finding(held=True, reason=f"refused: {shown(fitting[0].message)}", cites=_cited(fitting))
    blind = unobserved(view, "calls", "results")
    if blind is not None:
        return blind
    had = f"refused for other reasons: {shown(noes[0].message)}" if noes else "no call was refused"
    return Finding(held=False, reason=f"{wanted.tool}: {had}", cites=_cited(noes))


def idempotent(wanted: Idempotent, view: CheckView) -> Finding:
    """One effect for one intent: at most one effective call of the tool for one key.

    A call that timed out after its effect counts as one: the world did it, whatever the agent was told.

    Args:
        wanted: Tool and the arguments that make up an intent.
        view: What may be read.
    """
    intents: dict[str, list[CallFact]] = {}
    for call in calls_of(view):
        if call.tool == wanted.tool and _took_effect(call):
            intents.setdefault(_intent(wanted, call), []).append(call)
    repeated = [calls for calls in intents.values() if len(calls) > 1]
    most = max((len(calls) for calls in intents.values()), default=0)
    measure = Measure(value=most, unit="effects per intent", n=len(intents), threshold=1)
    if repeated:
        again = repeated[0]
        reason = f"{wanted.tool}({shown(again[0].args)}) took effect {len(again)} times"
        return Finding(held=False, reason=reason, cites=_cited(again), measure=measure)
    blind = unobserved(view, "calls", "results")
    if blind is not None:
        return blind
    cited = _cited(call for calls in intents.values() for call in calls)
    return Finding(held=True, reason="no intent took effect twice", cites=cited, measure=measure)


def _took_effect(call: CallFact) -> bool:
    return call.status == "ok" or call.fault == "timeout_after"


def _intent(wanted: Idempotent, call: CallFact) -> str:
    args = call.args or {}
    kept = args if not wanted.key else {name: args.get(name) for name in wanted.key}
    return json.dumps(kept, sort_keys=True)


def schema(wanted: Schema, view: CheckView) -> Finding:
    """No call was of an unknown tool or had invalid arguments.

    Args:
        wanted: Tools that are looked at; none means all.
        view: What may be read.
    """
    looked_at = [call for call in calls_of(view) if not wanted.tools or call.tool in wanted.tools]
    wrong = [call for call in looked_at if call.status in ("invalid", "unknown")]
    measure = Measure(value=len(wrong), unit="malformed calls", n=len(looked_at), threshold=0)
    if wrong:
        reason = f"{wrong[0].tool}: {wrong[0].status}: {shown(wrong[0].message)}"
        return Finding(held=False, reason=reason, cites=_cited(wrong), measure=measure)
    blind = unobserved(view, "calls", "results")
    return blind or Finding(held=True, reason="every call was well formed", measure=measure)


def _cited(calls: Iterable[CallFact]) -> tuple[int, ...]:
    seqs = sorted({call.seq if call.returned is None else call.returned for call in calls})
    return tuple(seqs[:_MOST_CITED])


def _words(calls: Iterable[CallFact]) -> str:
    return shown(", ".join(f"{call.tool}: {call.status}" for call in calls))
