"""What `report` wrote, on a terminal.

What comes in: `Reported`. What goes out: lines with the decision, the files and their sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.reported import Reported, WrittenReport
from evalkit.report.console import Look, cut, wrap
from evalkit.report.runs import size


def reported_page(reported: Reported, look: Look) -> str:
    """Return what was reported of a run, and where it lies.

    Args:
        reported: What was reported.
        look: How it looks.
    """
    manifest = reported.manifest
    state = reported.decision or "not decided"
    incomplete = "" if manifest.complete else "; incomplete: the reports say so"
    lines = [look.tone(cut(f"run {manifest.run}: {state}{incomplete}", look.width), "strong")]
    lines += wrap(reported.dropped, look.width, "  ", "    ") if reported.dropped else []
    return "\n".join([*lines, *written_lines(reported.written, look)])


def written_lines(written: Sequence[WrittenReport], look: Look) -> Iterator[str]:
    """Yield one line for each file that is whole.

    Args:
        written: Files.
        look: How it looks.
    """
    for one in written:
        verb = "appended to" if one.format == "summary" else "wrote"
        yield from wrap(f"{verb} {one.path} ({size(one.size)})", look.width, "  ", "    ")
