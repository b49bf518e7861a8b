"""The world of one trial: its tools, its database, its pinned answers.

What comes in: calls with effective arguments, probes. What goes out: `ToolReturned` for every call, whatever
becomes of it, and `ProbeAnswer`s. Whether a tool or a fixture answers a call is decided by the object that
the session was made with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from difflib import get_close_matches

from msgspec import Struct

from evalkit.errors import SuiteFault
from evalkit.records.case import Fixture
from evalkit.records.event import ToolReturned
from evalkit.records.probe import Probe, ProbeAnswer
from evalkit.records.suite import ToolSpec
from evalkit.records.written import Json
from evalkit.world.calling import Call, broken, missing
from evalkit.world.effects import Effects
from evalkit.world.faults import after, instead
from evalkit.world.fixtures import Answers
from evalkit.world.signature import InvalidArguments
from evalkit.world.tools import Tool
from evalkit.world.trial_database import TrialDatabase

_SHOWN = 100  # characters of an unknown tool's name


class Equipment(Struct, frozen=True, kw_only=True):
    """What a session is made of.

    Attributes:
        tools: Name -> tool.
        pinned: Tools that have no function, only fixtures.
        stands: Whether tools can answer for themselves.
        answers: Who answers a call.
        effects: Calls tools that answer for themselves, and lets time pass.
        database: The trial's database, or None.
    """

    tools: Mapping[str, Tool]
    pinned: Mapping[str, ToolSpec]
    stands: bool
    answers: Answers
    effects: Effects
    database: TrialDatabase | None


class TrialSession:
    """Implements `ports.Session` over tools, fixtures and a database."""

    def __init__(self, equipment: Equipment) -> None:
        """Take what the session is made of."""
        self._with = equipment
        self._specs = {name: tool.spec for name, tool in equipment.tools.items()} | dict(equipment.pinned)

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools that the agent may see: the suite's own in their order, then the pinned ones."""
        return tuple(self._specs.values())

    async def call(self, call: str, tool: str, args: dict[str, Json]) -> ToolReturned:
        """Run one tool call.

        Args:
            call: Id of the call.
            tool: The tool's name as the model wrote it.
            args: Effective arguments.

        Returns:
            How it ended; what suite code raises is an outcome, too.
        """
        if tool not in self._specs:
            return ToolReturned(
                id=call, tool=tool, status="unknown", message=unknown(tool, tuple(self._specs))
            )
        try:
            return await self._answered(call, tool, args)
        except InvalidArguments as error:
            message = f"{tool} was not called: {error}. Correct the arguments and call it again."
            return ToolReturned(id=call, tool=tool, status="invalid", message=message)
        except SuiteFault as error:
            return broken(call, tool, str(error))

    async def probe(self, probe: Probe) -> ProbeAnswer:
        """Answer one question about the state.

        Args:
            probe: One SELECT and its values.
        """
        database = self._with.database
        if database is None:
            return ProbeAnswer(cause="broken_case", message="there is no database to ask (world.database)")
        if not probe.stated:
            return database.probe(probe)
        async with database.alone:
            return await asyncio.to_thread(database.probe, probe)

    async def wait(self, seconds: float) -> None:
        """Let time pass in this world.

        Args:
            seconds: How long; a pinned world is there at once.
        """
        await self._with.effects.wait(seconds)

    async def close(self) -> None:
        """Give the database back; closing twice is harmless."""
        if self._with.database is not None:
            self._with.database.close()

    async def _answered(self, call: str, tool: str, args: dict[str, Json]) -> ToolReturned:
        own = self._own(call, tool, args)
        answer = self._with.answers(tool, args)
        if isinstance(answer, Fixture):
            return await self._pinned(call, tool, answer, own)
        if answer == "missing" or own is None:
            return missing(call, tool)
        return await self._with.effects.places.here(own)

    def _own(self, call: str, tool: str, args: dict[str, Json]) -> Call | None:
        """Return the call for the tool itself, arguments checked; None where the tool cannot stand alone."""
        known = self._with.tools.get(tool)
        if known is None:
            return None
        checked = known.signature.check(args)
        return Call(id=call, tool=known, args=args, checked=checked) if self._with.stands else None

    async def _pinned(self, call: str, tool: str, fixture: Fixture, own: Call | None) -> ToolReturned:
        if fixture.error is not None:
            return ToolReturned(id=call, tool=tool, status="refused", message=fixture.error)
        told = instead(call, tool, fixture)
        if told is not None:
            return told
        return after(await self._with.effects.of(call, tool, fixture, own), fixture)


def unknown(tool: str, known: tuple[str, ...]) -> str:
    """Return what a model is told that calls a tool which does not exist.

    Args:
        tool: The name that it wrote.
        known: The tools that exist.
    """
    near = get_close_matches(tool, known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"There is no tool {tool[:_SHOWN]!r}.{hint} The tools are: {', '.join(known) or 'none'}."
