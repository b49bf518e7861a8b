"""`evalkit schema`: JSON Schema of a file that people write."""

from __future__ import annotations

import click

from evalkit.cli.output import say_json


@click.command("schema")
@click.argument("kind", type=click.Choice(["suite", "case", "arm", "gate"]))
def command(kind: str) -> int:
    """Print the JSON Schema of a KIND of file, for editors."""
    from evalkit.suite.schema import schema

    say_json(schema(kind))
    return 0
