"""The journal: one append-only segment per process, one line per event.

What comes in: events, one at a time, from many trials at once. What goes out: an index of the executions
that closed
and, for each, its trace. A torn last line (kill -9, full disk) is not there; nothing else is forgiven.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from evalkit.errors import OutputError, StoreError
from evalkit.records.event import Closed, Event, Opened, Trace
from evalkit.store.encoding import LineEncoder, decoder

_SEGMENT = re.compile(r"events-(\d+)\.jsonl")
_HEAD = re.compile(rb'\{"execution":"([^"\\]+)","seq":(\d+)')
TrialKey = tuple[str, str, int]
"""(arm, case, trial)."""


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

    def append(self, event: Event) -> None:
        """Persist one event.

        Raises:
            OutputError: The disk is full or the file is gone.
            ValueError: The event holds what JSON cannot.
        """
        line = self._encoder.event(event)
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            raise OutputError(f"cannot write {self._path.name}: {error.strerror}") from error

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


class Execution(Struct, frozen=True, kw_only=True):
    """Where the events of a closed execution lie.

    Attributes:
        id: Execution id.
        key: Arm, case and trial.
        attempt: Number of the attempt.
        segment: Position of its segment.
        start: Byte offset of its first line.
        end: Byte offset behind its last line.
        stopped: Cause on the closing line, or None.
    """

    id: str
    key: TrialKey
    attempt: int
    segment: int
    start: int
    end: int
    stopped: str | None = None


class _Open(Struct):
    """An execution whose closing line has not been met."""

    key: TrialKey
    attempt: int
    start: int
    next_seq: int


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
        self._decode = decoder(Event)
        self._closed: dict[TrialKey, list[Execution]] = {}
        self.unclosed = 0
        for number, path in enumerate(self._paths):
            with path.open("rb") as file:
                self._index(number, file)
        for attempts in self._closed.values():
            attempts.sort(key=lambda execution: execution.attempt)

    @property
    def closed(self) -> dict[TrialKey, list[Execution]]:
        """Closed executions of each trial, by attempt."""
        return self._closed

    def last(self, key: TrialKey) -> Execution | None:
        """Return the attempt that counts, or None where the trial was never closed."""
        attempts = self._closed.get(key)
        return attempts[-1] if attempts else None

    def trace(self, execution: Execution) -> Trace:
        """Return all events of a closed execution, in order.

        Raises:
            StoreError: The segment was changed since it was indexed.
        """
        prefix = b'{"execution":' + msgspec.json.encode(execution.id) + b","
        with self._paths[execution.segment].open("rb") as file:
            file.seek(execution.start)
            block = file.read(execution.end - execution.start)
        lines = [line for line in block.splitlines() if line.startswith(prefix)]
        events = tuple(self._decode(line) for line in lines)
        if not events or not isinstance(events[0].body, Opened) or not isinstance(events[-1].body, Closed):
            raise StoreError(f"{self._paths[execution.segment].name}: execution {execution.id} is not whole")
        return Trace(opened=events[0].body, events=events, closed=events[-1].body)

    def _index(self, segment: int, file: BinaryIO) -> None:
        pending: dict[str, _Open] = {}
        offset = 0
        for number, line in enumerate(file, start=1):
            end = offset + len(line)
            if line.endswith(b"\n"):
                self._note(segment, number, (offset, end), line, pending)
            offset = end
        self.unclosed += len(pending)

    def _note(
        self, segment: int, number: int, span: tuple[int, int], line: bytes, pending: dict[str, _Open]
    ) -> None:
        head = _HEAD.match(line)
        if head is None:
            raise StoreError(f"{self._paths[segment].name}:{number}: not an event")
        name, seq = head[1].decode(), int(head[2])
        if seq == 0:
            opened = self._body(segment, number, line)
            if not isinstance(opened, Opened) or name in pending:
                raise StoreError(f"{self._paths[segment].name}:{number}: execution {name} does not open")
            key = (opened.arm, opened.case, opened.trial)
            pending[name] = _Open(key, opened.attempt, span[0], 1)
            return
        state = pending.get(name)
        if state is None or state.next_seq != seq:
            raise StoreError(
                f"{self._paths[segment].name}:{number}: execution {name} has a gap before event {seq}"
            )
        state.next_seq += 1
        if b'"type":"closed"' in line:
            closed = self._body(segment, number, line)
            if isinstance(closed, Closed):
                del pending[name]
                self._close(name, state, (segment, span[1]), closed)

    def _body(self, segment: int, number: int, line: bytes) -> object:
        try:
            return self._decode(line).body
        except StoreError as error:
            raise StoreError(f"{self._paths[segment].name}:{number}: {error}") from error

    def _close(self, name: str, state: _Open, place: tuple[int, int], closed: Closed) -> None:
        attempts = self._closed.setdefault(state.key, [])
        if any(execution.attempt == state.attempt for execution in attempts):
            arm, case, trial = state.key
            raise StoreError(f"trial {case}#{trial} of {arm} was closed twice under attempt {state.attempt}")
        attempts.append(
            Execution(
                id=name,
                key=state.key,
                attempt=state.attempt,
                segment=place[0],
                start=state.start,
                end=place[1],
                stopped=closed.cause,
            )
        )


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
