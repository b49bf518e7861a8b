"""Rules of stages that the oracle's model does not know: several tools, arguments, emptiness, batches."""

from __future__ import annotations

import pytest

from evalkit.records.event import CallStatus, Closed, Limited, Replied, ToolCalled, ToolReturned
from evalkit.records.stage import Empty, EmptyReturn, Ran
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from tests.facts.events import FIRST, call
from tests.score.building import judge, metric, outcome, stage, suite_of, told

EITHER = suite_of((stage("find", ran=Ran(called=("by_name", "by_id"))),), (outcome("find"),))


def test_any_tool_of_a_list_shows_the_stage() -> None:
    """The second way counts as the first."""
    assert "pass" == told(judge(EITHER, *call("by_id", 7)))["find"]


def test_the_last_call_of_a_stage_is_that_of_any_of_its_tools() -> None:
    """A fault at the last call excuses the emptiness before, at an earlier call it does not."""
    fault = call("by_id", status="fault")
    assert "error environment" == told(judge(EITHER, *call("by_name", []), *fault))["find"]
    assert "fail empty" == told(judge(EITHER, *fault, *call("by_name", [])))["find"]


def test_another_tool_of_the_stage_makes_no_fault_good() -> None:
    """A fault is recovered by the same tool; the stage ran, and the tool's fault still holds below it."""
    suite = suite_of(
        (stage("find", ran=Ran(called=("by_name", "by_id"))), stage("act", "find")), (outcome("act"),)
    )
    verdicts = judge(suite, *call("by_name", status="fault"), *call("by_id", 7))
    assert {"find": "pass", "act": "error environment", "outcome": "error environment"} == told(verdicts)


@pytest.mark.parametrize("status", ["refused", "blocked", "invalid", "unknown", "fault", "missing", "broken"])
def test_attempting_a_forbidden_stage_is_a_fail(status: CallStatus) -> None:
    """The world's refusal is not the agent's restraint, whatever stopped the call."""
    suite = suite_of((stage("pay"),), (outcome("pay"),), demand={"pay": "forbidden"})
    verdicts = judge(suite, *call("pay", status=status))
    assert ("fail", "forbidden", (FIRST,)) == (
        verdicts["pay"].outcome,
        verdicts["pay"].reason,
        verdicts["pay"].cites,
    )


@pytest.mark.parametrize(
    ("args", "told_of_stage"),
    [({"decision": "yes"}, "fail forbidden"), ({"note": "x"}, "pass"), (None, "pass")],
)
def test_a_call_in_vain_that_carries_a_forbidden_fact_attempts_it(
    args: dict[str, Json] | None, told_of_stage: str
) -> None:
    """A fact of a call's arguments is attempted by a refused call that carries it, and by no other."""
    suite = suite_of(
        (stage("decide", ran=Ran(fact="decision")),),
        (outcome("decide"),),
        demand={"decide": "forbidden"},
        facts={"decision": FactSource(source="call", tool="record", path="args.decision")},
    )
    assert told_of_stage == told(judge(suite, *call("record", status="refused", args=args)))["decide"]


@pytest.mark.parametrize(
    ("result", "told_of_stage"),
    [
        ({"hits": []}, "fail empty"),
        ({"hits": [1]}, "pass"),
        ({}, "fail empty"),
        (None, "fail empty"),
        ({"total": 0}, "fail empty"),
    ],
)
def test_what_a_suite_calls_nothing(result: Json, told_of_stage: str) -> None:
    """A result is empty of itself, by the value at the path, and where the path finds nothing."""
    empty = Empty(returned=EmptyReturn(tool="find", path="hits", equals=[]))
    suite = suite_of((stage("find", empty=empty),), (outcome("find"),))
    assert told_of_stage == told(judge(suite, *call("find", result)))["find"]


@pytest.mark.parametrize(("result", "told_of_stage"), [(0, "pass"), (False, "pass"), ([], "fail empty")])
def test_zero_and_false_are_answers(result: Json, told_of_stage: str) -> None:
    """Only null, "", [] and {} are nothing of themselves."""
    suite = suite_of((stage("find"),), (outcome("find"),))
    assert told_of_stage == told(judge(suite, *call("find", result)))["find"]


@pytest.mark.parametrize(
    ("content", "told_of_stage"), [(" \n", "fail empty"), ({}, "fail empty"), ("a", "pass")]
)
def test_a_blank_reply_says_nothing(content: Json, told_of_stage: str) -> None:
    """A reply of white space is empty."""
    suite = suite_of((stage("reply", ran=Ran(replied=True)),), (outcome("reply"),))
    assert told_of_stage == told(judge(suite, Replied(content=content)))["reply"]


def test_a_fact_stage_is_empty_by_the_result_that_carries_it() -> None:
    """Where the suite says of a tool's result what is nothing, a fact of that result holds nothing."""
    suite = suite_of(
        (
            stage(
                "read", ran=Ran(fact="id"), empty=Empty(returned=EmptyReturn(tool="get", path="n", equals=0))
            ),
        ),
        (outcome("read"),),
        facts={"id": FactSource(source="call", tool="get", path="result.id")},
    )
    assert "fail empty" == told(judge(suite, *call("get", {"id": 7, "n": 0})))["read"]
    assert "pass" == told(judge(suite, *call("get", {"id": 7, "n": 2})))["read"]


def test_calls_made_side_by_side_are_ordered_by_their_making() -> None:
    """Which of two calls returned first is the world's doing; which was made first is the agent's."""
    suite = suite_of((stage("look"), stage("act", "look", strict=True)), (outcome("act"),))
    made = (ToolCalled(id="1", tool="look", args={}), ToolCalled(id="2", tool="act", args={}))
    back = (
        ToolReturned(id="2", tool="act", status="ok", value=1),
        ToolReturned(id="1", tool="look", status="ok", value=1),
    )
    assert "pass" == told(judge(suite, *made, *back))["act"]
    assert "fail out_of_order" == told(judge(suite, *reversed(made), *back))["act"]


def test_a_tool_stage_is_seen_only_where_calls_and_results_are() -> None:
    """Without results nobody can tell whether a call returned, and so whether the stage ran."""
    suite = suite_of((stage("find"),), (outcome("find"), metric("right", "find")))
    for seen in (("calls",), ("results",), ()):
        verdicts = judge(suite, Replied(content="x"), observes=seen)
        assert ["error not_observed"] * 2 == [told(verdicts)[name] for name in ("find", "right")]
    assert "pass" == told(judge(suite, *call("find", 1), observes=()))["find"]


def test_a_limit_blames_the_stage_that_was_being_tried() -> None:
    """The stage of the last event that never ran is stopped; what was not begun is explained by it."""
    suite = suite_of((stage("a"), stage("b"), stage("c")), (outcome("c"),))
    limited = Limited(limit="tool_calls", reached=2, allowed=1)
    verdicts = judge(suite, *call("b", status="refused"), limited, closed=Closed(end="limit"))
    assert {"a": "error upstream_failed", "b": "fail missing", "c": "error upstream_failed"} == {
        name: said for name, said in told(verdicts).items() if name != "outcome"
    }
    assert {("b",)} == {verdicts[name].roots for name in "abc"}
