"""`evalkit init`: a working suite to start from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from evalkit.cli.output import json_option, say, say_json

if TYPE_CHECKING:
    from evalkit.records.suite import SuiteType

_TYPES = ("knowledge_qa", "task_execution", "reasoning", "creative", "guidance", "multi_agent")


@click.command("init")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path())
@click.option("--type", "kind", type=click.Choice(_TYPES), default="task_execution", help="Kind of work.")
@json_option
def command(folder: Path, *, kind: SuiteType, as_json: bool) -> int:
    """Scaffold a working suite in DIR: mock, no key, no network, one failing case explained."""
    from evalkit.suite.scaffold import scaffold

    written = scaffold(folder, kind)
    suite = next(path.parent for path in written if path.name == "suite.yaml")
    go_there = f"cd {folder} && " if folder != Path() else ""
    next_command = f"{go_there}evalkit gate {suite.relative_to(folder)}"
    if as_json:
        say_json({"files": [str(path) for path in written], "suite": str(suite), "next": next_command})
    else:
        say("\n".join(f"  wrote {path}" for path in written))
        say(f"next: {next_command}")
    return 0
