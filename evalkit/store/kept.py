"""Lines of closed trials that wait for their place: trials close in work order, and are listed in plan order.

What comes in: the verdict and blame lines of a trial when it closes. What goes out: the same bytes, by plan
index. They lie in a file without a name that is gone with the process: a killed run leaves only its journal.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from io import FileIO
from pathlib import Path
from typing import Final

from evalkit.errors import OutputError

_NOWHERE: Final = -1
_BUFFER: Final = 1 << 16  # bytes; a trial has some thousand


class KeptLines:
    """Two blocks of lines for each trial; twenty bytes a planned trial are held in memory."""

    def __init__(self, folder: Path) -> None:
        """Begin without a file; it is made when the first trial closes.

        Args:
            folder: Where the file lies, on the device that the run is written to.
        """
        self._folder = folder
        self._file: FileIO | None = None
        self._buffer = bytearray()
        self._end = 0
        self._starts = array("q")
        self._sizes = (array("L"), array("L"))

    def keep(self, index: int, verdicts: bytes, blame: bytes) -> None:
        """Keep the lines of a trial; those of an earlier attempt are forgotten.

        Args:
            index: Plan index of the trial, >= 0.
            verdicts: Its verdict lines.
            blame: Its attribution record, b"" where there is none.

        Raises:
            OutputError: They cannot be written.
        """
        short = index + 1 - len(self._starts)
        if short > 0:
            self._starts.extend([_NOWHERE] * short)
            for sizes in self._sizes:
                sizes.extend([0] * short)
        self._buffer += verdicts
        self._buffer += blame
        self._starts[index] = self._end
        self._sizes[0][index], self._sizes[1][index] = len(verdicts), len(blame)
        self._end += len(verdicts) + len(blame)
        if len(self._buffer) > _BUFFER:
            self._write()

    def take(self, index: int) -> tuple[bytes, bytes] | None:
        """Return verdict and blame lines of a trial, or None where it did not close here.

        Args:
            index: Plan index of the trial, >= 0.

        Raises:
            OutputError: They cannot be written, or read back.
        """
        if index >= len(self._starts) or self._starts[index] == _NOWHERE:
            return None
        file = self._write()
        verdicts, blame = (sizes[index] for sizes in self._sizes)
        try:
            file.seek(self._starts[index])
            block = file.read(verdicts + blame)
        except OSError as error:
            raise OutputError(f"cannot read back in {self._folder}: {error.strerror}") from error
        if len(block) != verdicts + blame:
            raise OutputError(f"cannot read back in {self._folder}: what was written is not there")
        return block[:verdicts], block[verdicts:]

    def close(self) -> None:
        """Forget everything."""
        if self._file is not None:
            self._file.close()
        self._file = None
        self._end = 0
        self._starts = array("q")
        self._sizes = (array("L"), array("L"))
        self._buffer.clear()

    def _write(self) -> FileIO:
        """Write what is buffered behind all that is there."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 # closed by `close`
            if self._buffer:
                self._file.seek(0, os.SEEK_END)
            while self._buffer:
                del self._buffer[: self._file.write(self._buffer)]
        except OSError as error:
            raise OutputError(f"cannot write in {self._folder}: {error.strerror}") from error
        return self._file
