"""Faults that are not the agent's: where they come from, and what makes them good."""

from __future__ import annotations

import pytest

from evalkit.records.event import CallStatus, Closed, Faulted, ModelReply, StopReason, Where
from tests.facts.events import FIRST, call, sheet_of, trace_of


@pytest.mark.parametrize(
    ("status", "cause", "expected"),
    [
        ("fault", "environment", "environment"),
        ("fault", None, "environment"),
        ("fault", "bad luck", "environment"),
        ("missing", None, "fixture_missing"),
        ("broken", None, "broken_case"),
        ("broken", "harness", "harness"),
    ],
)
def test_a_call_that_met_a_fault(status: CallStatus, cause: str | None, expected: str) -> None:
    """The cause is the event's where it is one of the list, else what the status stands for."""
    (fault,) = sheet_of(trace_of(*call("a", status=status, cause=cause, sub="rate", message="down"))).faults
    assert ("tool", "a", expected, "rate", "down", FIRST + 1, FIRST) == (
        fault.where,
        fault.tool,
        fault.cause,
        fault.sub,
        fault.message,
        fault.seq,
        fault.started,
    )


@pytest.mark.parametrize("status", ["refused", "blocked", "invalid", "unknown"])
def test_what_the_agent_may_be_told_is_no_fault(status: CallStatus) -> None:
    """A refusal is the agent's to deal with."""
    assert () == sheet_of(trace_of(*call("a", status=status))).faults


def test_a_fixture_fault_that_still_returned_is_no_fault() -> None:
    """`empty`, `malformed` and `inject` are declared and return: nothing broke."""
    assert () == sheet_of(trace_of(*call("a", [], fault="empty", declared=True))).faults


def test_a_fault_is_recovered_by_the_same_tool_alone() -> None:
    """Another tool's success, a refusal, or an earlier success make nothing good."""
    before = (*call("a", 1, name="0"), *call("a", status="fault", name="1"))
    (standing,) = sheet_of(trace_of(*before, *call("b", 1), *call("a", status="refused", name="2"))).faults
    (recovered,) = sheet_of(trace_of(*before, *call("b", 1), *call("a", [], name="2"))).faults
    assert (None, FIRST + 7) == (standing.recovered, recovered.recovered)


@pytest.mark.parametrize(
    ("stop", "recovered"), [("stop", FIRST + 1), ("tool_use", FIRST + 1), ("error", None)]
)
def test_a_fault_of_the_model_is_recovered_by_an_answer(stop: StopReason, recovered: int | None) -> None:
    """A reply that broke off is no answer."""
    faulted = Faulted(where="model", cause="environment")
    (fault,) = sheet_of(trace_of(faulted, ModelReply(text="x", stop=stop))).faults
    assert ("model", recovered) == (fault.where, fault.recovered)


@pytest.mark.parametrize("where", ["world", "harness"])
def test_faults_of_world_and_harness_stand(where: Where) -> None:
    """Nothing that follows shows that they are made good."""
    trace = trace_of(Faulted(where=where, cause="nonsense"), ModelReply(text="x"), *call("a", 1))
    (fault,) = sheet_of(trace).faults
    assert ({"world": "environment", "harness": "harness"}[where], None) == (fault.cause, fault.recovered)


def test_a_fault_that_was_retried_below_the_agent_is_recovered() -> None:
    """The agent never saw it, and still the trial did not go its clean way."""
    (fault,) = sheet_of(trace_of(*call("a", 1, tries=3))).faults
    assert ("environment", FIRST + 1) == (fault.cause, fault.recovered)
    assert () == sheet_of(trace_of(*call("a", 1, tries=3, declared=True))).faults


def test_a_trial_that_closed_by_an_unseen_fault_has_it_at_its_end() -> None:
    """A source that says only how a trial ended is still believed that the agent is not to blame."""
    closed = Closed(end="fault", cause="environment", sub="no_reply", message="host down")
    (fault,) = sheet_of(trace_of(ModelReply(text="x"), closed=closed)).faults
    assert ("world", "environment", "no_reply", FIRST + 1) == (fault.where, fault.cause, fault.sub, fault.seq)


def test_a_trial_that_closed_by_a_fault_that_was_seen_has_it_once() -> None:
    """The closing line repeats what an event shows."""
    trace = trace_of(*call("a", status="missing"), closed=Closed(end="fault", cause="fixture_missing"))
    assert ["fixture_missing"] == [fault.cause for fault in sheet_of(trace).faults]
