"""The pinned world: answers that a case pins, and tools on a database that starts the same every time.

What comes in: a suite's tools and template. What goes out: sessions in which fixtures answer first.
"""

from __future__ import annotations

from evalkit.records.case import Case
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Session
from evalkit.records.suite import ToolSpec
from evalkit.world.fixtures import Pins
from evalkit.world.ground import Ground


class PinnedWorld:
    """Implements `ports.World` for mock mode.

    A tool answers by itself on the pinned database unless a fixture overrides it. In a suite without a
    database nothing is pinned but fixtures, and a call that none of them answers is `missing`.
    """

    def __init__(self, ground: Ground) -> None:
        """Stand on a ground of its own."""
        self._ground = ground

    async def open(self, case: Case, trial: PlannedTrial) -> Session:  # noqa: ARG002 - the shape of the seam
        """Return a fresh session; how often a fixture has answered starts at zero.

        Args:
            case: The case, with its fixtures.
            trial: The planned trial.

        Raises:
            SuiteBug: The case's start state cannot be made.
        """
        own = self._ground.tools
        pinned = {
            name: ToolSpec(name=name, parameters={"type": "object"}) for name in case.mock if name not in own
        }
        stands = self._ground.template is not None
        pins = Pins(case.mock)
        return self._ground.session(case, pins, stands=stands, pinned=pinned, sleep=at_once)

    async def close(self) -> None:
        """Shut the world down.

        Raises:
            SuiteBug: A trial touched the template.
        """
        self._ground.close()


async def at_once(seconds: float) -> None:
    """Let time pass without waiting: what a pinned world does in it, it does at once.

    Args:
        seconds: How long.
    """
