"""`identity`: sums that close, or do not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import SuiteBug
from evalkit.records.fact import DeclaredFact
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from tests.score.checks.views import END, ask, held, made, said, unexamined, view_of, without

MEAN = {"left": "reply.total", "equals": {"product": ["reply.count", "reply.mean"]}}
FACTS = {"lines": FactSource.model_validate({"from": "call", "tool": "bill", "path": "result.lines"})}


def closes(content: Json, *acts: Any, **args: Any) -> bool | None:
    """Whether a sum closes over one reply and the calls before it."""
    return held("identity", view_of(*acts, said(content)), **args)


def test_identity_passes_where_total_is_count_times_mean() -> None:
    """The reply is cited, the reason shows every number, the difference is measured."""
    found = ask("identity", view_of(said({"total": 262.5, "count": 3, "mean": 87.5})), **MEAN)
    assert (True, (2,)) == (found.held, found.cites)
    assert "reply.total = 262.5 agrees with reply.count (3) x reply.mean (87.5) = 262.5" == found.reason
    wrong = ask("identity", view_of(said({"total": 262, "count": 3, "mean": 87.5})), **MEAN)
    assert (False, (2,), True) == (wrong.held, wrong.cites, wrong.reason.endswith("= 262.5: 0.5 apart"))
    assert wrong.measure is not None
    assert (0.5, "difference", 0.0) == (wrong.measure.value, wrong.measure.unit, wrong.measure.threshold)


def test_sums_are_those_of_the_decimals_as_they_are_written() -> None:
    """A tenth and two tenths are three tenths, and the tolerance is allowed itself."""
    assert 0.1 + 0.2 != 0.3
    assert closes({"a": 0.1, "b": 0.2, "c": 0.3}, left="reply.c", equals={"sum": ["reply.a", "reply.b"]})
    assert [True, False] == [
        closes({"a": 87.51}, left="reply.a", equals=87.5, tolerance=tolerance) for tolerance in (0.01, 0.009)
    ]


def test_terms_stand_in_one_another() -> None:
    """(a + b) x 2 - 1."""
    term: Json = {"difference": [{"product": [{"sum": ["reply.a", "reply.b"]}, 2]}, 1]}
    found = ask("identity", view_of(said({"a": 1, "b": 2, "c": 5})), left="reply.c", equals=term)
    assert (True, "reply.c = 5 agrees with ((reply.a (1) + reply.b (2)) x 2) - 1 = 5") == (
        found.held,
        found.reason,
    )


def test_every_item_is_summed_and_a_list_by_itself_is_no_number() -> None:
    """`[]` stands for the sum of what it reaches; an empty list reaches nothing, and closes nothing."""
    bill: Json = {"lines": [{"n": 1}, {"n": 2.5}], "total": 3.5, "list": [3.5]}
    assert closes(bill, left="reply.total", equals="reply.lines[].n")
    assert False is closes(bill, left="reply.total", equals="reply.list")
    assert False is closes({"lines": [], "total": 0}, left="reply.total", equals="reply.lines[].n")


def test_numbers_come_from_calls_and_facts_too() -> None:
    """The last call that ran; every event that a number was read from is cited."""
    facts = (DeclaredFact(name="lines", value=[{"n": 4}, {"n": 3}], cites=(5,), tool="bill"),)
    acts = (made("pay", {"n": 7}), made("bill", {}, {"lines": [{"n": 4}, {"n": 3}]}), said({"total": 7}))
    view = view_of(*acts, declared=facts, facts=FACTS)
    for place in ("fact.lines[].n", "call.bill.result.lines[].n"):
        found = ask("identity", view, left={"sum": [place]}, equals={"difference": ["call.pay.args.n", 0]})
        assert (True, (3, 5)) == (found.held, found.cites)


@pytest.mark.parametrize("value", ["7", None, True, [7], {"n": 7}])
def test_identity_fails_on_what_is_no_number(value: Json) -> None:
    """Text is no number, as everywhere; the reason shows what was there."""
    found = ask("identity", view_of(said({"a": value})), left="reply.a", equals=7)
    assert (False, True) == (found.held, found.reason.startswith("reply.a is no number: "))


def test_identity_fails_on_what_was_never_stated() -> None:
    """Neither the check nor its `not_` form holds on nothing."""
    found = ask("identity", view_of(said({"total": 1})), **MEAN)
    assert (False, True, (2,)) == (found.held, found.absent, found.cites)
    assert "the agent stated no reply.count" == found.reason
    silent = ask("identity", view_of(), **MEAN)
    assert (False, (END,)) == (silent.held, silent.cites)


def test_identity_cannot_be_examined_where_nothing_shows_its_parts() -> None:
    """The fail that was seen stands, in whatever order the parts are written."""
    hidden = view_of(said({"total": 1}), observes=without("calls"))
    assert "not_observed" == unexamined(ask("identity", hidden, left="reply.total", equals="call.pay.args.n"))
    parts = ["call.pay.args.n", "reply.count"]
    for order in (parts, parts[::-1]):
        assert False is held("identity", hidden, left="reply.total", equals={"sum": order})


def test_huge_numbers_are_told_and_not_measured() -> None:
    """A difference that no float holds is no measure."""
    found = ask("identity", view_of(said({"a": 10**400, "b": 1e308})), left="reply.a", equals="reply.b")
    assert (False, None, True) == (found.held, found.measure, "E+400" in found.reason)


def test_a_place_that_is_none_is_the_suites_bug() -> None:
    """What load would have refused is no failure of the agent."""
    for place in ("answer.x", "fact.nobody"):
        with pytest.raises(SuiteBug):
            closes({"x": 1}, left=place, equals=1)


_NUMBERS = st.decimals(-(10**6), 10**6, places=3, allow_nan=False)


@given(st.lists(_NUMBERS, min_size=1, max_size=6))
def test_a_sum_of_decimals_closes_exactly(numbers: list[Decimal]) -> None:
    """Law: without a tolerance, for all decimals, and one thousandth more no longer does."""
    reply = {"lines": [float(one) for one in numbers], "total": float(sum(numbers))}
    assert closes(reply, left="reply.total", equals="reply.lines[]")
    off = {**reply, "total": float(sum(numbers) + Decimal("0.001"))}
    assert False is closes(off, left="reply.total", equals="reply.lines[]")
