"""`evalkit show`: a run, a case, a trial."""

from __future__ import annotations

import click

from evalkit.cli.options import setting
from evalkit.cli.output import apart, colour, json_option, say, say_json, width


@click.command("show")
@click.argument("run")
@click.argument("case", required=False)
@click.argument("trial", required=False, type=click.IntRange(0))
@click.option("--arm", help="Only this arm.")
@json_option
def command(run: str, case: str | None, trial: int | None, *, arm: str | None, as_json: bool) -> int:
    """Show the board of RUN, the trials of CASE, or one TRIAL with its facts and trace."""
    from evalkit.pipeline.objects import board_object, views_object
    from evalkit.pipeline.order import state_of
    from evalkit.pipeline.showing import board, trial_views
    from evalkit.report.console import Look
    from evalkit.report.pages import board_page, case_page, trial_page

    look = Look(width=width(), colour=colour())
    if case is None:
        seen = board(run, setting(), arm)
        if as_json:
            say_json(board_object(seen))
        else:
            say(board_page(seen, look))
        return 0
    with apart():
        views = trial_views(run, case, setting(), arm=arm, trial=trial)
    if as_json:
        say_json(views_object(views, state_of(run, setting())))
    elif trial is None:
        say(case_page(views, look))
    else:
        say("\n\n".join(trial_page(view, look) for view in views))
    return 0
