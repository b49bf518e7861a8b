"""`sql_equals`: SQL of the agent against the gold SQL, by the rows that both gave."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.fact import ProbeFact
from evalkit.records.probe import REFUSED, stated_id
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from evalkit.score.checks.answers import Rows
from evalkit.score.checks.sql import stated_sql
from evalkit.score.finding import Finding
from tests.score.checks.views import ANSWERED, SQL, answered, ask, made, said, unexamined, view_of, without

PLACE = "reply.sql"
WROTE = said({"sql": "select n from t"})


def compared(gold: Rows, own: Rows | None, *, before: Rows | None = None, **more: Any) -> Finding:
    """What the check finds where gold and agent's SQL gave these rows; `before`: gold at the start."""
    answers = [
        answered(gold),
        answered(gold if before is None else before, when="start"),
        ProbeFact(id=stated_id(PLACE), seq=0, rows=own),
    ]
    return ask("sql_equals", view_of(WROTE, answers=answers), value=PLACE, gold=SQL, **more)


@pytest.mark.parametrize(
    ("gold", "own", "more", "expected"),
    [
        ([[1], [2]], [[2], [1]], {}, True),
        ([[1], [2]], [[2], [1]], {"ordered": True}, False),
        ([[1], [2]], [[1], [2]], {"ordered": True}, True),
        ([[1], [1], [2]], [[1], [2], [2]], {}, False),
        ([[1], [1]], [[1]], {}, False),
        ([[1, "a"]], [["a", 1]], {}, False),
        ([[1]], [[1, 1]], {}, False),
        ([[1.0]], [[1]], {}, True),
        ([[1]], [[True]], {}, False),
        ([[1]], [["1"]], {}, False),
        ([[None]], [[None]], {}, True),
        ([[None]], [[0]], {}, False),
        ([[87.5]], [[87.51]], {}, False),
        ([[87.5]], [[87.51]], {"tolerance": 0.01}, True),
        ([[1.0], [1.5]], [[1.4], [0.6]], {"tolerance": 0.5}, True),
        ([[1]], [], {}, False),
        ([], [], {"allow_empty": True}, True),
        ([], [[1]], {"allow_empty": True}, False),
    ],
)
def test_sql_equals_passes_the_same_rows(
    gold: Rows, own: Rows, more: dict[str, Json], *, expected: bool
) -> None:
    """As often as they come, in any order unless asked, columns by place, numbers within a tolerance."""
    found = compared(gold, own, **more)
    assert (expected, True) == (found.held, found.live)
    assert (2, ANSWERED, ANSWERED + 2) == found.cites


def test_the_reason_says_what_both_gave() -> None:
    """Both answers, and how many rows where that differs."""
    assert "the SQL gives 2, the gold answer is 1" == compared([[1]], [[2]]).reason
    assert compared([[1]], [[2], [3]]).reason.endswith("(2 rows instead of 1)")


def test_sql_equals_fails_sql_that_does_not_run() -> None:
    """It says what the database said; neither form passes on SQL that gave no answer."""
    refused = ProbeFact(id=stated_id(PLACE), seq=0, cause=REFUSED, message="no such table: t")
    view = view_of(WROTE, answers=[answered([[1]]), refused])
    found = ask("sql_equals", view, value=PLACE, gold=SQL)
    assert (False, True, True) == (found.held, found.absent, found.live)
    assert "no such table: t" in found.reason


@pytest.mark.parametrize(
    "reply", [said("x"), said({"sql": 7}), said({"sql": None}), said({"sql": ["select 1"]})]
)
def test_what_is_no_sql_is_the_agents_fail(reply: Any) -> None:
    """Nothing stated, or something that is no text."""
    found = ask("sql_equals", view_of(reply, answers=[answered([[1]])]), value=PLACE, gold=SQL)
    assert (False, True) == (found.held, found.absent)


def test_sql_equals_cannot_be_examined_without_a_gold_answer() -> None:
    """Gold SQL that does not run is a broken case; one that was not asked shows nothing."""
    broken = answered(None, cause="broken_case", message="no such table")
    own = ProbeFact(id=stated_id(PLACE), seq=0, rows=[[1]])
    assert "broken_case" == unexamined(
        ask("sql_equals", view_of(WROTE, answers=[broken, own]), value=PLACE, gold=SQL)
    )
    assert "not_observed" == unexamined(
        ask("sql_equals", view_of(WROTE, observes=without("probes")), value=PLACE, gold=SQL)
    )
    assert "not_observed" == unexamined(
        ask("sql_equals", view_of(WROTE, answers=[answered([[1]])]), value=PLACE, gold=SQL)
    )


def test_an_environment_that_broke_under_the_agents_sql_is_not_the_agents() -> None:
    """Only what the database says of the SQL itself is held against who wrote it."""
    down = ProbeFact(id=stated_id(PLACE), seq=0, cause="environment", message="down")
    view = view_of(WROTE, answers=[answered([[1]]), down])
    assert "environment" == unexamined(ask("sql_equals", view, value=PLACE, gold=SQL))


def test_an_empty_gold_answer_must_be_declared() -> None:
    """It was empty from the start: a broken case, whatever the agent's SQL gives."""
    for own in ([], [[1]]):
        assert "broken_case" == unexamined(compared([], own))


def test_whoever_empties_the_world_does_not_pass_or_break_the_case() -> None:
    """Gold that had rows at the start was emptied in the trial: a fail, and no excuse."""
    found = compared([], [], before=[[1]])
    assert (False, True) == (found.held, found.live)
    assert (ANSWERED + 1, ANSWERED) == found.cites


def test_each_turn_has_sql_of_its_own() -> None:
    """An entry about a turn reads the reply of that turn, and the answer to that SQL."""
    answers = [
        answered([[1]]),
        ProbeFact(id=stated_id(PLACE, 0), seq=0, rows=[[1]]),
        ProbeFact(id=stated_id(PLACE, 1), seq=0, rows=[[2]]),
    ]
    acts = (said({"sql": "a"}, turn=0), said({"sql": "b"}, turn=1))
    held = [
        ask("sql_equals", view_of(*acts, answers=answers, turn=turn), value=PLACE, gold=SQL).held
        for turn in (0, 1)
    ]
    assert [True, False] == held


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("reply.sql", "select n from t"),
        ("call.query.args.sql", "select 2"),
        ("call.query.result.sql", "select 3"),
        ("fact.wrote", "select 2"),
        ("call.other.args.sql", None),
        ("reply.none", None),
    ],
)
def test_sql_is_read_where_it_is_stated(place: str, expected: str | None) -> None:
    """In the reply, in the arguments or the result of the last call, or in a declared fact."""
    facts = {"wrote": FactSource.model_validate({"from": "call", "tool": "query", "path": "args.sql"})}
    first = made("query", {"sql": "select 1"})
    last = made("query", {"sql": "select 2"}, {"sql": "select 3"})
    view = view_of(first, last, WROTE, facts=facts)
    if place.startswith("fact"):
        expected = None  # this sheet derives none
    assert expected == stated_sql(place, view)


_ROWS = st.lists(st.lists(st.sampled_from([None, 0, 1, "a"]), min_size=2, max_size=2), min_size=1, max_size=6)


@given(_ROWS, st.randoms(use_true_random=False))
def test_order_counts_only_where_it_is_asked(rows: Rows, chance: random.Random) -> None:
    """Every permutation of the gold rows passes; in order, only those that put equal rows in place."""
    own = chance.sample(rows, len(rows))
    assert compared(rows, own).held
    assert (own == rows) == compared(rows, own, ordered=True).held


@given(_ROWS, st.integers(0, 5))
def test_no_row_may_be_missing_or_said_twice(rows: Rows, at: int) -> None:
    """Rows count as often as they come."""
    one = at % len(rows)
    assert not compared(rows, rows[:one] + rows[one + 1 :]).held
    assert not compared(rows, [*rows, rows[one]]).held
