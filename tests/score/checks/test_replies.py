"""`reply`, `cites`: what the last reply says, and what it rests on."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from evalkit.errors import SuiteBug
from evalkit.records.written import Json
from evalkit.score.finding import Finding
from tests.score.checks.views import END, ask, held, made, said, unexamined, view_of, without

OBJECT = {"status": "refunded", "amount": 87.5, "text": "您的退款已经完成", "items": [{"n": 1}, {"n": 2}]}


def test_reply_passes_where_all_that_is_asked_is_said() -> None:
    """Every key must hold, and the last reply is cited."""
    view = view_of(said("hello"), said("Refunded ¥1,234.50 to you."))
    found = ask(
        "reply", view, contains=["REFUNDED", "to you"], matches=r"\d\.$|you", numbers=[1234.5], language="en"
    )
    assert (True, (4,)) == (found.held, found.cites)
    assert "the reply says so: Refunded ¥1,234.50 to you." == found.reason


@pytest.mark.parametrize(
    ("content", "asked", "expected"),
    [
        ("STRASSE", {"contains": "straße"}, True),
        ("refund", {"contains": ["refund", "done"]}, False),
        ("refund", {"matches": "^re"}, True),
        ("refund", {"matches": "^fund"}, False),
        ("Refund", {"matches": "refund"}, False),
        ("  yes \n", {"equals": "yes"}, True),
        ("yes!", {"equals": "yes"}, False),
        ("Yes", {"equals": "yes"}, False),
        ("42", {"equals": 42}, True),
        ("42.0", {"equals": 42}, True),
        ("42!", {"equals": 42}, False),
        ("1", {"equals": True}, False),
        (42, {"equals": 42}, True),
        (None, {"equals": None}, True),
        ("prose", {"equals": None}, False),
        (OBJECT, {"equals": OBJECT}, True),
        ({**OBJECT, "amount": True}, {"equals": OBJECT}, False),
        ('{"a": 1.0}', {"equals": {"a": 1}}, True),
        ('```json\n{"a": 1}\n```', {"equals": {"a": 1}}, True),
        ('Not so: {"a": 1}', {"equals": {"a": 1}}, False),
        (OBJECT, {"json": {"status": "refunded", "items[].n": 2, "items[0].n": 1}}, True),
        (OBJECT, {"json": {"items[0].n": True}}, False),
        (OBJECT, {"json": {"nothing": None}}, False),
        ('So: {"a": 1}', {"json": {"a": 1}}, True),
        ("prose", {"json": {"a": 1}}, False),
        (OBJECT, {"json": {"amount": 87.51}, "tolerance": 0.1}, False),  # the tolerance is for `numbers`
        (OBJECT, {"numbers": [87.51], "tolerance": 0.01}, True),
        (OBJECT, {"numbers": [87.52], "tolerance": 0.01}, False),
        ("3 of 5", {"numbers": [5, 3]}, True),
        ("3 of 5", {"numbers": [3, 5, 8]}, False),
        ("", {"numbers": [0]}, False),
        ({"text": "balance:\n-88"}, {"numbers": [-88]}, True),
        ({"a": [1.5, "2", {"b": True}], "n3": None}, {"numbers": [1.5, 2]}, True),
        ({"n3": None}, {"numbers": [3]}, False),  # a key says nothing
        (OBJECT, {"language": "zh"}, True),  # of an object the texts count, not the keys
        (OBJECT, {"language": "en"}, False),
        ('{"status": "ok", "text": "您的退款已经完成"}', {"language": "zh"}, True),
        ('已经退款完成 {"status": "refunded", "order": "A-17"}', {"language": "zh"}, False),
        ("42", {"language": "en"}, False),
    ],
)
def test_what_is_asked_of_a_reply(content: Json, asked: dict[str, Json], expected: bool) -> None:  # noqa: FBT001
    """Every key by its own rule."""
    assert expected is held("reply", view_of(said(content)), **asked)


def test_reply_fails_and_says_everything_that_is_missing() -> None:
    """All keys at once, with what was there instead."""
    found = ask("reply", view_of(said("Sorry, 3 left")), contains="refund", numbers=[5], language="zh")
    assert (False, (2,)) == (found.held, found.cites)
    assert (
        "the reply does not contain 'refund': Sorry, 3 left; does not state 5 (it states 3); is in en, not zh"
        == found.reason
    )


@pytest.mark.parametrize("kind", ["reply", "cites"])
def test_reply_fails_where_there_is_none(kind: Any) -> None:
    """Silence says nothing, and the end of the trial shows it."""
    args: dict[str, Json] = (
        {"contains": "x"} if kind == "reply" else {"tool": "t", "path": "", "pattern": "x"}
    )
    found = ask(kind, view_of(), **args)
    assert (False, (END,), "there was no reply") == (found.held, found.cites, found.reason)
    assert () == ask(kind, view_of(said("x"), turn=1, turns=2), **args).cites


def test_reply_cannot_be_examined_where_replies_are_not_shown() -> None:
    """What was seen counts."""
    assert "not_observed" == unexamined(ask("reply", view_of(observes=without("replies")), contains="x"))
    assert held("reply", view_of(said("x"), observes=without("replies")), contains="x")


def test_a_turn_is_answered_by_its_own_last_reply() -> None:
    """The turn that is named, and of it the last reply."""
    acts = (said("a"), said("b"), said("c", turn=1))
    for turn, text in ((0, "b"), (1, "c"), (None, "c")):
        assert held("reply", view_of(*acts, turn=turn, turns=2), equals=text)


def test_padding_hides_nothing() -> None:
    """Far into a reply, patterns, texts and numbers are found all the same."""
    view = view_of(said("x " * 300_000 + "secret 4711"))
    assert held("reply", view, contains="secret", matches=r"secret \d+$", numbers=[4711])


def test_a_pattern_that_is_none_is_the_suites_bug() -> None:
    """So is a path that is none: the scorer calls both `broken_case`."""
    with pytest.raises(SuiteBug):
        ask("reply", view_of(said("x")), matches="(")
    with pytest.raises(SuiteBug):
        ask("reply", view_of(said("x")), json={"a..b": 1})


FOUND = made("search", value={"hits": [{"id": "d1"}, {"id": "d2"}, {"id": 3}]})


def cited(text: str, *acts: Any, at_least: int = 1, **more: Any) -> Finding:
    """What `cites` finds in a reply after a search."""
    view = view_of(*(acts or (FOUND,)), said(text), **more)
    return ask("cites", view, tool="search", path="hits[].id", pattern=r"\[(\w+)\]", at_least=at_least)


def test_cites_passes_where_all_that_is_cited_was_returned() -> None:
    """Distinct ids are counted; ids may be numbers; reply and results are cited."""
    found = cited("see [d1], [d1] and [3]", at_least=2)
    assert (True, (4, 3)) == (found.held, found.cites)
    assert found.measure is not None
    assert (2.0, 2.0) == (found.measure.value, found.measure.threshold)


def test_cites_fails_on_an_invented_id_even_with_enough_others() -> None:
    """What was never returned is named."""
    found = cited("see [d1], [d2] and [d9]")
    assert (False, "cites what was never returned: d9") == (found.held, found.reason)


def test_cites_fails_on_too_few_and_on_none() -> None:
    """The same id twice is one."""
    assert False is cited("see [d1] [d1]", at_least=2).held
    assert False is cited("trust me").held
    assert cited("trust me", at_least=0).held


@pytest.mark.parametrize(
    "before",
    [
        made("search", value={"hits": [{"id": "d1"}]}, status="refused"),
        made("other", value={"hits": [{"id": "d1"}]}),
        made("search", value={"hits": []}),
        made("search", value=None),
    ],
)
def test_cites_fails_where_the_tool_did_not_return_it(before: Any) -> None:
    """In vain, by another tool, or nothing: it was not returned."""
    assert False is cited("see [d1]", before).held


def test_cites_passes_on_what_an_earlier_turn_returned_but_not_a_later_one() -> None:
    """A source must come before what rests on it."""
    later = structs.replace(FOUND, turn=1)
    view = view_of(FOUND, said("hello"), said("see [d1]", turn=1), turn=1, turns=2)
    args: dict[str, Json] = {"tool": "search", "path": "hits[].id", "pattern": r"\[(\w+)\]"}
    assert held("cites", view, **args)
    assert False is held("cites", view_of(said("see [d1]"), later, turn=0, turns=2), **args)


def test_cites_fails_on_a_result_that_came_after_the_reply() -> None:
    """What was asked for before and returned after the reply does not carry it."""
    view = view_of(FOUND, said("see [d1]"))
    late = structs.replace(view.sheet, calls=(structs.replace(view.sheet.calls[0], returned=9),))
    args: dict[str, Json] = {"tool": "search", "path": "hits[].id", "pattern": r"\[(\w+)\]"}
    assert held("cites", view, **args)
    assert False is held("cites", structs.replace(view, sheet=late), **args)


def test_cites_cannot_be_examined_where_results_are_not_shown() -> None:
    """An id may have been returned unseen; a reply without any cites too little all the same."""
    hidden = structs.replace(FOUND, status="unanswered")
    assert "not_observed" == unexamined(cited("see [d1]", hidden, observes=without("results")))
    assert False is cited("trust me", hidden, observes=without("results")).held
    assert "not_observed" == unexamined(
        ask("cites", view_of(observes=without("replies")), tool="t", path="", pattern="x")
    )


def test_a_citation_is_the_first_group_or_the_whole_match() -> None:
    """A group that took no part does not make `None` an id."""
    view = view_of(FOUND, said("d1 and d2"))
    for pattern in (r"d\d", r"(d\d)", r"x(y)|d\d"):
        assert held("cites", view, tool="search", path="hits[].id", pattern=pattern, at_least=2)
