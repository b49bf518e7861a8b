"""What a companion metric counted, and what stands in the place of a count.

What comes in: counts. What goes out: `Counted`, or a `Finding` that says why there is none.
"""

from __future__ import annotations

from msgspec import Struct

from evalkit.records.verdict import Cause
from evalkit.score.checks.seen import ending, unobserved
from evalkit.score.finding import CheckView, Finding


class Counted(Struct, frozen=True):
    """A figure: its value and unit, over how many, in words, and the events that show it."""

    value: float
    unit: str
    n: int
    told: str
    cites: tuple[int, ...] = ()


def nothing_asked(reason: str, cause: Cause = "not_required") -> Finding:
    """Return that there was nothing to count.

    Args:
        reason: For people.
        cause: Whether nothing was asked, or it does not show.
    """
    return Finding(held=None, cause=cause, reason=reason)


def absent(reason: str, view: CheckView) -> Finding:
    """Return that what the case requires is nowhere.

    Args:
        reason: For people.
        view: What may be read.
    """
    return Finding(held=False, reason=reason, cites=ending(view), absent=True)


def no_reply(view: CheckView) -> Finding:
    """Return that there was no reply, or that it would not show.

    Args:
        view: What may be read.
    """
    return unobserved(view, "replies") or absent("there was no reply", view)
