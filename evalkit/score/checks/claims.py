"""The check on claims: what the reply says happened did happen.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites reply and probe.
"""

from __future__ import annotations

from msgspec import structs

from evalkit.errors import SuiteBug
from evalkit.records.checks import ClaimMatchesState
from evalkit.records.claimed import claims_measure
from evalkit.records.fact import ClaimFact
from evalkit.records.paths import is_nothing
from evalkit.records.probe import probe_id
from evalkit.records.written import Json
from evalkit.score.checks.answers import Rows, answer, simplest
from evalkit.score.checks.seen import ending, replies_of, unobserved
from evalkit.score.checks.values import shown
from evalkit.score.finding import CheckView, Finding


def claim_matches_state(wanted: ClaimMatchesState, view: CheckView) -> Finding:
    """No claim is false. Saying nothing claims nothing, and that is no false completion.

    What was claimed is measured, so that a run in which nothing was ever claimed can be told.

    Args:
        wanted: The claims that are looked at; none means all.
        view: What may be read.

    Raises:
        SuiteBug: The suite declares no claim, or not this one.
    """
    if not view.suite.claims:
        raise SuiteBug("the suite declares no claims, so that no claim can be false")
    found = _examined(wanted, view)
    if found.held is None:
        return found
    # What the whole trial claimed, whatever this entry asks about: the same for all entries of a metric.
    return structs.replace(found, measure=claims_measure([one.name for one in view.sheet.claims]))


def _examined(wanted: ClaimMatchesState, view: CheckView) -> Finding:
    claims = [one for one in view.sheet.claims if view.turn in (None, one.turn)]
    claims = [one for one in claims if not wanted.claims or one.name in wanted.claims]
    findings = [_held(claim, view) for claim in claims]
    for outcome in (False, None):
        found = next((one for one in findings if one.held is outcome), None)
        if found is not None:
            return found
    return unobserved(view, "replies") or _all_hold(claims, findings, view)


def _all_hold(claims: list[ClaimFact], findings: list[Finding], view: CheckView) -> Finding:
    if not findings:
        cites = tuple(reply.seq for reply in replies_of(view)) or ending(view)
        return Finding(held=True, reason="nothing is claimed", cites=cites)
    names = ", ".join(dict.fromkeys(claim.name for claim in claims))
    cites = tuple(sorted({seq for one in findings for seq in one.cites}))
    return Finding(held=True, reason=f"what was claimed holds: {names}", cites=cites, live=True)


def _held(claim: ClaimFact, view: CheckView) -> Finding:
    declared = view.suite.claims.get(claim.name)
    if declared is None:
        raise SuiteBug(f"the suite declares no claim {claim.name!r}")
    found = answer(view.sheet, probe_id(declared.holds.sql))
    if isinstance(found, Finding):
        return found
    probe, rows = found
    held = is_yes(rows)
    said = f"the reply claims {claim.name}, and the world says {shown(simplest(rows))}"
    return Finding(held=held, reason=said, cites=(claim.seq, probe.seq), live=True)


def is_yes(rows: Rows) -> bool:
    """Return whether an answer of the world is a yes: there is a row, and every value is true.

    Args:
        rows: The answer; null, false, 0, "" and what is empty are a no.

    >>> [is_yes(rows) for rows in ([[True]], [[2]], [], [[None]], [[0]], [[True], [False]])]
    [True, True, False, False, False, False]
    """
    return bool(rows) and all(_true(value) for row in rows for value in row)


def _true(value: Json) -> bool:
    return not is_nothing(value) and value is not False and value != 0
