"""The real world: tools answer for themselves, and fixtures are ignored.

What comes in: a suite's tools and template. What goes out: sessions in which every tool answers for itself,
on state that is the trial's own.
"""

from __future__ import annotations

from evalkit.records.case import Case
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Session
from evalkit.world.fixtures import itself
from evalkit.world.ground import Ground


class RealWorld:
    """Implements `ports.World` for real mode."""

    def __init__(self, ground: Ground) -> None:
        """Stand on a ground of its own."""
        self._ground = ground

    async def open(self, case: Case, trial: PlannedTrial) -> Session:  # noqa: ARG002 - the shape of the seam
        """Return a fresh session with the case's start state.

        Args:
            case: The case.
            trial: The planned trial.

        Raises:
            SuiteBug: The case's start state cannot be made.
        """
        return self._ground.session(case, itself, stands=True, pinned={}, sleep=self._ground.clock.sleep)

    async def close(self) -> None:
        """Shut the world down.

        Raises:
            SuiteBug: A trial touched the template.
        """
        self._ground.close()
