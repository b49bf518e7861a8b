"""Putting run folders together: where a merged run grows, how segments are copied, how it appears at once.

What comes in: folders of shards. What goes out: a folder that is hidden until it is whole. A process that is
killed in between leaves a hidden folder and no run.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from evalkit.errors import OutputError, StoreError
from evalkit.records.plan import PlannedTrial
from evalkit.store.encoding import LineEncoder
from evalkit.store.folder import RunFolder, no_place
from evalkit.store.journal import segments

if os.name == "posix":
    import fcntl

UNFINISHED = ".merge-"
"""What the name of a merged run begins with while it grows."""

_TAKEN = frozenset({errno.EEXIST, errno.ENOTEMPTY})
_CHUNK = 1 << 20  # bytes that are copied at once


def plan_hash(trials: Iterable[PlannedTrial], encoder: LineEncoder) -> str:
    """Return the sha256 that `plan.jsonl` would have; nothing is written.

    Args:
        trials: In plan order.
        encoder: How records become lines.
    """
    digest = hashlib.sha256()
    for trial in trials:
        digest.update(encoder.record(trial))
    return digest.hexdigest()


def is_held(folder: RunFolder) -> bool:
    """Whether another process is writing to a run; nothing of it is touched.

    Args:
        folder: A run; a copy of one has no lock, and nobody writes to it.
    """
    if os.name != "posix":
        return False
    try:
        with (folder.path / ".lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


@contextlib.contextmanager
def growing(reports: Path, name: str, encoder: LineEncoder) -> Iterator[RunFolder]:
    """Make a hidden folder for a run; what is left of it when the block ends is taken away.

    Args:
        reports: Where the run will lie.
        name: What no other process calls its folder.
        encoder: How records become lines.

    Raises:
        OutputError: It cannot be made.
    """
    path = reports / f"{UNFINISHED}{name}"
    try:
        reports.mkdir(parents=True, exist_ok=True)
        path.mkdir()
    except OSError as error:
        raise OutputError(no_place(reports, error)) from error
    try:
        yield RunFolder(path, encoder)
    finally:
        shutil.rmtree(path, ignore_errors=True)


def copy_journal(source: RunFolder, target: RunFolder) -> None:
    """Copy the segments of a run behind those that another has; bytes are kept, a torn last line included.

    Args:
        source: A run; it is only read.
        target: The run that grows.

    Raises:
        OutputError: A segment cannot be written.
        StoreError: A segment cannot be read.
    """
    for path in segments(source.path):
        number = len(segments(target.path))
        _copy(path, target.path / f"events-{number:04d}.jsonl")


def _copy(path: Path, target: Path) -> None:
    if not path.is_file():  # to read a pipe would wait for ever
        raise StoreError(f"cannot read {path.parent.name}/{path.name}: it is no file")
    try:
        source = path.open("rb")
    except OSError as error:
        raise StoreError(f"cannot read {path.parent.name}/{path.name}: {error.strerror}") from error
    with source:
        try:
            with target.open("xb") as file:
                shutil.copyfileobj(source, file, _CHUNK)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"cannot write {target.name}: {error.strerror}") from error


def appear(grown: RunFolder, reports: Path, name: str) -> RunFolder:
    """Give a run that is whole its name, in one step; a number is added where the name is taken.

    Args:
        grown: The run, in its hidden folder.
        reports: Where it will lie.
        name: Wanted name.

    Raises:
        OutputError: It cannot be renamed.
    """
    for number in range(1, 10_000):
        path = reports / (name if number == 1 else f"{name}-{number}")
        if path.exists():
            continue
        try:
            grown.path.rename(path)
        except OSError as error:
            if error.errno in _TAKEN:
                continue
            raise OutputError(f"cannot name the merged run {name}: {error.strerror}") from error
        return RunFolder(path, grown.encoder)
    raise OutputError(f"too many runs called {name} in {reports}")
