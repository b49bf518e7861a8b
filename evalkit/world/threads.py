"""Runs a function that does not wait in a thread of its own, so that others go on and its answer is in time.

What comes in: a function that raises nothing, the seconds that it may take. What goes out: what it returned,
or that it is still at work. A thread cannot be ended: one that is late runs on, its answer is dropped, and no
process waits for it.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")


async def in_thread(name: str, function: Callable[[], _T], seconds: float) -> _T | None:
    """Run a function beside the event loop.

    Args:
        name: Of the thread, for people who look at a process.
        function: Raises nothing; what it shares with others bears threads.
        seconds: How long it is waited for.

    Returns:
        What it returned, which is not None; None where it is still at work.

    Raises:
        RuntimeError: The machine has no thread to give.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[_T] = loop.create_future()

    def work() -> None:
        found = function()
        with suppress(RuntimeError):  # the run is over, and its loop is closed
            loop.call_soon_threadsafe(ended.set_result, found)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name=name, daemon=True).start()
    done, _ = await asyncio.wait({ended}, timeout=seconds)
    return ended.result() if done else None
