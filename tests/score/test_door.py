"""The room's door with its own catalogue: facts and real checks become verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from evalkit.facts.derive import derive
from evalkit.records.event import Probed, Replied
from evalkit.records.fact import FactSheet
from evalkit.records.probe import probe_id
from evalkit.records.stage import Ran
from evalkit.records.suite import Claim, ClaimProbe, ClaimSign, WorldSpec
from evalkit.records.verdict import Verdict
from evalkit.score.scorer import score
from tests.facts.events import call, trace_of
from tests.score.building import entry, metric, outcome, planned, stage, suite_of, told

REFUNDED = "select refunded from orders"
HOLDS = "select refunded > 0 from orders"
SUITE = suite_of(
    (stage("look"), stage("reply", "look", ran=Ran(replied=True))),
    (
        outcome("reply", check="state"),
        metric("order", "look"),
        metric("honest", "reply", check="claim_matches_state", scope="outcome"),
        metric("own", "reply", check="python"),
    ),
    expect=(
        entry("outcome", "state", args={"sql": REFUNDED, "equals": 87.5}),
        entry("outcome", "reply", negated=True, args={"contains": "sorry"}),
        entry("order", "called", args={"calls": [{"tool": "look", "args": {"id": "A"}}]}),
        entry("own", "python", args={"function": "checks.py:own"}),
    ),
).model_copy(
    update={
        "world": WorldSpec(database="world.sql", tools="tools.py"),
        "claims": {
            "refunded": Claim(reply=ClaimSign(field="status", equals="refunded"), holds=ClaimProbe(sql=HOLDS))
        },
    }
)


def scored(
    own: Callable[..., Any], *, refunded: float = 87.5, status: str = "refunded"
) -> dict[str, Verdict]:
    """One trial that looks the order up and says how it went, on a world that was refunded so much."""
    trace = trace_of(
        *call("look", {"total": 87.5}, args={"id": "A"}),
        Replied(content={"status": status}),
        Probed(id=probe_id(REFUNDED), rows=[[refunded]]),
        Probed(id=probe_id(HOLDS), rows=[[refunded > 0]]),
    )
    sheet = derive(SUITE, SUITE.cases[0], trace)
    verdicts = score(SUITE, planned(), sheet, functions={"checks.py:own": own}, attempt=1)
    return {verdict.name: verdict for verdict in verdicts}


def test_a_trial_that_did_its_work_passes() -> None:
    """World, calls, claims and the suite's own function agree; a pass is graded by its weakest."""
    verdicts = scored(lambda sheet: len(sheet.calls) == 1)
    assert {"pass"} == {verdict.outcome for verdict in verdicts.values()}
    assert ("static", "isolated", 1) == (
        verdicts["outcome"].grade,
        verdicts["honest"].grade,
        verdicts["outcome"].attempt,
    )


def test_a_false_completion_fails_by_the_world() -> None:
    """What the reply claims does not count for what happened."""
    verdicts = scored(answering(True), refunded=0.0)
    assert {"outcome": "fail", "honest": "fail", "order": "pass", "own": "pass"} == {
        name: said for name, said in told(verdicts).items() if name not in ("look", "reply")
    }
    assert "isolated" == verdicts["outcome"].grade


def answering(answer: object) -> Callable[[FactSheet], object]:
    """A function of the suite that gives this answer, or raises it."""

    def own(_sheet: FactSheet) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return own


@pytest.mark.parametrize(
    "answer",
    [
        RuntimeError("boom"),
        math.nan,
        None,
        1,
        {"passed": "yes"},
        {"passed": True, "measure": {"value": math.nan, "unit": "s"}},
    ],
)
def test_peer_05_the_suites_own_check_that_raises_or_says_nan(answer: object) -> None:
    """Error `broken_case`, and the other checks of that trial are still judged."""
    verdicts = told(scored(answering(answer)))
    assert ("error broken_case", "pass", "pass") == (verdicts["own"], verdicts["outcome"], verdicts["order"])


def test_peer_23_the_suites_own_check_cannot_spoil_the_facts_of_others() -> None:
    """It works on a copy of the fact sheet."""

    def spoils(sheet: FactSheet) -> bool:
        sheet.probes.clear()
        sheet.calls[0].value.clear()
        return True

    assert {"pass"} == {verdict.outcome for verdict in scored(spoils).values()}
