"""`evalkit schema`: JSON Schema of what people write, and of what evalkit writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from evalkit.cli.output import json_option, say_json

if TYPE_CHECKING:
    from evalkit.suite.schemas import Kind

_WRITTEN = ("suite", "case", "arm", "gate")
_FILES = (
    *("manifest", "loaded-suite", "plan", "event", "verdict", "attribution", "decision", "report", "table"),
)
_OBJECTS = (
    *("run-json", "gate-json", "show-json", "trials-json", "blame-json", "list-json", "check-json"),
    *("init-json", "report-json", "error-json"),
)


@click.command("schema")
@click.argument("kind", metavar="KIND", type=click.Choice([*_WRITTEN, *_FILES, *_OBJECTS]))
@json_option
def command(kind: str, *, as_json: bool) -> int:
    """Print the JSON Schema of a KIND of file or object; it is JSON with `--json` and without.

    What people write: suite, case, arm, gate. Files of a run: manifest, loaded-suite; a line of plan, event,
    verdict, attribution; decision. Reports: report (.json), table (a row of .csv and .parquet). What verbs
    print with --json: run-json (also resume, retry, score, merge, import), gate-json, show-json, trials-json
    (show RUN CASE), blame-json, list-json, check-json, init-json, report-json, and error-json for failures.
    """
    del as_json
    from evalkit.report.schemas import machine_schema
    from evalkit.suite.schemas import schema

    say_json(schema(cast("Kind", kind)) if kind in _WRITTEN else machine_schema(kind))
    return 0
