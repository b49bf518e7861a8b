"""The board: outcomes differ in glyph and word, what failed stands first, nothing is left out unsaid."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup
from msgspec.structs import replace

from evalkit.records.board import Board, BoardRow, Cell
from evalkit.records.verdict import Verdict
from evalkit.report.html.rows import MOST_CELLS, ArmBoard, BoardPrinter
from evalkit.report.html.sealed import source
from evalkit.report.html.signs import SIGNS, Sign, of_verdicts, parts
from tests.report.html.making import ARM, METRICS, STAGES, columns, document, manifest, trial
from tests.report.html.reading import page

_LOOKS = ("roots", "unmeasured", "below", "explained", "degraded", "passed", "not_asked")


def test_every_outcome_has_its_own_sign() -> None:
    """No two outcomes share a glyph, a word, a meaning or a class."""
    for name in ("code", "glyph", "word", "meaning"):
        assert len(SIGNS) == len({getattr(sign, name) for sign in SIGNS})


def test_every_outcome_but_a_pass_has_a_pattern_or_a_frame() -> None:
    """Cells differ without colour: each class of the style has a background or a frame of its own."""
    style = source("page.css")
    found = [re.search(rf"(?m)^td\.{sign.code}[,{{].*?{{(.*?)}}", style) for sign in SIGNS]
    looks = [one[1] for sign, one in zip(SIGNS, found, strict=True) if one and sign.code not in "po"]
    assert 5 == len(set(looks))


@pytest.mark.parametrize(("look", "sign"), list(zip(_LOOKS, SIGNS, strict=True)))
def test_a_cell_shows_what_it_holds(look: str, sign: Sign) -> None:
    """Every kind of count has its sign; a degraded pass is not a clean one besides."""
    cell = replace(Cell(passed=2 if look == "degraded" else 0), **{look: 2})
    assert [(sign, 2)] == list(parts(cell))


def test_a_cell_shows_all_that_it_holds() -> None:
    """A cell of several outcomes shows each with its number, the worst first."""
    text = page(document(5, 5))
    cell = re.search(r'<td class="r">.*?</td>', text)
    assert cell is not None
    assert "✕4 ✓1" == re.sub("<[^>]*>", "", cell[0])
    assert ["fail", "pass"] == re.findall('aria-label="([^"]*)"', cell[0])


def test_the_legend_explains_every_sign() -> None:
    """Each glyph stands in the legend with its word and its meaning."""
    text = page(document(2, 1))
    for sign in SIGNS:
        assert f'class="sw {sign.code}" aria-hidden="true">{sign.glyph}<' in text
        assert f"<strong>{sign.word}</strong><br>{sign.meaning}<" in text


def test_unmeasured_and_explained_errors_say_why() -> None:
    """The cause of an error stands in its cell."""
    text = page(document(10, 2))
    assert "(2 environment)" in text
    assert "(2 upstream_failed)" in text


def _board(rows: tuple[BoardRow, ...]) -> Board:
    shown = document(1, 1).board
    return replace(shown, rows=rows, manifest=manifest(len(rows), 1, "r"))


def _printed(rows: tuple[BoardRow, ...]) -> ArmBoard:
    return BoardPrinter(_board(rows), {}, lambda _parts, _causes, _trials: Markup("<td></td>")).arm(ARM)


def test_what_did_not_pass_stands_first() -> None:
    """Rows that failed come first, then those not measured, then degraded ones, then the rest."""
    board = document(300, 2).board
    tokens = [line.tokens for line in BoardPrinter(board, {}, lambda *_: Markup("")).arm(ARM).lines]
    order = ["f", "u", "d", "p"]
    assert all(order.index(one[0]) <= order.index(two[0]) for one, two in pairwise(tokens))
    assert {"f", "u", "d", "p"} == {one[0] for one in tokens}


def _rows(kinds: list[int]) -> tuple[BoardRow, ...]:
    good, bad = Cell(passed=1), Cell(roots=1)
    width = len(STAGES) + len(METRICS)
    return tuple(
        BoardRow(
            case=f"c{at}",
            arm=ARM,
            trials=1,
            cells=tuple(bad if kind >> place & 1 else good for place in range(width)),
            outcome=(int(not kind), int(bool(kind)), 0),
        )
        for at, kind in enumerate(kinds)
    )


@given(st.lists(st.integers(0, 1023), min_size=1, max_size=60), st.integers(20, 60))
@settings(max_examples=20, deadline=None)
def test_no_case_is_dropped_silently(kinds: list[int], times: int) -> None:
    """Lines, groups and the count of what is left out add up to the cases, however many and however odd."""
    rows = _rows(kinds * times)
    made = _printed(rows)
    grouped = sum(group.size for group in made.groups)
    left = int(made.left_out.split()[0]) if made.left_out else 0
    assert len(rows) == len(made.lines) + grouped + left
    assert MOST_CELLS >= len(made.lines) * len(made.columns)


def test_groups_hold_cases_whose_cells_are_alike() -> None:
    """Past the bound, cases that passed share one row that lists every one of them."""
    made = _printed(_rows([0] * 5000 + [3]))
    assert ["c5000"] == [line.case for line in made.lines]
    (group,) = made.groups
    assert group.names is not None
    assert (5000, 5000, "p") == (group.size, group.names.lines.count("\n") + 1, group.tokens)


def test_what_is_in_no_line_is_counted_with_its_outcomes() -> None:
    """A board of nothing but different failures says how many of them stand in no line."""
    made = _printed(_rows([1 + at % 1023 for at in range(6000)]))
    left = re.match(r"(\d+) more cases in no line of this table \((\d+) cases with fails", made.left_out)
    assert left is not None
    assert left[1] == left[2] != "0"


def test_of_the_fails_at_one_root_one_is_red() -> None:
    """In a trial, the first fail at a root is red, what follows from it is not."""
    view = trial("x").view
    looks = {
        row.name: sign.code
        for row, sign in zip(view.verdicts, of_verdicts(view.verdicts, columns()), strict=True)
    }
    expected = {
        "identify": "p",
        "lookup": "r",
        "decide": "e",
        "refunded": "b",
        "told": "d",
        "right_order": "u",
    }
    assert expected == {name: looks[name] for name in expected}


def test_a_metric_that_is_only_observed_is_never_red() -> None:
    """A fail of an observed metric is no root."""
    row = Verdict(
        index=0, case="c", arm="a", trial=0, of="metric", name="told", outcome="fail", roots=("reply",)
    )
    assert ["b"] == [sign.code for sign in of_verdicts((row,), columns())]
