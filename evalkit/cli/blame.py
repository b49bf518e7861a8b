"""`evalkit blame`: the root causes of a run."""

from __future__ import annotations

import click

from evalkit.cli.options import setting
from evalkit.cli.output import colour, json_option, say, say_json, width


@click.command("blame")
@click.argument("run")
@click.option("--arm", help="Only this arm.")
@json_option
def command(run: str, *, arm: str | None, as_json: bool) -> int:
    """Show the clusters of failing trials of RUN: one for each root cause, with one trial as example."""
    from evalkit.pipeline.objects import blame_object
    from evalkit.pipeline.order import state_of
    from evalkit.pipeline.showing import blame
    from evalkit.report.console import Look
    from evalkit.report.pages import blame_page

    found = blame(run, setting(), arm)
    if as_json:
        say_json(blame_object(found, state_of(run, setting())))
    else:
        say(blame_page(found, Look(width=width(), colour=colour())))
    return 0
