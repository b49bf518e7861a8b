"""What a check sees, and what it says: the door between the scorer and the check catalogue.

What comes in: suite, case, fact sheet. What goes out: `Finding` values; a check never raises for the agent's
sake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from evalkit.records.case import Case
from evalkit.records.fact import FactSheet
from evalkit.records.suite import Suite
from evalkit.records.verdict import Cause, Measure


class CheckView(Struct, frozen=True, kw_only=True):
    """Everything that a check may read.

    Attributes:
        suite: The loaded suite.
        case: The case.
        sheet: The facts of the trial.
        functions: The suite's own check functions, loaded, by ``file.py:name``.
        turn: User turn that the expectation is about; None is the whole trial.
    """

    suite: Suite
    case: Case
    sheet: FactSheet
    functions: Mapping[str, Callable[..., object]] = {}
    turn: int | None = None


class Finding(Struct, frozen=True, kw_only=True):
    """What a check found.

    Attributes:
        held: True, False, or None where it could not be examined (then `cause` says why).
        reason: One sentence for people: what was expected and what was there.
        cites: `seq` of the events that show it.
        cause: Why it could not be examined.
        sub: Sub-cause.
        measure: The quantity that was read, where there is one.
        absent: What was looked for is nowhere, so that nothing was there to look at: `not_` does not turn it.
        live: The evidence came from an authority or the world, not from the transcript (raises the grade).
    """

    held: bool | None
    reason: str = ""
    cites: tuple[int, ...] = ()
    cause: Cause | None = None
    sub: str | None = None
    measure: Measure | None = None
    absent: bool = False
    live: bool = False
