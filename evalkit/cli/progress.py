"""How progress is shown: one line that is written over on a terminal, now and then a plain line elsewhere.

What comes in: lines of progress, notices between them, the stream. What goes out: text on stderr. A log file
is not flooded: the longer a run takes, the rarer its lines are. No run ends because nobody looks at it.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

_FIRST_SECONDS = 5.0  # before the first plain line: a short run needs none
_SHARE = 0.1  # of the time that passed, between two plain lines: some fifty in an hour
_DUMB = frozenset({"", "dumb"})  # terminals that cannot go back in a line


class Display:
    """Says notices and shows progress on one stream, so that neither is written into the other."""

    def __init__(self, stream: TextIO, *, rewrites: bool, now: Callable[[], float]) -> None:
        """Show nothing yet.

        Args:
            stream: Where to, usually stderr.
            rewrites: Whether a line may take the place of the one before: a terminal, and no CI.
            now: Seconds on a clock that never goes back.
        """
        self._stream = stream
        self._rewrites = rewrites
        self._now = now
        self._began = self._said = now()
        self._shown = 0

    def notice(self, text: str) -> None:
        """Say one line that stays.

        Args:
            text: The line.

        Raises:
            OSError: Nobody listens.
        """
        self._clear()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def progress(self, line: str) -> None:
        """Show how far the run is.

        Args:
            line: The line; "" takes the last one away, where it was not to stay.
        """
        with contextlib.suppress(OSError, ValueError):
            if self._rewrites:
                self._rewrite(line)
            elif line and self._is_time():
                self.notice(line)

    def _is_time(self) -> bool:
        now = self._now()
        if now - self._said < max(_FIRST_SECONDS, _SHARE * (now - self._began)):
            return False
        self._said = now
        return True

    def _rewrite(self, line: str) -> None:
        from evalkit.report.console import cells, cut

        if not line:
            self._clear()
            return
        room = columns(self._stream) - 1  # a full line would wrap, and no \r goes back over that
        text = cut(line.strip(), room)
        filled = min(self._shown, room) - cells(text)
        self._stream.write(f"\r{text}{' ' * max(0, filled)}")
        self._stream.flush()
        self._shown = cells(text)

    def _clear(self) -> None:
        if self._shown:
            blank = " " * min(self._shown, columns(self._stream) - 1)
            self._stream.write(f"\r{blank}\r")
            self._stream.flush()
            self._shown = 0


def columns(stream: TextIO) -> int:
    """Return the width of a terminal in cells, at least 2; 80 where it cannot be told.

    Args:
        stream: The terminal.
    """
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        found = 0
    return max(2, found or 80)


def display(environment: Mapping[str, str]) -> Display:
    """Return the display of this process.

    Args:
        environment: Names and values: under `CI`, and on a terminal that cannot rewrite, lines are plain.
    """
    stream: TextIO = sys.stderr if sys.stderr is not None else io.StringIO()  # closed: nobody looks at it
    able = environment.get("TERM", "") not in _DUMB or os.name == "nt"
    return Display(
        stream, rewrites=stream.isatty() and able and not environment.get("CI"), now=time.monotonic
    )
