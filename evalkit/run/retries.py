"""Retries: of a dependency that broke, below the agent; and of whole trials, after the run.

What comes in: attempts that may raise `DependencyError`; verdicts of a stored run. What goes out: the
first success, or the last error once retries or their budgets are used up; the trials that may be
attempted again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

from msgspec import Struct

from evalkit.errors import DependencyError
from evalkit.records.ports import Budget, Clock
from evalkit.records.verdict import Verdict

_T = TypeVar("_T")

TRIAL_SECONDS: Final = 60.0
"""Seconds that one trial may wait for its dependencies in all."""
RUN_SECONDS: Final = 600.0
"""Seconds that all trials of a run may wait together: a dependency that is down must not cost a night."""


class RetryBudget:
    """A budget of waiting time, shared by all who may spend it; also with the world, for its tools."""

    __slots__ = ("left",)

    def __init__(self, seconds: float = RUN_SECONDS) -> None:
        """Start with so many seconds."""
        self.left = seconds

    def spend(self, seconds: float) -> bool:
        """Take seconds out; False, and nothing taken, where they are not there.

        >>> budget = RetryBudget(10.0)
        >>> budget.spend(7.0), budget.spend(7.0), budget.left
        (True, False, 3.0)
        """
        if seconds > self.left:
            return False
        self.left -= seconds
        return True


class RetryPolicy(Struct, frozen=True, kw_only=True):
    """How often and how patiently a dependency is asked again.

    Attributes:
        retries: Attempts after the first.
        first_wait: Seconds before the first retry; each later wait doubles. `Retry-After` can only
        lengthen a wait. trial_seconds: Seconds that one trial may wait in all.
    """

    retries: int = 2
    first_wait: float = 1.0
    trial_seconds: float = TRIAL_SECONDS

    def wait(self, retry: int, error: DependencyError) -> float:
        """Return the seconds to wait before a retry.

        Args:
            retry: Its number, from 0.
            error: What the attempt before it raised.

        >>> RetryPolicy().wait(1, DependencyError(503)), RetryPolicy().wait(0, DependencyError(429, 5.0))
        (2.0, 5.0)
        """
        return max(self.first_wait * 2.0**retry, error.retry_after or 0.0)


class Retries:
    """The retries of one trial; calling it implements `agent.loop.Retry`."""

    __slots__ = ("_clock", "_policy", "_run", "_trial")

    def __init__(self, policy: RetryPolicy, run: Budget, clock: Clock) -> None:
        """Start a trial with its own budget.

        Args:
            policy: How often and how patiently.
            run: The budget that all trials of the run share.
            clock: Where the waiting is done.
        """
        self._policy = policy
        self._run = run
        self._trial = RetryBudget(policy.trial_seconds)
        self._clock = clock

    async def __call__(self, attempt: Callable[[], Awaitable[_T]]) -> _T:
        """Return what the first attempt that succeeds returns.

        Args:
            attempt: Asks the dependency once; called again for every retry.

        Raises:
            DependencyError: What the last attempt raised; also where waiting on would go beyond a budget.
        """
        for retry in range(self._policy.retries):
            try:
                return await attempt()
            except DependencyError as error:
                wait = self._policy.wait(retry, error)
                if not (error.passes and self._afford(wait)):
                    raise
            await self._clock.sleep(wait)
        return await attempt()

    def _afford(self, seconds: float) -> bool:
        if self._trial.left < seconds or not self._run.spend(seconds):
            return False
        return self._trial.spend(seconds)


def next_attempts(verdicts: Iterable[Verdict], deciding: str) -> dict[int, int]:
    """Return the trials that may be attempted again: those of which nothing that decides was measured.

    A trial that passed or failed is never run again, whatever else of it is unmeasured: a second draw of
    a result that somebody did not like is no measurement. Explained errors are the agent's own and count
    as measured.

    Args:
        verdicts: Verdicts of the last attempt of every trial, metrics and stages, in any order.
        deciding: Name of the deciding primary.

    Returns:
        Plan index -> number of the next attempt.
    """
    return {
        verdict.index: verdict.attempt + 1
        for verdict in verdicts
        if verdict.of == "metric" and verdict.name == deciding and verdict.cause_class == "unmeasured"
    }
