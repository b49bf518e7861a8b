"""Tool calls, each paired with its outcome by its id.

What comes in: events in order. What goes out: `CallFact`s in the order in which the calls were made.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from evalkit.facts.texts import json_value
from evalkit.records.event import CallRequest, Event, ModelReply, ToolCalled, ToolReturned
from evalkit.records.fact import CallFact
from evalkit.records.written import Json


@dataclass(slots=True)
class _Row:
    """One call while its outcome is still being looked for."""

    seq: int
    turn: int
    tool: str
    args: dict[str, Json] | None
    outcome: ToolReturned | None = None
    returned: int | None = None
    wish: int | None = None
    raw: str | None = None


@dataclass(slots=True)
class _Pairing:
    """The calls so far, and of each id those that still wait: for being made, and for an outcome."""

    rows: list[_Row] = field(default_factory=list)
    asked: defaultdict[str, deque[_Row]] = field(default_factory=lambda: defaultdict(deque))
    made: defaultdict[str, deque[_Row]] = field(default_factory=lambda: defaultdict(deque))
    answered: set[str] = field(default_factory=set)

    def ask(self, event: Event, request: CallRequest) -> None:
        """The model asked for a call; nobody has made it yet."""
        row = _Row(event.seq, event.turn, request.tool, None, wish=event.seq, raw=request.raw)
        self.rows.append(row)
        self.asked[request.id].append(row)

    def make(self, event: Event, body: ToolCalled) -> None:
        """A call that was asked for, or one that nobody was seen to ask for, is made."""
        args = body.args if body.args is not None else arguments(body.raw)
        if self.asked[body.id]:
            row = self.asked[body.id].popleft()
            row.seq, row.turn, row.tool, row.args, row.raw = event.seq, event.turn, body.tool, args, None
        else:
            row = _Row(event.seq, event.turn, body.tool, args)
            self.rows.append(row)
        self.made[body.id].append(row)

    def answer(self, event: Event, body: ToolReturned) -> None:
        """The first outcome of a call counts; one without a call shows its call itself."""
        waiting = self.made[body.id] or self.asked[body.id]
        if waiting:
            row = waiting.popleft()
        elif body.id in self.answered:
            return
        else:
            row = _Row(event.seq, event.turn, body.tool, None)
            self.rows.append(row)
        row.outcome, row.returned = body, event.seq
        self.answered.add(body.id)


def arguments(raw: str) -> dict[str, Json] | None:
    """Return the arguments that a model wrote, or None where the text is no JSON object."""
    value = json_value(raw)
    return value if isinstance(value, dict) else None


def pair_calls(events: Sequence[Event]) -> tuple[CallFact, ...]:
    """Return every tool call with its outcome.

    A call without a recorded outcome is `unanswered`, and so is one that a reply asked for and nobody made.

    Args:
        events: The events of one trial, seq ascending.

    Returns:
        Calls in the order of their `seq`; calls of one reply that were never made keep the reply's order.
    """
    pairing = _Pairing()
    for event in events:
        body = event.body
        if type(body) is ModelReply:
            for request in body.calls:
                pairing.ask(event, request)
        elif type(body) is ToolCalled:
            pairing.make(event, body)
        elif type(body) is ToolReturned:
            pairing.answer(event, body)
    return tuple([_fact(row) for row in sorted(pairing.rows, key=_seq)])


def _seq(row: _Row) -> int:
    return row.seq


def _fact(row: _Row) -> CallFact:
    outcome = row.outcome
    if row.raw is not None:  # asked for and never made
        row.args = arguments(row.raw)
    if outcome is None:
        return CallFact(
            seq=row.seq,
            returned=None,
            turn=row.turn,
            tool=row.tool,
            args=row.args,
            status="unanswered",
            asked=row.wish,
        )
    return CallFact(
        seq=row.seq,
        returned=row.returned,
        turn=row.turn,
        tool=row.tool,
        args=row.args,
        status=outcome.status,
        value=outcome.value,
        message=outcome.message,
        cause=outcome.cause,
        sub=outcome.sub,
        fault=outcome.fault,
        declared=outcome.declared,
        seconds=outcome.timing.tool if outcome.timing is not None else None,
        asked=row.wish,
        effect=outcome.effect,
    )
