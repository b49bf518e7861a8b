"""The one door of the room: a trace becomes a fact sheet.

What comes in: suite, case and the events of the execution that closed. What goes out: `FactSheet`.
"""

from __future__ import annotations

from msgspec import structs

from evalkit.facts.calls import pair_calls
from evalkit.facts.declared import declared_facts
from evalkit.facts.faults import faults_of
from evalkit.facts.replies import claims_of, replies_of
from evalkit.facts.texts import as_text
from evalkit.facts.totals import stop_of, timing_of, usage_of
from evalkit.records.case import Case
from evalkit.records.event import ModelReply, Probed, Trace, UserTurn
from evalkit.records.fact import FactSheet, ModelFact, ProbeFact
from evalkit.records.suite import Suite


def derive(suite: Suite, case: Case, trace: Trace) -> FactSheet:
    """Return everything that a trace shows, and nothing else.

    Args:
        suite: The suite, for the facts and claims that it declares.
        case: The case, for its name: what it expects is no fact.
        trace: The events of one execution, seq ascending.

    Returns:
        The fact sheet; the same trace always gives the same sheet.
    """
    calls = pair_calls(trace.events)
    replies = replies_of(trace.events)
    model = _model(trace)
    spoken = [(event.seq, event.body) for event in trace.events if type(event.body) is UserTurn]
    return FactSheet(
        case=case.id,
        observes=trace.opened.observes,
        turns=len(spoken),
        begins=tuple([seq for seq, _ in spoken]),
        calls=calls,
        replies=replies,
        declared=declared_facts(suite, calls, replies),
        claims=claims_of(suite, replies),
        probes=_probes(trace),
        faults=faults_of(trace, calls),
        stop=stop_of(trace),
        model_replies=len(model),
        model=model,
        usage=usage_of(trace),
        timing=timing_of(trace),
        user_text=tuple([as_text(body.content) for _, body in spoken]),
        recorded=trace.closed.source if trace.closed is not None else None,
    )


def _model(trace: Trace) -> tuple[ModelFact, ...]:
    return tuple(
        [
            ModelFact(
                seq=event.seq,
                turn=event.turn,
                seconds=event.body.timing.model if event.body.timing is not None else None,
                usage=event.body.usage,
            )
            for event in trace.events
            if type(event.body) is ModelReply
        ]
    )


def _probes(trace: Trace) -> dict[str, ProbeFact]:
    """Of a question that stands there more than once the last answer counts, and keeps those before it."""
    found: dict[str, list[ProbeFact]] = {}
    for event in trace.events:
        if type(event.body) is Probed:
            found.setdefault(event.body.id, []).append(_probe(event.seq, event.body))
    return {
        name: answers[0] if len(answers) == 1 else structs.replace(answers[-1], earlier=tuple(answers[:-1]))
        for name, answers in found.items()
    }


def _probe(seq: int, body: Probed) -> ProbeFact:
    return ProbeFact(
        id=body.id,
        seq=seq,
        rows=body.rows,
        cause=body.cause,
        message=body.message,
        measure=body.measure,
        waited=body.waited,
    )
