"""What a trace shows of one stage: its events, whether it ran, ran empty, was attempted, recovered."""

from dataclasses import dataclass
from typing import Literal

from tests.oracle.model import Call, Event, FactSeen, Reply, Stage, Trace

AT_THE_START = -1
"""The position of a stage whose `ran` is `always`: before the first event."""


@dataclass(frozen=True)
class StageEvent:
    """One event of a stage: it returned something, returned nothing, or was only an attempt."""

    position: int
    what: Literal["output", "empty", "attempt"]


def stage_events(stage: Stage, trace: Trace) -> tuple[StageEvent, ...]:
    """Find all events of a stage, in order."""
    if stage.ran.kind == "always":
        return (StageEvent(AT_THE_START, "output"),)
    found = []
    for position, event in enumerate(trace.events):
        what = _what(stage, event)
        if what is not None:
            found.append(StageEvent(position, what))
    return tuple(found)


def _what(stage: Stage, event: Event) -> Literal["output", "empty", "attempt"] | None:
    if stage.ran.kind == "called" and isinstance(event, Call) and event.tool == stage.ran.name:
        return _what_of_call(event)
    if stage.ran.kind == "replied" and isinstance(event, Reply):
        return "output" if event.output else "empty"
    if stage.ran.kind == "fact":
        return _what_of_facts(stage, facts_of(event))
    return None


def _what_of_call(call: Call) -> Literal["output", "empty", "attempt"]:
    """Sort a call: what returned without error ran, all else is an attempt.

    Page: 'A stage ran when an event that satisfies its `ran` was executed and returned without error; a
    call that was refused, blocked, invalid or unanswered is only `attempted`.'
    """
    if call.status == "ok":
        return "output"
    if call.status == "ok_empty":
        return "empty"
    return "attempt"  # a faulted call too (README, choice 5)


def _what_of_facts(stage: Stage, facts: tuple[FactSeen, ...]) -> Literal["output", "empty"] | None:
    """A fact stage has no attempts (README, choice 6)."""
    mine = [fact for fact in facts if fact.name == stage.ran.name]
    if not mine:
        return None
    return "output" if any(fact.output for fact in mine) else "empty"


def facts_of(event: Event) -> tuple[FactSeen, ...]:
    """A fact stands at the event that it cites, and cites only what returned without error."""
    if isinstance(event, Reply):
        return event.facts
    if isinstance(event, Call) and event.status in ("ok", "ok_empty"):
        return event.facts
    return ()


def ran(stage: Stage, trace: Trace) -> bool:
    """Say whether the stage ran, with output or without.

    Page: 'A stage ran when an event that satisfies its `ran` was executed and returned without error.'
    """
    return any(event.what in ("output", "empty") for event in stage_events(stage, trace))


def ran_with_output(stage: Stage, trace: Trace) -> bool:
    """At least one event of the stage returned something."""
    return any(event.what == "output" for event in stage_events(stage, trace))


def ran_empty(stage: Stage, trace: Trace) -> bool:
    """Say whether the stage ran and never returned anything.

    Page: 'It ran empty when no such event returned anything.'
    """
    return ran(stage, trace) and not ran_with_output(stage, trace)


def ran_or_attempted(stage: Stage, trace: Trace) -> bool:
    """The agent set out to do the stage, whatever came of it."""
    return bool(stage_events(stage, trace))


def ran_or_attempted_by(stage: Stage, trace: Trace, position: int) -> bool:
    """Say whether the agent had set out to do the stage at this position.

    Page: The agent had set out to do the stage at this position ('the call that met it counts as
    before').
    """
    return any(event.position <= position for event in stage_events(stage, trace))


def first_ran(stage: Stage, trace: Trace) -> int:
    """Where the stage first ran, with output or without (README, choice 9)."""
    return min(event.position for event in stage_events(stage, trace) if event.what != "attempt")


def recovered(stage: Stage, trace: Trace) -> bool:
    """Say whether a miss of the stage was later made good by output.

    Page: 'A miss (an event of the stage without output) that is later made good by output is the fact
    `recovered`'; an attempt is a miss as well (README, choice 10).
    """
    misses = [event.position for event in stage_events(stage, trace) if event.what != "output"]
    outputs = [event.position for event in stage_events(stage, trace) if event.what == "output"]
    return bool(misses) and bool(outputs) and min(misses) < max(outputs)


def examinable(stage: Stage, trace: Trace) -> bool:
    """Say whether the trace would show that the stage ran.

    Page: 'It is examinable when the trace observes the kinds of event that `ran` names.'
    """
    if stage.ran.kind == "always":
        return True
    if stage.ran.kind == "replied":
        return trace.observes.replies
    if stage.ran.kind == "called":
        return _observes_tool(trace, stage.ran.name)
    return stage.ran.name not in trace.observes.unseen_facts and _observes_source(stage, trace)


def _observes_tool(trace: Trace, tool: str) -> bool:
    return trace.observes.calls and tool not in trace.observes.unseen_tools


def _observes_source(stage: Stage, trace: Trace) -> bool:
    """A fact can be seen where the event that it cites can be seen."""
    return _observes_tool(trace, stage.ran.tool) if stage.ran.tool else trace.observes.replies
