"""`evalkit import`: somebody else's recorded results become a run."""

from __future__ import annotations

from pathlib import Path

import click

from evalkit.cli.options import fail_option, setting
from evalkit.cli.output import json_option
from evalkit.cli.results import finish


@click.command("import")
@click.argument("source_format", metavar="FORMAT", type=click.Choice(["tau-bench", "terminal-bench"]))
@click.argument("path", type=click.Path(path_type=Path))
@fail_option
@json_option
def command(source_format: str, path: Path, *, fail_on_fail: bool, as_json: bool) -> int:
    """Turn results recorded in PATH into a run; what the source cannot tell is listed, never guessed."""
    from evalkit.pipeline.importing import import_run

    return finish(import_run(source_format, path, setting()), as_json=as_json, fail_on_fail=fail_on_fail)
