"""`not_` forms and broken suites through the scorer, from the events on."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from evalkit.facts.derive import derive
from evalkit.records.checks import CheckKind, Expectation
from evalkit.records.event import EVERYTHING, Body, Observable, Probed, Replied
from evalkit.records.probe import Window, probe_id, stated_id, window_id
from evalkit.records.stage import Ran
from evalkit.records.suite import Claim, ClaimProbe
from evalkit.records.verdict import Verdict
from evalkit.records.written import Json
from evalkit.score.scorer import score
from tests.facts.events import call, trace_of
from tests.score.building import metric, planned, stage, suite_of

SQL = "select paid from orders"
_WINDOW = Window(within=2.0, every=1.0, equals=1)
TRIAL: tuple[Body, ...] = (
    *call("get", {"id": "d1"}, args={"order": "A"}),
    *call("pay", {"ok": True}, args={"order": "A", "n": 87.5}),
    *call("pay", args={"order": "B"}, status="refused", message="over the limit"),
    Replied(content={"status": "refunded", "n": 87.5, "text": "Refunded, see d1."}),
    Probed(id=probe_id(SQL), rows=[[87.5]]),
    Probed(id=probe_id(SQL, "start"), rows=[[0]]),
    Probed(id=probe_id("select refunded"), rows=[[True]]),
    Probed(id=stated_id("reply.status"), rows=[[87.5]]),
    Probed(id=window_id(SQL, _WINDOW), rows=[[0]]),
    Probed(id=window_id(SQL, _WINDOW), rows=[[1]], waited=1.5),
    Probed(id=window_id(SQL, structs.replace(_WINDOW, equals=2)), rows=[[0]], waited=4.0),
)


def judged(
    kind: CheckKind,
    args: dict[str, Json],
    *bodies: Body,
    negated: bool = False,
    observes: tuple[Observable, ...] = EVERYTHING,
) -> Verdict:
    """The verdict on the one metric of a trial, which one entry of this kind feeds."""
    entry = Expectation(kind=kind, args=args, negated=negated, metric="outcome")
    only = metric("outcome", "reply", check=kind, scope="outcome", tier="gate", primary=True)
    suite = suite_of((stage("reply", ran=Ran(replied=True)),), (only,), expect=(entry,))
    claim = Claim(reply="Refunded", holds=ClaimProbe(sql="select refunded"))
    suite = suite.model_copy(update={"claims": {"refunded": claim}})
    sheet = derive(suite, suite.cases[0], trace_of(*bodies, observes=observes))
    functions = {"c.py:f": lambda sheet, n: len(sheet.calls) == n}
    return score(suite, planned(), sheet, functions=functions)[-1]


HOLDING: tuple[tuple[CheckKind, dict[str, Json], dict[str, Json]], ...] = (
    ("called", {"calls": [{"tool": "get"}]}, {"calls": [{"tool": "look"}]}),
    ("order", {"tools": ["get", "pay"]}, {"tools": ["pay", "get"]}),
    ("only_called", {"tools": ["get", "pay"]}, {"tools": ["get"]}),
    (
        "returned",
        {"tool": "get", "path": "id", "equals": "d1"},
        {"tool": "get", "path": "id", "equals": "d2"},
    ),
    ("state", {"sql": SQL, "equals": 87.5}, {"sql": SQL, "equals": 0}),
    ("unchanged", {"sql": "select refunded"}, {"sql": SQL}),
    ("reconcile", {"value": "reply.n", "authority": SQL}, {"value": "reply.status", "authority": SQL}),
    (
        "identity",
        {"left": "reply.n", "equals": {"product": ["call.pay.args.n", 1]}},
        {"left": "reply.n", "equals": {"sum": ["call.pay.args.n", 1]}},
    ),
    ("eventually", {"sql": SQL, "equals": 1, "within": 2}, {"sql": SQL, "equals": 2, "within": 2}),
    (
        "sql_equals",
        {"value": "reply.status", "gold": SQL},
        {"value": "reply.status", "gold": "select refunded"},
    ),
    ("reply", {"contains": "see d1"}, {"contains": "sorry"}),
    (
        "cites",
        {"tool": "get", "path": "id", "pattern": "d[0-9]"},
        {"tool": "get", "path": "id", "pattern": "Ref"},
    ),
    ("refused", {"tool": "pay"}, {"tool": "get"}),
    ("claim_matches_state", {"claims": ["refunded"]}, {}),
    ("idempotent", {"tool": "pay"}, {}),
    ("within", {"tool_calls": 3}, {"tool_calls": 2}),
    ("schema", {}, {}),
    ("encoding", {}, {}),
    ("repetition", {}, {}),
    ("python", {"function": "c.py:f", "args": {"n": 3}}, {"function": "c.py:f", "args": {"n": 4}}),
)
ALSO_AT_THE_START = Probed(id=probe_id("select refunded", "start"), rows=[[True]])


@pytest.mark.parametrize(("kind", "holds", "fails"), HOLDING, ids=[kind for kind, _, _ in HOLDING])
def test_not_turns_a_verdict_round(kind: CheckKind, holds: dict[str, Json], fails: dict[str, Json]) -> None:
    """What holds fails as `not_`, what fails holds, from the events on and with the reason of the check."""
    trial = (*TRIAL, ALSO_AT_THE_START)
    assert "pass" == judged(kind, holds, *trial).outcome
    turned = judged(kind, holds, *trial, negated=True)
    assert ("fail", "check", True) == (
        turned.outcome,
        turned.reason,
        turned.message.startswith(f"not_{kind}: "),
    )
    assert turned.cites
    if fails:
        assert "fail" == judged(kind, fails, *trial).outcome
        assert "pass" == judged(kind, fails, *trial, negated=True).outcome


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("reply", {"contains": "sorry"}),
        ("cites", {"tool": "get", "path": "id", "pattern": "d1"}),
        ("returned", {"tool": "get", "equals": 1}),
        ("reconcile", {"value": "reply.n", "authority": SQL}),
        ("identity", {"left": "reply.n", "equals": 1}),
        ("sql_equals", {"value": "reply.status", "gold": SQL}),
        ("encoding", {}),
        ("repetition", {}),
        ("repetition", {"of": "questions"}),
    ],
)
def test_not_holds_nothing_on_an_output_that_does_not_exist(kind: CheckKind, args: dict[str, Json]) -> None:
    """Whoever said and did nothing did not refrain from it."""
    assert ["fail", "fail"] == [judged(kind, args, negated=turned).outcome for turned in (False, True)]


@pytest.mark.parametrize(
    ("kind", "args", "unseen"),
    [
        ("called", {"calls": [{"tool": "look"}]}, "calls"),
        ("reply", {"contains": "sorry"}, "replies"),
        ("within", {"tokens": 1}, "usage"),
        ("state", {"sql": "select other", "equals": 1}, "probes"),
    ],
)
def test_not_of_what_could_not_be_examined_is_not_examined(
    kind: CheckKind, args: dict[str, Json], unseen: Observable
) -> None:
    """Neither form is a pass, and neither is the agent's failure."""
    observes = tuple(one for one in EVERYTHING if one != unseen)
    for negated in (False, True):
        verdict = judged(kind, args, observes=observes, negated=negated)
        assert ("error", "not_observed") == (verdict.outcome, verdict.cause)


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("reply", {"matches": "("}),
        ("reply", {"json": {"a..b": 1}}),
        ("returned", {"tool": "get", "path": "[", "equals": 1}),
        ("refused", {"tool": "pay", "matches": "*"}),
        ("cites", {"tool": "get", "path": "id", "pattern": "("}),
        ("reconcile", {"value": "elsewhere.x", "authority": SQL}),
        ("reconcile", {"value": "fact.nobody", "authority": SQL}),
        ("python", {"function": "c.py:f"}),
        ("python", {"function": "c.py:gone"}),
    ],
)
def test_what_only_the_suite_can_have_done_is_a_broken_case(kind: CheckKind, args: dict[str, Any]) -> None:
    """Patterns, paths, places and functions that are none: never the agent's failure, nor evalkit's."""
    for negated in (False, True):
        verdict = judged(kind, args, *TRIAL, negated=negated)
        assert ("error", "broken_case") == (verdict.outcome, verdict.cause)
