"""`evalkit score`: verdicts again from stored events."""

from __future__ import annotations

import click

from evalkit.cli.options import fail_option, setting
from evalkit.cli.output import apart, json_option
from evalkit.cli.results import finish


@click.command("score")
@click.argument("run")
@fail_option
@json_option
def command(run: str, *, fail_on_fail: bool, as_json: bool) -> int:
    """Decide the verdicts of RUN again; nothing is executed, the suite's folder is not needed."""
    from evalkit.pipeline.order import score_again

    with apart():
        report = score_again(run, setting())
    return finish(report, as_json=as_json, fail_on_fail=fail_on_fail)
