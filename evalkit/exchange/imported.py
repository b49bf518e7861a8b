"""What every reader of a foreign format gives back.

What comes in: what a reader found. What goes out: `Imported`: a suite, a plan's size, events on demand, and
what the source does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalkit.records.event import Event
from evalkit.records.plan import PlannedTrial
from evalkit.records.suite import Suite
from evalkit.records.written import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Somebody else's recorded trials, checked whole before anything is written.

    Attributes:
        suite: The suite that the source amounts to; a function of its tasks alone, so that two recordings of
            the same tasks can be compared.
        arms: Arm name -> what the source tells of the arm.
        trials: Trials per case, at least 1.
        losses: What the source does not tell, one sentence each.
        figures: The authors' own figures by name, and why they differ from evalkit's.
        events: The events of one planned trial, made anew at each call; a trial that the source does not hold
            gives a trace that observes nothing.
        pass_at: The k for which the authors give pass@k, so that ours can stand beside it.
    """

    suite: Suite
    arms: dict[str, Json]
    trials: int
    losses: tuple[str, ...]
    figures: dict[str, Json]
    events: Callable[[PlannedTrial], Iterator[Event]]
    pass_at: tuple[int, ...] = ()
