"""`evalkit gate`: go, no-go or undecided."""

from __future__ import annotations

from pathlib import Path

import click

from evalkit.cli.options import chosen, run_options, setting
from evalkit.cli.output import apart, colour, json_option, say, say_json, width
from evalkit.cli.outputs import outputs_option, refuse_outputs, report_to


def _no_shard(_ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Refuse to decide about a part of a plan."""
    if value is not None:
        told = "a part of a plan decides nothing: `evalkit run --shard` each, `evalkit merge` all, then gate"
        raise click.BadParameter(told, param=param)


@click.command("gate")
@click.argument("suite_or_run")
@run_options
@outputs_option
@click.option("--policy", type=click.Path(path_type=Path), help="Default: gate.yaml of the suite.")
@click.option("--shard", hidden=True, callback=_no_shard, expose_value=False)
@click.option("--explain", is_flag=True, help="Print every default and how each figure was computed.")
@json_option
def command(
    suite_or_run: str,
    *,
    outputs: tuple[Path, ...],
    policy: Path | None,
    explain: bool,
    as_json: bool,
    **options: object,
) -> int:
    """Decide about SUITE_OR_RUN: a suite is run first, a run is judged as it stands."""
    from evalkit.pipeline.gating import GateRequest, gate
    from evalkit.pipeline.objects import decision_object
    from evalkit.report.console import Look
    from evalkit.report.decisions import decision_page

    refuse_outputs(outputs)
    request = GateRequest(target=suite_or_run, policy=policy, **chosen(options))
    with apart():
        decided = gate(request, setting())
    if as_json:
        say_json(decision_object(decided))
    else:
        say(decision_page(decided, Look(width=width(), colour=colour()), explain=explain))
    named = suite_or_run if (Path(suite_or_run) / "manifest.json").is_file() else decided.run
    return report_to(named, outputs, {"go": 0, "no-go": 1, "undecided": 3}[decided.decision])
