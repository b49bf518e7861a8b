"""The operator's stop: asked once, nothing new begins and what runs may finish; asked twice, it is cut.

What comes in: Ctrl-C, or a caller's wish. What goes out: a flag for those who begin trials, the moment at
which running ones are cut, and a line for the person at each step.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from evalkit.records.ports import Clock

GRACE_SECONDS: Final = 10.0
"""Seconds that running trials get to finish: a person who pressed Ctrl-C is waiting."""


def silent(_line: str) -> None:
    """Say nothing."""


class Stop:
    """Whether and how urgently a run was asked to stop; any thread or signal handler may ask."""

    def __init__(
        self,
        clock: Clock,
        grace: float = GRACE_SECONDS,
        *,
        notice: Callable[[str], None] = silent,
        run: str = "",
    ) -> None:
        """Make a stop that nobody has asked for.

        Args:
            clock: Where the grace period is waited for.
            grace: Seconds that running trials get to finish.
            notice: Says one line to the person.
            run: Name of the run, as `evalkit resume` takes it.
        """
        self._clock = clock
        self._grace = grace
        self._notice = notice
        self._run = run
        self._times = 0
        self._wake: Callable[[], object] | None = None

    @property
    def asked(self) -> bool:
        """Whether no new trial may begin."""
        return self._times > 0

    @property
    def urgent(self) -> bool:
        """Whether running trials are cut at once."""
        return self._times > 1

    def ask(self) -> None:
        """Ask the run to stop; the second time, at once."""
        self._times += 1
        if self._wake is not None:
            self._wake()

    async def cut(self, running: Callable[[], int]) -> None:
        """Return when running trials are to be cut: after the grace period, or when asked a second time.

        What is said is said here, in the event loop: a signal may come while a line is being written.

        Args:
            running: How many trials run now.
        """
        loop = asyncio.get_running_loop()
        first, second = asyncio.Event(), asyncio.Event()

        def tell() -> None:
            if self.asked and not first.is_set():
                first.set()
                have = _counted(running(), "has", "have")
                self._say(f"stopping: {have} {self._grace:g} s to end; Ctrl-C again cuts them")
            if self.urgent:
                second.set()

        self._wake = lambda: loop.call_soon_threadsafe(tell)
        tell()  # it may have been asked before the run began
        try:
            await first.wait()
            await self._grace_or(second)
            were = _counted(running(), "was", "were")
            self._say(f"stopped: {were} cut; `evalkit resume {self._run}` finishes the run")
        finally:
            self._wake = None

    def _say(self, line: str) -> None:
        with suppress(OSError):  # Ctrl-C ends the reader of a pipe, too: the run still ends as it should
            self._notice(line)

    async def _grace_or(self, second: asyncio.Event) -> None:
        waits = [
            asyncio.ensure_future(self._clock.sleep(self._grace)),
            asyncio.ensure_future(second.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()


def _counted(number: int, one: str, more: str) -> str:
    """Return a number of trials with its verb."""
    return f"1 trial {one}" if number == 1 else f"{number} trials {more}"


@contextmanager
def on_interrupt(stop: Stop) -> Iterator[None]:
    """Let Ctrl-C and a polite kill ask for the stop while the block runs; in the main thread, or not at all.

    After the second one the handlers of before are back: where nothing waits, a third ends the process.

    Args:
        stop: What they ask.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_number: int, _frame: FrameType | None) -> None:
        stop.ask()
        if stop.urgent:
            restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        restore()
