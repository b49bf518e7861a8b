"""Every call is paired with its own outcome, and none is lost or made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.facts.calls import arguments
from evalkit.records.event import CallRequest, CallStatus, ModelReply, ToolCalled, ToolReturned
from tests.facts.events import FIRST, call, sheet_of, trace_of


def test_results_are_paired_by_id_whatever_order_they_come_in() -> None:
    """Calls that ran side by side keep their own results."""
    trace = trace_of(
        ToolCalled(id="1", tool="a", args={"x": 1}),
        ToolCalled(id="2", tool="b", args={"x": 2}),
        ToolReturned(id="2", tool="b", status="ok", value="second"),
        ToolReturned(id="1", tool="a", status="ok", value="first"),
    )
    calls = sheet_of(trace).calls
    assert [("a", "first", FIRST, FIRST + 3), ("b", "second", FIRST + 1, FIRST + 2)] == [
        (fact.tool, fact.value, fact.seq, fact.returned) for fact in calls
    ]


def test_a_call_without_an_outcome_is_unanswered() -> None:
    """What was about to run when the trial was cut did not return."""
    (fact,) = sheet_of(trace_of(ToolCalled(id="1", tool="a"))).calls
    assert ("unanswered", None, FIRST) == (fact.status, fact.returned, fact.seq)


def test_a_call_that_was_asked_for_and_never_made_is_unanswered() -> None:
    """A reply's calls count even where the harness never ran them, and they cite the reply."""
    asked = (CallRequest(id="1", tool="a", raw='{"x": 1}'), CallRequest(id="2", tool="b", raw="{"))
    calls = sheet_of(trace_of(ModelReply(calls=asked, stop="aborted"))).calls
    assert [("a", {"x": 1}, FIRST), ("b", None, FIRST)] == [(c.tool, c.args, c.seq) for c in calls]
    assert {"unanswered"} == {fact.status for fact in calls}


def test_a_call_that_was_made_is_counted_once() -> None:
    """The asking, the making and the outcome are one call, cited where it was made."""
    asked = ModelReply(calls=(CallRequest(id="1", tool="a"),), stop="tool_use")
    (fact,) = sheet_of(trace_of(asked, *call("a", "x", name="1"))).calls
    assert ("ok", "x", FIRST + 1) == (fact.status, fact.value, fact.seq)


def test_a_call_refused_before_it_ran_cites_the_reply_that_asked() -> None:
    """An outcome without a making pairs with the asking."""
    asked = ModelReply(calls=(CallRequest(id="1", tool="a", raw='{"x": 1}'),), stop="tool_use")
    outcome = ToolReturned(id="1", tool="a", status="invalid", message="x must be text")
    (fact,) = sheet_of(trace_of(asked, outcome)).calls
    assert ("invalid", {"x": 1}, FIRST, FIRST + 1) == (fact.status, fact.args, fact.seq, fact.returned)


def test_an_outcome_that_nobody_was_seen_to_ask_for_shows_its_call() -> None:
    """An imported trace may hold results alone."""
    (fact,) = sheet_of(trace_of(ToolReturned(id="1", tool="a", status="ok", value=3))).calls
    assert (3, None, FIRST) == (fact.value, fact.args, fact.seq)


def test_the_first_outcome_of_a_call_stands() -> None:
    """A second outcome for the same id is no second call."""
    trace = trace_of(
        *call("a", "first", name="1"), ToolReturned(id="1", tool="a", status="ok", value="second")
    )
    assert ["first"] == [fact.value for fact in sheet_of(trace).calls]


def test_calls_that_share_an_id_are_paired_in_order() -> None:
    """A source that counts its ids anew in every reply still gives every call its own result."""
    trace = trace_of(*call("a", 1, name="0"), *call("a", 2, name="0"))
    assert [1, 2] == [fact.value for fact in sheet_of(trace).calls]


@pytest.mark.parametrize("status", ["refused", "blocked", "invalid", "unknown", "fault", "missing", "broken"])
def test_what_the_outcome_says_is_kept(status: CallStatus) -> None:
    """Status, message, sub-cause, fixture keyword and effect come through unchanged."""
    outcome = call(
        "a", status=status, message="why", sub="rate", fault="http_429", declared=True, effect=False
    )
    (fact,) = sheet_of(trace_of(*outcome)).calls
    assert (status, "why", "rate", "http_429", True, False) == (
        fact.status,
        fact.message,
        fact.sub,
        fact.fault,
        fact.declared,
        fact.effect,
    )


@pytest.mark.parametrize("raw", ["", "{", "[1]", '{"a": NaN}', "[" * 100_000, '"\ud800"', '{"a": 1e999}'])
def test_arguments_that_are_no_json_object_are_unknown(raw: str) -> None:
    """What a model wrote is never guessed at, and never breaks the reading."""
    assert arguments(raw) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.booleans()), max_size=12))
def test_no_call_is_lost_or_counted_twice(drawn: list[tuple[str, bool, bool]]) -> None:
    """As many calls as were asked for, whichever of them were made and answered, in the order of `seq`."""
    bodies: list[ModelReply | ToolCalled | ToolReturned] = []
    for number, (tool, made, answered) in enumerate(drawn):
        bodies.append(ModelReply(calls=(CallRequest(id=str(number), tool=tool),), stop="tool_use"))
        bodies += [ToolCalled(id=str(number), tool=tool)] * made
        bodies += [ToolReturned(id=str(number), tool=tool, status="ok", value=number)] * answered
    calls = sheet_of(trace_of(*bodies)).calls
    assert [tool for tool, _, _ in drawn] == [fact.tool for fact in calls]
    assert [number if drawn[number][2] else None for number in range(len(drawn))] == [c.value for c in calls]
    assert sorted(fact.seq for fact in calls) == [fact.seq for fact in calls]
