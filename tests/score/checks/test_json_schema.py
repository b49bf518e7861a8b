"""`reply: {json_schema}`: what a reply is held against as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from evalkit.errors import SuiteBug
from evalkit.records.checks import Expectation
from evalkit.records.written import Json
from evalkit.score.checks import examine
from tests.score.checks.views import END, ask, held, said, unexamined, view_of, without

SCHEMA: dict[str, Json] = {
    "type": "object",
    "required": ["status", "lines"],
    "additionalProperties": False,
    "properties": {
        "status": {"enum": ["refunded", "declined"]},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}},
        "on": {"type": "string", "format": "date"},
    },
}
FITTING: Json = {"status": "refunded", "lines": [{"n": 87.5}], "on": "2026-10-02"}


@pytest.mark.parametrize(
    "content",
    [
        FITTING,
        '{"status": "declined", "lines": []}',
        'Here it is:\n```json\n{"status": "declined", "lines": []}\n```\nGoodbye.',
        'Done: {"status": "refunded", "lines": []}.',
    ],
)
def test_a_reply_that_fits_holds(content: Json) -> None:
    """An object, a text that is JSON, and one that carries it, as `json` reads it."""
    found = ask("reply", view_of(said(content)), json_schema=SCHEMA)
    assert (True, (2,)) == (found.held, found.cites)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"status": "refunded"}, '"lines" is a required property'),
        ({"status": "paid", "lines": []}, 'status: "paid" is not one of'),
        ({**FITTING, "lines": [{"n": 1}, {"n": "x"}]}, 'lines[1].n: "x" is not of type "number"'),
        ({**FITTING, "on": "soon"}, 'on: "soon" is not a "date"'),
        ({**FITTING, "more": 1}, "Additional properties are not allowed"),
        ("no JSON at all", "holds no JSON: no JSON at all"),
        ("[1", "holds no JSON"),
    ],
)
def test_the_reason_names_the_path_and_what_is_wrong(content: Json, told: str) -> None:
    """Also where there is nothing to be held against it."""
    found = ask("reply", view_of(said(content)), json_schema=SCHEMA)
    assert (False, (2,), True) == (found.held, found.cites, told in found.reason), found.reason


def test_the_first_faults_are_told() -> None:
    """Three, and that there are more."""
    lines = [{"n": "x"}] * 5
    found = ask("reply", view_of(said({"status": "refunded", "lines": lines})), json_schema=SCHEMA)
    assert (3, True) == (found.reason.count('is not of type "number"'), found.reason.endswith(" and more"))


def test_a_text_that_is_json_and_no_object_is_held_against_it() -> None:
    """A number may be all that is asked for."""
    assert [True, False] == [
        held("reply", view_of(said(text)), json_schema={"type": "integer"}) for text in ("42", '"x"')
    ]


def test_no_reply_is_a_fail_and_one_that_does_not_show_is_open() -> None:
    """As everywhere."""
    silent = ask("reply", view_of(), json_schema=SCHEMA)
    assert (False, (END,)) == (silent.held, silent.cites)
    assert "not_observed" == unexamined(
        ask("reply", view_of(observes=without("replies")), json_schema=SCHEMA)
    )


def test_no_reply_can_stop_the_check() -> None:
    """Nesting without end, lone surrogates, numbers that no float holds: each is an answer."""
    nested: Any = {"n": 1}
    for _ in range(100_000):
        nested = {"lines": [nested]}
    for content in (nested, {"status": "\ud800"}, {"lines": 10**400}):
        view = view_of(said("x"))
        reply = type(view.sheet.replies[0])(seq=2, turn=0, content=content, text="x", fields=content)
        sheet = type(view.sheet)(case="case", observes=view.sheet.observes, replies=(reply,))
        whole = type(view)(suite=view.suite, case=view.case, sheet=sheet)
        recursive = {
            "properties": {"lines": {"items": {"$ref": "#"}, "type": "array"}},
            "required": ["status"],
        }
        assert False is held("reply", whole, json_schema=recursive) or content == {"status": "\ud800"}


def test_a_schema_that_is_none_is_the_suites_bug() -> None:
    """Load refuses it; a suite that was never loaded finds out here."""
    with pytest.raises(SuiteBug, match="no JSON Schema"):
        examine(Expectation(kind="reply", args={"json_schema": {"type": "strng"}}), view_of(said({})))
