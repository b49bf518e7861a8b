"""The final block of `run`, `resume`, `retry`, `score`, `merge` and `import`, and their exit code.

What comes in: a `RunReport`. What goes out: text or one JSON object, and 0, 1 or 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalkit.cli.options import setting
from evalkit.cli.output import colour, say, say_json, width

if TYPE_CHECKING:
    from evalkit.pipeline.summing import RunReport


def finish(report: RunReport, *, as_json: bool, fail_on_fail: bool = False, flags: str = "") -> int:
    """Print what a run came to and return the exit code.

    Args:
        report: What it came to.
        as_json: Print a JSON object.
        fail_on_fail: A failing trial gives 1.
        flags: The flags of the budget that it was run with.

    Returns:
        3 unless everything planned was measured, else 1 for a failing trial under `fail_on_fail`, else 0.
    """
    from evalkit.pipeline.ending import ending, ending_object
    from evalkit.pipeline.objects import report_object
    from evalkit.report.console import Look
    from evalkit.report.following import next_command
    from evalkit.report.runs import run_block

    told = ending(report, setting(), flags)
    if as_json:
        command = next_command(report.manifest, report.arms, complete=report.complete, ending=told)
        say_json({**report_object(report), **ending_object(told, command)})
    else:
        look, notes = Look(width=width(), colour=colour()), report.notes
        say(run_block(report.manifest, report.arms, look, complete=report.complete, notes=notes, ending=told))
    if not report.measured:
        return 130 if report.stopped else 3
    return 1 if fail_on_fail and report.counts.failed else 0
