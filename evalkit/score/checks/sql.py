"""The check on SQL that an agent states: sql_equals. Nothing is run here; the world was asked in the trial.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites both answers.
"""

from __future__ import annotations

from evalkit.records.fact import ProbeFact
from evalkit.records.probe import REFUSED, probe_id, stated_id
from evalkit.records.watching import SqlEquals
from evalkit.score.checks.answers import Rows, answer, same_rows, simplest
from evalkit.score.checks.stated import stated
from evalkit.score.checks.values import shown
from evalkit.score.finding import CheckView, Finding


def stated_sql(place: str, view: CheckView) -> str | None:
    """Return the SQL that an agent stated, or None where it stated none, or something that is no text.

    Args:
        place: Where, see `checks.SqlEquals`.
        view: What may be read.
    """
    said = stated(place, view)
    if isinstance(said, Finding) or not isinstance(said.value, str):
        return None
    return said.value


def sql_equals(wanted: SqlEquals, view: CheckView) -> Finding:
    """The agent's SQL gives the rows of the gold SQL; that it does not run is the agent's fail.

    Args:
        wanted: Where the SQL is stated, and the gold SQL.
        view: What may be read.
    """
    said = stated(wanted.value, view)
    if isinstance(said, Finding):
        return said
    if not isinstance(said.value, str):
        reason = f"{wanted.value} is no SQL: {shown(said.value)}"
        return Finding(held=False, reason=reason, cites=said.cites, absent=True)
    gold = answer(view.sheet, probe_id(wanted.gold))
    if isinstance(gold, Finding):
        return gold
    golden, right = gold
    if not right and not wanted.allow_empty:
        return _emptied(wanted, view, golden)
    own = _own_answer(wanted, view, said.cites)
    if isinstance(own, Finding):
        return own
    asked, rows = own
    held = same_rows(right, rows, wanted.tolerance, ordered=wanted.ordered)
    return Finding(
        held=held,
        reason=_compared(right, rows, held=held),
        cites=(*said.cites, golden.seq, asked.seq),
        live=True,
    )


def _own_answer(
    wanted: SqlEquals, view: CheckView, cites: tuple[int, ...]
) -> tuple[ProbeFact, Rows] | Finding:
    name = stated_id(wanted.value, view.turn)
    asked = view.sheet.probes.get(name)
    if asked is not None and asked.rows is None and asked.cause == REFUSED:
        reason = f"the SQL of {wanted.value} does not run: {shown(asked.message)}"
        return Finding(held=False, reason=reason, cites=(*cites, asked.seq), live=True, absent=True)
    return answer(view.sheet, name)


def _emptied(wanted: SqlEquals, view: CheckView, golden: ProbeFact) -> Finding:
    """Say whose fault it is that the gold SQL gives no rows: what was there at the start, the trial took."""
    before = view.sheet.probes.get(probe_id(wanted.gold, "start"))
    if before is not None and before.rows:
        reason = "the gold answer had rows at the start, and the trial left none of them"
        return Finding(held=False, reason=reason, cites=(before.seq, golden.seq), live=True)
    reason = f"the gold SQL gives no rows, and `allow_empty` does not say so: {shown(wanted.gold)}"
    return Finding(held=None, cause="broken_case", reason=reason, cites=(golden.seq,))


def _compared(right: Rows, rows: Rows, *, held: bool) -> str:
    if held:
        return f"the SQL gives the gold answer: {shown(simplest(rows))}"
    said = f"the SQL gives {shown(simplest(rows))}, the gold answer is {shown(simplest(right))}"
    return said if len(rows) == len(right) else f"{said} ({len(rows)} rows instead of {len(right)})"
