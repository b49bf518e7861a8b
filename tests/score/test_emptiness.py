"""What waits for a stage that returned nothing: explained, not asked, or unmeasured after a fault."""

from __future__ import annotations

import pytest

from evalkit.records.event import Body
from tests.facts.events import call
from tests.score.building import Checks, judge, metric, outcome, stage, suite_of, told

FIND_AND_ACT = suite_of((stage("find"), stage("act", "find")), (outcome("act"), metric("right", "find")))
BROKE_OFF = (*call("find", []), *call("find", status="fault", cause="environment", sub="rate"))
"""The search found nothing, and then it broke."""


def test_what_waits_for_a_stage_that_a_fault_emptied_is_unmeasured() -> None:
    """A broken dependency stays in the denominator of coverage: its cause and sub-cause hold below it."""
    verdicts = judge(FIND_AND_ACT, *BROKE_OFF)
    assert {("environment", "rate", "unmeasured", None, ())} == {
        (verdict.cause, verdict.sub, verdict.cause_class, verdict.emptied_by, verdict.roots)
        for verdict in verdicts.values()
    }
    assert verdicts["act"].message.startswith("act needs find: a fault met the last call of find")


def test_a_fault_that_emptied_an_optional_stage_excuses_the_outcome_below_it() -> None:
    """The required stage waits for what the fault took away, so that the outcome cannot be told either."""
    suite = suite_of(FIND_AND_ACT.stages, FIND_AND_ACT.metrics, demand={"find": "optional"})
    said = told(judge(suite, *BROKE_OFF, checks=Checks({"outcome": False})))
    assert ["error environment"] * 3 == [said["find"], said["act"], said["outcome"]]


@pytest.mark.parametrize(
    ("bodies", "allowed", "expected"),
    [
        (call("find", []), (), ("explained", "find", ("find",))),
        (call("find", []), ("find",), ("not_asked", "find", ())),
        (BROKE_OFF, ("find",), ("not_asked", "find", ())),
    ],
    ids=["a fail", "allowed", "allowed before a fault"],
)
def test_what_waits_for_a_stage_that_was_merely_empty(
    bodies: tuple[Body, ...], allowed: tuple[str, ...], expected: tuple[str, str, tuple[str, ...]]
) -> None:
    """Emptiness that is a fail explains, emptiness that is allowed leaves nothing to ask."""
    suite = suite_of(FIND_AND_ACT.stages, FIND_AND_ACT.metrics, allow_empty=allowed)
    verdicts = judge(suite, *bodies)
    for name in ("act", "right"):
        verdict = verdicts[name]
        assert "upstream_empty" == verdict.cause
        assert expected == (verdict.cause_class, verdict.emptied_by, verdict.roots)


def test_what_a_fault_emptied_stands_between_what_failed_and_what_is_empty() -> None:
    """Failed upstream goes before it, a stage that is merely empty after it, for stages and metrics."""
    stages = (stage("gone"), stage("none"), stage("find"))
    below = (stage("all", "gone", "none", "find"), stage("two", "none", "find"))
    metrics = (
        metric("of_all", "find", needs=("gone", "none", "find")),
        metric("of_two", "find", needs=("none", "find")),
    )
    said = told(judge(suite_of((*stages, *below), (outcome("all"), *metrics)), *call("none", []), *BROKE_OFF))
    assert ["error upstream_failed"] * 2 == [said["all"], said["of_all"]]
    assert ["error environment"] * 2 == [said["two"], said["of_two"]]


def test_an_explained_emptiness_does_not_hide_behind_an_allowed_one() -> None:
    """Of several empty needs one whose emptiness is a fail goes first, though it stands later."""
    stages = (stage("spare"), stage("find"), stage("act", "spare", "find"), stage("last", "spare", "act"))
    metrics = (outcome("act"), metric("right", "act", needs=("spare", "find")))
    suite = suite_of(stages, metrics, allow_empty=("spare",))
    verdicts = judge(suite, *call("spare", []), *call("find", []))
    assert {("upstream_empty", "explained", "find", ("find",))} == {
        (verdicts[name].cause, verdicts[name].cause_class, verdicts[name].emptied_by, verdicts[name].roots)
        for name in ("act", "last", "right")
    }


def test_of_emptinesses_of_one_kind_the_suites_order_decides() -> None:
    """Two that are fails, or two that are allowed: the first in the suite is named."""
    stages = (stage("one"), stage("two"), stage("act", "two", "one"))
    for allowed in ((), ("one", "two")):
        suite = suite_of(stages, (outcome("act"),), allow_empty=allowed)
        assert "one" == judge(suite, *call("two", []), *call("one", []))["act"].emptied_by
