"""In a suite of one stage the checks keep failures apart that have nothing in common."""

from __future__ import annotations

from typing import Any

from evalkit.diagnose.checked import checks_of
from evalkit.records.case import Case, Turn
from evalkit.records.checks import Expectation
from tests.decide.building import suite_of
from tests.journeys.walking import Walker, case, greet


def _case(*entries: dict[str, Any]) -> Case:
    expect = tuple(Expectation(metric="solved", **one) for one in entries)
    return Case(id="c", turns=(Turn(user="go"),), expect=expect)


CONTAINS = {"kind": "reply", "args": {"contains": "x"}}
FIELD = {"kind": "reply", "args": {"field": "status", "equals": "x"}, "negated": True}
ONE = suite_of(()).model_copy(update={"stages": suite_of(()).stages[-1:]})


def test_the_check_is_named_with_its_arguments_and_its_field() -> None:
    """Several checks of one metric are all named, since one of them failed."""
    assert {"answer": "reply contains"} == checks_of(ONE, _case(CONTAINS), {"answer": "solved"})
    both = checks_of(ONE, _case(CONTAINS, FIELD, CONTAINS), {"answer": "solved"})
    assert {"answer": "reply contains or not_reply equals of status"} == both


def test_nothing_is_said_where_it_would_tell_nothing() -> None:
    """A stage's own reason, several stages, a metric without entries of the case, too many checks."""
    assert {} == checks_of(ONE, _case(CONTAINS), {"answer": "missing"})
    assert {} == checks_of(suite_of(()), _case(CONTAINS), {"answer": "solved"})
    assert {} == checks_of(ONE, _case(), {"answer": "solved"})
    many = [{"kind": "reply", "args": {name: "x"}} for name in ("contains", "equals", "matches", "language")]
    assert {} == checks_of(ONE, _case(*many), {"answer": "solved"})


def test_failures_of_different_checks_are_different_causes(walk: Walker) -> None:
    """Text in, text out: three cases, two checks, two causes; blame and the gate say the same."""
    pattern = {**case(3), "expect": [{"reply": {"matches": "[0-9]+"}}]}
    run = walk("gate", greet(walk.folder, [case(1, "bye"), case(2, "farewell"), pattern]), "--json").object
    causes = {"outcome: reply contains": ["case-1", "case-2"], "outcome: reply matches": ["case-3"]}
    assert causes == {root["cause"]: root["cases"] for root in run["roots"]}
    clusters = walk("blame", run["run"], "--json").object["clusters"]
    assert causes == {
        next(iter(one["cluster"]["reasons"].values())): one["cluster"]["cases"] for one in clusters
    }
