"""The final block of a run, and the list of runs.

What comes in: manifests and counts. What goes out: console text that ends in the next command to type.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from evalkit.records.board import RunLine
from evalkit.records.decision import Counts
from evalkit.records.signature import Manifest
from evalkit.report.console import Look, causes, cells, count, cut, harmless, number, wrap
from evalkit.report.tables import blocks

_RETRIED = frozenset({"environment", "harness", "judge_unavailable"})
"""Causes that another attempt may get rid of."""
_MENDED = frozenset({"broken_case", "fixture_missing"})
"""Causes that only a change of the suite gets rid of; what was measured by another suite is another run."""

_BESIDE_NAME = 46  # cells that the other columns of a list of runs take
_UNITS = ("B", "kB", "MB", "GB", "TB")


def run_block(
    manifest: Manifest,
    arms: dict[str, Counts],
    look: Look,
    *,
    complete: bool,
    notes: Sequence[str] = (),
) -> str:
    """Return what a run came to: counts, duration, name, next command.

    Args:
        manifest: What the run is.
        arms: Trials by the deciding primary, for each arm.
        look: How it looks.
        complete: Every planned trial has a closing line.
        notes: What else a reader should know.
    """
    lines = [look.tone(cut(f"run {manifest.run}", look.width), "strong"), *arm_lines(arms, look)]
    lines += [line for note in notes for line in wrap(note, look.width, "  ", "    ")]
    lines += _source_lines(manifest, look)
    lines.append(f"  mode {manifest.signature.mode}, {_duration(manifest)}")
    lines += wrap(f"next: {_next(manifest, arms, complete=complete)}", look.width)
    return "\n".join(lines)


def arm_lines(arms: dict[str, Counts], look: Look) -> list[str]:
    """Return the counts of every arm, and why trials are errors.

    Args:
        arms: Trials by the deciding primary, for each arm.
        look: How it looks.
    """
    return [line for arm, counts in arms.items() for line in _arm(arm, counts, look)]


def _arm(arm: str, counts: Counts, look: Look) -> Iterator[str]:
    yield from wrap(f"{arm}: {count_line(counts)}", look.width, "  ", "    ")
    if counts.errors:
        yield from wrap(f"errors: {causes(counts.causes)}", look.width, "    ", "      ")


def count_line(counts: Counts) -> str:
    """Return counts on one line; they add up to what was planned.

    Args:
        counts: Trials by the deciding primary.
    """
    head = f"{counts.planned} planned = {counts.passed} pass + {counts.failed} fail + {counts.errors} error"
    degraded = f"; {counts.degraded} degraded" if counts.degraded else ""
    return f"{head}; coverage {number(counts.coverage)}{degraded}"


def list_page(runs: Sequence[RunLine], look: Look) -> str:
    """Return the list of runs.

    Args:
        runs: Latest first.
        look: How it looks.
    """
    if not runs:
        return "there are no runs here"
    head = ("run", "arms", "mode", "trials", "decision", "size")
    lines = _run_lines([head, *(_row(run) for run in runs)], look.width)
    broken = [line for run in runs if run.problem for line in _problem(run, look)]
    return "\n".join([look.tone(lines[0], "strong"), *lines[1:], *broken])


def _run_lines(rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return a table in which no name is broken, since names are there to be typed.

    Where a name leaves too little room, every name stands above what is said of its run.
    """
    if max(cells(harmless(row[0])) for row in rows) + _BESIDE_NAME <= width:
        laid = blocks(rows, width, right=frozenset({3, 5}), whole=frozenset({0}))
        return [line for lines in laid for line in lines]
    beside = blocks([row[1:] for row in rows], width - 2, right=frozenset({2, 4}))
    named = zip(rows, beside, strict=True)
    return [line for row, lines in named for line in (*wrap(row[0], width), *(f"  {one}" for one in lines))]


def _row(run: RunLine) -> tuple[str, ...]:
    if run.problem:
        return run.name, "-", "-", "-", "unreadable", size(run.size)
    state = (run.decision or "-") if run.complete else f"incomplete {run.decision}".rstrip()
    return run.name, ", ".join(run.arms), run.mode, str(run.planned), state, size(run.size)


def _problem(run: RunLine, look: Look) -> list[str]:
    return ["", *wrap(f"{run.name}: {run.problem}", look.width, "", "  ")]


def size(count: int) -> str:
    """Return a number of bytes for people.

    >>> size(999), size(12_345_678)
    ('999 B', '12.3 MB')
    """
    value, unit = float(count), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.0f} {_UNITS[unit]}" if unit == 0 else f"{value:.1f} {_UNITS[unit]}"


def _source_lines(manifest: Manifest, look: Look) -> list[str]:
    """Return what an import could not tell, and the authors' own figures beside ours."""
    lines = []
    if manifest.losses:
        lines.append("  what the source does not tell:")
        for loss in manifest.losses:
            lines += wrap(loss, look.width, "    - ", "      ")
    for name, value in manifest.source.items():
        lines += wrap(f"{name}: {value}", look.width, "  ", "    ")
    return lines


def _duration(manifest: Manifest) -> str:
    if not manifest.ended:
        return "not ended"
    started, ended = (dt.datetime.fromisoformat(text) for text in (manifest.started, manifest.ended))
    return f"{max(0.0, (ended - started).total_seconds()):.1f} s"


def _next(manifest: Manifest, arms: dict[str, Counts], *, complete: bool) -> str:
    if not complete:
        return f"evalkit resume {manifest.run}"
    found = {cause for counts in arms.values() for cause in counts.causes}
    if found & _RETRIED and manifest.signature.mode != "imported":
        return f"evalkit retry {manifest.run} --errors"
    if found & _MENDED:
        return "mend the suite (evalkit check), then run it again"
    return f"evalkit show {manifest.run}"


def plan_line(manifest: Manifest) -> str:
    """Return what was planned, in words.

    Args:
        manifest: What the run is.
    """
    plan = manifest.plan
    trials = f"{count(plan.cases, 'case')}, {count(plan.trials, 'trial')} each"
    return f"suite {manifest.suite}, mode {manifest.signature.mode}, {trials}"
