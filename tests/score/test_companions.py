"""Companion metrics through the scorer: they explain, and change nothing that decides."""

from __future__ import annotations

import pytest

from evalkit.facts.derive import derive
from evalkit.records.event import Body, Closed, Faulted, Replied
from evalkit.records.metric import Metric
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict
from evalkit.score.scorer import score
from evalkit.suite.companions import companions
from tests.facts.events import call, trace_of
from tests.score.building import entry, metric, outcome, planned, stage, suite_of

TRIALS: dict[str, tuple[Body, ...]] = {
    "whole": (*call("look", {"id": 1}), *call("pay", {"ok": True}), Replied(content="Done.")),
    "without a look": (*call("pay", {"ok": True}), Replied(content="Done.")),
    "nothing": (),
    "a model that broke": (Faulted(where="model", cause="environment", message="503"),),
}


def _suite(*, accompanied: bool) -> Suite:
    stages = (stage("look"), stage("pay", "look"))
    metrics = (outcome("pay", check="called"), metric("paid", "pay", primary=True))
    expect = (
        entry("outcome", args={"calls": [{"tool": "pay"}]}),
        entry("paid", args={"calls": [{"tool": "pay"}]}),
    )
    suite = suite_of(stages, metrics, expect=expect)
    own: tuple[Metric, ...] = companions(suite) if accompanied else ()
    return suite.model_copy(update={"metrics": (*suite.metrics, *own)})


def _judged(suite: Suite, name: str) -> dict[str, Verdict]:
    bodies = TRIALS[name]
    closed = Closed(end="fault", cause="environment") if name == "a model that broke" else None
    sheet = derive(suite, suite.cases[0], trace_of(*bodies, closed=closed))
    return {one.name: one for one in score(suite, planned(), sheet, functions={})}


@pytest.mark.parametrize("name", TRIALS)
def test_no_other_verdict_changes(name: str) -> None:
    """With them and without them, every stage and every metric of the suite's own says the same."""
    alone, beside = _judged(_suite(accompanied=False), name), _judged(_suite(accompanied=True), name)
    assert ["call_chain"] == [one for one in beside if one not in alone]
    assert alone == {one: verdict for one, verdict in beside.items() if one in alone}


def test_they_are_measured_where_stages_are_not_reached() -> None:
    """A chain that broke is what its companion is there to tell; it is no root of its own."""
    found = _judged(_suite(accompanied=True), "without a look")
    chain = found["call_chain"]
    assert ("fail", 0.5, "static") == (
        chain.outcome,
        chain.measure.value if chain.measure else None,
        chain.grade,
    )
    assert ("look",) == found["look"].roots == chain.roots
    nothing = _judged(_suite(accompanied=True), "nothing")["call_chain"]
    assert ("fail", 0.0) == (nothing.outcome, nothing.measure.value if nothing.measure else None)


def test_a_fault_that_is_not_the_agents_excuses_them() -> None:
    """What broke the trial is not held against the agent here either."""
    chain = _judged(_suite(accompanied=True), "a model that broke")["call_chain"]
    assert ("error", "environment") == (chain.outcome, chain.cause)
