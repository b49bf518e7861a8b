"""Figures as text: a table of eighty columns, the targets beside what was reached, a page with versions.

What comes in: `Figures`. What goes out: text.
"""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Figures
from benchmarks.work import KINDS

_MIB = 1024 * 1024
_LOCK = Path(__file__).with_name("requirements.lock")
_PEERS = ("inspect-ai", "pydantic-evals")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What must be reached, and what was.

    Attributes:
        name: What it is about.
        reached: The figure; None where it was not measured.
        most: The most that it may be; None where it is only reported.
        digits: Decimals that are shown.
    """

    name: str
    reached: float | None
    most: float | None
    digits: int = 2

    def line(self) -> str:
        """Return it as one line."""
        figure = "-" if self.reached is None else f"{self.reached:,.{self.digits}f}"
        limit = "" if self.most is None else f"at most {self.most:.{self.digits}f}"
        return f"{self.name:<45}{figure:>9}  {limit:<15}{self._word()}".rstrip()

    def _word(self) -> str:
        if self.reached is None:
            return "not measured"
        if self.most is None:
            return "reported"
        return "reached" if self.reached <= self.most else "MISSED"


def targets(figures: Sequence[Figures], score: float, large: int | None) -> tuple[Target, ...]:
    """Return what must be reached beside what was.

    Args:
        figures: All lines of the table.
        score: CPU seconds of scoring one trial of `refund`.
        large: Peak memory of the very large run, bytes; None where it was not run.
    """
    trivial, turns = _named(figures, "trivial", "evalkit run"), _named(figures, "turns", "evalkit run")
    return (
        Target(
            name="trivial: evalkit / cheapest Inspect AI",
            reached=_against(figures, trivial, "Inspect"),
            most=1 / 15,
            digits=3,
        ),
        Target(
            name="turns: evalkit / cheapest Inspect AI",
            reached=_against(figures, turns, "Inspect"),
            most=1 / 15,
            digits=3,
        ),
        Target(
            name="trivial: evalkit / pydantic-evals (aim: 1)",
            reached=_against(figures, trivial, "pydantic"),
            most=1.5,
        ),
        Target(
            name="trivial: evalkit / bare loop (aim: 10)",
            reached=_ratio(trivial.trial, trivial.floor),
            most=None,
            digits=1,
        ),
        Target(
            name="turns: evalkit / bare loop", reached=_ratio(turns.trial, turns.floor), most=None, digits=1
        ),
        Target(name="score of one refund trial, ms", reached=score * 1e3, most=0.3, digits=3),
        Target(
            name="peak memory of 100,000 trivial trials, MiB",
            reached=None if large is None else large / _MIB,
            most=400,
            digits=0,
        ),
    )


def page(figures: Iterable[Figures], reached: Iterable[Target], sizes: Sequence[int]) -> str:
    """Return all that is printed.

    Args:
        figures: Lines of the table.
        reached: Targets.
        sizes: Trials that were run.
    """
    head = f"{'work':<8}{'tool':<29}{'trial':>9}{'start':>7}{'peak':>6}{'disk':>8}{'score':>7}{'bare':>6}"
    units = f"{'':<8}{'':<29}{'ms CPU':>9}{'s CPU':>7}{'MiB':>6}{'B/trial':>8}{'ms':>7}{'ms':>6}"
    shown = ", ".join(f"{size:,}" for size in sizes)
    return "\n".join(
        [
            f"CPU of child processes at {shown} trials;",
            "what one trial costs is the slope between them.",
            "`start` is a run of one trial; `score` decides the verdicts of one trial again;",
            "`bare` encodes and appends the same bytes, and does nothing else.",
            "",
            head,
            units,
            *(_line(one) for one in sorted(figures, key=lambda one: KINDS.index(one.kind))),
            "",
            *(target.line() for target in reached),
        ]
    )


def document(text: str) -> str:
    """Return the page of results: date, versions, machine, figures.

    Args:
        text: What was printed.
    """
    today = dt.datetime.now(dt.UTC).date().isoformat()
    peers = ", ".join(f"{name} {version}" for name, version in _locked().items())
    return (
        "# What the harness costs\n\n"
        "Made by `make bench`. The work: `benchmarks/work.py`; how it is measured: `overhead.py`.\n\n"
        f"{today}, evalkit {importlib.metadata.version('evalkit')}, {peers}; "
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, shared with other work.\n\n"
        f"```text\n{text}\n```\n"
    )


def _line(one: Figures) -> str:
    again = "-" if one.again is None else f"{one.again * 1e3:.3f}"
    floor = "-" if one.floor is None else f"{one.floor * 1e3:.3f}"
    return (
        f"{one.kind:<8}{one.tool:<29}{one.trial * 1e3:>9.3f}{one.startup:>7.2f}{one.rss / _MIB:>6.0f}"
        f"{one.stored:>8,.0f}{again:>7}{floor:>6}"
    )


def _named(figures: Iterable[Figures], kind: str, tool: str) -> Figures:
    return next(one for one in figures if (one.kind, one.tool) == (kind, tool))


def _against(figures: Iterable[Figures], own: Figures, tool: str) -> float | None:
    """Return the ratio to the cheapest row of a peer."""
    theirs = [one.trial for one in figures if one.kind == own.kind and one.tool.startswith(tool)]
    return _ratio(own.trial, min(theirs, default=None))


def _ratio(own: float, other: float | None) -> float | None:
    return own / other if other else None


def _locked() -> dict[str, str]:
    found = re.findall(r"^([\w-]+)==(\S+)", _LOCK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: version for name, version in found if name in _PEERS}
