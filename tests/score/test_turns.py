"""Turns that ask of their own: three turns of a refund conversation, told and cited turn by turn."""

from __future__ import annotations

from itertools import chain

import pytest

from evalkit.records.case import Turn
from evalkit.records.checks import Expectation
from evalkit.records.event import Body, Closed, Faulted, Limited, Replied, UserTurn
from evalkit.records.metric import Metric
from evalkit.records.stage import Demand, Ran
from evalkit.records.suite import Suite
from evalkit.score.finding import CheckView, Finding
from tests.facts.events import FIRST, call
from tests.score.building import Checks, entry, judge, metric, outcome, stage, suite_of, told

STAGES = (
    stage("lookup"),
    stage("act", "lookup"),
    stage("confirm", "act"),
    stage("reply", ran=Ran(replied=True)),
)
POLITE = metric("polite", "reply", scope="turn")


def asks(*names: str, **others: Demand) -> dict[str, Demand]:
    """What a turn asks: these stages, and the others as they say; what it does not name is optional."""
    asked: dict[str, Demand] = {one.name: "optional" for one in STAGES}
    return asked | dict.fromkeys(names, "required") | others


THREE = (asks("lookup", "reply"), asks("act", "reply"), asks("reply", act="forbidden"))
"""Looked up in the first turn, acted upon in the second; in the third a second refund is to be declined."""


def refund(
    turns: tuple[dict[str, Demand], ...] = THREE,
    metrics: tuple[Metric, ...] = (outcome("act"), POLITE),
    expect: tuple[Expectation, ...] | None = None,
) -> Suite:
    """A suite whose one case is a conversation."""
    suite = suite_of(STAGES, metrics, expect=expect)
    spoken = tuple(Turn(user="go", demand=demand) for demand in turns)
    return suite.model_copy(update={"cases": (suite.cases[0].model_copy(update={"turns": spoken}),)})


def talk(*turns: tuple[Body, ...], silent: bool = False) -> tuple[Body, ...]:
    """What happens in each turn, a reply at its end."""
    replies = () if silent else (Replied(content="Yes."),)
    later = chain.from_iterable((UserTurn(content="and?"), *bodies, *replies) for bodies in turns[1:])
    return (*turns[0], *replies, *later)


LOOKUP, ACT = call("lookup", {"n": 1}), call("act", {"n": 1})
RIGHT = talk(LOOKUP, ACT, ())


def test_what_was_looked_up_in_the_first_turn_serves_the_second() -> None:
    """Every stage passes in its turn, and one that no turn asks for is not asked for."""
    verdicts = judge(refund(), *RIGHT)
    assert {
        "lookup": "pass",
        "act": "pass",
        "confirm": "error not_required",
        "reply": "pass",
        "outcome": "pass",
        "polite": "pass",
    } == told(verdicts)
    assert "turn 0: lookup ran" == verdicts["lookup"].message
    assert "turn 1: act ran" == verdicts["act"].message
    assert "not_asked" == verdicts["confirm"].cause_class


def test_a_second_refund_in_the_third_turn_is_a_fail_of_that_turn() -> None:
    """In the turn before it was asked for."""
    verdicts = judge(refund(), *talk(LOOKUP, ACT, ACT))
    assert "fail forbidden" == told(verdicts)["act"]
    assert "turn 2: act ran, and the case forbids it" == verdicts["act"].message
    assert (FIRST + 8,) == verdicts["act"].cites


def test_missing_in_the_second_turn_names_it_and_explains_what_is_below() -> None:
    """One red, and what hangs below points to it; the turn's reply is what shows it."""
    suite = refund((asks("lookup"), asks("act", "confirm")))
    verdicts = judge(suite, *talk(LOOKUP, ()), checks=Checks({"outcome": False}))
    assert ("fail missing", "error upstream_failed") == (told(verdicts)["act"], told(verdicts)["confirm"])
    assert "turn 1: act did not run" == verdicts["act"].message
    assert (FIRST + 4,) == verdicts["act"].cites
    assert {("act",)} == {verdicts[name].roots for name in ("act", "confirm", "outcome")}
    assert "explained" == verdicts["confirm"].cause_class


def test_a_fault_of_the_second_turn_leaves_the_first_judged() -> None:
    """What was missing before it stays a fail, what it befell is unmeasured."""
    broken = call("act", status="fault", cause="environment", sub="rate")
    verdicts = judge(refund(), *talk((), broken, ()))
    assert "fail missing" == told(verdicts)["lookup"]
    assert verdicts["lookup"].message.startswith("turn 0: ")
    verdicts = judge(refund(), *talk(LOOKUP, broken, ()))
    assert ("pass", "error environment", "error environment") == tuple(
        told(verdicts)[name] for name in ("lookup", "act", "outcome")
    )


def test_a_limit_in_the_first_turn_stops_one_stage() -> None:
    """The turns that were never begun point to it, the turn metric that needs a reply in each of them too."""
    bodies = (*LOOKUP, Limited(limit="turns", reached=1.0, allowed=1.0))
    verdicts = judge(refund(), *bodies, closed=Closed(end="limit"))
    assert ("fail missing", "error upstream_failed") == (told(verdicts)["reply"], told(verdicts)["act"])
    assert {("reply",)} == {verdicts[name].roots for name in ("reply", "act", "polite")}


@pytest.mark.parametrize(
    ("said", "expected", "turn"),
    [
        ((True, False, True), "fail", 1),
        ((True, True, Finding(held=None, cause="not_observed")), "error not_observed", 2),
        ((True, True, True), "pass", 0),
    ],
)
def test_a_turn_metric_is_judged_turn_by_turn(
    said: tuple[bool | Finding, ...], expected: str, turn: int
) -> None:
    """First fail, else first unmeasured, else pass; the turn is told, and cited by its reply."""

    def examine(asked: Expectation, view: CheckView) -> Finding:
        found = said[view.turn] if view.turn is not None and asked.metric == "polite" else True
        return Finding(held=found) if isinstance(found, bool) else found

    verdicts = judge(refund(), *RIGHT, checks=examine)
    assert expected == told(verdicts)["polite"]
    assert verdicts["polite"].message.startswith(f"turn {turn}: ")
    assert ((FIRST + 2, FIRST + 6, FIRST + 8)[turn],) == verdicts["polite"].cites


def test_a_turn_metric_is_explained_by_the_turn_that_did_not_get_to_it() -> None:
    """Two turns read well, and in the second nobody answered."""
    bodies = (
        *LOOKUP,
        Replied(content="a"),
        UserTurn(content="b"),
        *ACT,
        UserTurn(content="c"),
        Replied(content="d"),
    )
    verdicts = judge(refund(), *bodies)
    assert "error upstream_failed" == told(verdicts)["polite"]
    assert ("turn 1: polite was not reached: it needs reply", ("reply",)) == (
        verdicts["polite"].message,
        verdicts["polite"].roots,
    )


def test_a_turn_metric_is_not_asked_where_its_turn_leaves_the_stage_out() -> None:
    """Nothing was to be examined in the second turn; the first one gives the verdict."""
    spoken = (Replied(content="a"), UserTurn(content="b"), *ACT)
    verdicts = judge(refund((asks("reply"), asks("act"))), *LOOKUP, *spoken)
    assert ("pass", "turn 0: called said so") == (told(verdicts)["polite"], verdicts["polite"].message)


def test_an_entry_that_names_a_turn_is_asked_about_that_turn() -> None:
    """Of a metric over turns, and in the table of its own turn."""
    fed = (entry("outcome"), entry("polite", turn=1))
    checks = Checks()
    verdicts = judge(refund(expect=fed), *RIGHT, checks=checks)
    assert [("outcome", None), ("polite", 1)] == checks.asked
    assert verdicts["polite"].message.startswith("turn 1: ")


def test_the_deciding_primary_is_asked_about_turns_that_were_never_begun() -> None:
    """A trial that ends after its first turn does not pass by what it never did, whatever its turns ask."""
    deciding = metric("polite", "reply", scope="turn", primary=True, tier="gate")
    for turns in (THREE, ({}, {}, {})):
        checks = Checks()
        judge(refund(turns, (deciding,)), *talk(LOOKUP), checks=checks)
        assert [("polite", 0), ("polite", 1), ("polite", 2)] == checks.asked


def test_a_fault_counts_for_a_deciding_turn_metric_from_its_turn_on() -> None:
    """A fail of a turn before stands; a pass before it does not make up for what could not be told."""
    deciding = metric("polite", "reply", scope="turn", primary=True, tier="gate")
    bodies = (*talk(LOOKUP), UserTurn(content="b"), Faulted(where="world", cause="environment"))
    for held, expected in ((False, "fail"), (True, "error environment")):
        said = judge(refund(THREE, (deciding,)), *bodies, checks=Checks({"polite": held}))
        assert expected == told(said)["polite"]


def test_one_turn_that_asks_is_the_table_of_the_trial() -> None:
    """There is no turn to tell apart."""
    verdicts = judge(refund((asks("lookup"),)), *LOOKUP)
    assert "lookup ran" == verdicts["lookup"].message
    assert "error not_required" == told(verdicts)["act"]
