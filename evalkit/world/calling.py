"""Lets a tool answer for itself, and asks again below the agent where a dependency broke.

What comes in: a tool, checked arguments. What goes out: `ToolReturned`, with the number of tries and with
working told from waiting. A tool worked while it made its answer; the time of an attempt that broke, and the
wait after it, are evalkit's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from msgspec import Struct, structs

from evalkit.errors import DependencyError, FixtureMissing, SuiteFault, ToolRefusal
from evalkit.records.event import Timing, ToolReturned
from evalkit.records.ports import Clock
from evalkit.records.written import Json
from evalkit.world.handle import StatementError, StatementTimeout
from evalkit.world.patience import Patience
from evalkit.world.tools import Tool, ToolTimeout, run
from evalkit.world.trial_database import TrialDatabase

_UNREACHED = (
    "The tool could not be reached ({reason}). It may or may not have acted; look before you call again."
)
_BROKEN = (
    "The tool broke while it ran ({reason}). Calling it again will not help: go on without it, or say so."
)
_SQL = "The statement was refused: {reason}. Correct it and call again."


class Call(Struct, frozen=True, kw_only=True):
    """One call of a tool that exists.

    Attributes:
        id: Id of the call.
        tool: The tool.
        args: The arguments as they were given.
        checked: The same as the function takes them.
    """

    id: str
    tool: Tool
    args: Mapping[str, Json]
    checked: Mapping[str, object]

    def ended(self, error: SuiteFault) -> ToolReturned:
        """Return how the call ended by what its tool raised.

        SQL that stands in the call's own arguments is the agent's to mend; all other SQL is the suite's.
        """
        if isinstance(error, ToolRefusal):
            return ToolReturned(id=self.id, tool=self.name, status="refused", message=error.reason)
        if isinstance(error, StatementError) and self._wrote(error.sql):
            told = _SQL.format(reason=error.reason)
            return ToolReturned(id=self.id, tool=self.name, status="refused", message=told)
        if isinstance(error, StatementTimeout):
            return self._fault(DependencyError(message=error.reason))
        if isinstance(error, DependencyError):
            return self._fault(error)
        if isinstance(error, FixtureMissing):
            return missing(self.id, self.name, str(error))
        return broken(self.id, self.name, str(error))

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.spec.name

    def _fault(self, error: DependencyError) -> ToolReturned:
        message = _UNREACHED.format(reason=error)
        return ToolReturned(
            id=self.id, tool=self.name, status="fault", message=message, cause="environment", sub=error.sub
        )

    def _wrote(self, sql: str) -> bool:
        texts = [value for value in self.args.values() if isinstance(value, str)]
        return bool(sql.strip()) and any(sql.strip() in text for text in texts)


class Calling:
    """The calls of one trial to tools that answer for themselves."""

    __slots__ = ("_clock", "_database", "_in_turn", "_patience")

    def __init__(self, clock: Clock, patience: Patience, database: TrialDatabase | None) -> None:
        """Call on a database, in a patience."""
        self._clock = clock
        self._patience = patience
        self._database = database
        self._in_turn = asyncio.Lock()  # a trial's database serves one call at a time

    async def __call__(self, call: Call) -> ToolReturned:
        """Return how a call ended, after retries.

        Args:
            call: The call.
        """
        tries, waited = 0, 0.0
        while True:
            tries += 1
            came = self._clock.now()
            if call.tool.signature.takes_database:
                async with self._in_turn:
                    began = self._clock.now()
                    outcome, broke = await self._once(call)
            else:
                began = came
                outcome, broke = await self._once(call)
            took = self._clock.now() - began
            waited += began - came
            pause = await self._patience.wait(broke, tries) if broke and _may_repeat(call, broke) else None
            if pause is None:
                return structs.replace(outcome, tries=tries, timing=_timing(outcome, took, waited))
            waited += took + pause

    async def _once(self, call: Call) -> tuple[ToolReturned, DependencyError | None]:
        try:
            value = await self._value(call)
        except SuiteFault as error:
            return call.ended(error), error if isinstance(error, DependencyError) else None
        return ToolReturned(id=call.id, tool=call.name, status="ok", value=value), None

    async def _value(self, call: Call) -> Json:
        seconds = call.tool.spec.timeout
        began = self._clock.now()
        if self._database is not None and call.tool.signature.takes_database:
            value = await self._on(self._database, call)
        else:
            value = await run(call.tool, call.checked, None)
        # A tool in the event loop that does not wait cannot be cut; its answer comes too late all the same.
        if self._clock.now() - began > seconds:
            raise ToolTimeout(message=f"{call.name} took longer than {seconds:g} s")
        return value

    async def _on(self, database: TrialDatabase, call: Call) -> Json:
        """Run a tool on the database, which is out of its reach when this returns, also where it runs on."""
        seconds = call.tool.spec.timeout
        try:
            return await run(call.tool, call.checked, database.handle(seconds))
        except ToolTimeout as error:
            sql = database.end_call()
            if sql:
                raise StatementTimeout(f"ran longer than {seconds:g} s and was stopped", sql) from error
            raise
        finally:
            database.end_call()


def broken(call: str, tool: str, reason: str) -> ToolReturned:
    """Return the outcome of a fault of the suite: never the agent's failure.

    Args:
        call: Id of the call.
        tool: The tool.
        reason: What is wrong.
    """
    told = _BROKEN.format(reason=reason)
    return ToolReturned(id=call, tool=tool, status="broken", message=told, cause="broken_case")


def missing(call: str, tool: str, reason: str = "") -> ToolReturned:
    """Return the outcome of a call that nothing answers.

    Args:
        call: Id of the call.
        tool: The tool.
        reason: What is wrong; "" says which fixture to record.
    """
    told = reason or f"no fixture answers this call of {tool}: record one under `mock`, or close its list"
    return ToolReturned(id=call, tool=tool, status="missing", message=told, cause="fixture_missing")


def _timing(outcome: ToolReturned, took: float, waited: float) -> Timing:
    """Return what the last attempt and those before it took; only one that answered was the tool at work."""
    answered = outcome.status in {"ok", "refused"}
    return Timing(queue=waited, tool=took) if answered else Timing(queue=waited + took)


def _may_repeat(call: Call, error: DependencyError) -> bool:
    """Tell whether a call may be made again: one that was cut may have acted already."""
    return not isinstance(error, ToolTimeout) or call.tool.spec.effect == "read"
