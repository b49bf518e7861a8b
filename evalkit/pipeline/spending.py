"""What a run may spend, and the moment from which nothing new begins because it is spent.

What comes in: a budget, the clock, events on their way to the journal. What goes out: whether it is reached,
and in which words. A budget is that of one invocation; trials that were begun end, so that it is overspent by
what runs at that moment. What a reply cost is never taken for nothing where it is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from evalkit.errors import InputError, Problem
from evalkit.records.arm import Arm
from evalkit.records.event import Event, ModelReply
from evalkit.records.ports import Clock
from evalkit.records.spent import dollars

_DUST = 1e-9  # US dollars; ten times .10 is a little less than 1.00 when it is added up

_Result = TypeVar("_Result")
_Trial = TypeVar("_Trial")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBudget:
    """What one invocation may spend.

    Attributes:
        usd: US dollars; None: no limit.
        minutes: Minutes; None: no limit.
    """

    usd: float | None = None
    minutes: float | None = None

    @property
    def flags(self) -> str:
        """The flags that say it, as they are typed; "" without a budget."""
        said = {"--budget-usd": self.usd, "--budget-minutes": self.minutes}
        return " ".join(f"{flag} {value:g}" for flag, value in said.items() if value is not None)


NO_BUDGET = RunBudget()
"""Nothing limits the run but its plan."""


def refuse_unpriced(budget: RunBudget, arms: Mapping[str, Arm]) -> None:
    """Refuse a budget of money for arms of which nobody can say what they spend.

    Args:
        budget: What may be spent.
        arms: Name -> arm.

    Raises:
        InputError: Every arm without prices, where dollars are to be counted.
    """
    unpriced = [name for name, arm in arms.items() if arm.prices is None]
    if budget.usd is not None and unpriced:
        raise InputError(tuple(_unpriced(name, budget) for name in unpriced))


def _unpriced(arm: str, budget: RunBudget) -> Problem:
    return Problem(
        message=f"arm {arm} has no prices, so that nobody can tell when a budget of dollars is spent",
        file=f"arms/{arm}.yaml",
        key="prices",
        value=f"--budget-usd {budget.usd:g}",
        suggestion="write its prices, or limit the run with --budget-minutes",
    )


class Spending:
    """What this invocation has spent, and whether more may begin."""

    def __init__(self, budget: RunBudget, clock: Clock) -> None:
        """Start with nothing spent.

        Args:
            budget: What may be spent.
            clock: Time.
        """
        self._budget = budget
        self._clock = clock
        self._began = clock.now()
        self._usd = 0.0
        self._unknown = 0
        self.ended_by = ""

    def watching(self, sink: Callable[[Event], _Result]) -> Callable[[Event], _Result]:
        """Return a sink that counts what passes; the same one where no money is to be counted.

        Args:
            sink: Where events go.
        """
        if self._budget.usd is None:
            return sink

        def watch(event: Event) -> _Result:
            result = sink(event)
            if isinstance(event.body, ModelReply):
                self._count(event.body)
            return result

        return watch

    def within(self, trials: Iterable[_Trial]) -> Iterator[_Trial]:
        """Yield trials to begin until the budget is reached; then `ended_by` says why, if one was left.

        Args:
            trials: In the order in which they are to begin.
        """
        for trial in trials:
            self.ended_by = self._reached()
            if self.ended_by:
                return
            yield trial

    def told(self, closed: int, owed: int) -> str:
        """Return what ended the run before its last trial, "" where the budget did not.

        Args:
            closed: Trials that this invocation ran to their end.
            owed: Trials that it was to run.
        """
        return f"{self.ended_by} after {closed} of {owed} trials" if self.ended_by else ""

    def line(self) -> str:
        """Return what is spent of what may be, for the progress line; "" without a budget."""
        parts = []
        if self._budget.usd is not None:
            parts.append(f"{self._usd:.2f} of {dollars(self._budget.usd)}")
        if self._budget.minutes is not None:
            parts.append(f"{self._minutes:.1f} of {self._budget.minutes:g} min")
        return f"; spent {', '.join(parts)}" if parts else ""

    @property
    def _minutes(self) -> float:
        return (self._clock.now() - self._began) / 60.0

    def _count(self, reply: ModelReply) -> None:
        if reply.usage is None or reply.usage.cost_usd is None:
            self._unknown += 1
        else:
            self._usd += reply.usage.cost_usd

    def _reached(self) -> str:
        usd, minutes = self._budget.usd, self._budget.minutes
        if usd is not None and self._unknown:
            return f"a reply of unknown cost under a budget of {dollars(usd)}"
        if usd is not None and self._usd >= usd - _DUST:
            return f"budget of {dollars(usd)} reached"
        if minutes is not None and self._minutes >= minutes:
            return f"budget of {minutes:g} min reached"
        return ""
