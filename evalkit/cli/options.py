"""Options that several verbs share, and the setting that they run in.

What comes in: click decorators. What goes out: the same words with the same meaning on every verb.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evalkit import __version__
from evalkit.cli.output import notice

if TYPE_CHECKING:
    from evalkit.pipeline.setting import Setting

_Command = TypeVar("_Command", bound=Callable[..., object])

MODES = click.Choice(["mock", "real"])


def jobs_option(command: _Command) -> _Command:
    """Add `-j`."""
    option = click.option(
        "-j", "--jobs", type=click.IntRange(1, 1000), default=8, envvar="EVALKIT_JOBS", help="Trials at once."
    )
    return option(command)


def fail_option(command: _Command) -> _Command:
    """Add `--fail-on-fail`."""
    option = click.option("--fail-on-fail", is_flag=True, help="Exit 1 when a trial failed.")
    return option(command)


def run_options(command: _Command) -> _Command:
    """Add what `run` and `gate` share: arm, mode, trials, selection, seed and jobs."""
    options = (
        click.option("--arm", "arms", multiple=True, help="Arm to run; repeat for several."),
        click.option("--mode", type=MODES, help="Pinned tools (mock) or tools that answer for themselves."),
        click.option("--trials", type=click.IntRange(1, 1000), help="Trials per case."),
        click.option("--only", help="Cases to run: key=v[,v], !=, id~glob, joined by `and`."),
        click.option("--skip", help="Cases to leave out, same grammar."),
        click.option(
            "--seed", type=click.IntRange(0, 2**53 - 1), default=0, help="Seed of order and chance."
        ),
        jobs_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def chosen(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shared options that were given; what was not given is left to its default.

    Args:
        options: What click parsed, by name.
    """
    return {name: value for name, value in options.items() if value is not None and value != ()}


def setting() -> Setting:
    """Return the surroundings of this process."""
    from evalkit.pipeline.setting import surroundings

    return surroundings(os.environ, notice, __version__)
