"""How large a report is, how long it takes to write, and how long a browser takes to open it.

    python benchmarks/report.py [--quick] [--runs FOLDER] [--rounds 3]

Runs of 20, 1,000 and 20,000 trials (4,000 cases five times, 20,000 once) of the suite in `desk.py` are made
as a person makes them, which takes some minutes, and kept in FOLDER for the next time. Written: one
`evalkit report RUN -o r.html` from its start to its end. Opened: to the end of the load event, which is when
all can be read and the tools work. The least of the rounds counts, since others use the machine, too; CPU is
shown beside, as on a busy machine it says more. Exit code 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks import children, desk
from tests.browser.chromium import browsing, chromium

SIZES = ((4, 5), (200, 5), (4000, 5), (20_000, 1))
_WRITTEN, _OPENED, _MEGABYTES = 10.0, 2.0, 15.0  # targets: seconds, seconds, 10^6 bytes
_ALONE = {"PATH": ""}
_EVALKIT = str(Path(sys.executable).with_name("evalkit"))
_LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
_HEAD = (
    f"{'trials':>16} {'written s':>10} {'CPU s':>7} {'peak MiB':>9} {'MB':>6} {'opened s':>9} {'elements':>9}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One line of the table.

    Attributes:
        cases: Of the run.
        repeats: Trials of each.
        written: Seconds from start to end of the command.
        cpu: Seconds of its CPU.
        rss: Its peak memory, bytes.
        size: Bytes of the page.
        opened: Seconds to the end of the load event; None without a browser.
        elements: Of the page in the browser.
    """

    cases: int
    repeats: int
    written: float
    cpu: float
    rss: int
    size: int
    opened: float | None = None
    elements: int | None = None

    def missed(self) -> list[str]:
        """Return the targets that this line misses, in words."""
        found = {
            f"written in {self.written:.1f} s, {_WRITTEN:.0f} s allowed": self.written >= _WRITTEN,
            f"{self.size / 1e6:.1f} MB, {_MEGABYTES:.0f} MB allowed": self.size >= _MEGABYTES * 1e6,
            f"opened in {self.opened or 0:.1f} s, {_OPENED:.0f} s allowed": (self.opened or 0) >= _OPENED,
        }
        return [f"{self.cases:,} x {self.repeats}: {text}" for text, missed in found.items() if missed]

    def line(self) -> str:
        """Return the line."""
        opened = "-" if self.opened is None else f"{self.opened:.2f}"
        elements = "-" if self.elements is None else f"{self.elements:,}"
        return (
            f"{f'{self.cases:,} x {self.repeats}':>16} {self.written:>10.2f} {self.cpu:>7.2f}"
            f" {self.rss / 2**20:>9.0f} {self.size / 1e6:>6.2f} {opened:>9} {elements:>9}"
        )


def main() -> int:
    """Measure, print, and return 1 where a target is missed."""
    asked = _asked()
    print(f"targets: written < {_WRITTEN:.0f} s, < {_MEGABYTES:.0f} MB, opened < {_OPENED:.0f} s\n\n{_HEAD}")
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="report-") as made:
        for one in _all(
            Path(asked.runs or made).resolve(), SIZES[:2] if asked.quick else SIZES, asked.rounds
        ):
            print(one.line(), flush=True)
            missed += one.missed()
    print("\n" + ("\n".join(f"MISSED  {text}" for text in missed) or "all targets are met"))
    return int(bool(missed))


def _all(place: Path, sizes: tuple[tuple[int, int], ...], rounds: int) -> Iterator[Measured]:
    """Yield a line for each size."""
    program = chromium()
    if program is None:
        print("no Chromium here: what is written is measured, what is opened is not", file=sys.stderr)
        yield from (_written(place, *size, rounds) for size in sizes)
        return
    with browsing(program) as browser:
        for size in sizes:
            yield _opened(_written(place, *size, rounds), place / "r.html", browser, rounds)


def _written(place: Path, cases: int, repeats: int, rounds: int) -> Measured:
    """Write a report some times; the page of the last is left at `r.html`."""
    run = _run(place / f"{cases}x{repeats}", cases, repeats)
    command = (_EVALKIT, "report", str(run), "-o", str(place / "r.html"), "--json")
    seconds, costs = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="report-") as folder:
            started = time.monotonic()
            costs.append(children.run(command, Path(folder), _ALONE))
            seconds.append(time.monotonic() - started)
    return Measured(
        cases=cases,
        repeats=repeats,
        written=min(seconds),
        cpu=min(cost.cpu for cost in costs),
        rss=max(cost.rss for cost in costs),
        size=(place / "r.html").stat().st_size,
    )


def _run(place: Path, cases: int, repeats: int) -> Path:
    """Return a run with a decision, made unless it is there."""
    reports = place / "reports"
    if not reports.is_dir():
        desk.write(cases, place / "suites" / "desk")
        print(f"making a run of {cases:,} x {repeats} trials", file=sys.stderr, flush=True)
        options = ("--trials", str(repeats), "--mode", "real", "--json")
        command = [_EVALKIT, "gate", "suites/desk", *options]
        done = subprocess.run(command, cwd=place, env=_ALONE, capture_output=True, text=True, check=False)
        assert json.loads(done.stdout)["planned"] == cases * repeats, done.stderr  # whatever it decides
    (run,) = (one for one in reports.iterdir() if (one / "manifest.json").is_file())
    return run


def _opened(one: Measured, page: Path, browser: Browser, rounds: int) -> Measured:
    """Open a page some times, each in a fresh tab."""
    seconds, elements = [], 0
    for _ in range(rounds):
        tab = browser.new_page()
        tab.goto(page.as_uri())
        seconds.append(tab.evaluate(_LOADED) / 1000)
        elements = tab.evaluate("() => document.querySelectorAll('*').length")
        tab.close()
    return replace(one, opened=min(seconds), elements=elements)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How large a report is, and how fast.")
    parser.add_argument("--quick", action="store_true", help="20 and 1,000 trials")
    parser.add_argument("--runs", metavar="FOLDER", help="keep the runs there, and take those that are there")
    parser.add_argument("--rounds", type=int, default=3, help="how often; the least counts")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
