"""Stops statements that run longer than they may.

What comes in: connections with a deadline. What goes out: interrupts, from one thread that looks now and
then. The thread starts with the first statement, and a statement costs two dictionary writes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from evalkit.records.ports import Clock

_LOOKS = 0.05  # seconds between two looks: a statement may overrun by that much


class Interruptible(Protocol):
    """A connection whose running statement can be stopped from another thread."""

    def interrupt(self) -> None:
        """Stop what runs; the waiting thread gets an exception."""
        ...


class Watchdog:
    """Watches running statements."""

    def __init__(self, clock: Clock) -> None:
        """Read deadlines on `clock`."""
        self._clock = clock
        self._lock = threading.Lock()
        self._running: dict[object, tuple[Interruptible, float]] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def guard(self, connection: Interruptible, seconds: float) -> Iterator[None]:
        """Interrupt a connection if the block takes longer than it may.

        Args:
            connection: What runs the statement; one statement at a time.
            seconds: How long it may take.
        """
        if self._thread is None:
            self._start()
        key = object()
        with self._lock:
            self._running[key] = (connection, self._clock.now() + seconds)
        try:
            yield
        finally:
            # Under the lock: an interrupt never comes after its statement, to hit the next one.
            with self._lock:
                del self._running[key]

    def close(self) -> None:
        """End the thread."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="evalkit-watchdog", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._stopped.wait(_LOOKS):
            with self._lock:
                now = self._clock.now()
                for connection, deadline in self._running.values():
                    if now > deadline:
                        connection.interrupt()
