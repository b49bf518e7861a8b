"""Clocks of the world."""

import asyncio
import datetime as dt

import pytest

from evalkit.world.clock import ManualClock, SystemClock


def test_a_manual_clock_moves_when_somebody_waits() -> None:
    """A wait takes no time, moves the clock by what was asked for, and is on record."""
    clock = ManualClock(10.0)
    asyncio.run(clock.sleep(2.5))
    assert 12.5 == clock.now()
    assert [2.5] == clock.slept
    assert "2026-01-01T00:00:12.500Z" == clock.wall()


def test_a_manual_clock_never_goes_back() -> None:
    """A negative step is refused."""
    with pytest.raises(ValueError, match="never goes back"):
        ManualClock().advance(-1)


def test_the_system_clock_tells_utc() -> None:
    """Time of day says that it is UTC, and `now` does not go back."""
    clock = SystemClock()
    before = clock.now()
    asyncio.run(clock.sleep(0))
    assert clock.now() >= before
    assert clock.wall().endswith("Z")


def test_the_system_clock_tells_the_time_of_day() -> None:
    """Every time that is told lies between two that Python tells, also when a second is over."""
    clock = SystemClock()
    for _ in range(3):
        before, told, after = dt.datetime.now(dt.UTC), clock.wall(), dt.datetime.now(dt.UTC)
        millisecond = dt.timedelta(milliseconds=1)
        assert before - millisecond <= dt.datetime.fromisoformat(told) <= after
        assert len("2026-01-01T00:00:00.000Z") == len(told)
        asyncio.run(clock.sleep(0.6))
