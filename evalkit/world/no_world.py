"""The world of suites that have none: text in, text out.

What comes in: nothing. What goes out: a session without tools, that costs nothing to open.
"""

from __future__ import annotations

from evalkit.errors import SuiteBug
from evalkit.records.case import Case
from evalkit.records.event import ToolReturned
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Session
from evalkit.records.probe import Probe, ProbeAnswer
from evalkit.records.suite import ToolSpec
from evalkit.records.written import Json


class NoWorld:
    """Implements `ports.World` for suites without tools and database."""

    async def open(self, case: Case, trial: PlannedTrial) -> Session:  # noqa: ARG002 - the shape of the seam
        """Return a session without state.

        Args:
            case: The case.
            trial: The planned trial.

        Raises:
            SuiteBug: The case has a start state.
        """
        if case.start.statements:
            raise SuiteBug(f"case {case.id} has a start state, and the suite no database (world.database)")
        return NoSession()

    async def close(self) -> None:
        """Do nothing: there is nothing to shut down."""


class NoSession:
    """Implements `ports.Session` where there is nothing to act on."""

    __slots__ = ()

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """No tools."""
        return ()

    async def call(self, call: str, tool: str, args: dict[str, Json]) -> ToolReturned:  # noqa: ARG002 - the seam
        """Answer that there is no such tool.

        Args:
            call: Id of the call.
            tool: The tool's name as the model wrote it.
            args: Effective arguments.
        """
        return ToolReturned(
            id=call, tool=tool, status="unknown", message="There are no tools; answer directly."
        )

    async def probe(self, probe: Probe) -> ProbeAnswer:  # noqa: ARG002 - the shape of the seam
        """Answer that there is nothing to ask.

        Args:
            probe: One SELECT and its values.
        """
        return ProbeAnswer(cause="broken_case", message="there is no database to ask (world.database)")

    async def wait(self, seconds: float) -> None:
        """Do nothing: there is nothing that could happen.

        Args:
            seconds: How long.
        """

    async def close(self) -> None:
        """Do nothing: there is nothing to give back."""
