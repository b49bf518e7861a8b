"""`state`, `unchanged`: what the world says, and whether it said so before."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.written import Json
from evalkit.score.checks.answers import Rows, same_rows
from evalkit.score.checks.values import near
from tests.score.checks.views import ANSWERED, SQL, answered, ask, held, unexamined, view_of


@pytest.mark.parametrize(
    ("equals", "rows", "expected"),
    [
        (87.5, [[87.5]], True),
        (88, [[88.0]], True),
        ([87.5], [[87.5]], True),
        ([[87.5]], [[87.5]], True),
        ("window_closed", [["window_closed"]], True),
        ({"a": 1}, [[{"a": 1}]], True),
        ([1, 2], [[[1, 2]]], True),  # one value that is a list itself
        ([1, 2], [[1], [2]], True),
        ([2, 1], [[1], [2]], True),
        ([1, 2], [[1, 2]], True),  # one row
        ([2, 1], [[1, 2]], False),
        ([[1, "a"], [2, "b"]], [[2, "b"], [1, "a"]], True),
        ([[1, "a"], [1, "a"]], [[1, "a"], [1, "b"]], False),
        ([[1], [2]], [[1], [2]], True),
        (None, [[None]], True),
        ([None, 1], [[1], [None]], True),
        ([], [], True),
        (88, [[87.5]], False),
        (1, [[True]], False),
        (True, [[1]], False),
        (0, [[None]], False),
        (None, [], False),
        (0, [], False),
        ([], [[None]], False),
        (1, [[1], [1]], False),
        ([1, 1], [[1]], False),
        ([1, 1, 2], [[1], [2], [2]], False),
        ("1", [[1]], False),
        (1, [[1, 1]], False),
    ],
)
def test_every_shape_of_an_answer(equals: Json, rows: Rows, expected: bool) -> None:  # noqa: FBT001
    """A value, a column, a row or rows; neither null nor no row is 0, and true is not 1."""
    assert expected is held("state", view_of(answers=[answered(rows)]), sql=SQL, equals=equals)


def test_state_passes_where_the_world_gives_the_answer() -> None:
    """The question is found however its space is written; the finding rests on the world."""
    found = ask("state", view_of(answers=[answered([[87.5]])]), sql="select  paid\n from orders", equals=87.5)
    assert (True, True, (ANSWERED,)) == (found.held, found.live, found.cites)


def test_state_fails_where_the_world_gives_another() -> None:
    """The reason says what there is, what should be, and what was asked."""
    found = ask("state", view_of(answers=[answered([[1], [2]])]), sql=SQL, equals=[1, 3])
    assert (False, True, (ANSWERED,)) == (found.held, found.live, found.cites)
    assert f"the world says [1, 2], it should be [1, 3]: {SQL}" == found.reason


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        ("environment", "environment"),
        ("broken_case", "broken_case"),
        (None, "environment"),
        ("x", "environment"),
    ],
)
def test_state_cannot_be_examined_without_an_answer(cause: str | None, expected: str) -> None:
    """The world's own word for it is kept where it is one of the closed list."""
    view = view_of(answers=[answered(None, cause=cause, message="no such table")])
    found = ask("state", view, sql=SQL, equals=1)
    assert (expected, "no such table", (ANSWERED,)) == (unexamined(found), found.reason, found.cites)


def test_state_cannot_be_examined_where_the_world_was_not_asked() -> None:
    """Another question, or the same one at the start, is no answer."""
    view = view_of(answers=[answered([[1]], sql="select 1"), answered([[1]], when="start")])
    assert "not_observed" == unexamined(ask("state", view, sql=SQL, equals=1))


@pytest.mark.parametrize(
    ("equals", "rows", "expected"),
    [([1, 2], [[1], [2]], True), ([2, 1], [[1], [2]], False), ([[1, 2], [3, 4]], [[3, 4], [1, 2]], False)],
)
def test_the_order_of_rows_counts_when_asked(equals: Json, rows: Rows, expected: bool) -> None:  # noqa: FBT001
    """`ordered` compares row by row."""
    view = view_of(answers=[answered(rows)])
    assert expected is held("state", view, sql=SQL, equals=equals, ordered=True)
    assert held("state", view, sql=SQL, equals=equals)


@pytest.mark.parametrize(
    ("equals", "rows", "expected"),
    [
        (87.5, [[87.51]], True),  # the difference of the written decimals, not of their binary neighbours
        (87.5, [[87.52]], False),
        ([1, 2], [[2.01], [1.01]], True),
        ([["a", 1]], [["a", 1.01]], True),
        ([["a", 1]], [["b", 1]], False),
        (1, [[True]], False),
        (0, [[None]], False),
    ],
)
def test_numbers_may_be_off_by_the_tolerance(equals: Json, rows: Rows, expected: bool) -> None:  # noqa: FBT001
    """Inclusive, numbers alone."""
    view = view_of(answers=[answered(rows)])
    assert expected is held("state", view, sql=SQL, equals=equals, tolerance=0.01)


def test_rows_that_are_near_several_find_the_partners_that_leave_none_over() -> None:
    """1.0 is near 1.4 and 0.6, 1.5 only near 1.4: taking the first that is near would lose a row."""
    assert same_rows([[1.0], [1.5]], [[1.4], [0.6]], 0.5)
    assert not same_rows([[1.0], [1.5]], [[1.4], [0.4]], 0.5)


ROWS = st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), max_size=4)


@given(ROWS, ROWS, st.sampled_from([0.0, 1.0]))
def test_the_same_rows_are_those_that_some_order_makes_equal(
    left: Rows, right: Rows, tolerance: float
) -> None:
    """Against every order of the rows; symmetric."""
    expected = any(near(left, list(rows), tolerance) for rows in itertools.permutations(right))
    assert expected is same_rows(left, right, tolerance)
    assert expected is same_rows(right, left, tolerance)


@given(st.permutations([[1, "a"], [2, "b"], [2, "b"], [3, None]]), st.sampled_from([0.0, 0.5]))
def test_the_order_of_rows_changes_nothing(rows: Rows, tolerance: float) -> None:
    """However the world orders its rows, and however they are written."""
    written = [[2, "b"], [1, "a"], [3, None], [2, "b"]]
    view = view_of(answers=[answered(rows)])
    assert held("state", view, sql=SQL, equals=written, tolerance=tolerance)
    assert not held("state", view, sql=SQL, equals=[*written[:3], [2, "c"]], tolerance=tolerance)


def test_unchanged_passes_where_both_answers_are_the_same() -> None:
    """In whatever order the rows come, and none is as good as any."""
    for before, after in (([[1], [2]], [[2], [1]]), ([], [])):
        view = view_of(answers=[answered(before, when="start"), answered(after)])
        found = ask("unchanged", view, sql=SQL)
        assert (True, True, (ANSWERED, ANSWERED + 1)) == (found.held, found.live, found.cites)


@pytest.mark.parametrize("after", [[], [[1], [2], [2]], [[1], [None]], [[1], [3]], [[1], [2.001]]])
def test_unchanged_fails_where_rows_came_or_went_or_changed(after: Rows) -> None:
    """Without any tolerance."""
    view = view_of(answers=[answered([[1], [2]], when="start"), answered(after)])
    found = ask("unchanged", view, sql=SQL)
    assert (False, True) == (found.held, found.live)
    assert found.reason.startswith("[1, 2] before, ")


def test_unchanged_cannot_be_examined_without_both_answers() -> None:
    """The cause of the answer that is missing is given."""
    start, end = answered([[1]], when="start"), answered([[1]])
    for answers in ([start], [end], []):
        assert "not_observed" == unexamined(ask("unchanged", view_of(answers=answers), sql=SQL))
    broken = answered(None, cause="broken_case")
    assert "broken_case" == unexamined(ask("unchanged", view_of(answers=[start, broken]), sql=SQL))
    late = answered(None, when="start", cause="environment")
    assert "environment" == unexamined(ask("unchanged", view_of(answers=[late, end]), sql=SQL))
