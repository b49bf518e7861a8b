"""`reconcile`: what the agent states against the authority."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from evalkit.errors import SuiteBug
from evalkit.records.fact import DeclaredFact
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from evalkit.score.checks.answers import Rows
from tests.score.checks.views import (
    ANSWERED,
    END,
    SQL,
    answered,
    ask,
    held,
    made,
    said,
    unexamined,
    view_of,
    without,
)

FACTS = {
    "amount": FactSource.model_validate({"from": "call", "tool": "pay", "path": "args.n"}),
    "spoken": FactSource.model_validate({"from": "reply", "path": "n"}),
}


def reconciled(place: str, *acts: Any, rows: Rows | None = None, **more: Any) -> Any:
    """What `reconcile` finds where the authority says 87.5, or other rows."""
    answers = [answered([[87.5]] if rows is None else rows)]
    view = view_of(*acts, answers=answers, facts=FACTS, **more)
    return ask("reconcile", view, value=place, authority=SQL, tolerance=0.01)


def test_reconcile_passes_where_the_reply_agrees_with_the_authority() -> None:
    """Reply and answer are cited, and the finding rests on the authority."""
    found = reconciled("reply.pay.amount", said({"pay": {"amount": 87.51}}))
    assert (True, True, (2, ANSWERED)) == (found.held, found.live, found.cites)
    assert "reply.pay.amount = 87.51 agrees with the authority: 87.5" == found.reason


def test_reconcile_fails_where_the_reply_contradicts_the_authority() -> None:
    """Faithful is not true."""
    found = reconciled("reply.amount", said({"amount": 88}))
    assert (False, True, (2, ANSWERED)) == (found.held, found.live, found.cites)


@pytest.mark.parametrize("stated", ["87.5", True, None, [87.5, 1], {"n": 87.5}])
def test_reconcile_fails_where_the_kind_of_value_differs(stated: Json) -> None:
    """Text is no number; an authority that says true does not confirm 1."""
    assert False is reconciled("reply.x", said({"x": stated})).held
    assert False is reconciled("reply.x", said({"x": 1}), rows=[[True]]).held


def test_reconcile_fails_where_the_agent_states_nothing_whatever_the_authority_says() -> None:
    """An authority that is silent excuses nobody."""
    for answers in ([answered([[87.5]])], [answered(None, cause="environment")], []):
        view = view_of(said({"other": 1}), answers=answers)
        found = ask("reconcile", view, value="reply.amount", authority=SQL)
        assert (False, "the agent stated no reply.amount", (2,)) == (found.held, found.reason, found.cites)
    silent = reconciled("reply.amount")
    assert (False, (END,)) == (silent.held, silent.cites)


def test_reconcile_fails_where_the_authority_has_no_row() -> None:
    """What cannot be confirmed does not agree."""
    assert False is reconciled("reply.amount", said({"amount": 87.5}), rows=[]).held


@pytest.mark.parametrize(
    ("place", "missing"),
    [
        ("reply.amount", "replies"),
        ("fact.spoken", "replies"),
        ("fact.amount", "calls"),
        ("call.pay.args.n", "calls"),
    ],
)
def test_reconcile_cannot_be_examined_where_the_statement_would_not_show(place: str, missing: Any) -> None:
    """Each source is looked for among the events that show it."""
    assert "not_observed" == unexamined(reconciled(place, observes=without(missing)))
    assert False is reconciled(place).held


def test_reconcile_cannot_be_examined_where_a_result_does_not_show() -> None:
    """A call of unknown outcome may have stated it; where the tool was not called nobody did."""
    hidden: dict[str, Any] = {"observes": without("results")}
    open_call = made("pay", {"n": 87.5}, status="unanswered")
    for place in ("call.pay.args.n", "fact.amount"):
        assert "not_observed" == unexamined(reconciled(place, open_call, **hidden))
        assert False is reconciled(place, **hidden).held


def test_reconcile_cannot_be_examined_where_the_authority_gives_no_answer() -> None:
    """Not asked, or without an answer."""
    acts = (said({"amount": 87.5}),)
    for answers, cause in (([], "not_observed"), ([answered(None, cause="environment")], "environment")):
        found = ask("reconcile", view_of(*acts, answers=answers), value="reply.amount", authority=SQL)
        assert cause == unexamined(found)


def test_the_last_call_that_ran_states_it() -> None:
    """Not an earlier one, even where the last one has no such argument; a call in vain states nothing."""
    paid = made("pay", {"n": 87.5}, {"sum": 87.5})
    assert reconciled("call.pay.args.n", paid).cites == (3, ANSWERED)
    assert reconciled("call.pay.result.sum", paid).held
    assert False is reconciled("call.pay.args.n", paid, made("pay", {"n": 1})).held
    assert False is reconciled("call.pay.args.n", paid, made("pay", {})).held
    assert reconciled("call.pay.args.n", paid, made("pay", {"n": 1}, status="refused")).held


def test_the_last_reply_states_it() -> None:
    """Of the turn, where there is one."""
    acts = (said({"amount": 87.5}), said({"amount": 1}, turn=1))
    assert [False, True, False] == [
        reconciled("reply.amount", *acts, turn=turn, turns=2).held for turn in (None, 0, 1)
    ]


@pytest.mark.parametrize(
    ("content", "place", "expected"),
    [
        ('Done: {"amount": 87.5}.', "reply.amount", True),
        ("87.5", "reply.amount", False),
        ("87.5", "reply", False),
        ([87.5], "reply", True),
        ("no JSON", "reply", False),
    ],
)
def test_a_reply_is_an_object_or_the_json_of_a_text(content: Json, place: str, expected: bool) -> None:  # noqa: FBT001
    """Text without JSON has no fields, and is not null."""
    assert expected is reconciled(place, said(content)).held


def test_a_reply_without_json_is_not_null() -> None:
    """An authority that says null does not agree with prose."""
    assert False is reconciled("reply", said("no JSON"), rows=[[None]]).held


def test_the_last_fact_states_it() -> None:
    """Of the turn, where there is one; a path leads into its value."""
    facts = [
        DeclaredFact(name="amount", value=87.5, cites=(3,), tool="pay"),
        DeclaredFact(name="amount", value={"n": [87.5]}, cites=(5, 6), turn=1, tool="pay"),
    ]
    view = view_of(declared=tuple(facts), answers=[answered([[87.5]])], facts=FACTS, turns=2)
    found = ask("reconcile", view, value="fact.amount.n[0]", authority=SQL)
    assert (True, (5, 6, ANSWERED)) == (found.held, found.cites)
    assert False is held("reconcile", view, value="fact.amount", authority=SQL)
    earlier = view_of(declared=tuple(facts), answers=[answered([[87.5]])], facts=FACTS, turns=2, turn=0)
    assert held("reconcile", earlier, value="fact.amount", authority=SQL)


@pytest.mark.parametrize(
    ("items", "expected"), [([1, 2], True), ([2, 1], True), ([2], False), ([1, 2, 2], False), ([], False)]
)
def test_every_item_is_held_against_the_authority(items: list[int], expected: bool) -> None:  # noqa: FBT001
    """Several values are a column, in any order, and none of them may be missing or made up."""
    reply = said({"items": [{"n": one} for one in items]})
    assert expected is reconciled("reply.items[].n", reply, rows=[[1], [2]]).held


@pytest.mark.parametrize("place", ["answer.amount", "", "fact.unknown", "reply.a..b", "call.pay.args.n["])
def test_a_place_that_is_none_is_the_suites_bug(place: str) -> None:
    """It raises what the scorer calls `broken_case`, and no KeyError."""
    with pytest.raises(SuiteBug):
        reconciled(place, said({"a": 1}), made("pay", {"n": 1}))


def test_arguments_that_are_not_known_state_nothing() -> None:
    """A result without its call shows no argument."""
    bare = structs.replace(made("pay", value=1), args=None)
    assert "not_observed" == unexamined(reconciled("call.pay.args.n", bare, observes=without("calls")))
