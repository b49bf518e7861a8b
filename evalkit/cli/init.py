"""`evalkit init`: a working suite to start from."""

from __future__ import annotations

from pathlib import Path

import click

from evalkit.cli.output import json_option, say, say_json

_TYPES = ("knowledge_qa", "task_execution", "reasoning", "creative", "guidance", "multi_agent")


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--type", "kind", type=click.Choice(_TYPES), default="task_execution", help="Kind of work.")
@json_option
def command(folder: Path, *, kind: str, as_json: bool) -> int:
    """Scaffold a working suite in FOLDER: mock, no key, no network, one failing case explained."""
    from evalkit.pipeline.scaffolding import scaffold

    made = scaffold(folder, kind)
    if as_json:
        say_json(
            {"files": [str(path) for path in made.files], "suite": str(made.suite), "next": made.next_command}
        )
    else:
        say("\n".join(f"  wrote {path}" for path in made.files))
        say(f"next: {made.next_command}")
    return 0
