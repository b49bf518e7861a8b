"""`evalkit schema`: JSON Schema of a file that people write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from evalkit.cli.output import say_json

if TYPE_CHECKING:
    from evalkit.suite.schemas import Kind


@click.command("schema")
@click.argument("kind", type=click.Choice(["suite", "case", "arm", "gate"]))
def command(kind: Kind) -> int:
    """Print the JSON Schema of a KIND of file, for editors."""
    from evalkit.suite.schemas import schema

    say_json(schema(kind))
    return 0
