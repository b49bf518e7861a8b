"""`evalkit list`: runs and their size."""

from __future__ import annotations

import click

from evalkit.cli.options import setting
from evalkit.cli.output import colour, json_option, say, say_json, width


@click.command("list")
@json_option
def command(*, as_json: bool) -> int:
    """List the runs under reports/, latest first."""
    from evalkit.pipeline.objects import runs_object
    from evalkit.pipeline.showing import runs
    from evalkit.report.console import Look
    from evalkit.report.runs import list_page

    found = runs(setting())
    if as_json:
        say_json(runs_object(found))
    else:
        say(list_page(found, Look(width=width(), colour=colour())))
    return 0
