"""Which executions closed, and where their lines lie: about forty bytes for each, so that memory stays flat.

What comes in: closed executions in the order of the journal. What goes out: the attempts of any trial.
Trials are found by a 64-bit digest of their name; whoever reads a trace checks that it is the right one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b

from msgspec import Struct

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
        self._places = {name: array("Q") for name in ("attempt", "segment", "start", "end")}
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
        attempts = self._places["attempt"]
        order = sorted(range(len(self._digests)), key=lambda row: (self._digests[row], attempts[row]))
        self._digests = array("Q", (self._digests[row] for row in order))
        self._places = {
            name: array("Q", (column[row] for row in order)) for name, column in self._places.items()
        }
        pairs = range(1, len(order))
        self._trials = len(order) - sum(self._digests[row] == self._digests[row - 1] for row in pairs)
        return next((self._place(row) for row in pairs if self._repeats(row)), None)

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
        return tuple(found)

    def _repeats(self, row: int) -> bool:
        attempts = self._places["attempt"]
        return self._digests[row] == self._digests[row - 1] and attempts[row] == attempts[row - 1]

    def _place(self, row: int) -> tuple[int, int]:
        return self._places["segment"][row], self._places["start"][row]


def _digest(key: TrialKey) -> int:
    arm, case, trial = key
    text = f"{len(arm)}:{arm}{case}#{trial}".encode(errors="surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
