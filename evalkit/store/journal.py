"""The journal: one append-only segment per process, one line per event.

What comes in: events, one at a time, from many trials at once. What goes out: an index of the executions
that closed
and, for each, its trace. A torn last line (kill -9, full disk) is not there; nothing else is forgiven.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Iterator, Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Self

from msgspec import Struct

from evalkit.errors import OutputError, StoreError
from evalkit.records.event import Closed, Event, Opened, Trace
from evalkit.store.encoding import LineDecoder, LineEncoder, decoder
from evalkit.store.index import MOST_ATTEMPTS, ClosedIndex, Execution, TrialKey

_SEGMENT = re.compile(r"events-(\d+)\.jsonl")
_CLOSED = b'"type":"closed"'
_HEAD = re.compile(rb'\{"execution":"([^"\\]+)","seq":(\d+)')


class JournalWriter:
    """Appends events to a segment of its own; every event is handed to the kernel before `append` returns."""

    def __init__(self, folder: Path, encoder: LineEncoder) -> None:
        """Create the next segment.

        Args:
            folder: The run folder.
            encoder: How events become lines.

        Raises:
            OutputError: The segment cannot be created.
        """
        number = max((_number(path) for path in segments(folder)), default=-1) + 1
        self._path = folder / f"events-{number:04d}.jsonl"
        self._encoder = encoder
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            self._file = os.open(self._path, flags, 0o644)
        except OSError as error:
            raise OutputError(f"cannot write {self._path.name}: {error.strerror}") from error

    def append(self, event: Event) -> Event:
        """Persist one event.

        Returns:
            The event as whoever reads the journal will see it.

        Raises:
            OutputError: The disk is full or the file is gone.
            ValueError: The event holds what JSON cannot.
        """
        line, read = self._encoder.event(event)
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            raise OutputError(f"cannot write {self._path.name}: {error.strerror}") from error
        return read

    def close(self) -> None:
        """Flush to the device and close; an empty segment is removed."""
        if self._file < 0:
            return
        empty = os.fstat(self._file).st_size == 0
        if not empty:
            os.fsync(self._file)
        os.close(self._file)
        self._file = -1
        if empty:
            self._path.unlink()

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


def segments(folder: Path) -> list[Path]:
    """Return the segments of a run in the order in which they were begun."""
    found = [path for path in folder.glob("events-*.jsonl") if _SEGMENT.fullmatch(path.name)]
    return sorted(found, key=_number)


def _number(path: Path) -> int:
    return int(path.stem.removeprefix("events-"))


def _own_lines(block: bytes) -> list[bytes]:
    """Return the lines of the execution that a piece of a segment begins with; others lie between them.

    Args:
        block: Whole lines.
    """
    head = _HEAD.match(block)
    if head is None:
        return []
    prefix = b'{"execution":"' + head[1] + b'",'
    rests = block[len(prefix) :].split(b"\n" + prefix)
    return [prefix + (rest if (end := rest.find(b"\n")) < 0 else rest[:end]) for rest in rests]


def _goes_on(line: bytes, pending: dict[bytes, _Open]) -> bool:
    """Count a line that is the next one of an open execution and closes nothing: nearly all lines are."""
    head = _HEAD.match(line)
    state = pending.get(head[1]) if head is not None else None
    if head is None or state is None or state.next_seq != int(head[2]) or line.find(_CLOSED) >= 0:
        return False
    state.next_seq += 1
    return True


class _Open(Struct):
    """An execution whose closing line has not been met."""

    key: TrialKey
    attempt: int
    start: int
    next_seq: int


class _Blocks:
    """Reads pieces of segments; a file is opened once, and closed when nobody holds this any more."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._files: dict[int, FileIO] = {}
        weakref.finalize(self, _close_all, self._files)

    def __call__(self, segment: int, start: int, end: int) -> bytes:
        file = self._files.get(segment)
        if file is None:
            file = self._files[segment] = FileIO(self._paths[segment])
        file.seek(start)
        return file.read(end - start)


def _close_all(files: Mapping[int, FileIO]) -> None:
    for file in files.values():
        file.close()


class Journal:
    """All segments of a run, read-only: index once, then any trace."""

    def __init__(self, folder: Path) -> None:
        """Index every closed execution.

        Args:
            folder: The run folder.

        Raises:
            StoreError: A line that is not the last of its segment is damaged, an execution has a gap,
                or a trial was closed twice under one attempt.
        """
        self._paths = segments(folder)
        self._decode = LineDecoder(Event)
        self._blocks = _Blocks(self._paths)
        self._closed = ClosedIndex()
        self.unclosed = 0
        for number, path in enumerate(self._paths):
            with path.open("rb") as file:
                self._index(number, file)
        twice = self._closed.sort()
        if twice is not None:
            opened = self._opened(*twice)
            trial = f"trial {opened.case}#{opened.trial} of {opened.arm}"
            raise StoreError(f"{trial} was closed twice under attempt {opened.attempt}")

    @property
    def n_closed(self) -> int:
        """Trials that have a closing line."""
        return len(self._closed)

    def attempts(self, key: TrialKey) -> tuple[Execution, ...]:
        """Return the closed executions of a trial, by attempt.

        Args:
            key: Arm, case and trial.
        """
        return self._closed.attempts(key)

    def last(self, key: TrialKey) -> Execution | None:
        """Return the attempt that counts, or None where the trial was never closed.

        Args:
            key: Arm, case and trial.
        """
        attempts = self._closed.attempts(key)
        return attempts[-1] if attempts else None

    def trace(self, execution: Execution) -> Trace:
        """Return all events of a closed execution, in order.

        Raises:
            StoreError: The segment was changed since it was indexed.
        """
        block = self._blocks(execution.segment, execution.start, execution.end)
        events = tuple(self._decode.all(_own_lines(block)))
        first, last = (events[0].body, events[-1].body) if events else (None, None)
        if not isinstance(first, Opened) or not isinstance(last, Closed):
            raise StoreError(f"{self._paths[execution.segment].name}: an execution is not whole any more")
        if (first.arm, first.case, first.trial) != execution.key:
            raise StoreError(
                f"{self._paths[execution.segment].name}: another trial lies where one was indexed"
            )
        return Trace(opened=first, events=events, closed=last)

    def _opened(self, segment: int, start: int) -> Opened:
        with self._paths[segment].open("rb") as file:
            file.seek(start)
            opened = self._body(segment, 0, file.readline())
        if not isinstance(opened, Opened):
            raise StoreError(f"{self._paths[segment].name}: no execution opens at byte {start}")
        return opened

    def _index(self, segment: int, file: BinaryIO) -> None:
        pending: dict[bytes, _Open] = {}
        offset = 0
        for number, line in enumerate(file, start=1):
            end = offset + len(line)
            if line.endswith(b"\n") and not _goes_on(line, pending):
                self._note(segment, number, (offset, end), line, pending)
            offset = end
        self.unclosed += len(pending)

    def _note(
        self, segment: int, number: int, span: tuple[int, int], line: bytes, pending: dict[bytes, _Open]
    ) -> None:
        head = _HEAD.match(line)
        if head is None:
            raise StoreError(f"{self._paths[segment].name}:{number}: not an event")
        execution, seq = head[1], int(head[2])
        name = execution.decode(errors="replace")
        if seq == 0:
            opened = self._body(segment, number, line)
            if not isinstance(opened, Opened) or execution in pending:
                raise StoreError(f"{self._paths[segment].name}:{number}: execution {name} does not open")
            if not 0 <= opened.attempt <= MOST_ATTEMPTS:
                raise StoreError(
                    f"{self._paths[segment].name}:{number}: there is no attempt {opened.attempt}"
                )
            key = (opened.arm, opened.case, opened.trial)
            pending[execution] = _Open(key, opened.attempt, span[0], 1)
            return
        state = pending.get(execution)
        if state is None or state.next_seq != seq:
            raise StoreError(
                f"{self._paths[segment].name}:{number}: execution {name} has a gap before event {seq}"
            )
        state.next_seq += 1
        if line.find(_CLOSED) >= 0:
            closed = self._body(segment, number, line)
            if isinstance(closed, Closed):
                del pending[execution]
                self._closed.add(
                    Execution(
                        key=state.key, attempt=state.attempt, segment=segment, start=state.start, end=span[1]
                    )
                )

    def _body(self, segment: int, number: int, line: bytes) -> object:
        try:
            return self._decode(line).body
        except StoreError as error:
            raise StoreError(f"{self._paths[segment].name}:{number}: {error}") from error


def events(path: Path) -> Iterator[Event]:
    """Yield the events of one segment, whole lines only.

    Args:
        path: A segment.

    Raises:
        StoreError: A whole line is damaged.
    """
    decode = decoder(Event)
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield decode(line)
