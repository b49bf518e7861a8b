"""`returned`: what a tool gave back."""

from __future__ import annotations

import pytest

from evalkit.records.written import Json
from tests.score.checks.views import END, ask, held, made, unexamined, view_of, without

HITS = {"hits": [{"id": "d1", "n": 1}, {"id": "d2", "n": None}], "text": "x" * 500 + "END"}


def test_returned_passes_where_one_of_the_results_has_the_value() -> None:
    """Any successful call will do, and it alone is cited."""
    found = ask("returned", view_of(made("get", value=1), made("get", value=2)), tool="get", equals=2)
    assert (True, (5,), "get returned 2") == (found.held, found.cites, found.reason)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"path": "hits[].id", "equals": "d2"}, True),
        ({"path": "hits[0].id", "equals": "d2"}, False),
        ({"path": "hits[0].n", "equals": True}, False),
        ({"path": "hits[1].n", "equals": None}, True),
        ({"path": "hits[5].n", "equals": None}, False),
        ({"path": "text", "contains": "END"}, True),
        ({"path": "text", "contains": "end"}, False),
        ({"contains": "END"}, True),
        ({"contains": '"id":"d1"'}, True),
        ({"contains": " ..."}, False),
        ({"path": "hits[0].n", "matches": "^1$"}, True),
        ({"path": "text", "matches": "^x+END$"}, True),
        ({"path": "hits[].id", "matches": "d3"}, False),
    ],
)
def test_what_is_asked_of_a_result(asked: dict[str, Json], expected: bool) -> None:  # noqa: FBT001
    """Values are compared as JSON, text is looked for in all of it; what is absent is not null."""
    assert expected is held("returned", view_of(made("get", value=HITS)), tool="get", **asked)


def test_returned_fails_on_other_values_and_on_none() -> None:
    """What came back is shown; where nothing did, the end of the trial shows it."""
    found = ask("returned", view_of(made("get", value=1)), tool="get", equals=2)
    assert (False, "get returned [1]", (3,)) == (found.held, found.reason, found.cites)
    refused = view_of(made("get", value=2, status="refused"))
    found = ask("returned", refused, tool="get", equals=2)
    assert (False, "get never returned", (END,)) == (found.held, found.reason, found.cites)


def test_returned_cannot_be_examined_where_results_are_not_shown() -> None:
    """A call without its result may have returned anything; a tool that was not called returned nothing."""
    view = view_of(made("get", status="unanswered"), observes=without("results"))
    assert "not_observed" == unexamined(ask("returned", view, tool="get", equals=2))
    assert False is held("returned", view, tool="pay", equals=2)
    seen = view_of(made("get", value=2), observes=without("calls"))
    assert held("returned", seen, tool="get", equals=2)
    assert "not_observed" == unexamined(ask("returned", seen, tool="get", equals=3))
