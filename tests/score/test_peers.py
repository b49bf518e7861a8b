"""Where others let something that was not measured look measured; numbers are those of the list."""

from __future__ import annotations

import math

import msgspec
import pytest

from evalkit.facts.derive import derive
from evalkit.records.checks import Expectation
from evalkit.records.event import EVERYTHING, Closed, Faulted, Replied
from evalkit.records.stage import Ran
from evalkit.records.verdict import Measure
from evalkit.score.finding import CheckView, Finding
from evalkit.score.scorer import Scorer
from tests.facts.events import call, trace_of
from tests.score.building import (
    Checks,
    Said,
    entry,
    judge,
    metric,
    outcome,
    planned,
    stage,
    suite_of,
    told,
)

STAGES = (stage("retrieve"), stage("reply", "retrieve", ran=Ran(replied=True)))
RAN = (*call("retrieve", ["a"]), Replied(content="ok"))
SUITE = suite_of(
    STAGES, (outcome("reply"), metric("right", "retrieve"), metric("own", "reply", check="python"))
)


@pytest.mark.parametrize(
    "said", [ZeroDivisionError("x"), Finding(held=True, measure=Measure(value=math.nan, unit="x"))]
)
def test_peer_05_a_check_that_raises_or_says_nan_is_no_failed_agent(said: Said) -> None:
    """Error `broken_case` (`harness` if the check is ours); the trial's other checks are judged."""
    suite = suite_of(
        STAGES,
        (outcome("reply"), metric("right", "retrieve"), metric("own", "reply")),
        expect=(entry("outcome"), entry("right"), entry("own", "python")),
    )
    theirs = told(judge(suite, *RAN, checks=Checks({"own": said, "right": False})))
    assert {"outcome": "pass", "right": "fail", "own": "error broken_case"} == {
        name: theirs[name] for name in ("outcome", "right", "own")
    }
    assert "error harness" == told(judge(suite, *RAN, checks=Checks({"right": said})))["right"]


def test_peer_07_a_metric_whose_input_is_missing_is_an_error_and_no_pass() -> None:
    """What a check reads was not recorded: `not_observed`, and a case with nothing measured is no pass."""
    unseen = Finding(held=None, cause="not_observed")
    verdicts = judge(SUITE, *RAN, checks=Checks(dict.fromkeys(("outcome", "right", "own"), unseen)))
    assert ["error not_observed"] * 3 == [told(verdicts)[name] for name in ("outcome", "right", "own")]
    blind = judge(
        SUITE,
        observes=tuple(kind for kind in EVERYTHING if kind == "usage"),
        checks=Checks({"outcome": unseen}),
    )
    assert {"error not_observed"} == set(told(blind).values())


def test_peer_08_empty_retrieval_is_no_perfect_score() -> None:
    """What judges retrieved documents is not asked about none of them, and its check never runs."""
    checks = Checks()
    verdicts = judge(SUITE, *call("retrieve", []), Replied(content="ok"), checks=checks)
    assert "error upstream_empty" == told(verdicts)["right"]
    assert "right" not in {name for name, _ in checks.asked}


def test_peer_08_an_empty_expectation_is_no_perfect_score() -> None:
    """A deciding metric that nothing feeds is a broken case."""
    assert (
        "error broken_case" == told(judge(suite_of(STAGES, (outcome("reply"),), expect=()), *RAN))["outcome"]
    )


def test_peer_09_no_check_runs_on_an_output_that_does_not_exist() -> None:
    """The provider never started: `environment` everywhere, though every "must not contain" would hold."""
    fed = (
        entry("outcome", "reply", negated=True),
        entry("right", negated=True),
        entry("own", "reply", negated=True),
    )
    suite = suite_of(STAGES, SUITE.metrics, expect=fed)
    checks = Checks(dict.fromkeys(("outcome", "right", "own"), False))
    down = (Faulted(where="model", cause="environment", sub="no_reply"),)
    verdicts = judge(suite, *down, closed=Closed(end="fault", cause="environment"), checks=checks)
    assert {"error environment"} == set(told(verdicts).values())
    assert [] == checks.asked


def test_peer_09_an_agent_that_said_nothing_passes_no_must_not() -> None:
    """Where nothing broke, no reply is the agent's fail, also for what the reply must not say."""
    suite = suite_of(STAGES, (outcome("reply"),), expect=(entry("outcome", "reply", negated=True),))
    assert "fail" == told(judge(suite, checks=Checks({"outcome": False})))["outcome"]


def test_peer_23_nothing_leaks_from_one_check_or_trial_to_the_next() -> None:
    """A check that spoils its sheet spoils no other's, and a trial is judged alike in any company."""
    suite = suite_of(
        STAGES,
        (outcome("reply"), metric("after", "reply")),
        expect=(entry("outcome", "python"), entry("after", "called")),
    )

    def examine(one: Expectation, view: CheckView) -> Finding:
        if one.kind == "python":
            view.sheet.calls[0].value.append("spoilt")
            view.sheet.probes["planted"] = None  # type: ignore[assignment]
            return Finding(held=True)
        return Finding(held=view.sheet.calls[0].value == ["a"] and not view.sheet.probes)

    scorer = Scorer(suite, {}, examine)
    good = derive(suite, suite.cases[0], trace_of(*call("retrieve", ["a"]), Replied(content="ok")))
    bad = derive(suite, suite.cases[0], trace_of(*call("retrieve", [])))
    first = scorer(planned(), good)
    assert ["pass", "pass"] == [verdict.outcome for verdict in first[2:]]
    scorer(planned(), bad)
    assert first == scorer(planned(), good)


def test_peer_23_deep_arguments_of_the_agent_stop_no_check() -> None:
    """What an agent nests a thousand deep costs at most the one check that reads it, never the run."""
    suite = suite_of(
        STAGES,
        (outcome("reply"), metric("after", "reply")),
        expect=(entry("outcome", "called"), entry("after", "python")),
    )
    deep: list[object] = []
    for _ in range(1500):
        deep = [deep]
    seen = []

    def examine(one: Expectation, view: CheckView) -> Finding:
        seen.append(one.kind)
        return Finding(held=True)

    sheet = derive(suite, suite.cases[0], trace_of(*call("retrieve", ["a"]), Replied(content="ok")))
    nested = msgspec.structs.replace(sheet.calls[0], value=deep)
    verdicts = Scorer(suite, {}, examine)(planned(), msgspec.structs.replace(sheet, calls=(nested,)))
    assert "pass" == verdicts[2].outcome
    assert verdicts[3].outcome in ("pass", "error")
