"""Facts that are nowhere: the page says where they were looked for, and what is there instead."""

from __future__ import annotations

import pytest

from evalkit.diagnose.absent import absent_facts
from evalkit.records.fact import CallFact, FactSheet, ReplyFact
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from tests.score.building import outcome, stage, suite_of


def _told(value: Json, status: str = "ok", **source: str) -> tuple[str, ...]:
    fact = FactSource.model_validate({"from": "call", "tool": "quote", **source})
    suite = suite_of((stage("quote"),), (outcome("quote"),)).model_copy(update={"facts": {"price": fact}})
    call = CallFact(seq=9, returned=10, turn=0, tool="quote", args={"id": 1}, status=status, value=value)  # type: ignore[arg-type]
    reply = ReplyFact(seq=12, turn=0, content=value, text="", fields=value)
    return absent_facts(suite, FactSheet(case="c", observes=(), calls=(call,), replies=(reply,)))


@pytest.mark.parametrize(
    ("value", "path", "told"),
    [
        ({"total": 3}, "result.totl", "has no `totl`; it has: total"),
        ({"a": {"b": 1}}, "result.a.c", "has no `c` in `result.a`; it has: b"),
        ({"hits": []}, "result.hits[].id", "has no `[]` in `result.hits`; it is a list of 0"),
        ({"hits": [{"name": 1}]}, "result.hits[0].id", "has no `id` in `result.hits[0]`; it has: name"),
        (None, "result.x", "has no `x`; it is empty"),
        (7, "args.key", "has no `key`; it has: id"),
    ],
)
def test_a_path_that_finds_nothing_is_told_with_what_is_there(value: Json, path: str, told: str) -> None:
    """The tool returned, and the fact is not in it: a slip of the suite looks like one of the agent."""
    assert (f"fact price: quote returned (event 10) and {told}",) == _told(value, path=path)


def test_what_a_reply_lacks_is_told_too() -> None:
    """A field or a pattern of the reply."""
    fields = {"from": "reply", "tool": None}
    told = "fact price: the reply (event 12) has no `prise`; it has: price"
    assert (told,) == _told({"price": 1}, **fields, path="prise")  # type: ignore[arg-type]
    (told,) = _told({"price": 1}, **fields, matches=r"\d+ EUR")  # type: ignore[arg-type]
    assert r"fact price: nothing in the reply (event 12) matches '\\d+ EUR'" == told


def test_a_tool_that_never_returned_is_not_accused_of_a_slip() -> None:
    """Nothing came back, and nothing is missing in it."""
    assert () == _told(None, status="fault", path="result.total")
