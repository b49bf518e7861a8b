"""The bare floor: encode and append the very bytes of a run, and do nothing else.

    python benchmarks/floor.py RUN

What comes in: a run folder. What goes out: one JSON object with the CPU seconds of one pass, the median of
several. Each event is encoded and handed to the kernel by itself, as a journal does in the worst case; a
verdict is encoded and goes through a buffer.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from evalkit.records.event import Event
from evalkit.records.verdict import Verdict

_PASSES = 5


def one_pass(events: list[Event], verdicts: list[Verdict], folder: Path) -> float:
    """Write all lines anew; return the CPU seconds.

    Args:
        events: In the order of the journal.
        verdicts: In the order of their file.
        folder: Where to.
    """
    encode = msgspec.json.Encoder().encode
    begun = time.process_time()
    file = os.open(folder / "events", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    for event in events:
        os.write(file, encode(event) + b"\n")
    os.close(file)
    with (folder / "verdicts").open("wb") as buffered:
        for verdict in verdicts:
            buffered.write(encode(verdict) + b"\n")
    return time.process_time() - begun


def main() -> None:
    """Read a run, write it several times, print what a pass cost."""
    run = Path(sys.argv[1])
    stored = {
        "events": (run / "events-0000.jsonl").read_bytes(),
        "verdicts": (run / "verdicts.jsonl").read_bytes(),
    }
    events = msgspec.json.Decoder(Event).decode_lines(stored["events"])
    verdicts = msgspec.json.Decoder(Verdict).decode_lines(stored["verdicts"])
    with tempfile.TemporaryDirectory() as place:
        # Not the least: what it is compared with had to run once, through busy moments and quiet ones.
        seconds = statistics.median(one_pass(events, verdicts, Path(place)) for _ in range(_PASSES))
        written = {name: (Path(place) / name).read_bytes() for name in stored}
    assert written == stored, "the floor writes other bytes than the run"
    print(json.dumps({"cpu": seconds}))


if __name__ == "__main__":
    main()
