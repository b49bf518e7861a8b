"""The local engine: a fixed set of workers that pull trials from one iterator.

What comes in: assignments in the caller's order, and what executes one. What goes out: how many were
begun and closed. Memory does not grow with the number of trials: an assignment is drawn when a worker is
free, and nothing of a trial is kept. A worker is one task for all its trials, since a task per trial
costs more than a trivial trial itself.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from evalkit.records.event import Closed
from evalkit.records.ports import Assignment, Execute
from evalkit.run.stop import Stop, on_interrupt

_LEFT_SECONDS: Final = 5.0  # for tasks that were cut to put things away

_SLICE_SECONDS: Final = (
    0.001  # that trials which never wait may take; to give way costs a tenth of such a trial
)

OnClosed = Callable[[Assignment, Closed], None]
"""Told of every trial that closed, in the order of closing."""


class Executed(Struct, frozen=True, kw_only=True):
    """What an execution came to.

    Attributes:
        begun: Trials that were begun.
        closed: Trials with a closing line.
        stopped: The operator stopped it; trials may be owed.
    """

    begun: int
    closed: int
    stopped: bool


def execute_all(
    assignments: Iterable[Assignment],
    execute: Execute,
    *,
    concurrency: int,
    stop: Stop,
    on_closed: OnClosed | None = None,
    at_end: Callable[[], Awaitable[None]] | None = None,
) -> Executed:
    """Run assignments to their closing lines; the one door from code that does not wait.

    Args:
        assignments: In the order in which they are to begin; drawn one by one.
        execute: Runs one and records it.
        concurrency: How many run at once, at least 1.
        stop: Asked by Ctrl-C while this runs in the main thread.
        on_closed: Progress.
        at_end: Gives back what `execute` shares (the world); awaited in the same event loop, whatever
        happened.

    Returns:
        What it came to.

    Raises:
        OutputError: An event could not be written; running trials were cut.
        ValueError: The concurrency is below 1.
    """
    if concurrency < 1:
        raise ValueError(f"concurrency is {concurrency}, and must be at least 1")
    crew = _Crew(iter(assignments), execute, stop, on_closed)
    with on_interrupt(stop):
        return _run(crew.run(concurrency, at_end))


def _run(work: Coroutine[Any, Any, Executed]) -> Executed:
    """Run to the end; `asyncio.run` would wait for ever for tasks and threads that suite code left behind."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        _end(loop)


def _end(loop: asyncio.AbstractEventLoop) -> None:
    """Cut what is left and close the loop, unless something swallows its cut."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=_LEFT_SECONDS))
    if all(task.done() for task in left):
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
        return
    # A task that swallows its cut also swallows its end: to drop it would run it once more, and for ever. It
    # is kept by a thread that waits until the process ends.
    threading.Thread(target=lambda _kept: threading.Event().wait(), args=(loop,), daemon=True).start()


class _Crew:
    """The workers of one execution and what they share."""

    def __init__(
        self, assignments: Iterator[Assignment], execute: Execute, stop: Stop, on_closed: OnClosed | None
    ) -> None:
        self._assignments = assignments
        self._execute = execute
        self._stop = stop
        self._on_closed = on_closed
        self._begun = 0
        self._closed = 0
        self._gave_way = 0.0

    async def run(self, concurrency: int, at_end: Callable[[], Awaitable[None]] | None) -> Executed:
        self._gave_way = asyncio.get_running_loop().time()
        try:
            await _until(self._stop.cut(self._running), [self._worker() for _ in range(concurrency)])
        finally:
            if at_end is not None:
                await at_end()
        return Executed(begun=self._begun, closed=self._closed, stopped=self._stop.asked)

    def _running(self) -> int:
        return self._begun - self._closed

    async def _worker(self) -> None:
        for assignment in self._assignments:
            await self._give_way()
            if self._stop.asked:
                return
            self._begun += 1
            closed = await self._execute(assignment)
            self._closed += 1
            if self._on_closed is not None:
                self._on_closed(assignment, closed)

    async def _give_way(self) -> None:
        """Let others have their turn now and then, also where no trial ever waits: a stop is one of them."""
        now = asyncio.get_running_loop().time()
        if now - self._gave_way >= _SLICE_SECONDS:
            self._gave_way = now
            await asyncio.sleep(0)


async def _until(cut: Coroutine[Any, Any, None], workers: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Await all workers, but no longer than up to the cut; the first that raises ends the others."""
    end = asyncio.ensure_future(cut)
    running = {asyncio.ensure_future(worker) for worker in workers}
    everything = {end, *running}
    try:
        while running and not end.done():
            ended, running = await asyncio.wait({end, *running}, return_when=asyncio.FIRST_COMPLETED)
            running.discard(end)
            for worker in ended:
                worker.result()
    finally:
        for task in everything:
            task.cancel()
        await asyncio.gather(*everything, return_exceptions=True)
