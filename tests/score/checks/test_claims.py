"""`claim_matches_state`: no false completion."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from evalkit.errors import SuiteBug
from evalkit.records.fact import ClaimFact
from evalkit.score.checks.answers import Rows
from evalkit.score.finding import Finding
from tests.score.checks.views import ANSWERED, END, answered, ask, said, unexamined, view_of, without

CLAIMS = {"refunded": "select refunded", "declined": "select declined"}


def judged(
    *names: str,
    refunded: Rows | None = None,
    declined: Rows | None = None,
    only: tuple[str, ...] = (),
    **more: Any,
) -> Finding:
    """What is found where the reply claims these things and the world says this of each."""
    answers = [answered(refunded, sql="select refunded", cause="environment")]
    answers += [answered(declined, sql="select declined", cause="environment")]
    claims = tuple(ClaimFact(name=name, seq=2) for name in names)
    given: dict[str, Any] = {"answers": answers, "claims": CLAIMS, **more}
    view = view_of(said("done"), **given)
    view = structs.replace(view, sheet=structs.replace(view.sheet, claims=claims))
    return ask("claim_matches_state", view, claims=list(only))


def test_claim_matches_state_passes_where_every_claim_holds() -> None:
    """Reply and answers are cited, and the finding rests on the world."""
    found = judged("refunded", "declined", refunded=[[True]], declined=[[3]])
    assert (True, True, (2, ANSWERED, ANSWERED + 1)) == (found.held, found.live, found.cites)
    assert "what was claimed holds: refunded, declined" == found.reason


def test_claim_matches_state_passes_where_nothing_is_claimed() -> None:
    """Saying nothing claims nothing; the reply shows it, or without one the end."""
    found = judged(refunded=[[False]])
    assert (True, False, (2,)) == (found.held, found.live, found.cites)
    assert (END,) == ask("claim_matches_state", view_of(claims=CLAIMS)).cites


@pytest.mark.parametrize(
    "rows", [[], [[None]], [[False]], [[0]], [[0.0]], [[""]], [[[]]], [[True], [False]], [[1, 0]]]
)
def test_claim_matches_state_fails_where_the_world_says_otherwise(rows: Rows) -> None:
    """No row, null, false, 0, nothing: a no; of several values every one must be a yes."""
    found = judged("refunded", refunded=rows)
    assert (False, True, (2, ANSWERED)) == (found.held, found.live, found.cites)


@pytest.mark.parametrize("rows", [[[True]], [[1]], [["A-17"]], [[0.5]], [[1], [2]], [[-1]]])
def test_every_true_value_is_a_yes(rows: Rows) -> None:
    """A count, an id, an amount: something is there."""
    assert judged("refunded", refunded=rows).held


def test_claim_matches_state_fails_on_one_false_claim_whatever_the_others_are() -> None:
    """A claim that cannot be examined does not hide one that is false."""
    assert False is judged("refunded", "declined", refunded=None, declined=[[False]]).held
    assert False is judged("refunded", "declined", refunded=[[True]], declined=[[False]]).held


def test_claim_matches_state_cannot_be_examined_without_the_worlds_answer() -> None:
    """One claim without an answer keeps the whole open."""
    assert "environment" == unexamined(judged("refunded", "declined", refunded=[[True]]))
    assert "not_observed" == unexamined(judged("refunded", answers=[]))


def test_claim_matches_state_cannot_be_examined_where_replies_are_not_shown() -> None:
    """Unseen replies may claim anything, even where those that were seen claim nothing false."""
    hidden = without("replies")
    assert "not_observed" == unexamined(judged(observes=hidden))
    assert "not_observed" == unexamined(judged("refunded", refunded=[[True]], observes=hidden))
    assert False is judged("refunded", refunded=[[False]], observes=hidden).held


def test_only_the_named_claims_are_looked_at() -> None:
    """The others are another metric's."""
    assert judged("refunded", refunded=[[False]], only=("declined",)).held
    assert False is judged("refunded", refunded=[[False]], only=("refunded",)).held


def test_a_turn_answers_for_its_own_claims() -> None:
    """What was claimed in another turn is not this one's."""
    assert judged("refunded", refunded=[[False]], turn=1, turns=2).held
    assert False is judged("refunded", refunded=[[False]], turn=0, turns=2).held


def test_a_suite_without_claims_has_no_false_one_to_find() -> None:
    """That is the suite's bug and no pass; so is a claim that it does not declare."""
    with pytest.raises(SuiteBug):
        judged(claims={})
    with pytest.raises(SuiteBug):
        judged("escalated")


def test_what_a_trial_claimed_is_measured() -> None:
    """A pass and a fail say how many claims were made, and which; what was not examined says nothing."""
    made = judged("refunded", "declined", refunded=[[True]], declined=[[3]], only=("refunded",)).measure
    assert made is not None
    assert (2.0, "claims made: refunded, declined") == (made.value, made.unit)
    none = judged(refunded=[[False]]).measure
    assert none is not None
    assert (0.0, "claims made") == (none.value, none.unit)
    assert judged("refunded").measure is None
