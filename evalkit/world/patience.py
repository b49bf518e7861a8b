"""How long a trial waits for a dependency that broke, below the agent.

What comes in: `DependencyError`s of tools, a clock, the waiting time that all trials of a run share. What
goes out: whether to ask once more, after the wait.
"""

from __future__ import annotations

from evalkit.errors import DependencyError
from evalkit.records.ports import Budget, Clock

RETRIES = 2
"""How often a dependency is asked again."""

FIRST_WAIT = 1.0
"""Seconds before the first retry; each later wait doubles. Retry-After can only lengthen a wait."""

TRIAL_SECONDS = 60.0
"""Seconds that the tools of one trial may wait in all."""


class Patience:
    """The waits of one trial's tools."""

    __slots__ = ("_clock", "_left", "_shared")

    def __init__(self, clock: Clock, shared: Budget) -> None:
        """Start a trial.

        Args:
            clock: Where waiting is done.
            shared: Seconds that all trials of the run may wait together.
        """
        self._clock = clock
        self._shared = shared
        self._left = TRIAL_SECONDS

    async def wait(self, error: DependencyError, tries: int) -> float | None:
        """Wait before asking again.

        Args:
            error: How the dependency broke.
            tries: How often it was asked, at least 1.

        Returns:
            The seconds that were waited, or None where asking again is of no use or the time is used up.
        """
        seconds = max(FIRST_WAIT * 2.0 ** (tries - 1), error.retry_after or 0.0)
        if tries > RETRIES or not error.passes or seconds > self._left or not self._shared.spend(seconds):
            return None
        self._left -= seconds
        await self._clock.sleep(seconds)
        return seconds
