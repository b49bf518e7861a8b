"""Short ways to write traces down in tests.

What comes in: bodies of events. What goes out: a `Trace` with envelope, opening and closing line.
"""

from __future__ import annotations

from typing import Any

from evalkit.facts.derive import derive
from evalkit.records.case import Case, Turn
from evalkit.records.event import (
    EVERYTHING,
    Body,
    Closed,
    Event,
    Observable,
    Opened,
    ToolCalled,
    ToolReturned,
    Trace,
    UserTurn,
)
from evalkit.records.fact import FactSheet
from evalkit.records.metric import Metric
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import Claim, FactSource, Suite
from evalkit.records.written import Json

FIRST = 2
"""`seq` of the first body that a test writes: the opening line and the user's turn stand before it."""


def trace_of(
    *bodies: Body,
    closed: Closed | None = None,
    observes: tuple[Observable, ...] = EVERYTHING,
    user: Json = "go",
) -> Trace:
    """Return a trace of one user turn; a later `UserTurn` among the bodies begins the next."""
    opened = Opened(case="case", arm="a", mode="mock", trial=0, observes=observes)
    closing = closed or Closed()
    events: list[Event] = []
    turn = -1
    for seq, body in enumerate((opened, UserTurn(content=user), *bodies, closing)):
        turn += isinstance(body, UserTurn)
        events.append(Event(execution="e", seq=seq, turn=max(turn, 0), body=body))
    return Trace(opened=opened, events=tuple(events), closed=closing)


def call(
    tool: str, value: Json = None, *, args: dict[str, Json] | None = None, name: str = "", **more: Any
) -> tuple[Body, Body]:
    """Return a call and its outcome; `status` and the like go to the outcome."""
    call_id = name or f"{tool}-{args}-{value}"
    returned = ToolReturned(id=call_id, tool=tool, status=more.pop("status", "ok"), value=value, **more)
    return ToolCalled(id=call_id, tool=tool, args=args or {}), returned


def suite_of(*, facts: dict[str, FactSource] | None = None, claims: dict[str, Claim] | None = None) -> Suite:
    """Return a small suite with one stage and one metric."""
    return Suite(
        suite="small",
        facts=facts or {},
        claims=claims or {},
        stages=(Stage(name="reply", ran=Ran(replied=True)),),
        metrics=(Metric(name="outcome", primary=True, stage="reply", needs=("reply",)),),
        cases=(Case(id="case", turns=(Turn(user="go"),)),),
    )


def sheet_of(trace: Trace, suite: Suite | None = None) -> FactSheet:
    """Return the facts of a trace of the small suite."""
    chosen = suite or suite_of()
    return derive(chosen, chosen.cases[0], trace)
