"""The final block of a run, and the list of runs.

What comes in: manifests and counts. What goes out: console text that ends in the next command to type.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from evalkit.records.board import RunLine
from evalkit.records.decision import Counts
from evalkit.records.signature import Manifest
from evalkit.report.console import Look, causes, columns, cut, number, wrap

_UNITS = ("B", "kB", "MB", "GB", "TB")


def run_block(manifest: Manifest, arms: dict[str, Counts], look: Look, *, complete: bool) -> str:
    """Return what a run came to: counts, duration, name, next command.

    Args:
        manifest: What the run is.
        arms: Trials by the deciding primary, for each arm.
        look: How it looks.
        complete: Every planned trial has a closing line.
    """
    lines = [look.tone(f"run {cut(manifest.run, look.width - 4)}", "strong")]
    for arm, counts in arms.items():
        lines.append(f"  {cut(arm, 30)}: {count_line(counts)}")
        if counts.errors:
            lines += wrap(f"errors: {causes(counts.causes)}", look.width, "    ")
    lines += _source_lines(manifest, look)
    lines.append(f"  mode {manifest.signature.mode}, {_duration(manifest)}")
    lines.append(_next(manifest, arms, complete=complete))
    return "\n".join(lines)


def count_line(counts: Counts) -> str:
    """Return counts on one line; they add up to what was planned.

    Args:
        counts: Trials by the deciding primary.
    """
    head = f"{counts.planned} planned = {counts.passed} pass + {counts.failed} fail + {counts.errors} error"
    return f"{head}; coverage {number(counts.coverage)}"


def list_page(runs: Sequence[RunLine], look: Look) -> str:
    """Return the list of runs.

    Args:
        runs: Latest first.
        look: How it looks.
    """
    if not runs:
        return "there are no runs here"
    head = ("run", "arms", "mode", "trials", "decision", "size")
    rows = [head, *(_row(run) for run in runs)]
    lines = columns(rows, look, right=frozenset({3, 5}))
    return "\n".join([look.tone(lines[0], "strong"), *lines[1:]])


def _row(run: RunLine) -> tuple[str, ...]:
    if run.problem:
        return run.name, run.problem, "", "", "unreadable", size(run.size)
    state = run.decision or ("" if run.complete else "incomplete")
    return run.name, ",".join(run.arms), run.mode, str(run.planned), state, size(run.size)


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
            lines += wrap(f"- {loss}", look.width, "    ")
    for name, value in manifest.source.items():
        lines += wrap(f"{name}: {value}", look.width, "  ")
    return lines


def _duration(manifest: Manifest) -> str:
    if not manifest.ended:
        return "not ended"
    started, ended = (dt.datetime.fromisoformat(text) for text in (manifest.started, manifest.ended))
    return f"{max(0.0, (ended - started).total_seconds()):.1f} s"


def _next(manifest: Manifest, arms: dict[str, Counts], *, complete: bool) -> str:
    if not complete:
        return f"next: evalkit resume {manifest.run}"
    if any(counts.unmeasured for counts in arms.values()) and manifest.signature.mode != "imported":
        return f"next: evalkit retry {manifest.run} --errors"
    return f"next: evalkit show {manifest.run}"
