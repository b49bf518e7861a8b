"""`order`, `refused`, `schema`: how calls ended, and in which order."""

from __future__ import annotations

import pytest

from evalkit.records.event import CallStatus
from tests.score.checks.views import END, ask, held, made, unexamined, view_of, without


def test_order_passes_by_the_first_successful_calls() -> None:
    """Later calls of the same tool, and calls in vain before, do not count."""
    view = view_of(made("pay", status="refused"), made("get"), made("pay"), made("get"))
    found = ask("order", view, tools=["get", "pay"])
    assert (True, (5, 7)) == (found.held, found.cites)


def test_order_fails_in_the_wrong_order() -> None:
    """The reason says which order there was."""
    found = ask("order", view_of(made("pay"), made("get")), tools=["get", "pay"])
    assert (False, "the order was pay, get") == (found.held, found.reason)


def test_order_fails_where_a_tool_never_ran() -> None:
    """A call in vain has no place in the order; the other calls show what there was."""
    view = view_of(made("get"), made("pay", status="refused"))
    found = ask("order", view, tools=["get", "pay"])
    assert (False, "never ran: pay", (3,)) == (found.held, found.reason, found.cites)
    assert (END,) == ask("order", view_of(), tools=["get", "pay"]).cites


def test_order_cannot_be_examined_where_outcomes_are_not_shown() -> None:
    """Calls of unknown outcome may have run; a tool that was never called did not."""
    acts = (made("get", status="unanswered"), made("pay", status="unanswered"))
    blind = without("results")
    assert "not_observed" == unexamined(ask("order", view_of(*acts, observes=blind), tools=["get", "pay"]))
    assert False is held("order", view_of(*acts, observes=blind), tools=["get", "close"])
    assert "not_observed" == unexamined(
        ask("order", view_of(observes=without("calls")), tools=["get", "pay"])
    )


@pytest.mark.parametrize(
    ("between", "expected"),
    [("", True), ("get", True), ("look", False)],
)
def test_adjacent_allows_no_call_of_another_tool_in_between(between: str, expected: bool) -> None:  # noqa: FBT001
    """A second call of a listed tool is no other tool."""
    acts = [made("get"), *([made(between)] if between else []), made("pay"), made("look")]
    assert expected is held("order", view_of(*acts), tools=["get", "pay"], adjacent=True)
    assert held("order", view_of(*acts), tools=["get", "pay"])


@pytest.mark.parametrize("status", ["refused", "unknown", "fault"])
def test_a_call_in_vain_lies_in_between_all_the_same(status: CallStatus) -> None:
    """No call means no attempt either, and the call in between is what is cited."""
    view = view_of(made("get"), made("look", status=status), made("pay"))
    found = ask("order", view, tools=["get", "pay"], adjacent=True)
    assert (False, (5,)) == (found.held, found.cites)


def test_refused_passes_where_the_world_said_no() -> None:
    """A pattern is looked for in the reason; without one any refusal will do."""
    view = view_of(made("pay", status="refused", message="over the limit of 500"))
    assert ask("refused", view, tool="pay").cites == (3,)
    assert held("refused", view, tool="pay", matches=r"limit of \d+")


@pytest.mark.parametrize("status", ["ok", "blocked", "invalid", "unknown", "fault", "unanswered"])
def test_refused_fails_where_something_else_stopped_the_call(status: CallStatus) -> None:
    """Only the world refuses: a gate of the harness or bad arguments are no refusal."""
    found = ask("refused", view_of(made("pay", status=status, message="no")), tool="pay")
    assert (False, "pay: no call was refused") == (found.held, found.reason)
    assert found.cites


def test_refused_fails_for_another_reason_or_another_tool() -> None:
    """The reason that was given is shown."""
    view = view_of(made("pay", status="refused", message="closed"))
    found = ask("refused", view, tool="pay", matches="limit")
    assert (False, "pay: refused for other reasons: closed") == (found.held, found.reason)
    assert (END,) == ask("refused", view, tool="get").cites


def test_refused_cannot_be_examined_where_outcomes_are_not_shown() -> None:
    """A call of unknown outcome may have been refused; no call at all was not."""
    view = view_of(made("pay", status="unanswered"), observes=without("results"))
    assert "not_observed" == unexamined(ask("refused", view, tool="pay"))
    assert False is held("refused", view, tool="get")
    assert "not_observed" == unexamined(ask("refused", view_of(observes=without("calls")), tool="pay"))


def test_schema_passes_where_every_call_was_well_formed() -> None:
    """A refusal is an answer to a well-formed call; other tools are not looked at."""
    view = view_of(made("get"), made("pay", status="refused"), made("nope", status="unknown"))
    found = ask("schema", view, tools=["get", "pay"])
    assert (True, (3, 5)) == (found.held, found.cites)
    assert found.measure is not None
    assert (0.0, 2) == (found.measure.value, found.measure.n)


@pytest.mark.parametrize("status", ["invalid", "unknown"])
def test_schema_fails_on_a_malformed_call(status: CallStatus) -> None:
    """The number of malformed calls is measured, the first is shown."""
    bad = made("pay", status=status, message="amount: no number")
    found = ask("schema", view_of(made("get"), bad, bad))
    assert (False, f"pay: {status}: amount: no number", (5, 7)) == (found.held, found.reason, found.cites)
    assert found.measure is not None
    assert (2.0, 3, 0.0) == (found.measure.value, found.measure.n, found.measure.threshold)


def test_schema_cannot_be_examined_where_outcomes_are_not_shown() -> None:
    """Whether arguments fit shows in the outcome; without any call there is none to look at."""
    blind = without("results")
    view = view_of(made("get", status="unanswered"), observes=blind)
    assert "not_observed" == unexamined(ask("schema", view))
    assert held("schema", view, tools=["pay"])
    assert False is held("schema", view_of(made("get", status="invalid"), observes=without("calls")))
    assert "not_observed" == unexamined(ask("schema", view_of(observes=without("calls"))))
