"""Attribution records: what a failing trial leaves behind."""

from __future__ import annotations

from typing import Any

from evalkit.diagnose.attribute import attribute
from evalkit.facts.derive import derive
from evalkit.records.attribution import Attribution
from evalkit.records.event import Body, Limited, Replied, ToolReturned
from evalkit.records.stage import Ran
from evalkit.records.suite import Suite
from evalkit.score.scorer import Scorer
from tests.facts.events import FIRST, call, trace_of
from tests.score.building import Checks, metric, outcome, planned, stage, suite_of

DESK = suite_of(
    (
        stage("identify"),
        stage("lookup", "identify"),
        stage("act", "lookup", demand="optional"),
        stage("reply", "lookup", ran=Ran(replied=True)),
    ),
    (outcome("act"), metric("exact", "lookup"), metric("kind", "reply", tier="observe")),
)


def _blame(*bodies: Body, suite: Suite = DESK, **says: Any) -> Attribution | None:
    trace, checks = trace_of(*bodies), Checks(says)
    sheet = derive(suite, suite.cases[0], trace)
    verdicts = Scorer(suite, {}, checks)(planned(), sheet)
    return attribute(suite, suite.cases[0], sheet, verdicts)


def _known(found: Attribution | None) -> Attribution:
    assert found is not None
    return found


RIGHT = (*call("identify", 1), *call("lookup", 1), *call("act", 1), Replied(content="done"))


def test_a_trial_without_a_fail_leaves_nothing() -> None:
    """No fail of a stage, a gate or a compare metric: no record."""
    assert _blame(*RIGHT) is None


def test_what_is_only_observed_accuses_nobody() -> None:
    """A fail of tier observe leaves no record, and beside another fail it is not named."""
    assert _blame(*RIGHT, kind=False) is None
    found = _known(_blame(*RIGHT, kind=False, outcome=False))
    assert (("act",), ()) == (found.primary, found.secondary)
    assert "kind" not in found.phenomenon
    assert "ok" == found.states["reply"]


def test_a_missing_stage_is_the_root_and_what_follows_is_secondary() -> None:
    """One root, the stages below it secondary, the first event below it as the one that left the path."""
    found = _known(_blame(*call("identify", 1), *call("act", 1), Replied(content="done"), outcome=False))
    assert (("lookup",), ("act",)) == (found.primary, found.secondary)
    assert {"lookup": "missing"} == found.reasons
    assert {"identify": "ok", "lookup": "failed", "act": "failed", "reply": "ok"} == found.states
    assert (FIRST + 2, "the call of act, which returned") == (found.process, found.process_text)
    assert "lookup did not run" == found.phenomenon
    assert (
        "find out why lookup was passed over: a call of lookup that returns would show it" == found.suggestion
    )
    assert ("agent", "ticket", False) == (found.owner, found.grade, found.passed)


def test_a_metric_is_the_reason_where_its_stage_ran() -> None:
    """Where every stage ran, the root is the stage at which the failing metric is shown."""
    found = _known(_blame(*RIGHT, outcome=False))
    assert ({"act": "outcome"}, ("act",), ()) == (found.reasons, found.primary, found.secondary)
    assert "see at act why outcome does not hold" == found.suggestion
    assert "failed" == found.states["act"]


def test_a_passing_trial_with_a_fault_on_the_way_leaves_a_record() -> None:
    """The outcome is right, a compare metric failed: a record that says that the trial passed."""
    found = _known(_blame(*RIGHT, exact=False))
    assert (True, ("lookup",)) == (found.passed, found.primary)


def test_a_metric_that_failed_is_told_from_a_stage_that_did() -> None:
    """A stage that ran and at which a metric failed is named with it; one that failed itself is not."""
    assert {"act": "outcome"} == _known(_blame(*RIGHT, outcome=False)).failed_by
    found = _known(
        _blame(*call("identify", 1), *call("act", 1), Replied(content="x"), exact=False, outcome=False)
    )
    assert {"act": "outcome"} == found.failed_by


def test_a_stage_that_was_tried_was_not_passed_over() -> None:
    """The ticket says what was tried, how it ended, and what followed."""
    fault = ToolReturned(
        id="x", tool="lookup", status="fault", fault="http_500", cause="environment", declared=True
    )
    bodies = (*call("identify", 1), call("lookup", name="x")[0], fault, Replied(content="done"))
    found = _known(_blame(*bodies, outcome=False))
    assert {"lookup": "missing"} == found.reasons
    told = f"the call of lookup, which met a fault (fault http_500 environment, event {FIRST + 3})"
    then = f"then came the reply to the user (event {FIRST + 4})"
    assert (
        f"lookup was tried and did not return: {told}; {then}; find out why it was left at that"
        == found.suggestion
    )


def test_two_independent_causes_are_two_roots() -> None:
    """Two stages fail, neither above the other: both are primary, in the suite's order."""
    suite = suite_of((stage("a"), stage("b"), stage("c", "a", "b", ran=Ran(replied=True))), (outcome("c"),))
    found = _known(_blame(Replied(content="x"), suite=suite, outcome=False))
    assert (("a", "b"), ("c",)) == (found.primary, found.secondary)
    assert {"a": "missing", "b": "missing"} == found.reasons


def test_a_forbidden_stage_is_cited() -> None:
    """What was done and must not be done is the event that left the path."""
    suite = suite_of(DESK.stages, DESK.metrics, demand={"act": "forbidden"})
    found = _known(_blame(*RIGHT, suite=suite))
    assert ({"act": "forbidden"}, FIRST + 4) == (found.reasons, found.process)
    assert "find out what tempted the agent: this case forbids act" == found.suggestion


def test_a_recovered_stage_is_soft() -> None:
    """A miss that was made good leaves the state soft, not failed."""
    suite = suite_of((stage("find"), stage("reply", "find", ran=Ran(replied=True))), (outcome("reply"),))
    bodies = (*call("find", []), *call("find", [1], name="again"), Replied(content="x"))
    found = _known(_blame(*bodies, suite=suite, outcome=False))
    assert {"find": "soft", "reply": "failed"} == found.states


def test_a_stage_that_was_never_reached_is_not_examined() -> None:
    """Blocked stages are not failed stages."""
    found = _known(_blame(Replied(content="x"), outcome=False))
    assert ("failed", "not_examined") == (found.states["identify"], found.states["lookup"])


def test_a_limit_that_stopped_the_trial_is_where_it_left() -> None:
    """Nothing shows what is missing, and no reply came: the limit is the event."""
    limited = Limited(limit="tool_calls", reached=2, allowed=1)
    found = _known(_blame(*call("identify", 1), limited, outcome=False))
    assert "stopped by the limit on tool_calls" == found.process_text


def test_nothing_at_all_is_a_report_without_an_event() -> None:
    """An agent that did nothing left no event to point at."""
    suite = suite_of((stage("find"),), (outcome("find"),))
    found = _known(_blame(suite=suite, outcome=False))
    assert (None, "nothing happened that would show it", "report") == (
        found.process,
        found.process_text,
        found.grade,
    )


def test_a_trial_that_was_not_measured_leaves_nothing() -> None:
    """An unmeasured trial accuses nobody."""
    verdicts = Scorer(DESK, {}, Checks())(planned(), None)
    assert attribute(DESK, DESK.cases[0], None, verdicts) is None


def test_calls_are_told_by_how_they_ended() -> None:
    """Returned, refused or without an answer: the record says which."""
    suite = suite_of(DESK.stages, DESK.metrics, demand={"act": "forbidden"})
    refused = ToolReturned(id="x", tool="act", status="refused", message="no")
    started = call("act", name="x")[0]
    found = _known(_blame(*call("identify", 1), *call("lookup", 1), started, refused, suite=suite))
    assert "the call of act, which the world refused" == found.process_text
