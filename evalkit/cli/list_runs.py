"""`evalkit list`: runs and their size."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evalkit.cli.options import setting
from evalkit.cli.output import colour, json_option, say, say_json, width

if TYPE_CHECKING:
    from evalkit.pipeline.listing import Order


@click.command("list")
@click.option(
    "--sort",
    type=click.Choice(["begun", "size", "name"]),
    default="begun",
    help="The latest first (begun), the largest first (size), or by name.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N.")
@json_option
def command(*, sort: Order, limit: int | None, as_json: bool) -> int:
    """List the runs under reports/, the latest first, with what they take on disk."""
    from evalkit.pipeline.listing import runs
    from evalkit.pipeline.objects import runs_object
    from evalkit.report.console import Look
    from evalkit.report.runs import list_page

    here = setting()
    found = runs(here, sort)
    shown = found[:limit]
    if as_json:
        total = sum(line.size for line in found)
        say_json({**runs_object(shown), "total": len(found), "total_size": total})
    else:
        left_out, place = len(found) - len(shown), _typed(here.reports)
        say(list_page(shown, Look(width=width(), colour=colour()), left_out=left_out, place=place))
    return 0


def _typed(reports: Path) -> str:
    """Return the folder of runs as a person would type it from here."""
    near = reports.relative_to(Path.cwd()) if reports.is_relative_to(Path.cwd()) else reports
    return shlex.quote(str(near))
