"""What would change a decision, and what to know: advice that can be followed, no default read as a wish."""

from __future__ import annotations

import dataclasses
from typing import Any

from evalkit.decide.gate import decide
from evalkit.decide.silence import silences
from evalkit.decide.tally import tally
from evalkit.records.claimed import claims_measure
from evalkit.records.metric import Metric
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.verdict import Verdict
from tests.decide.building import Asking, Drawn, cases, decided, question_of, suite_of, verdicts_of


def _asks(at_least: float, **more: Any) -> Asking:
    return Asking(require=(Require(metric="solved", at_least=at_least),), **more)


def test_cases_that_fail_are_mended_before_more_are_written() -> None:
    """Of 5 cases 1 fails now and then: 5 that pass prove .549, however uneven the cases are."""
    drawn = (*cases(4, passed=5), Drawn(case="c5", passed=2, failed=3))
    told = "of 5 independent cases 1 has a fail; mended, 5 prove .549; .600 needs 6 independent cases"
    assert f"solved rate: {told}" in decided(drawn, _asks(0.6)).changes


def test_a_figure_below_what_is_asked_needs_no_larger_sample() -> None:
    """More of the same would prove the same: nothing is said of a size."""
    (told,) = decided((*cases(3, passed=1), *cases(2, failed=1, start=4)), _asks(0.8)).changes
    assert "solved rate: of 5 independent cases 2 have a fail: mend them; .600 is not .800" == told


def test_defaults_that_nobody_wrote_are_no_warnings() -> None:
    """A policy that says nothing of trials or mode is not held against a run; one that says it is."""
    question = question_of(cases(5, passed=1), Asking(mode="imported"))
    require = question.policy.require
    silent = dataclasses.replace(question, policy=GatePolicy(require=require))
    assert () == decide(silent).warnings
    written = dataclasses.replace(question, policy=GatePolicy(require=require, trials=5, mode="mock"))
    assert (
        "the policy asks for 5 trials per case, the run has 1",
        "the policy speaks of mode mock, the run is imported",
    ) == decide(written).warnings


def test_a_recording_is_neither_retried_nor_recorded_again() -> None:
    """What an imported run does not show, no retry and no gateway will."""
    drawn = (*cases(5, passed=1), *cases(2, unmeasured=1, start=6))
    told = " ".join(decided(drawn, Asking(mode="imported")).changes)
    assert "2 trials unmeasured by environment: the recording is all there is" in told
    assert "retry" not in told


def test_a_broken_suite_comes_first_and_is_named() -> None:
    """Before any agent is mended: how many trials, the first of them, and the tool or check that broke."""
    drawn = (*cases(2, failed=1), *cases(2, unmeasured=1, start=3))
    rows = [
        row if row.outcome != "error" else _broken(row, f"checks.py:right raised KeyError in {row.case}")
        for row in verdicts_of(drawn)
    ]
    found = decide(question_of(drawn, Asking(), [*reversed(rows), *verdicts_of(drawn, "faithful")]))
    told = "2 trials are broken_case; the first is c3 #0, solved: checks.py:right raised KeyError in c3"
    assert f"mend the suite: {told}" == found.changes[0]


def _broken(row: Verdict, message: str) -> Verdict:
    return Verdict(
        index=row.index,
        case=row.case,
        arm=row.arm,
        trial=row.trial,
        of="metric",
        name=row.name,
        outcome="error",
        cause="broken_case",
        cause_class="unmeasured",
        message=message,
    )


CLAIMING = Metric(
    name="no_false_claim",
    scope="trace",
    stage="answer",
    check="claim_matches_state",
    args={"claims": ["a", "b"]},
)


def _told(*made: tuple[str, ...]) -> tuple[str, ...]:
    drawn = cases(len(made), passed=1)
    suite = suite_of(drawn).model_copy(update={"metrics": (CLAIMING,), "claims": dict.fromkeys("abc")})
    rows = [
        Verdict(
            index=at,
            case=f"c{at + 1}",
            arm="x",
            trial=0,
            of="metric",
            name="no_false_claim",
            outcome="pass",
            measure=claims_measure(names),
        )
        for at, names in enumerate(made)
    ]
    return tuple(silences(suite, tally(suite, rows)["x"]))


def test_a_claim_that_nobody_made_is_told() -> None:
    """A check that examined nothing is green, and says that it rests on silence: claim by claim."""
    silent = "claim `{}` was made in no trial: no_false_claim rests on silence"
    assert (silent.format("a"), silent.format("b")) == _told((), ())
    assert (silent.format("b"),) == _told((), ("a", "a"), ("c",))
    assert () == _told(("a",), ("b",))
