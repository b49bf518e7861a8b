"""Runs rows and makes their figures.

What comes in: a row of `work`, sizes. What goes out: `Figures`, one line of the table each.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import children, work
from benchmarks.children import ChildFailed, Cost

_ONCE = 1_000  # trials; beyond them a slow row takes minutes, and averages over busy moments by itself
_EVALKIT = str(Path(sys.executable).with_name("evalkit"))
_REFUND = work.HERE.parent / "suites" / "refund"
_REFUND_TRIALS = (1, 25)  # of each case


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One line of the table.

    Attributes:
        kind: The work.
        tool: Who did it.
        trial: CPU seconds of one trial.
        startup: CPU seconds of a run of one trial.
        rss: Peak memory at the largest size, bytes.
        stored: Bytes on disk for one trial.
        again: CPU seconds of deciding the verdicts of one trial again.
        floor: CPU seconds of writing the same bytes and nothing else.
    """

    kind: str
    tool: str
    trial: float
    startup: float
    rss: int
    stored: float
    again: float | None = None
    floor: float | None = None


@dataclass(slots=True, kw_only=True)
class Measured:
    """The costs of one row so far: of each size the least, since others use the machine, too.

    Attributes:
        row: What is measured.
        costs: Trials -> cost.
        again: Trials -> cost of `evalkit score` on the same run.
        floors: CPU seconds of one trial's bytes, written bare.
    """

    row: work.Row
    costs: dict[int, Cost] = field(default_factory=dict)
    again: dict[int, Cost] = field(default_factory=dict)
    floors: list[float] = field(default_factory=list)

    def wants(self, trials: int, at: int) -> bool:
        """Tell whether a size is to be run in a round.

        Args:
            trials: The size.
            at: Number of the round, from 0.
        """
        if not self.row.takes(trials):
            return False
        return at == 0 or trials <= _ONCE or not self.row.is_slow

    def measure(self, trials: int, folder: Path) -> None:
        """Run one size once.

        Args:
            trials: The size.
            folder: An empty folder.

        Raises:
            ChildFailed: A process failed, a trial did not pass, or scoring again gave other verdicts.
        """
        row, surroundings = self.row, self.row.surroundings(folder)
        cost = children.run(row.command(work.size(trials), folder), folder, surroundings)
        passed = row.passed(cost.said)
        if passed != trials:
            raise ChildFailed(f"{row.tool}, {row.kind}: {passed} of {trials} trials passed")
        self.costs[trials] = _least(self.costs.get(trials), cost)
        if row.is_own:
            run = folder / "reports" / str(cost.said["run"])
            self.again[trials] = _least(self.again.get(trials), scored_again(run, folder, surroundings))
            if trials > 1:
                self.floors.append(_floor(run, folder, surroundings) / trials)

    def figures(self) -> Figures:
        """Return what was measured as one line."""
        largest = max(self.costs)
        return Figures(
            kind=self.row.kind,
            tool=self.row.tool,
            trial=slope(self.costs),
            startup=self.costs[1].cpu,
            rss=self.costs[largest].rss,
            stored=self.costs[largest].stored / largest,
            again=slope(self.again) if self.again else None,
            floor=min(self.floors, default=None),
        )


def slope(costs: Mapping[int, Cost]) -> float:
    """Return the CPU seconds that one more trial costs.

    Args:
        costs: Trials -> cost; at least two sizes above 1, which tells start-up and nothing else.
    """
    sizes = sorted(trials for trials in costs if trials > 1)
    first, last = sizes[0], sizes[-1]
    return (costs[last].cpu - costs[first].cpu) / (last - first)


def scored_again(run: Path, folder: Path, surroundings: Mapping[str, str]) -> Cost:
    """Decide the verdicts of a run again.

    Args:
        run: The run.
        folder: Where to stand.
        surroundings: Environment.

    Returns:
        What it cost.

    Raises:
        ChildFailed: The verdicts are other bytes than before.
    """
    before = (run / "verdicts.jsonl").read_bytes()
    cost = children.run((_EVALKIT, "score", str(run), "--json"), folder, surroundings)
    if before != (run / "verdicts.jsonl").read_bytes():
        raise ChildFailed(f"evalkit score {run.name} gave other verdicts than the run")
    return cost


def refund_score() -> float:
    """Return the CPU seconds that `evalkit score` takes for one trial of the suite `refund`."""
    found: dict[int, Cost] = {}
    for repeats in _REFUND_TRIALS:
        with tempfile.TemporaryDirectory(prefix="overhead-") as place:
            folder = Path(place)
            surroundings = work.own_rows()[0].surroundings(folder)
            options = ("--arm", "champion", "--trials", str(repeats), "--json")
            said = children.run((_EVALKIT, "run", str(_REFUND), *options), folder, surroundings).said
            run, trials = folder / "reports" / said["run"], int(said["planned"])
            for _ in range(3):
                found[trials] = _least(found.get(trials), scored_again(run, folder, surroundings))
    return slope(found)


def _floor(run: Path, folder: Path, surroundings: Mapping[str, str]) -> float:
    """Return the CPU seconds of writing the bytes of a run and nothing else."""
    command = (sys.executable, str(work.HERE / "floor.py"), str(run))
    return float(children.run(command, folder, surroundings).said["cpu"])


def _least(one: Cost | None, other: Cost) -> Cost:
    return other if one is None or other.cpu < one.cpu else one
