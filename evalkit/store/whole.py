"""Files that are there whole or not at all: written beside, flushed to the device, renamed.

What comes in: where a file should be, or what a file should end with. What goes out: that file, or an error
and what was there before.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from evalkit.errors import OutputError


@contextlib.contextmanager
def whole(target: Path, mark: str) -> Iterator[Path]:
    """Give a path beside a target to write to; it takes the target's place when the block ends well.

    Args:
        target: Where the file should be; where a link stands, what it leads to is replaced.
        mark: Part of the name beside, unique among writers.

    Yields:
        A path in the same folder, of a short name, where nothing is.

    Raises:
        OutputError: Something cannot be written; what was begun is removed.
    """
    place = Path(os.path.realpath(target))
    beside = place.with_name(f".evalkit-{mark}.tmp")
    try:
        yield beside
        _flush(beside)
        beside.replace(place)
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


# Not to block: a pipe that nobody reads would be waited for for ever.
_APPENDING = (
    os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def append(path: Path, data: bytes, most: int) -> None:
    """Append to a file that others append to as well; where that fails, it is as long as before.

    Args:
        path: A file; made where there is none.
        data: What to append.
        most: Bytes that the file may have in the end.

    Raises:
        OutputError: It would become too long, or cannot be written.
    """
    try:
        descriptor = os.open(path, _APPENDING, 0o644)
        try:
            _append(descriptor, data, most)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def _append(descriptor: int, data: bytes, most: int) -> None:
    before = os.fstat(descriptor).st_size
    if before + len(data) > most:
        raise OSError(None, f"it would be longer than {most} bytes")
    written = 0
    try:
        while written < len(data):
            written += os.write(descriptor, data[written:])
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, before)
        raise


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
