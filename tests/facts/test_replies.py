"""Replies are read strictly, and what they claim is kept apart from what happened."""

from __future__ import annotations

import pytest

from evalkit.records.event import Replied, UserTurn
from evalkit.records.suite import Claim, ClaimProbe, ClaimSign
from evalkit.records.written import Json
from tests.facts.events import FIRST, sheet_of, suite_of, trace_of

HOLDS = ClaimProbe(sql="select 1")


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ('  {"a": 1}\n', {"a": 1}),
        ('Here:\n```json\n{"a": 1}\n```\nBye.', {"a": 1}),
        ('Done: {"a": {"b": 1}}.', {"a": {"b": 1}}),
        ("[1, 2]", [1, 2]),
        ("Done.", None),
        ("42", None),
        ('{"a": NaN}', None),
        ('{"a": 1', None),
        ("}{", None),
        ("{" * 100_000, None),
        (None, None),
    ],
)
def test_the_json_of_a_reply(content: Json, fields: Json) -> None:
    """An object is its own fields; of a text the JSON that it is or carries, strictly read, else none."""
    (reply,) = sheet_of(trace_of(Replied(content=content))).replies
    assert fields == reply.fields


def test_a_reply_has_text_turn_and_place() -> None:
    """Objects become JSON text; the turn is the one that it answers."""
    trace = trace_of(Replied(content={"a": "退款"}), UserTurn(content="more"), Replied(content="ok"))
    first, second = sheet_of(trace).replies
    assert ('{"a":"退款"}', 0, FIRST) == (first.text, first.turn, first.seq)
    assert ("ok", 1, FIRST + 2) == (second.text, second.turn, second.seq)


@pytest.mark.parametrize(
    ("sign", "content", "claimed"),
    [
        ("(?i)refunded", "I have REFUNDED you", True),
        ("(?i)refunded", "I could not", False),
        (ClaimSign(field="status", equals="refunded"), {"status": "refunded"}, True),
        (ClaimSign(field="status", equals="refunded"), 'Done: {"status": "refunded"}', True),
        (ClaimSign(field="status", equals="refunded"), {"status": "declined"}, False),
        (ClaimSign(field="status", equals="refunded"), "refunded", False),
        (ClaimSign(field="done"), {"done": True}, True),
        (ClaimSign(field="done"), {"done": False}, False),
        (ClaimSign(field="done"), {}, False),
        (ClaimSign(field="n", equals=1), {"n": True}, False),
        (ClaimSign(field="n", equals=None), {"n": None}, True),
        (ClaimSign(field="items[].ok", equals=True), {"items": [{"ok": False}, {"ok": True}]}, True),
    ],
)
def test_how_a_claim_shows(sign: str | ClaimSign, content: Json, claimed: bool) -> None:  # noqa: FBT001
    """A pattern is sought in the text; a field must have the value, or any true one; true is not 1."""
    suite = suite_of(claims={"refunded": Claim(reply=sign, holds=HOLDS)})
    sheet = sheet_of(trace_of(Replied(content=content)), suite)
    assert ([("refunded", FIRST)] if claimed else []) == [(claim.name, claim.seq) for claim in sheet.claims]


def test_a_claim_cites_the_reply_that_makes_it() -> None:
    """Each reply that makes a claim makes it anew."""
    suite = suite_of(claims={"refunded": Claim(reply="refunded", holds=HOLDS)})
    trace = trace_of(Replied(content="refunded"), UserTurn(content="sure?"), Replied(content="yes, refunded"))
    assert [(0, FIRST), (1, FIRST + 2)] == [(c.turn, c.seq) for c in sheet_of(trace, suite).claims]
