"""Faults of effects: calls that happen twice, never, later, or on a state that is gone.

What comes in: a call, and a fixture that lets the tool be asked. What goes out: `ToolReturned`, and effects
that are still to come. What must leave nothing behind runs on a copy of the trial's database.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from msgspec import Struct, structs

from evalkit.records.case import FaultKind, Fixture
from evalkit.records.event import Timing, ToolReturned
from evalkit.world.calling import Call, Calling
from evalkit.world.trial_database import TrialDatabase


class Places(Struct, frozen=True, kw_only=True):
    """Where a call can run.

    Attributes:
        here: In the trial's own world.
        on: Makes what calls on another database.
        copied: A copy of the trial's database as it is now.
        started: A database in the case's start state.
    """

    here: Calling
    on: Callable[[TrialDatabase], Calling]
    copied: Callable[[], TrialDatabase]
    started: Callable[[], TrialDatabase]

    async def aside(self, call: Call, made: Callable[[], TrialDatabase]) -> ToolReturned:
        """Run a call on a database that is thrown away.

        Args:
            call: The call.
            made: Makes the database.
        """
        database = made()
        try:
            return await self.on(database)(call)
        finally:
            database.close()


@dataclass(slots=True)
class Effects:
    """What becomes of the effects of one trial's calls, and the time of its world.

    Attributes:
        places: Where calls run.
        sleep: How time passes; returns when it has.
    """

    places: Places
    sleep: Callable[[float], Awaitable[None]]
    _now: float = 0.0
    _coming: list[tuple[float, Call]] = field(default_factory=list)

    async def wait(self, seconds: float) -> None:
        """Let time pass; effects that are due by then happen, the earliest first.

        Args:
            seconds: How long.
        """
        await self.sleep(seconds)
        self._now += seconds
        due = [one for one in self._coming if one[0] <= self._now]
        self._coming = [one for one in self._coming if one[0] > self._now]
        for _, call in sorted(due, key=lambda one: one[0]):
            await self.places.here(call)

    def later(self, call: Call, seconds: float) -> None:
        """Make a call when some time has passed.

        Args:
            call: The call.
            seconds: How long from now.
        """
        self._coming.append((self._now + seconds, call))

    async def of(self, call: str, tool: str, fixture: Fixture, own: Call | None) -> ToolReturned:
        """Return how a call ends that is answered, by its tool or by a pinned result, whatever befalls it.

        Args:
            call: Id of the call.
            tool: The tool.
            fixture: What the case says of it.
            own: The call for the tool itself; None where it cannot stand alone.
        """
        if own is None or fixture.is_pinned or fixture.fault is None:
            answered = ToolReturned(id=call, tool=tool, status="ok", value=fixture.returns)
        else:
            answered = await self._ran(own, fixture.fault)
        then = _THEN.get(fixture.fault or "")
        return answered if then is None else await then(_Met(answered, fixture, own, self))

    async def _ran(self, own: Call, fault: FaultKind) -> ToolReturned:
        if fault == "stale":
            return await self.places.aside(own, self.places.started)
        if fault in ("lie", "delayed_persistence"):
            return await self.places.aside(own, self.places.copied)
        return await self.places.here(own)


@dataclass(frozen=True, slots=True)
class _Met:
    """An answer that met a fault."""

    answered: ToolReturned
    fixture: Fixture
    own: Call | None
    effects: Effects

    @property
    def worked(self) -> bool:
        """The tool said yes."""
        return self.answered.status == "ok"

    @property
    def marked(self) -> ToolReturned:
        """The answer with the fault's name on it, where the tool said yes or no."""
        if self.answered.status not in ("ok", "refused"):
            return self.answered
        return structs.replace(self.answered, fault=self.fixture.fault, declared=True)

    @property
    def seconds(self) -> float:
        """How long the fault takes."""
        return self.fixture.seconds or 0.0


async def _stale(met: _Met) -> ToolReturned:
    return met.marked


async def _lied(met: _Met) -> ToolReturned:
    return structs.replace(met.marked, effect=False) if met.worked else met.answered


async def _delayed(met: _Met) -> ToolReturned:
    if not met.worked:
        return met.answered
    if met.own is not None:
        met.effects.later(met.own, met.seconds)
    return structs.replace(met.marked, effect=met.own is not None)


async def _twice(met: _Met) -> ToolReturned:
    """Make the call again where it did something; what it is answered then, nobody hears."""
    if not met.worked:
        return met.answered
    if met.own is not None:
        await met.effects.places.here(met.own)
    return met.marked


async def _slowly(met: _Met) -> ToolReturned:
    """Let the answer take its seconds: the tool is at work, and the trial's limit counts it."""
    marked = met.marked
    if not marked.declared:
        return marked
    await met.effects.wait(met.seconds)
    timing = marked.timing or Timing()
    return structs.replace(marked, timing=structs.replace(timing, tool=timing.tool + met.seconds))


# Fault -> what becomes of an answer and of its effect.
_THEN: dict[str, Callable[[_Met], Awaitable[ToolReturned]]] = {
    "stale": _stale,
    "lie": _lied,
    "delayed_persistence": _delayed,
    "duplicate": _twice,
    "slow": _slowly,
}
