"""The check on effects: idempotent.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the repeated calls.
"""

from __future__ import annotations

from collections.abc import Iterable

from evalkit.records.checks import Idempotent
from evalkit.records.fact import CallFact
from evalkit.records.verdict import Measure
from evalkit.score.checks.seen import calls_of, cited, could_have_run, ending, unseen
from evalkit.score.checks.values import fingerprint, shown
from evalkit.score.finding import CheckView, Finding

_Intents = dict[tuple[object, ...], list[CallFact]]


def idempotent(wanted: Idempotent, view: CheckView) -> Finding:
    """One effect for one intent: at most one effective call of the tool for one key.

    A call that timed out after its effect counts as one: the world did it, whatever the agent was told. One
    whose success was a lie counts as none, and one that the environment delivered twice as one.

    Args:
        wanted: Tool and the arguments that make up an intent.
        view: What may be read.
    """
    effects = [call for call in calls_of(view) if call.tool == wanted.tool and _took_effect(call)]
    intents = _by_intent(wanted, effects)
    most = max(map(len, intents.values()), default=0)
    measure = Measure(value=float(most), unit="effects per intent", n=len(intents), threshold=1.0)
    if most > 1:
        again = next(calls for calls in intents.values() if len(calls) > 1)
        reason = f"{wanted.tool}({shown(again[0].args)}) took effect {len(again)} times"
        return Finding(held=False, reason=reason, cites=cited(again), measure=measure)
    blind = _hidden(wanted, effects, view)
    reason = "no intent took effect twice" if effects else f"{wanted.tool} took no effect"
    cites = cited(effects) or ending(view)
    return blind or Finding(held=True, reason=reason, cites=cites, measure=measure)


def _took_effect(call: CallFact) -> bool:
    if call.effect is not None:
        return call.effect
    return call.status == "ok" or call.fault == "timeout_after"


def _by_intent(wanted: Idempotent, calls: Iterable[CallFact]) -> _Intents:
    """Group calls by the arguments that make up an intent: 100 and 100.0 are one, and null is like absent.

    Calls whose arguments are not known are left out.
    """
    intents: _Intents = {}
    for call in calls:
        if call.args is not None:
            kept = {name: call.args.get(name) for name in wanted.key} if wanted.key else call.args
            intents.setdefault(fingerprint(kept), []).append(call)
    return intents


def _hidden(wanted: Idempotent, effects: list[CallFact], view: CheckView) -> Finding | None:
    """Return what keeps a repetition from being seen: calls, their results, or their arguments."""
    if len(effects) > 1 and any(call.args is None for call in effects):
        reason = f"the arguments of a call of {wanted.tool} are not known"
        return Finding(held=None, cause="not_observed", reason=reason, cites=cited(effects))
    calls = [call for call in could_have_run(view) if call.tool == wanted.tool]
    could = [call for call in calls if not _took_effect(call)]
    return unseen(view, perhaps=bool(could) and _may_repeat(wanted, [*effects, *could]))


def _may_repeat(wanted: Idempotent, calls: list[CallFact]) -> bool:
    unknown = any(call.args is None for call in calls)
    return len(calls) > 1 and (unknown or any(len(found) > 1 for found in _by_intent(wanted, calls).values()))
