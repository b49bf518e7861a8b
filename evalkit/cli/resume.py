"""`evalkit resume`: finish what a run is missing."""

from __future__ import annotations

import click

from evalkit.cli.options import budget, budget_options, fail_option, jobs_option, setting
from evalkit.cli.output import apart, json_option
from evalkit.cli.results import finish


@click.command("resume")
@click.argument("run")
@jobs_option
@budget_options
@fail_option
@json_option
def command(run: str, *, jobs: int, fail_on_fail: bool, as_json: bool, **spend: float | None) -> int:
    """Run every planned trial of RUN that has no closing line."""
    from evalkit.pipeline.order import resume

    limit = budget(**spend)
    with apart():
        report = resume(run, jobs, setting(), limit)
    return finish(report, as_json=as_json, fail_on_fail=fail_on_fail, flags=limit.flags)
