"""Which executions closed, and where their lines lie: about thirty bytes for each, so that memory stays flat.

What comes in: closed executions in the order of the journal. What goes out: the attempts of any trial.
Trials are found by a 64-bit digest of their name; whoever reads a trace checks that it is the right one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b
from typing import Final

from msgspec import Struct

MOST_ATTEMPTS: Final = 2**32 - 1
"""The highest number of an attempt that the index can hold."""

_PLACES = {"attempt": "I", "segment": "I", "start": "Q", "end": "Q"}
_LEADING = 56  # bits behind the leading byte of a digest

TrialKey = tuple[str, str, int]
"""(arm, case, trial)."""


class Execution(Struct, frozen=True, kw_only=True):
    """Where the events of a closed execution lie.

    Attributes:
        key: Arm, case and trial.
        attempt: Number of the attempt.
        segment: Position of its segment.
        start: Byte offset of its first line.
        end: Byte offset behind its last line.
    """

    key: TrialKey
    attempt: int
    segment: int
    start: int
    end: int


class ClosedIndex:
    """Closed executions, found by trial; `sort` comes between adding and asking."""

    def __init__(self) -> None:
        """Start empty."""
        self._digests = array("Q")
        self._places = {name: array(kind) for name, kind in _PLACES.items()}
        self._trials = 0

    def __len__(self) -> int:
        """Return the number of trials that closed, whatever the number of their attempts."""
        return self._trials

    def add(self, execution: Execution) -> None:
        """Note a closed execution."""
        self._digests.append(_digest(execution.key))
        for name, column in self._places.items():
            column.append(getattr(execution, name))

    def sort(self) -> tuple[int, int] | None:
        """Bring the attempts of a trial together.

        Returns:
            None, or segment and offset of an execution that repeats the trial and attempt of another.
        """
        order = _order(self._digests)
        self._digests = array("Q", (self._digests[row] for row in order))
        for name, column in self._places.items():
            self._places[name] = array(column.typecode, (column[row] for row in order))
        return self._count()

    def _count(self) -> tuple[int, int] | None:
        """Count the trials; return the place of an execution that repeats another."""
        seen: set[int] = set()
        before = -1
        for row, digest in enumerate(self._digests):
            if digest != before:
                self._trials += 1
                seen, before = set(), digest
            attempt = self._places["attempt"][row]
            if attempt in seen:
                return self._places["segment"][row], self._places["start"][row]
            seen.add(attempt)
        return None

    def attempts(self, key: TrialKey) -> tuple[Execution, ...]:
        """Return the closed executions of a trial, by attempt.

        Args:
            key: Arm, case and trial.
        """
        digest = _digest(key)
        found, row = [], bisect_left(self._digests, digest)
        while row < len(self._digests) and self._digests[row] == digest:
            found.append(Execution(key=key, **{name: column[row] for name, column in self._places.items()}))
            row += 1
        return tuple(sorted(found, key=lambda one: one.attempt))


def _order(digests: array[int]) -> array[int]:
    """Return the rows in the order of their digests.

    A leading byte at a time: to sort all rows at once, Python needs twice what the index holds of them.
    """
    buckets = [array("I") for _ in range(256)]
    for row, digest in enumerate(digests):
        buckets[digest >> _LEADING].append(row)
    order = array("I")
    for bucket in buckets:
        order.extend(sorted(bucket, key=digests.__getitem__))
    return order


def _digest(key: TrialKey) -> int:
    arm, case, trial = key
    text = f"{len(arm)}:{arm}{case}#{trial}".encode(errors="surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
