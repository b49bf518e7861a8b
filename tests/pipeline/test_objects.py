"""The JSON objects of the verbs: the same keys in each, and what is undefined is null."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evalkit.pipeline.objects import (
    blame_object,
    board_object,
    check_object,
    decision_object,
    report_object,
    runs_object,
    views_object,
)
from evalkit.pipeline.summing import RunReport
from evalkit.records.estimate import Estimate
from tests.decide.building import Asking, cases, decided
from tests.report import building

ALWAYS = {"signature", "planned", "pass", "fail", "error", "causes", "coverage"}

REPORT = RunReport(
    manifest=building.manifest(),
    counts=building.counts(),
    arms={"a": building.counts()},
    complete=True,
    folder="reports/r1",
)

OBJECTS: dict[str, dict[str, object]] = {
    "run": report_object(REPORT),
    "show": board_object(building.board("x")),
    "show case": views_object((building.view("x"),), REPORT),
    "blame": blame_object(building.blamed("x"), REPORT),
    "list": runs_object(building.run_lines("x")),
    "check": check_object(building.suite_checks("x")),
    "gate": decision_object(decided(cases(5, passed=2))),
}


@pytest.mark.parametrize("verb", OBJECTS)
def test_every_object_carries_the_common_keys(verb: str) -> None:
    """Signature, planned, pass, fail, error, causes and coverage are always there, in valid JSON."""
    found = json.loads(json.dumps(OBJECTS[verb], allow_nan=False))
    assert ALWAYS <= set(found)
    if found["planned"] is not None:
        assert found["planned"] == found["pass"] + found["fail"] + found["error"]


@pytest.mark.parametrize("verb", ["list", "check"])
def test_what_is_about_no_one_run_says_null_and_not_nought(verb: str) -> None:
    """Where nothing was measured the counts are undefined."""
    found = OBJECTS[verb]
    assert [None, None, None, {}] == [found[name] for name in ("signature", "planned", "coverage", "causes")]


def _gate() -> Any:
    return json.loads(json.dumps(decision_object(decided(cases(5, failed=2), Asking()))))


def test_the_gate_says_what_it_was_asked_for() -> None:
    """Decision, reasons, estimates and roots, each estimate with all that is needed to doubt it."""
    found = _gate()
    assert "no-go" == found["decision"]
    assert {"reasons", "estimates", "roots"} <= set(found)
    asked = {"metric", "slice", "decision", "statistic", "estimand", "value", "low", "high", "bound", "n"}
    asked |= {"n_error", "worst", "best", "clean", "degraded", "threshold", "method"}
    assert asked <= set(found["estimates"][0])
    assert asked <= set(Estimate.__struct_fields__)
