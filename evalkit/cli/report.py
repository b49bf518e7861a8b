"""`evalkit report`: a stored run as files."""

from __future__ import annotations

from pathlib import Path

import click

from evalkit.cli.options import setting
from evalkit.cli.output import colour, json_option, notice, say, say_json, width
from evalkit.cli.outputs import outputs_option
from evalkit.errors import OutputError


@click.command("report")
@click.argument("run")
@outputs_option
@click.option("--arm", help="Only this arm.")
@click.option(
    "--github-summary",
    "summary",
    type=click.Path(path_type=Path),
    help="Append the Markdown to this file, such as $GITHUB_STEP_SUMMARY.",
)
@click.option("--annotations", is_flag=True, help="Print failing cases as annotations for GitHub.")
@json_option
def command(
    run: str,
    *,
    outputs: tuple[Path, ...],
    arm: str | None,
    summary: Path | None,
    annotations: bool,
    as_json: bool,
) -> int:
    """Render RUN as it is stored; without -o into report.html in its folder. Nothing is decided anew."""
    from evalkit.pipeline.objects import reported_object
    from evalkit.pipeline.reporting import ReportRequest, write_reports
    from evalkit.report.console import Look
    from evalkit.report.files import reported_page

    if annotations and as_json:
        raise click.UsageError("--annotations and --json both want stdout: choose one")
    request = ReportRequest(run=run, outputs=outputs, arm=arm, summary=summary, annotations=annotations)
    reported = write_reports(request, setting())
    for problem in reported.problems:
        notice(f"evalkit: {problem}")
    try:
        if as_json:
            say_json(reported_object(reported))
        else:
            page = reported_page(reported, Look(width=width(), colour=colour()))
            say("\n".join([*reported.commands, page]))
    except (OSError, OutputError):
        paths = ", ".join(one.path for one in reported.written) or "no file"
        notice(f"evalkit: stdout cannot be written; whole are: {paths}")
        raise
    return 4 if reported.problems else 0
