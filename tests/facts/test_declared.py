"""Declared facts: only what returned without error shows one, and absent is not false."""

from __future__ import annotations

import pytest

from evalkit.records.event import CallStatus, Replied
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from tests.facts.events import FIRST, call, sheet_of, suite_of, trace_of


def from_call(path: str) -> FactSource:
    """A fact of the tool `decide`."""
    return FactSource(source="call", tool="decide", path=path)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("args.decision", ["yes"]),
        ("result.id", [7]),
        ("result.hits[].id", ["a", "b"]),
        ("result.hits[1].id", ["b"]),
        ("result.note", [None]),
        ("result.absent", []),
        ("args.absent", []),
        ("", [{"id": 7, "hits": [{"id": "a"}, {"id": "b"}], "note": None}]),
    ],
)
def test_a_fact_of_a_call(path: str, values: list[Json]) -> None:
    """One fact for every value that the path finds; null is a value, and what is absent shows nothing."""
    result = {"id": 7, "hits": [{"id": "a"}, {"id": "b"}], "note": None}
    trace = trace_of(*call("decide", result, args={"decision": "yes"}), *call("other", result))
    facts = sheet_of(trace, suite_of(facts={"f": from_call(path)})).declared
    assert values == [fact.value for fact in facts]
    assert {("f", "decide", (FIRST, FIRST + 1))} >= {(fact.name, fact.tool, fact.cites) for fact in facts}


@pytest.mark.parametrize("status", ["refused", "blocked", "invalid", "unknown", "fault", "missing", "broken"])
def test_a_call_in_vain_shows_no_fact(status: CallStatus) -> None:
    """What the world refused did not happen, whatever the arguments said."""
    trace = trace_of(*call("decide", {"id": 1}, args={"decision": "yes"}, status=status))
    assert () == sheet_of(trace, suite_of(facts={"f": from_call("args.decision")})).declared


@pytest.mark.parametrize(
    ("source", "content", "values"),
    [
        (FactSource(source="reply", matches=r"\[(\w+)\]"), "see [a] and [b]", ["a", "b"]),
        (FactSource(source="reply", matches=r"\d+"), "7 and 8", ["7", "8"]),
        (FactSource(source="reply", matches=r"(x)?y"), "y", ["y"]),
        (FactSource(source="reply", matches=r"z"), "y", []),
        (FactSource(source="reply", path="amount"), {"amount": 3}, [3]),
        (FactSource(source="reply", path="amount"), 'so {"amount": 3}', [3]),
        (FactSource(source="reply", path="amount"), "3", []),
        (FactSource(source="reply", path="note", matches=r"\d+"), {"note": "n 4", "other": "5"}, ["4"]),
    ],
)
def test_a_fact_of_a_reply(source: FactSource, content: Json, values: list[Json]) -> None:
    """A field, or every match of a pattern: its first group, else the whole match."""
    facts = sheet_of(trace_of(Replied(content=content)), suite_of(facts={"f": source})).declared
    assert values == [fact.value for fact in facts]
    assert all(fact.cites == (FIRST,) and fact.tool is None for fact in facts)


def test_facts_stand_in_the_order_of_their_events() -> None:
    """The order in which a suite declares its facts does not matter."""
    facts = {"later": FactSource(source="reply", matches="ok"), "first": from_call("result")}
    trace = trace_of(*call("decide", 1), Replied(content="ok"))
    assert ["first", "later"] == [fact.name for fact in sheet_of(trace, suite_of(facts=facts)).declared]
