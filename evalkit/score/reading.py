"""What a fact sheet shows of every stage: whether it ran, with output or empty, or was attempted.

What comes in: the graph, a fact sheet. What goes out: `Reading`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.fact import CallFact, DeclaredFact, FactSheet
from evalkit.records.paths import is_nothing, read, same
from evalkit.records.stage import EmptyReturn
from evalkit.records.written import Json
from evalkit.score.structure import Node, Structure, positions

AT_THE_START = -1
"""The place of a stage that always runs: before the first event. No verdict cites it."""

NOWHERE = -2
"""The place of what did not happen: before everything."""

What = Literal["output", "empty", "attempt"]


class StageEvent(Struct, frozen=True):
    """One event of a stage: it returned something, returned nothing, or was only an attempt."""

    seq: int
    what: What


class Reading(Struct, frozen=True, kw_only=True):
    """What a trial shows of the stages; the masks are in the suite's order.

    Attributes:
        events: Of each stage its events, seq ascending.
        first_ran: Of each stage that ran where it first did, with output or without; else `NOWHERE`.
        first_output: Of each stage where it first returned something; else `NOWHERE`.
        last_calls: Of each stage the last call of a tool that its `ran` names, in vain or not.
        ran: Stages with an event that was executed and returned without error.
        output: Stages that returned something.
        tried: Stages that ran or were attempted.
        recovered: Stages with a miss that was later made good by output.
        examinable: Stages whose kinds of event the trace observes.
    """

    events: tuple[tuple[StageEvent, ...], ...]
    first_ran: tuple[int, ...]
    first_output: tuple[int, ...]
    last_calls: tuple[CallFact | None, ...]
    ran: int
    output: int
    tried: int
    recovered: int
    examinable: int

    def last_event(self, position: int) -> int:
        """Return where the last event of a stage is; `NOWHERE` where there is none."""
        events = self.events[position]
        return events[-1].seq if events else NOWHERE

    def tried_by(self, seq: int) -> int:
        """Return the mask of the stages that ran or were attempted up to and with an event."""
        return sum(1 << i for i, events in enumerate(self.events) if events and events[0].seq <= seq)


def read_stages(structure: Structure, sheet: FactSheet) -> Reading:
    """Return what a fact sheet shows of every stage.

    Every call that did not return without error is an attempt, whatever stopped it: the agent set out to do
    it. A stage that a fact shows is attempted by a call in vain whose arguments carry the fact.

    Args:
        structure: The suite's graph.
        sheet: The facts of one trial.
    """
    found: list[list[StageEvent]] = [
        [StageEvent(AT_THE_START, "output")] if structure.always & node.bit else []
        for node in structure.nodes
    ]
    last_calls: list[CallFact | None] = [None] * len(found)
    for call in sheet.calls:
        for position in positions(structure.by_tool.get(call.tool, 0)):
            last_calls[position] = call
            what = _of_call(structure.nodes[position], call)
            if what is not None:
                found[position].append(StageEvent(call.seq, what))
    _add_facts(structure, sheet, found)
    _add_replies(structure, sheet, found)
    return _reading(structure, sheet, found, tuple(last_calls))


def _of_call(node: Node, call: CallFact) -> What | None:
    if node.kind == "called":
        if call.status != "ok":
            return "attempt"
        return "empty" if _empty(node.empty, call.tool, call.value) else "output"
    in_vain = call.status != "ok" and node.carried is not None
    return "attempt" if in_vain and read({"args": call.args}, node.carried or "") else None


def _empty(rule: EmptyReturn | None, tool: str, value: Json) -> bool:
    """A result is nothing of itself, by the suite's word, or where the suite's path finds nothing in it."""
    if is_nothing(value):
        return True
    if rule is None or rule.tool != tool:
        return False
    return all(same(found, rule.equals) for found in read(value, rule.path))


def _add_facts(structure: Structure, sheet: FactSheet, found: list[list[StageEvent]]) -> None:
    for fact in sheet.declared:
        for position in positions(structure.by_fact.get(fact.name, 0)):
            nothing = _empty_fact(structure.nodes[position], sheet, fact)
            found[position].append(StageEvent(fact.cites[0], "empty" if nothing else "output"))
    for position, node in enumerate(structure.nodes):
        if node.kind == "fact":
            found[position].sort(key=lambda event: event.seq)


def _empty_fact(node: Node, sheet: FactSheet, fact: DeclaredFact) -> bool:
    """A fact holds nothing of itself, or where the suite says so of the result that carries it."""
    if is_nothing(fact.value):
        return True
    if node.empty is None or fact.tool != node.empty.tool:
        return False
    results = (call.value for call in sheet.calls if call.seq == fact.cites[0] and call.tool == fact.tool)
    return all(_empty(node.empty, node.empty.tool, value) for value in results)


def _add_replies(structure: Structure, sheet: FactSheet, found: list[list[StageEvent]]) -> None:
    for position in positions(structure.replied):
        for reply in sheet.replies:
            content = reply.content.strip() if isinstance(reply.content, str) else reply.content
            found[position].append(StageEvent(reply.seq, "empty" if is_nothing(content) else "output"))


def _reading(
    structure: Structure,
    sheet: FactSheet,
    found: list[list[StageEvent]],
    last_calls: tuple[CallFact | None, ...],
) -> Reading:
    ran = output = tried = recovered = examinable = 0
    observed = frozenset(sheet.observes)
    firsts, outputs = [], []
    for node, events in zip(structure.nodes, found, strict=True):
        first, shown, made_good = _summary(events)
        firsts.append(first)
        outputs.append(shown)
        ran |= node.bit * (first != NOWHERE)
        output |= node.bit * (shown != NOWHERE)
        tried |= node.bit * bool(events)
        recovered |= node.bit * made_good
        examinable |= node.bit * (node.observed_by <= observed)
    return Reading(
        events=tuple(map(tuple, found)),
        first_ran=tuple(firsts),
        first_output=tuple(outputs),
        last_calls=last_calls,
        ran=ran,
        output=output,
        tried=tried,
        recovered=recovered,
        examinable=examinable,
    )


def _summary(events: list[StageEvent]) -> tuple[int, int, bool]:
    """Where a stage first ran, where it first returned something, and whether that made a miss good."""
    first = output = missed = NOWHERE
    recovered = False
    for event in events:
        if first == NOWHERE and event.what != "attempt":
            first = event.seq
        if event.what != "output":
            missed = event.seq if missed == NOWHERE else missed
        else:
            output = event.seq if output == NOWHERE else output
            recovered = recovered or NOWHERE < missed < event.seq
    return first, output, recovered
