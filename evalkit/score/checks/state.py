"""Checks on the world: state, unchanged, reconcile. They read the answers of probes, never the world itself.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the probe.
"""

from __future__ import annotations

from typing import cast

from evalkit.records.checks import Reconcile, State, Unchanged
from evalkit.records.fact import FactSheet, ProbeFact
from evalkit.records.paths import read
from evalkit.records.probe import probe_id
from evalkit.records.verdict import Cause
from evalkit.records.written import Json
from evalkit.score.checks.matching import near
from evalkit.score.checks.seen import calls_of, replies_of, shown, unobserved
from evalkit.score.finding import CheckView, Finding

Rows = list[list[Json]]


def state(wanted: State, view: CheckView) -> Finding:
    """The world at the end of the trial gives the answer.

    Args:
        wanted: Question and answer.
        view: What may be read.
    """
    probe = answer(view.sheet, probe_id(wanted.sql))
    if isinstance(probe, Finding):
        return probe
    rows = probe.rows or []
    held = rows_fit(wanted, rows)
    verb = "is" if held else "should be"
    said = f"the world says {shown(simplest(rows))}"
    reason = said if held else f"{said}, it {verb} {shown(wanted.equals)}: {shown(wanted.sql)}"
    return Finding(held=held, reason=reason, cites=(probe.seq,), live=True)


def unchanged(wanted: Unchanged, view: CheckView) -> Finding:
    """The world gives the same answer at the end as at the start.

    Args:
        wanted: The question.
        view: What may be read.
    """
    before = answer(view.sheet, probe_id(wanted.sql, "start"))
    after = answer(view.sheet, probe_id(wanted.sql))
    if isinstance(before, Finding):
        return before
    if isinstance(after, Finding):
        return after
    held = same_rows(before.rows or [], after.rows or [], 0.0)
    told = f"{shown(simplest(before.rows or []))} before, {shown(simplest(after.rows or []))} after"
    reason = "unchanged" if held else f"{told}: {shown(wanted.sql)}"
    return Finding(held=held, reason=reason, cites=(before.seq, after.seq), live=True)


def reconcile(wanted: Reconcile, view: CheckView) -> Finding:
    """What the agent states agrees with the authority, which is asked by its own path.

    Args:
        wanted: Where the statement is, and the question to the authority.
        view: What may be read.
    """
    probe = answer(view.sheet, probe_id(wanted.authority))
    if isinstance(probe, Finding):
        return probe
    stated = _stated(wanted.value, view)
    if isinstance(stated, Finding):
        return stated
    seq, value = stated
    truth = simplest(probe.rows or [])
    held = near(truth, value, wanted.tolerance)
    relation = "agrees with" if held else "contradicts"
    reason = f"{wanted.value} = {shown(value)} {relation} the authority: {shown(truth)}"
    return Finding(held=held, reason=reason, cites=(seq, probe.seq), live=True)


def answer(sheet: FactSheet, probe: str) -> ProbeFact | Finding:
    """Return the world's answer to a question, or why there is none.

    Args:
        sheet: The facts.
        probe: See `probe.probe_id`.
    """
    found = sheet.probes.get(probe)
    if found is None:
        return Finding(held=None, cause="not_observed", reason=f"the world was not asked: {shown(probe)}")
    if found.rows is None:
        cause = cast("Cause", found.cause or "environment")
        return Finding(held=None, cause=cause, reason=found.message or "no answer", cites=(found.seq,))
    return found


def simplest(rows: Rows) -> Json:
    """Return rows in the shape in which people write them.

    >>> simplest([[7]]), simplest([[1], [2]]), simplest([[1, 2]]), simplest([])
    (7, [1, 2], [[1, 2]], [])
    """
    if all(len(row) == 1 for row in rows):
        column = [row[0] for row in rows]
        return column[0] if len(column) == 1 else column
    return rows


def rows_fit(wanted: State, rows: Rows) -> bool:
    """Return whether rows are those that were written.

    Args:
        wanted: The expected answer in one of its shapes.
        rows: What the world said.
    """
    expected = as_rows(wanted.equals, width=len(rows[0]) if rows else 1)
    if wanted.ordered:
        return near(expected, rows, wanted.tolerance)
    return same_rows(expected, rows, wanted.tolerance)


def as_rows(value: Json, width: int) -> Rows:
    """Return an expected answer as rows: a scalar is one row, a flat list one column or one row.

    Args:
        value: A scalar, a flat list or a list of lists.
        width: Columns of the actual answer.
    """
    if not isinstance(value, list):
        return [[value]]
    if value and all(isinstance(item, list) for item in value):
        return value
    if width > 1 and len(value) == width:
        return [value]
    return [[item] for item in value]


def same_rows(expected: Rows, actual: Rows, tolerance: float) -> bool:
    """Return whether two answers hold the same rows, in whatever order.

    Args:
        expected: Rows.
        actual: Rows.
        tolerance: Largest absolute difference between numbers.
    """
    if len(expected) != len(actual):
        return False
    left = list(actual)
    for row in expected:
        at = next((i for i, other in enumerate(left) if near(row, other, tolerance)), None)
        if at is None:
            return False
        del left[at]
    return True


def _stated(path: str, view: CheckView) -> tuple[int, Json] | Finding:
    """Return what the agent stated, with its event; a value that it never stated is a fail."""
    source, _, rest = path.partition(".")
    found = _READERS[source](rest, view)
    if found:
        return found[-1]
    blind = unobserved(view, "calls", "results") if source == "call" else unobserved(view, "replies")
    return blind or Finding(held=False, reason=f"the agent stated no {path}")


def _from_reply(path: str, view: CheckView) -> list[tuple[int, Json]]:
    replies = replies_of(view)[-1:]
    return [(one.seq, value) for one in replies for value in read(one.fields, path)]


def _from_fact(name: str, view: CheckView) -> list[tuple[int, Json]]:
    named = (fact for fact in view.sheet.declared if fact.name == name)
    return [(fact.cites[0], fact.value) for fact in named if view.turn in (None, fact.turn)]


def _from_call(path: str, view: CheckView) -> list[tuple[int, Json]]:
    tool, _, rest = path.partition(".")
    ran = [call for call in calls_of(view) if call.tool == tool and call.status == "ok"]
    facts = [(call.seq, {"args": call.args, "result": call.value}) for call in ran]
    return [(seq, value) for seq, fact in facts for value in read(fact, rest)]


_READERS = {"reply": _from_reply, "fact": _from_fact, "call": _from_call}
