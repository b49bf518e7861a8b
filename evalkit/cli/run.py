"""`evalkit run`: execute a suite into a new run folder."""

from __future__ import annotations

from pathlib import Path

import click

from evalkit.cli.options import ShardOf, chosen, fail_option, run_options, setting
from evalkit.cli.output import apart, json_option
from evalkit.cli.outputs import outputs_option, refuse_outputs, report_to
from evalkit.cli.results import finish


@click.command("run")
@click.argument("suite", type=click.Path(path_type=Path))
@run_options
@click.option("--shard", type=ShardOf(), help="Only one part of the plan; `evalkit merge` joins the parts.")
@outputs_option
@fail_option
@json_option
def command(
    suite: Path, *, outputs: tuple[Path, ...], fail_on_fail: bool, as_json: bool, **options: object
) -> int:
    """Execute SUITE; a new folder appears under reports/."""
    from evalkit.pipeline.order import RunRequest, run

    refuse_outputs(outputs)
    request = RunRequest(suite=suite, **chosen(options))
    with apart():
        report = run(request, setting())
    code = finish(report, as_json=as_json, fail_on_fail=fail_on_fail, flags=request.budget.flags)
    return report_to(report.folder, outputs, code)
