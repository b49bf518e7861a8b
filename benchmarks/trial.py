"""CPU of one trial through engine, runner, loop, world and journal, against a bare loop with its lines.

    python benchmarks/trial.py [TRIALS] [--profile KIND]

The work is that of `overhead.py`, in one process and without scoring: what running a trial costs, apart from
what judging it costs. The bare loop encodes and appends the very same events and does nothing else. CPU, not
wall, and the least of several rounds that take turns, since others may use the machine; the ratio travels.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import msgspec

from benchmarks.work import KINDS, size, write
from evalkit.agent.loop import ReferenceLoop
from evalkit.pipeline.suites import arms_of, load
from evalkit.records.event import Event
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Assignment
from evalkit.run.engine import execute_all
from evalkit.run.retries import RetryBudget
from evalkit.run.runner import Runner
from evalkit.run.stop import Stop
from evalkit.store.encoding import LineEncoder
from evalkit.store.journal import JournalWriter, events
from evalkit.world.clock import SystemClock
from evalkit.world.opening import open_world
from evalkit.world.scripted import Scripted

_TRIALS = 3_000
_ROUNDS = 5


class Work:
    """One kind of work, ready to be run again and again."""

    def __init__(self, kind: str, folder: Path) -> None:
        """Write and load its suite.

        Args:
            kind: Which.
            folder: An empty folder.
        """
        place = folder / "suites" / kind
        write(kind, size(100), place)
        self.loaded = load(place)
        self.arm = arms_of(self.loaded, ())["champion"]
        self._folder = folder
        self._numbers = count()

    def run(self, trials: int) -> tuple[float, Path]:
        """Run so many trials into a new journal; return the CPU seconds and where the journal lies."""
        place = self._folder / f"run-{next(self._numbers)}"
        place.mkdir()
        clock, ids, budget = SystemClock(), count(), RetryBudget()
        world = open_world(self.loaded.suite, self.loaded.folder, "real", clock=clock, budget=budget)
        with JournalWriter(place, LineEncoder(("not-in-any-line-0123456789",))) as journal:
            runner = Runner(
                world=world,
                make_model=Scripted({}, clock),
                make_agent=ReferenceLoop,
                limits=self.loaded.suite.limits,
                sink=lambda event: void(journal.append(event)),
                clock=clock,
                new_id=lambda: f"{next(ids):012x}",
                retry_budget=budget,
            )
            begun = time.process_time()
            execute_all(
                self._assignments(trials), runner, concurrency=8, stop=Stop(clock), at_end=world.close
            )
            seconds = time.process_time() - begun
        return seconds, place

    def _assignments(self, trials: int) -> Iterator[Assignment]:
        cases = self.loaded.suite.cases
        for index in range(trials):
            case = cases[index % len(cases)]
            trial = PlannedTrial(
                index=index, case=case.id, arm="champion", mode="real", trial=index // len(cases), seed=index
            )
            yield Assignment(trial=trial, case=case, arm=self.arm)


def void(_value: object) -> None:
    """Forget a value."""


def bare(written: list[Event], path: Path) -> float:
    """Encode and append events, and do nothing else; return the CPU seconds."""
    encode = msgspec.json.Encoder().encode
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    begun = time.process_time()
    for event in written:
        os.write(file, encode(event) + b"\n")
    seconds = time.process_time() - begun
    os.close(file)
    return seconds


def profiled(work: Callable[[], object]) -> None:
    """Run some work under the profiler and print where the time goes."""
    profile = cProfile.Profile()
    profile.runcall(work)
    pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(45)


def main() -> None:
    """Measure each kind of work and print it beside its bare loop."""
    parser = argparse.ArgumentParser(description="What running a trial costs.")
    parser.add_argument("trials", type=int, nargs="?", default=_TRIALS)
    parser.add_argument("--profile", choices=(*KINDS, "plain"), help="show where the time of one kind goes")
    asked = parser.parse_args()
    print(f"{'work':<10}{'events':>8}{'ms CPU':>9}{'bare ms':>9}{'ratio':>7}")
    for kind in [asked.profile] if asked.profile else (*KINDS, "plain"):
        with tempfile.TemporaryDirectory() as place:
            work = Work(kind, Path(place))
            _, run = work.run(asked.trials)
            written = list(events(run / "events-0000.jsonl"))
            if asked.profile:
                profiled(partial(work.run, asked.trials))
            pairs = [(work.run(asked.trials)[0], bare(written, Path(place) / "bare")) for _ in range(_ROUNDS)]
        whole, least = min(one for one, _ in pairs), min(other for _, other in pairs)
        each = [figure / asked.trials * 1e3 for figure in (whole, least)]
        per_trial = len(written) / asked.trials
        print(f"{kind:<10}{per_trial:>8.1f}{each[0]:>9.4f}{each[1]:>9.4f}{whole / least:>7.1f}")


if __name__ == "__main__":
    main()
