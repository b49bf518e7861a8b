"""Checks on the world: state, unchanged, reconcile. They read the answers of probes, never the world itself.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the probe.
"""

from __future__ import annotations

from evalkit.records.checks import Reconcile, State, Unchanged
from evalkit.records.probe import probe_id
from evalkit.score.checks.answers import answer, answers, same_rows, simplest
from evalkit.score.checks.stated import stated
from evalkit.score.checks.values import shown
from evalkit.score.finding import CheckView, Finding


def state(wanted: State, view: CheckView) -> Finding:
    """The world at the end of the trial gives the answer.

    Args:
        wanted: Question and answer.
        view: What may be read.
    """
    found = answer(view.sheet, probe_id(wanted.sql))
    if isinstance(found, Finding):
        return found
    probe, rows = found
    held = answers(wanted.equals, rows, wanted.tolerance, ordered=wanted.ordered)
    reason = f"the world says {shown(simplest(rows))}"
    if not held:
        reason += f", it should be {shown(wanted.equals)}: {shown(wanted.sql)}"
    return Finding(held=held, reason=reason, cites=(probe.seq,), measure=probe.measure, live=True)


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
    (first, had), (last, has) = before, after
    held = same_rows(had, has)
    reason = f"unchanged: {shown(simplest(has))}"
    if not held:
        reason = f"{shown(simplest(had))} before, {shown(simplest(has))} after: {shown(wanted.sql)}"
    return Finding(held=held, reason=reason, cites=(first.seq, last.seq), live=True)


def reconcile(wanted: Reconcile, view: CheckView) -> Finding:
    """What the agent states agrees with the authority, which is asked by its own path.

    A value that was never stated is a fail, whatever the authority would have said.

    Args:
        wanted: Where the statement is, and the question to the authority.
        view: What may be read.
    """
    said = stated(wanted.value, view)
    if isinstance(said, Finding):
        return said
    found = answer(view.sheet, probe_id(wanted.authority))
    if isinstance(found, Finding):
        return found
    probe, rows = found
    held = answers(said.value, rows, wanted.tolerance)
    relation = "agrees with" if held else "contradicts"
    reason = f"{wanted.value} = {shown(said.value)} {relation} the authority: {shown(simplest(rows))}"
    return Finding(held=held, reason=reason, cites=(*said.cites, probe.seq), live=True)
