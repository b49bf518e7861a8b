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
    steps = work.__await__()
    try:
        waits = next(steps)
    except StopIteration as ended:
        result: _T = ended.value
        return result
    cut = asyncio.timeout(began + seconds - time.monotonic())
    try:
        async with cut:
            return await _Resumed(steps, waits)
    except TimeoutError:
        if cut.expired():
            raise Late from None
        raise


class _Resumed(Generator[Any, Any, _T]):
    """Work that has begun to wait: what it waits for goes out first, then all goes on as it would have."""

    __slots__ = ("_first", "_steps")

    def __init__(self, steps: Generator[Any, Any, _T], waits: object) -> None:
        self._steps = steps
        self._first = [waits]

    def __await__(self) -> Generator[Any, Any, _T]:
        return self

    def send(self, came: Any, /) -> Any:
        return self._first.pop() if self._first else self._steps.send(came)

    def throw(self, *what: Any) -> Any:
        return self._steps.throw(*what)

    def close(self) -> None:
        self._steps.close()
