"""The clock of a real run; tests bring their own.

What comes in: the machine's time. What goes out: `ports.Clock`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import time


class SystemClock:
    """Time as the machine tells it; implements `ports.Clock`."""

    def now(self) -> float:
        """Return seconds on a clock that never goes back."""
        return time.monotonic()

    def wall(self) -> str:
        """Return the time of day, ISO 8601, UTC, to the millisecond."""
        return dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
