"""`evalkit retry --errors`: new attempts of unmeasured trials."""

from __future__ import annotations

import click

from evalkit.cli.options import budget, budget_options, fail_option, jobs_option, setting
from evalkit.cli.output import apart, json_option
from evalkit.cli.results import finish


@click.command("retry")
@click.argument("run")
@click.option(
    "--errors",
    "cause",
    is_flag=False,
    flag_value="",
    required=True,
    help="Unmeasured trials; --errors=CAUSE only those with this cause.",
)
@jobs_option
@budget_options
@fail_option
@json_option
def command(
    run: str, *, cause: str, jobs: int, fail_on_fail: bool, as_json: bool, **spend: float | None
) -> int:
    """Try the unmeasured trials of RUN again; the last attempt counts, a fail is never retried."""
    from evalkit.pipeline.order import retry

    limit = budget(**spend)
    with apart():
        report = retry(run, cause, jobs, setting(), limit)
    return finish(report, as_json=as_json, fail_on_fail=fail_on_fail, flags=limit.flags)
