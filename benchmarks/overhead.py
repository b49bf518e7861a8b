"""What the harness itself costs: the same work through evalkit, Inspect AI, pydantic-evals and a bare loop.

    python benchmarks/overhead.py [--trials 200,1000,10000] [--rounds 3] [--quick] [--large] [--write]

Every figure is that of a child process of its own: CPU (user and system), peak memory, bytes on disk. What a
trial costs is the slope between sizes, so that start-up stands apart; ratios are of figures of one run, since
absolute ones depend on the machine and on who else uses it. After each run of evalkit, `evalkit score`
decides its verdicts again, and their bytes must be the same. Exit code 1 where a target is missed.

The peers live in an environment of their own: `make bench` makes it. Without it, only evalkit is measured.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import measuring, outcome, work
from benchmarks.measuring import Measured

_LARGE = 100_000  # trials in one run
_PEERS_MISSING = "The peers are not installed, so only evalkit is measured: `make bench` installs them."


def main() -> int:
    """Measure, print, and return 1 where a target is missed."""
    asked = _asked()
    rows = list(work.own_rows())
    if work.PEERS.exists():
        rows += work.peer_rows(quick=asked.quick)
    else:
        print(_PEERS_MISSING, file=sys.stderr)
    rows = [row for row in rows if sum(row.takes(trials) for trials in asked.trials) > 1]
    figures = [one.figures() for one in _measured(rows, asked.trials, asked.rounds)]
    score = measuring.refund_score()
    large = _large() if asked.large else None
    text = outcome.page(figures, outcome.targets(figures, score, large), asked.trials)
    print(text)
    if asked.write:
        Path(__file__).with_name("RESULTS.md").write_text(outcome.document(text), encoding="utf-8")
    return int("MISSED" in text)


def _measured(rows: list[work.Row], sizes: tuple[int, ...], rounds: int) -> list[Measured]:
    """Run all rows at all sizes, taking turns, so that a busy minute hits everyone."""
    every = [Measured(row=row) for row in rows]
    for at in range(rounds):
        for trials in (1, *sizes):
            for one in every:
                if one.wants(trials, at):
                    _say(f"round {at + 1} of {rounds}: {one.row.kind}, {one.row.tool}, {trials:,} trials")
                    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
                        one.measure(trials, Path(folder))
    return every


def _large() -> int:
    """Return the peak memory of one very large trivial run, bytes."""
    _say(f"trivial, evalkit run, {_LARGE:,} trials")
    one = Measured(row=work.own_rows()[0])
    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
        one.measure(_LARGE, Path(folder))
    return one.costs[_LARGE].rss


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What the harness costs, beside others.")
    parser.add_argument("--trials", type=_sizes, default=(200, 1_000, 10_000), help="at least two, by commas")
    parser.add_argument("--rounds", type=int, default=3, help="how often; the least of each size counts")
    parser.add_argument(
        "--quick", action="store_true", help="minutes instead of an hour: one round, fewer rows"
    )
    parser.add_argument("--large", action="store_true", help=f"also {_LARGE:,} trials, for their memory")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    asked = parser.parse_args()
    if asked.quick:
        asked.trials, asked.rounds = (200, 1_000, 5_000), 1
    return asked


def _sizes(text: str) -> tuple[int, ...]:
    try:
        found = tuple(sorted({work.size(int(word)).trials for word in text.split(",")}))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if len(found) < 2:
        raise argparse.ArgumentTypeError("a slope needs two sizes")
    return found


if __name__ == "__main__":
    sys.exit(main())
