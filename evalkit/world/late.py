"""Cuts work that takes too long, and costs nothing where the work never waits.

What comes in: work, and the seconds that it may take. What goes out: what it returned, or `Late`.

A timer costs more than a scripted reply takes. Work is begun without one; only if it waits for something does
it get the timer, and that one counts from the beginning.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Generator
from typing import Any, TypeVar

_T = TypeVar("_T")

# All that a task of asyncio throws into what it runs: a cut, and what it says of a wrong thing to wait for.
_THROWN = (asyncio.CancelledError, RuntimeError)


class Late(TimeoutError):
    """The time ran out, and the work was cut."""


async def within(seconds: float, work: Awaitable[_T]) -> _T:
    """Await some work for so long and no longer.

    Args:
        seconds: How long, from now on. Work that does not wait cannot be cut.
        work: A coroutine or the like that nobody has awaited; it stays in the task of its caller.

    Returns:
        What it returns.

    Raises:
        Late: It was still at work.
    """
    began = time.monotonic()
    result: _T
    steps = work.__await__()
    try:
        waits = next(steps)
    except StopIteration as ended:
        result = ended.value
        return result
    cut = asyncio.timeout(began + seconds - time.monotonic())
    try:
        async with cut:
            result = await _Resumed(steps, waits)
            return result
    except TimeoutError:
        if cut.expired():
            raise Late(f"it took longer than {seconds:g} s") from None
        raise


class _Resumed:
    """Work that has begun to wait: what it waits for goes out first, then all goes on as it would have."""

    __slots__ = ("_steps", "_waits")

    def __init__(self, steps: Generator[Any, Any, Any], waits: object) -> None:
        self._steps = steps
        self._waits = waits

    def __await__(self) -> Generator[Any, Any, Any]:
        steps, waits = self._steps, self._waits
        while True:
            try:
                yield waits
            except _THROWN as error:
                try:
                    waits = steps.throw(error)
                except StopIteration as ended:
                    return ended.value
            else:
                return (yield from steps)
