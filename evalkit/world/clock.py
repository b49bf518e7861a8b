"""Clocks: the machine's own, and one that moves only when it is told to.

What comes in: nothing. What goes out: objects that implement `ports.Clock`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import time

_EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # any day will do; a manual clock starts there


def _text(time_of_day: dt.datetime) -> str:
    return time_of_day.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class SystemClock:
    """The clock of the machine."""

    __slots__ = ("_second",)

    def __init__(self) -> None:
        """Start with no second written out."""
        self._second = (0, "1970-01-01T00:00:00")

    # The function itself: a trial asks a dozen times.
    now = staticmethod(time.monotonic)

    def wall(self) -> str:
        """Return the time of day, ISO 8601, UTC, to the millisecond."""
        second, rest = divmod(time.time_ns() // 1_000_000, 1000)
        known, text = self._second
        if known != second:  # thousands of trials may begin in one second, and to write it out takes longest
            text = dt.datetime.fromtimestamp(second, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")
            self._second = (second, text)
        return f"{text}.{rest:03d}Z"

    async def sleep(self, seconds: float) -> None:
        """Wait.

        Args:
            seconds: How long; 0 gives way to others once.
        """
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock for tests: a wait takes no time and moves the clock.

    Attributes:
        slept: Every wait that was asked for, in order, seconds.
    """

    def __init__(self, start: float = 0.0) -> None:
        """Start at `start` seconds."""
        self._now = start
        self.slept: list[float] = []

    def now(self) -> float:
        """Return the seconds that the clock was moved to."""
        return self._now

    def wall(self) -> str:
        """Return a time of day that moves with `now`, ISO 8601, UTC, to the millisecond."""
        return _text(_EPOCH + dt.timedelta(seconds=self._now))

    def advance(self, seconds: float) -> None:
        """Move the clock forward.

        Args:
            seconds: By how much, at least 0.
        """
        if seconds < 0:
            raise ValueError(f"a clock never goes back, not by {seconds} s")
        self._now += seconds

    async def sleep(self, seconds: float) -> None:
        """Move the clock and give way to others once.

        Args:
            seconds: By how much, at least 0.
        """
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)
