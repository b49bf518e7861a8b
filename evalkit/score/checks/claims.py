"""The check on claims: what the reply says happened did happen.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites reply and probe.
"""

from __future__ import annotations

from evalkit.records.checks import ClaimMatchesState
from evalkit.records.fact import ClaimFact
from evalkit.records.paths import is_nothing
from evalkit.records.probe import probe_id
from evalkit.records.written import Json
from evalkit.score.checks.seen import unobserved
from evalkit.score.checks.state import answer, simplest
from evalkit.score.finding import CheckView, Finding


def claim_matches_state(wanted: ClaimMatchesState, view: CheckView) -> Finding:
    """No claim is false. Saying nothing claims nothing, and that is no false completion.

    Args:
        wanted: The claims that are looked at; none means all.
        view: What may be read.
    """
    claims = [one for one in view.sheet.claims if not wanted.claims or one.name in wanted.claims]
    claims = [one for one in claims if view.turn in (None, one.turn)]
    findings = [_held(claim, view) for claim in claims]
    wrong = [one for one in findings if one.held is False]
    open_ones = [one for one in findings if one.held is None]
    if wrong or open_ones:
        return (wrong or open_ones)[0]
    if not findings:
        blind = unobserved(view, "replies")
        return blind or Finding(held=True, reason="the reply claims nothing")
    names = ", ".join(dict.fromkeys(claim.name for claim in claims))
    cited = tuple(sorted({seq for one in findings for seq in one.cites}))
    return Finding(held=True, reason=f"what was claimed holds: {names}", cites=cited, live=True)


def _held(claim: ClaimFact, view: CheckView) -> Finding:
    sql = view.suite.claims[claim.name].holds.sql
    probe = answer(view.sheet, probe_id(sql))
    if isinstance(probe, Finding):
        return probe
    truth = simplest(probe.rows or [])
    held = _true(truth)
    reason = "holds" if held else f"the reply claims {claim.name}, the world says otherwise"
    return Finding(held=held, reason=reason, cites=(claim.seq, probe.seq), live=True)


def _true(value: Json) -> bool:
    """Return whether an answer of the world is a yes: no row, null, false, 0 and "" are a no."""
    return not is_nothing(value) and value is not False and value != 0
