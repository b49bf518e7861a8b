"""`evalkit check`: load, lint, and ask the world without an agent."""

from __future__ import annotations

from pathlib import Path

import click

from evalkit.cli.options import setting
from evalkit.cli.output import apart, colour, json_option, say, say_json, width


@click.command("check")
@click.argument("suites", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def command(suites: tuple[Path, ...], *, as_json: bool) -> int:
    """Load and lint SUITES: all problems at once, and what the sample size can prove.

    The world is built, started and asked for every case, on an empty transcript: no agent is run.
    """
    from evalkit.pipeline.checking import check
    from evalkit.pipeline.objects import check_object
    from evalkit.report.checks import check_page
    from evalkit.report.console import Look

    with apart():
        reports = check(suites, setting())
    if as_json:
        say_json(check_object(reports))
    else:
        say(check_page(reports, Look(width=width(), colour=colour())))
    if any(report.refused for report in reports):
        return 2
    return 3 if any(report.cases == 0 for report in reports) else 0
