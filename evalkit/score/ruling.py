"""What the graph says of one stage, or of a metric that may not be asked.

What comes in: a taint, events of a stage. What goes out: a `Ruling`, and what earlier turns leave to a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from msgspec import Struct

from evalkit.records.verdict import Cause, FailReason, Outcome, cause_class
from evalkit.score.reading import AT_THE_START, StageEvent
from evalkit.score.taints import Taint

_MOST_CITED = 5
"""A stage may have hundreds of events; so many show the reader what happened."""

NOBODY = -1
"""Position of no stage."""


class Ruling(Struct, frozen=True, kw_only=True):
    """What the graph says of a stage, or of a metric that may not be asked.

    Attributes:
        outcome: pass, fail or error.
        asks: What becomes of the metrics that need the stage: judged, or an error: it ran and returned
            nothing, it was rightly not run, it is missing, or the same error as the stage's own.
        cause: Of an error.
        sub: The sub-cause that came with it.
        reason: Of a fail; also `out_of_order` of a pass, as a fact.
        message: One sentence for people.
        cites: `seq` of the events that show it.
        emptied_by: Of `upstream_empty`: position of the stage that returned nothing.
        blames: Mask of the stages whose roots are the roots of this error.
        stopped: Mask of the stage that a limit stopped, where that is the root.
        taint: The taint whose cause this is, met by the stage itself or by a need of it.
        turn: The table that says so, where there is one per user turn.
        parts: Of a metric about several turns: the rulings on its needs that it is made of.
    """

    outcome: Outcome
    asks: Literal["judged", "empty", "refused", "missing", "same"] = "same"
    cause: Cause | None = None
    sub: str | None = None
    reason: FailReason | None = None
    message: str = ""
    cites: tuple[int, ...] = ()
    emptied_by: int = NOBODY
    blames: int = 0
    stopped: int = 0
    taint: Taint | None = None
    turn: int = 0
    parts: tuple[Ruling, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether a need that did not run blocks what needs it: missing, or blocked itself."""
        return self.outcome == "fail" or self.cause == "upstream_failed"

    @property
    def unmeasured(self) -> bool:
        """Whether this is an error of the third class."""
        return self.cause is not None and cause_class(self.cause, ()) == "unmeasured"


class Earlier(Struct, frozen=True, kw_only=True):
    """What earlier turns leave to a table.

    Attributes:
        ran: Stages that ran in them: as needs, they ran.
        hollow: Those of them that never returned anything: as needs, they are empty.
        rulings: Of each stage of `ran` what is said of it as a need.
        stopped: Position of the stage at which a limit stopped the trial, where one of them told.
    """

    ran: int = 0
    hollow: int = 0
    rulings: Mapping[int, Ruling] = {}
    stopped: int = NOBODY


NOTHING_EARLIER = Earlier()
"""What the table of a whole trial, or of its first turn, comes after."""


def with_cause_of(taint: Taint, message: str) -> Ruling:
    """Return the error that a taint causes.

    Args:
        taint: The taint.
        message: What it befell.
    """
    fault = taint.fault
    told = f": {fault.message}" if fault.message else ""
    return Ruling(
        outcome="error",
        cause=cast("Cause", fault.cause),
        sub=fault.sub,
        message=f"{message} ({fault.tool or fault.where}{told})",
        cites=(fault.seq,),
        taint=taint,
    )


def cited(events: tuple[StageEvent, ...]) -> tuple[int, ...]:
    """Return what a verdict cites of a stage's events: the first few, each once."""
    shown = dict.fromkeys(event.seq for event in events if event.seq != AT_THE_START)
    return tuple(shown)[:_MOST_CITED]
