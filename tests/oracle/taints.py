"""Taints: faults that the case did not declare and that nothing made good."""

from dataclasses import dataclass
from typing import Literal

from tests.oracle.graph import ancestors, below, stage_named
from tests.oracle.model import Call, EarlierFault, Event, Fault, ModelOk, Stage, Suite, Trace
from tests.oracle.reading import ran_or_attempted_by


@dataclass(frozen=True)
class Taint:
    """An undeclared fault at its position; `tool` is empty unless `of` is tool."""

    position: int
    of: Literal["tool", "model", "world", "harness"]
    tool: str
    cause: str
    sub: str


def undeclared_faults(trace: Trace) -> tuple[Taint, ...]:
    """Find the faults that the case did not declare, whatever came after.

    Page: '... a fault of the environment, a missing fixture or a fault of the suite or of evalkit that
    the case did not declare.'
    """
    found = []
    for position, event in enumerate(trace.events):
        if isinstance(event, Fault):
            found.append(Taint(position, event.of, "", event.cause, event.sub))
        if isinstance(event, EarlierFault):
            found.append(Taint(position, event.of, event.tool, event.cause, event.sub))
        if isinstance(event, Call) and event.status == "fault" and not event.declared:
            found.append(Taint(position, "tool", event.tool, event.cause, event.sub))
    return tuple(found)


def made_good(fault: Taint, trace: Trace) -> bool:
    """Say whether the same tool or model succeeded again after a fault.

    Page: '... after which the same tool or model did not succeed again' is when this is not so.
    """
    return any(_succeeds(fault, event) for event in trace.events[fault.position + 1 :])


def _succeeds(fault: Taint, event: Event) -> bool:
    """Say whether an event shows that what had faulted works again.

    A refusal is no success, a reply is no success of the model, and the world and the harness have none
    (README, choice 11).
    """
    if fault.of == "model":
        return isinstance(event, ModelOk)
    if fault.of == "tool":
        return isinstance(event, Call) and event.tool == fault.tool and event.status in ("ok", "ok_empty")
    return False


def taints(trace: Trace) -> tuple[Taint, ...]:
    """All taints of a trace, the earliest first."""
    return tuple(fault for fault in undeclared_faults(trace) if not made_good(fault, trace))


def tool_of(stage: Stage) -> str:
    """The tool that a stage's `ran` names; for a fact stage the tool that the fact comes from."""
    return stage.ran.name if stage.ran.kind == "called" else stage.ran.tool


def naming_stages(suite: Suite, taint: Taint) -> frozenset[str]:
    """Find the stages whose `ran` names the faulted tool.

    Page: The stages 'whose `ran` names the faulted tool'.
    """
    return frozenset(stage.name for stage in suite.stages if taint.tool and tool_of(stage) == taint.tool)


def holds_for_all(suite: Suite, taint: Taint) -> bool:
    """Say whether a taint holds for every stage.

    Page: 'A fault of the model, the world, the harness or a tool that no stage names holds for all
    stages.'
    """
    return taint.of != "tool" or not naming_stages(suite, taint)


def holds_for(suite: Suite, taint: Taint, name: str) -> bool:
    """Say whether a taint holds for a stage.

    Page: '... for the stage whose `ran` names the faulted tool and everything below it.'
    """
    touched = naming_stages(suite, taint)
    return holds_for_all(suite, taint) or name in touched or bool(touched & ancestors(suite, name))


def excuses(suite: Suite, trace: Trace, taint: Taint, name: str) -> bool:
    """Say whether a taint holds for a stage that the agent had not yet gone past.

    Page: 'It excuses a stage only if no stage below it ran or was attempted before.'
    """
    went_past = any(
        ran_or_attempted_by(stage_named(suite, lower), trace, taint.position) for lower in below(suite, name)
    )
    return holds_for(suite, taint, name) and not went_past


def excusing_taint(suite: Suite, trace: Trace, name: str) -> Taint | None:
    """The earliest taint that excuses a stage, or None (README, choice 12)."""
    return next((taint for taint in taints(trace) if excuses(suite, trace, taint, name)), None)


def taint_at_last_call(stage: Stage, trace: Trace) -> Taint | None:
    """Give the taint that met the last call of a stage, or None.

    Page: '... the taint's cause if a fault met its last call': the last call of the tool that the stage
    names; a stage that names no tool has no call (README, choice 13).
    """
    tool = tool_of(stage)
    events = enumerate(trace.events)
    calls = [position for position, event in events if isinstance(event, Call) and event.tool == tool]
    if not tool or not calls:
        return None
    return next((taint for taint in taints(trace) if taint.position == calls[-1]), None)
