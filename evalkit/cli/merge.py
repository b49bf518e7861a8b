"""`evalkit merge`: the shards of one plan become one run."""

from __future__ import annotations

import click

from evalkit.cli.options import fail_option, setting
from evalkit.cli.output import apart, json_option
from evalkit.cli.results import finish


@click.command("merge")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--partial", is_flag=True, help="Merge although shards are missing; their trials stay unmeasured."
)
@fail_option
@json_option
def command(runs: tuple[str, ...], *, partial: bool, fail_on_fail: bool, as_json: bool) -> int:
    """Join the shards RUN..., names or folders, into one new run; each must be there once.

    Nothing is executed. The verdicts are those of a run that was not divided.
    """
    from evalkit.pipeline.merging import merge

    with apart():
        report = merge(runs, setting(), partial=partial)
    return finish(report, as_json=as_json, fail_on_fail=fail_on_fail)
