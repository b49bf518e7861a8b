"""Options that several verbs share, and the setting that they run in.

What comes in: click decorators. What goes out: the same words with the same meaning on every verb.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evalkit import __version__

if TYPE_CHECKING:
    from evalkit.pipeline.setting import Setting
    from evalkit.pipeline.spending import RunBudget

_Command = TypeVar("_Command", bound=Callable[..., object])

_MOST_SHARDS = 1000  # machines that one plan is cut for

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


class ShardOf(click.ParamType[tuple[int, int]]):
    """Which part of a plan is run, written as I/N: 1/4 is the first of four."""

    name = "I/N"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return number and count, 1 <= number <= count <= 1000.

        Args:
            value: What was typed.
            param: Click's parameter.
            ctx: Click's context.
        """
        found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", str(value))
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of <= _MOST_SHARDS:
            self.fail(f"{value!r} is no shard: write 1/4 for the first of four, up to 4/4", param, ctx)
        return number, of


def _amount(_ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse an amount that is no number above nought."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value:g} is no amount above 0", param=param)
    return value


def budget_options(command: _Command) -> _Command:
    """Add `--budget-usd` and `--budget-minutes`."""
    usd = click.option(
        "--budget-usd",
        type=float,
        metavar="X",
        callback=_amount,
        help="Begin no trial once X US dollars are spent.",
    )
    minutes = click.option(
        "--budget-minutes",
        type=float,
        metavar="M",
        callback=_amount,
        help="Begin no trial once M minutes are over.",
    )
    return usd(minutes(command))


def budget(budget_usd: float | None, budget_minutes: float | None) -> RunBudget:
    """Return what an invocation may spend.

    Args:
        budget_usd: US dollars; None: no limit.
        budget_minutes: Minutes; None: no limit.
    """
    from evalkit.pipeline.spending import RunBudget

    return RunBudget(usd=budget_usd, minutes=budget_minutes)


def run_options(command: _Command) -> _Command:
    """Add what `run` and `gate` share: arm, mode, trials, selection, seed, jobs and budgets."""
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
        budget_options,
    )
    for option in reversed(options):
        command = option(command)
    return command


def chosen(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shared options that were given; what was not given is left to its default.

    Args:
        options: What click parsed, by name.
    """
    given = {name: value for name, value in options.items() if value is not None and value != ()}
    spend = budget(given.pop("budget_usd", None), given.pop("budget_minutes", None))
    return {**given, "budget": spend}


def setting() -> Setting:
    """Return the surroundings of this process."""
    from evalkit.cli.progress import display
    from evalkit.pipeline.setting import surroundings

    shown = display(os.environ)
    return surroundings(os.environ, shown.notice, __version__, shown.progress)
