"""The two worked examples of the verdict page."""

from __future__ import annotations

from evalkit.records.event import Replied, UserTurn
from evalkit.records.stage import Empty, EmptyReturn, Ran
from evalkit.records.suite import FactSource
from tests.facts.events import FIRST, call
from tests.score.building import Checks, entry, judge, metric, outcome, stage, suite_of, told

KNOWLEDGE = suite_of(
    (
        stage("intent", ran=Ran(always=True)),
        stage(
            "retrieve",
            "intent",
            ran=Ran(called="search_docs"),
            empty=Empty(returned=EmptyReturn(tool="search_docs", path="hits", equals=[])),
        ),
        stage("cite", "retrieve", ran=Ran(fact="citation")),
        stage("answer", "cite", ran=Ran(replied=True)),
    ),
    (outcome("answer"), metric("faithful", "answer", needs=("retrieve",))),
    facts={"citation": FactSource(source="reply", matches=r"\[(\w+)\]")},
)


def test_a_missing_retrieval_is_one_red_and_not_three() -> None:
    """Worked example: expected intent, retrieve, cite, answer; actual intent, answer."""
    verdicts = judge(KNOWLEDGE, Replied(content="It is so."), checks=Checks({"outcome": False}))
    assert {
        "intent": "pass",
        "retrieve": "fail missing",
        "cite": "error upstream_failed",
        "answer": "pass out_of_order",
        "outcome": "fail",
        "faithful": "error upstream_failed",
    } == told(verdicts)
    assert {("retrieve",)} == {v.roots for v in verdicts.values() if v.outcome != "pass"}
    assert {"explained"} == {v.cause_class for v in verdicts.values() if v.outcome == "error"}
    assert [False, True] == [verdicts["retrieve"].inherited, verdicts["outcome"].inherited]


def test_an_empty_retrieval_is_the_root_of_what_it_starves() -> None:
    """The suite says what counts as nothing: a result with an empty list of hits."""
    verdicts = judge(KNOWLEDGE, *call("search_docs", {"hits": []}), Replied(content="[a]"))
    assert "fail empty" == told(verdicts)["retrieve"]
    assert ("upstream_empty", "explained", "retrieve", ("retrieve",)) == (
        verdicts["faithful"].cause,
        verdicts["faithful"].cause_class,
        verdicts["faithful"].emptied_by,
        verdicts["faithful"].roots,
    )


def test_polite_turns_do_not_hide_that_nothing_was_looked_up() -> None:
    """Second worked example: every turn reads well, `lookup` was never called, the outcome fails."""
    suite = suite_of(
        (stage("lookup"), stage("act", "lookup"), stage("reply", "lookup", ran=Ran(replied=True))),
        (outcome("act"), metric("polite", "reply", scope="turn")),
        expect=(entry("outcome"), entry("polite", turn=0), entry("polite", turn=1)),
    )
    checks = Checks({"outcome": False})
    talk = (Replied(content="Gladly."), UserTurn(content="and?"), Replied(content="It is done."))
    verdicts = judge(suite, *talk, checks=checks)
    assert {
        "lookup": "fail missing",
        "act": "error upstream_failed",
        "reply": "pass out_of_order",
        "outcome": "fail",
        "polite": "pass",
    } == told(verdicts)
    assert (("lookup",), True) == (verdicts["outcome"].roots, verdicts["outcome"].inherited)
    assert [("outcome", None), ("polite", 0), ("polite", 1)] == checks.asked
    assert (FIRST,) == verdicts["polite"].cites
