"""`evalkit schema`: JSON Schema of a file that people write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from evalkit.cli.output import json_option, say_json

if TYPE_CHECKING:
    from evalkit.suite.schemas import Kind


@click.command("schema")
@click.argument("kind", type=click.Choice(["suite", "case", "arm", "gate"]))
@json_option
def command(kind: Kind, *, as_json: bool) -> int:
    """Print the JSON Schema of a KIND of file, for editors; it is JSON with `--json` and without."""
    del as_json
    from evalkit.suite.schemas import schema

    say_json(schema(kind))
    return 0
