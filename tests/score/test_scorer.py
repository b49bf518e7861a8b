"""What the scorer does with findings: all must hold, and what was seen stands."""

from __future__ import annotations

import math

import pytest

from evalkit.errors import SuiteBug
from evalkit.records.checks import Expectation
from evalkit.records.event import Closed, Faulted, Limited, Replied, UserTurn
from evalkit.records.metric import Grade, Rule
from evalkit.records.policy import Mode
from evalkit.records.stage import Ran
from evalkit.records.verdict import Cause, Measure
from evalkit.score.finding import CheckView, Finding
from evalkit.score.scorer import Scorer
from tests.facts.events import FIRST, call
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

STAGES = (stage("find"), stage("reply", ran=Ran(replied=True)))
RAN = (*call("find", 1), Replied(content="ok"))
ONE = suite_of(STAGES, (outcome("reply"), metric("right", "find")))
UNSEEN = Finding(held=None, cause="not_observed", reason="not recorded")
BROKEN = Finding(held=None, cause="broken_case", reason="no such table")


def two_entries(first: Said, second: Said) -> str:
    """What a metric with two entries comes to."""
    fed = (entry("outcome"), entry("outcome", "order"))
    suite = suite_of(STAGES, (outcome("reply"),), expect=fed)
    return told(judge(suite, *RAN, checks=Checks({"outcome:called": first, "outcome:order": second})))[
        "outcome"
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (True, True, "pass"),
        (True, False, "fail"),
        (False, UNSEEN, "fail"),
        (True, UNSEEN, "error not_observed"),
        (UNSEEN, BROKEN, "error broken_case"),
        (False, BROKEN, "error broken_case"),
        (False, ValueError("ours"), "error harness"),
        (BROKEN, ValueError("ours"), "error broken_case"),
    ],
)
def test_all_entries_must_hold_and_a_fail_that_was_seen_stands(
    first: Said, second: Said, expected: str
) -> None:
    """A broken entry is the metric's error; else a refuted one fails it; else what was not seen counts."""
    assert expected == two_entries(first, second)
    assert expected == two_entries(second, first)


@pytest.mark.parametrize(
    ("kind", "said", "cause"),
    [
        ("called", ValueError("ours"), "harness"),
        ("python", ValueError("theirs"), "broken_case"),
        ("called", SuiteBug("theirs"), "broken_case"),
        ("python", 1.0, "broken_case"),
        ("called", None, "harness"),
        ("python", Finding(held=1, reason=""), "broken_case"),  # type: ignore[arg-type]
        ("called", Finding(held=None), "harness"),
        ("called", Finding(held=None, cause="bad luck"), "harness"),  # type: ignore[arg-type]
        ("python", Finding(held=True, measure=Measure(value=math.nan, unit="s")), "broken_case"),
        ("called", Finding(held=True, measure=Measure(value=math.inf, unit="s")), "harness"),
    ],
)
def test_a_check_without_an_answer_is_an_error_of_whose_it_is(kind: str, said: Said, cause: Cause) -> None:
    """A check that raises, or says what is no answer, never fails the agent and never passes it."""
    suite = suite_of(
        STAGES, (outcome("reply"), metric("right", "find")), expect=(entry("outcome", kind), entry("right"))
    )
    verdicts = judge(suite, *RAN, checks=Checks({"outcome": said}))
    assert (f"error {cause}", "pass") == (told(verdicts)["outcome"], told(verdicts)["right"])
    assert verdicts["outcome"].message


@pytest.mark.parametrize(
    ("said", "expected"),
    [(True, "fail"), (False, "pass"), (UNSEEN, "error not_observed"), (ValueError(), "error harness")],
)
def test_not_turns_what_was_examined_and_nothing_else(said: Said, expected: str) -> None:
    """What could not be examined is not the opposite of what was expected."""
    suite = suite_of(STAGES, (outcome("reply"),), expect=(entry("outcome", negated=True),))
    assert expected == told(judge(suite, *RAN, checks=Checks({"outcome": said})))["outcome"]


@pytest.mark.parametrize(
    "expected",
    [
        entry("outcome", "reply", negated=True),
        entry("outcome", "returned", negated=True, args={"tool": "find"}),
    ],
)
def test_not_needs_an_output_to_look_at(expected: Expectation) -> None:
    """A reply that was never given does not "not contain" a word, nor a tool that never returned a value."""
    suite = suite_of(STAGES, (outcome("reply"),), expect=(expected,))
    checks = Checks({"outcome": False})
    assert "fail" == told(judge(suite, checks=checks))["outcome"]
    assert "pass" == told(judge(suite, *RAN, checks=checks))["outcome"]


def test_not_of_a_turn_needs_an_output_of_that_turn() -> None:
    """A reply to another turn is not looked at."""
    suite = suite_of(STAGES, (outcome("reply"),), expect=(entry("outcome", "reply", negated=True, turn=1),))
    checks = Checks({"outcome": False})
    assert "fail" == told(judge(suite, *RAN, UserTurn(content="more"), checks=checks))["outcome"]


def test_a_metric_that_nothing_feeds_is_a_broken_case() -> None:
    """Nothing to fail is no pass."""
    suite = suite_of(STAGES, (outcome("reply"),), expect=())
    assert "error broken_case" == told(judge(suite, *RAN))["outcome"]


def test_a_judge_that_is_not_there_leaves_its_metric_open() -> None:
    """A judged metric is an error, unless a check of its own already refutes it."""
    suite = suite_of(
        STAGES,
        (outcome("reply"), metric("tone", "reply", judge="tone"), metric("both", "reply", judge="tone")),
        expect=(entry("outcome"), entry("both")),
    )
    verdicts = judge(suite, *RAN, checks=Checks({"both": False}))
    assert ("error judge_unavailable", "fail") == (told(verdicts)["tone"], told(verdicts)["both"])
    assert ("judge", "check") == (verdicts["tone"].decided_by, verdicts["both"].decided_by)


@pytest.mark.parametrize(
    ("passes", "fails", "expected"),
    [
        (True, False, "pass"),
        (False, True, "fail"),
        (True, True, "error broken_case"),
        (False, False, "error judge_unavailable"),
        (UNSEEN, True, "fail"),
        (True, UNSEEN, "error not_observed"),
        (False, BROKEN, "error broken_case"),
        (BROKEN, True, "error broken_case"),
        (UNSEEN, False, "error not_observed"),
        (None, False, "error judge_unavailable"),
        (True, None, "pass"),
    ],
)
def test_what_a_rule_decides(passes: Said, fails: Said, expected: str) -> None:
    """One of pass_when and fail_when decides; both are a contradiction, neither is doubt."""
    rule = Rule(
        pass_when=() if passes is None else (entry("rule", "order"),),
        fail_when=() if fails is None else (entry("rule", "refused"),),
    )
    suite = suite_of(STAGES, (outcome("reply"), metric("rule", "reply", rule=rule)))
    verdicts = judge(suite, *RAN, checks=Checks({"rule:order": passes, "rule:refused": fails}))
    assert expected == told(verdicts)["rule"]
    assert verdicts["rule"].decided_by == ("judge" if "judge" in expected else "rule")


def test_what_the_suite_asks_of_every_case_and_what_a_case_leaves_out() -> None:
    """Arguments from the suite feed every case unless it says `without`; its own entries count either way."""
    bounds = metric("bounds", "reply", check="within", args={"turns": 3})
    fed = (entry("outcome"), entry("bounds", "order"))
    says = Checks({"bounds:within": False})
    assert (
        "fail"
        == told(judge(suite_of(STAGES, (outcome("reply"), bounds), expect=fed), *RAN, checks=says))["bounds"]
    )
    without = suite_of(STAGES, (outcome("reply"), bounds), expect=fed, without=("bounds",))
    assert "pass" == told(judge(without, *RAN, checks=says))["bounds"]
    unfed = suite_of(STAGES, (outcome("reply"), bounds), expect=fed[:1], without=("bounds",))
    assert "bounds" not in judge(unfed, *RAN, checks=says)


@pytest.mark.parametrize(
    ("turns", "expected", "turn"),
    [
        ((True, False, UNSEEN), "fail", "turn 1"),
        ((True, UNSEEN, True), "error not_observed", "turn 1"),
        ((UNSEEN, True, False), "fail", "turn 2"),
        ((False, True, BROKEN), "error broken_case", "turn 2"),
        ((True, True, True), "pass", "turn 0"),
    ],
)
def test_a_turn_metric_gives_one_verdict_per_trial(turns: tuple[Said, ...], expected: str, turn: str) -> None:
    """Over turns: first broken, else first fail, else first unmeasured, else pass; the turn is named."""
    fed = (entry("outcome"), *(entry("polite", turn=number) for number in range(len(turns))))
    suite = suite_of(STAGES, (outcome("reply"), metric("polite", "reply", scope="turn")), expect=fed)

    def examine(one: Expectation, view: CheckView) -> Finding:
        said = turns[view.turn] if view.turn is not None else True
        return said if isinstance(said, Finding) else Finding(held=said is True)

    sheet_bodies = (
        *RAN,
        UserTurn(content="b"),
        Replied(content="b"),
        UserTurn(content="c"),
        Replied(content="c"),
    )
    checks = Checks()
    judge(suite, *sheet_bodies, checks=checks)
    assert [("outcome", None), ("polite", 0), ("polite", 1), ("polite", 2)] == checks.asked
    verdicts = judge(suite, *sheet_bodies, checks=examine)
    assert expected == told(verdicts)["polite"]
    assert verdicts["polite"].message.startswith(turn)


def test_a_turn_metric_of_the_suite_is_asked_about_every_turn_that_was_begun() -> None:
    """Entries that name no turn are held against each of them."""
    clean = metric("clean", "reply", scope="turn", check="reply", args={"contains": "x"})
    suite = suite_of(STAGES, (outcome("reply"), clean))
    checks = Checks()
    judge(suite, *RAN, UserTurn(content="more"), checks=checks)
    assert [("clean", 0), ("clean", 1)] == [asked for asked in checks.asked if asked[0] == "clean"]


@pytest.mark.parametrize(
    ("kind", "live", "mode", "grade"),
    [
        ("schema", False, "real", "static"),
        ("reply", False, "mock", "static"),
        ("called", False, "real", "rule"),
        ("python", False, "mock", "rule"),
        ("state", True, "mock", "isolated"),
        ("state", True, "real", "live"),
        ("state", True, "imported", "rule"),
        ("claim_matches_state", False, "real", "rule"),
    ],
)
def test_the_grade_of_the_evidence(kind: str, live: bool, mode: Mode, grade: Grade) -> None:  # noqa: FBT001
    """Shape of the transcript, declared expectation, pinned world, real world."""
    suite = suite_of(STAGES, (outcome("reply"),), expect=(entry("outcome", kind),))
    checks = Checks({"outcome": Finding(held=True, live=live)})
    assert grade == judge(suite, *RAN, checks=checks, mode=mode)["outcome"].grade


def test_a_pass_is_as_strong_as_its_weakest_and_a_fail_as_its_strongest_evidence() -> None:
    """A pass needs every entry, a fail needs one."""
    fed = (entry("outcome", "state"), entry("outcome", "reply"))
    suite = suite_of(STAGES, (outcome("reply"),), expect=fed)
    for held, grade in ((True, "static"), (False, "isolated")):
        says = {"outcome:state": Finding(held=held, live=True), "outcome:reply": Finding(held=held)}
        assert grade == judge(suite, *RAN, checks=Checks(says))["outcome"].grade


def test_reason_events_and_measure_come_from_what_decided() -> None:
    """A verdict shows the finding that it rests on, not one that said otherwise."""
    fed = (entry("outcome", "order"), entry("outcome", "within"))
    suite = suite_of(STAGES, (outcome("reply"),), expect=fed)
    measure = Measure(value=4.0, unit="s", threshold=3.0)
    says = {
        "outcome:order": Finding(held=True, reason="in order", cites=(FIRST,)),
        "outcome:within": Finding(held=False, reason="too slow", cites=(9, 8, 9), measure=measure),
    }
    verdict = judge(suite, *RAN, checks=Checks(says))["outcome"]
    assert ("too slow", (8, 9), measure, "check") == (
        verdict.message,
        verdict.cites,
        verdict.measure,
        verdict.decided_by,
    )


def test_a_trial_that_was_never_closed_is_cancelled() -> None:
    """Every stage and every planned metric has its error."""
    verdicts = Scorer(ONE, {}, Checks())(planned(), None)
    assert [("error", "cancelled", "unmeasured")] * 4 == [
        (v.outcome, v.cause, v.cause_class) for v in verdicts
    ]
    assert ["find", "reply", "outcome", "right"] == [verdict.name for verdict in verdicts]


@pytest.mark.parametrize(
    ("closed", "expected"),
    [
        (Closed(end="cancelled"), "cancelled"),
        (Closed(end="limit", cause="environment", message="out of time"), "environment"),
    ],
)
def test_a_trial_that_is_unmeasured_as_a_whole(closed: Closed, expected: str) -> None:
    """The operator stopped it, or the suite calls a time-out an error: nothing is judged, no check runs."""
    checks = Checks()
    verdicts = judge(ONE, *RAN, closed=closed, checks=checks)
    assert {f"error {expected}"} == set(told(verdicts).values())
    assert [] == checks.asked


def test_a_trial_that_ran_into_a_limit_is_judged_on_what_it_reached() -> None:
    """The default: a limit is the agent's."""
    limited = Limited(limit="seconds", reached=61, allowed=60)
    assert "pass" == told(judge(ONE, *RAN, limited, closed=Closed(end="limit")))["outcome"]


def test_a_crash_is_the_agents() -> None:
    """An agent process that broke is judged on the state reached, and nothing happened is a fail."""
    verdicts = judge(ONE, closed=Closed(end="crash"), checks=Checks({"outcome": False}))
    assert {"find": "fail missing", "reply": "fail missing"} == {
        n: told(verdicts)[n] for n in ("find", "reply")
    }
    assert ("fail", "error upstream_failed") == (told(verdicts)["outcome"], told(verdicts)["right"])


def test_a_fault_that_only_the_closing_line_tells_takes_the_outcome() -> None:
    """An imported trial that its source calls broken is unmeasured, not failed."""
    closed = Closed(end="fault", cause="environment", sub="no_reply")
    verdict = judge(ONE, *call("find", 1), closed=closed)["outcome"]
    assert ("error", "environment", "no_reply") == (verdict.outcome, verdict.cause, verdict.sub)


def test_every_verdict_says_which_trial_it_is_of() -> None:
    """Index, case, arm, trial, attempt and degradation are those of the trial."""
    bodies = (Faulted(where="world", cause="environment"), *call("find", 1, tries=2), Replied(content="x"))
    for verdict in judge(ONE, *bodies).values():
        assert (0, "case", "a", 0, 0, True) == (
            verdict.index,
            verdict.case,
            verdict.arm,
            verdict.trial,
            verdict.attempt,
            verdict.degraded,
        )
    assert {3} == {v.attempt for v in Scorer(ONE, {}, Checks())(planned(), None, attempt=3)}
