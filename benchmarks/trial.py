"""CPU of one trivial trial through runner and engine, against a bare loop that writes the same bytes.

    python benchmarks/trial.py [TRIALS]

The trial: one user turn, one reply, no tools, no probes: five events, encoded and appended to one file. The
bare loop encodes and appends the very same events and does nothing else; the ratio is what the harness costs
on top. CPU, not wall: both cores may be busy.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import msgspec

from evalkit.agent.loop import ReferenceLoop
from evalkit.records.arm import Arm, ModelSpec
from evalkit.records.case import Case, Turn
from evalkit.records.event import Event, ModelReply, ToolReturned
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Assignment, ModelRequest
from evalkit.records.probe import Probe, ProbeAnswer
from evalkit.records.suite import Limits, ToolSpec
from evalkit.records.written import Json
from evalkit.run.engine import execute_all
from evalkit.run.retries import RetryBudget
from evalkit.run.runner import Runner
from evalkit.run.stop import Stop
from evalkit.world.clock import SystemClock

TRIALS = 5_000
REPLY = ModelReply(text="hello")


class Parrot:
    """A model that always says the same."""

    async def reply(self, _request: ModelRequest) -> ModelReply:
        """Say it."""
        return REPLY


class Nothing:
    """A world without tools and state; its own session."""

    tools: tuple[ToolSpec, ...] = ()

    async def open(self, _case: Case, _trial: PlannedTrial) -> Nothing:
        """Return the session."""
        return self

    async def call(self, call: str, tool: str, _args: dict[str, Json]) -> ToolReturned:
        """There is no such tool."""
        return ToolReturned(id=call, tool=tool, status="unknown")

    async def probe(self, _probe: Probe) -> ProbeAnswer:
        """There is nothing to ask."""
        return ProbeAnswer(cause="broken_case")

    async def wait(self, _seconds: float) -> None:
        """Nothing happens."""

    async def close(self) -> None:
        """There is nothing to give back."""


def assignments(number: int) -> Iterator[Assignment]:
    """Trials of one case."""
    case = Case(id="greet", turns=(Turn(user="hi"),))
    arm = Arm(arm="champion", model=ModelSpec())
    for index in range(number):
        trial = PlannedTrial(index=index, case="greet", arm="champion", mode="mock", trial=index, seed=index)
        yield Assignment(trial=trial, case=case, arm=arm)


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def harness(number: int, path: Path, kept: list[Event]) -> None:
    """Run the trials whole; keep the events for the bare loop."""
    encode, clock, ids = msgspec.json.Encoder().encode, SystemClock(), count()
    with path.open("ab", buffering=0) as file:

        def sink(event: Event) -> None:
            file.write(encode(event) + b"\n")
            kept.append(event)

        runner = Runner(
            world=Nothing(),
            make_model=lambda _assignment: Parrot(),
            make_agent=ReferenceLoop,
            limits=Limits(),
            sink=sink,
            clock=clock,
            new_id=lambda: f"{next(ids):08x}",
            retry_budget=RetryBudget(),
        )
        execute_all(assignments(number), runner, concurrency=4, stop=Stop(clock))


def bare(path: Path, events: list[Event]) -> None:
    """Encode and append the same events."""
    encode = msgspec.json.Encoder().encode
    with path.open("ab", buffering=0) as file:
        for event in events:
            file.write(encode(event) + b"\n")


def main() -> None:
    """Measure both and print them with their ratio."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS
    with tempfile.TemporaryDirectory() as folder:
        events: list[Event] = []
        harness(100, Path(folder) / "warm.jsonl", [])
        whole = seconds(lambda: harness(number, Path(folder) / "events.jsonl", events))
        least = seconds(lambda: bare(Path(folder) / "bare.jsonl", events))
    print(f"trials               {number}")
    print(f"events per trial     {len(events) / number:.1f}")
    print(f"CPU ms per trial     {whole / number * 1e3:.4f}")
    print(f"bare ms per trial    {least / number * 1e3:.4f}")
    print(f"ratio                {whole / least:.2f}")


if __name__ == "__main__":
    main()
