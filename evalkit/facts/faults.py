"""Faults that are not the agent's doing, and whether the same tool or model succeeded again.

What comes in: events and paired calls. What goes out: `FaultFact`s in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.event import CallStatus, Event, Faulted, ModelReply, ToolReturned, Trace, Where
from evalkit.records.fact import CallFact, FaultFact
from evalkit.records.verdict import ACTIONS

_TOOL_CAUSES: dict[CallStatus, str] = {
    "fault": "environment",
    "missing": "fixture_missing",
    "broken": "broken_case",
}
"""Statuses of a call that met a fault, and the cause where the event names none that is known."""

_CAUSES: dict[Where, str] = {
    "tool": "environment",
    "model": "environment",
    "world": "environment",
    "harness": "harness",
}
"""The same for faults outside a tool call."""

_NO_ANSWER = frozenset({"error", "aborted"})
"""Stop reasons of a model reply that is no success of the model."""


def faults_of(trace: Trace, calls: Sequence[CallFact]) -> tuple[FaultFact, ...]:
    """Return the faults of a trial.

    A fixture fault that still returned a result (`empty`, `malformed`, `inject`) is none. An undeclared fault
    that was retried below the agent until the tool answered is one, and recovered by that very answer. A
    trial that closed by a fault which no event shows has one at its end, so that it is never taken for the
    agent's doing.

    Args:
        trace: The events of one trial.
        calls: Its calls, paired.

    Returns:
        Faults, seq ascending.
    """
    met = [event for event in trace.events if _may_be_fault(event)]
    started = {call.returned: call.seq for call in calls} if met else {}
    found = [fault for event in met for fault in _of_event(event, started, trace.events)]
    standing = any(not fault.declared and fault.recovered is None for fault in found)
    if trace.closed is not None and trace.closed.end == "fault" and not standing:
        found.append(_at_the_end(trace))
    return tuple(found)


def _may_be_fault(event: Event) -> bool:
    """Pass over the events of a trial in which all went well: of most trials that is all of them."""
    body = event.body
    if type(body) is ToolReturned:
        return body.status in _TOOL_CAUSES or body.tries > 1
    return type(body) is Faulted


def known_cause(cause: str | None, otherwise: str) -> str:
    """Return a cause of the closed list.

    Args:
        cause: As an event says it.
        otherwise: Taken where the event names none, or one that is not in the list.
    """
    return cause if cause in ACTIONS else otherwise


def _of_event(event: Event, started: dict[int | None, int], events: Sequence[Event]) -> Iterator[FaultFact]:
    body = event.body
    if isinstance(body, ToolReturned):
        if body.status in _TOOL_CAUSES:
            yield _of_tool(event, body, started, _next_success(events, event.seq, body.tool))
        elif body.status == "ok" and body.tries > 1 and not body.declared:
            yield _of_tool(event, body, started, event.seq)
    elif isinstance(body, Faulted):
        again = _next_answer(events, event.seq) if body.where == "model" else None
        yield FaultFact(
            seq=event.seq,
            started=event.seq,
            where=body.where,
            tool=None,
            cause=known_cause(body.cause, _CAUSES[body.where]),
            sub=body.sub,
            declared=body.declared,
            recovered=again,
            message=body.message,
        )


def _of_tool(
    event: Event, body: ToolReturned, started: dict[int | None, int], recovered: int | None
) -> FaultFact:
    return FaultFact(
        seq=event.seq,
        started=started.get(event.seq, event.seq),
        where="tool",
        tool=body.tool,
        cause=known_cause(body.cause, _TOOL_CAUSES.get(body.status, "environment")),
        sub=body.sub,
        declared=body.declared,
        recovered=recovered,
        message=body.message,
    )


def _next_success(events: Sequence[Event], after: int, tool: str) -> int | None:
    for event in events:
        body = event.body
        if event.seq > after and isinstance(body, ToolReturned) and body.tool == tool and body.status == "ok":
            return event.seq
    return None


def _next_answer(events: Sequence[Event], after: int) -> int | None:
    for event in events:
        body = event.body
        if event.seq > after and isinstance(body, ModelReply) and body.stop not in _NO_ANSWER:
            return event.seq
    return None


def _at_the_end(trace: Trace) -> FaultFact:
    closed, last = trace.closed, trace.events[-1].seq if trace.events else 0
    cause = known_cause(closed.cause if closed else None, "harness")
    return FaultFact(
        seq=last,
        started=last,
        where="world" if cause == "environment" else "harness",
        tool=None,
        cause=cause,
        sub=closed.sub if closed else None,
        message=closed.message if closed else "",
    )
