"""What the executions of a run spent, read from their closing lines alone.

What comes in: a run folder. What goes out: `Spent` for each arm. One pass over the journal that decodes two
lines of each execution and of these only what is counted; memory grows with what is open at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from evalkit.errors import StoreError
from evalkit.records.event import Usage
from evalkit.records.spent import Spent
from evalkit.store.journal import segments

_USAGE = b'"usage":{'
_PIECE = 1 << 20  # bytes that are looked through at once
_BUCKETS = ("input", "cache_read", "cache_write", "output")


class _Body(Struct):
    """What is counted of a body; the tag is an ordinary field here, so that other bodies are read, too."""

    type: str
    arm: str = ""
    usage: Usage | None = None


class _Line(Struct):
    """What is counted of an event."""

    execution: str
    body: _Body
    at: float = 0.0


def spent(folder: Path) -> dict[str, Spent]:
    """Return what the closed executions of a run spent, for each arm.

    Args:
        folder: The run folder.

    Raises:
        StoreError: A line that is to be counted is damaged.
    """
    sums: dict[str, _Sum] = {}
    for path in segments(folder):
        for arm, line in _closed(path):
            sums.setdefault(arm, _Sum()).add(line.at, line.body.usage)
    return {arm: Spent(**msgspec.structs.asdict(one)) for arm, one in sums.items()}


def tells_usage(folder: Path) -> bool:
    """Whether an event of a run says anything of tokens or money; much quicker than to count them.

    Args:
        folder: The run folder.
    """
    return any(_holds(path, _USAGE) for path in segments(folder))


def _holds(path: Path, wanted: bytes) -> bool:
    """Whether bytes stand in a file; it is read piece by piece, since a mapped one would count as memory."""
    before = b""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            if wanted in before + piece:
                return True
            before = piece[-len(wanted) :]
    return False


class _Sum(Struct):
    """One arm, while its lines stream by; fields as in `Spent`."""

    executions: int = 0
    known_tokens: int = 0
    uncounted: int = 0
    known_usd: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0

    def add(self, at: float, usage: Usage | None) -> None:
        """Count one closed execution."""
        self.executions += 1
        self.seconds += at
        tokens = _tokens(usage)
        self.known_tokens += tokens or 0
        self.uncounted += tokens is None
        cost = usage.cost_usd if usage is not None else None
        self.known_usd += cost or 0.0
        self.unpriced += cost is None


def _closed(path: Path) -> Iterator[tuple[str, _Line]]:
    """Yield the closing lines of a segment with the arm of their execution."""
    decoder = msgspec.json.Decoder(_Line)
    arms: dict[str, str] = {}
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.endswith(b"\n") or not (b'"seq":0,' in raw or b'"type":"closed"' in raw):
                continue
            try:
                line = decoder.decode(raw)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise StoreError(f"{path.name}:{number}: {error}") from error
            if line.body.type == "opened":
                arms[line.execution] = line.body.arm
            elif line.body.type == "closed" and line.execution in arms:
                yield arms.pop(line.execution), line


def _tokens(usage: Usage | None) -> int | None:
    """Return the tokens of a usage row, None where a bucket is unknown."""
    if usage is None:
        return None
    known = [tokens for tokens in (getattr(usage, bucket) for bucket in _BUCKETS) if tokens is not None]
    return sum(known) if len(known) == len(_BUCKETS) else None
