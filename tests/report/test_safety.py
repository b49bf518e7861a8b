"""No page is wider than the terminal, and nothing gets through that a terminal would obey."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcwidth import wcswidth

from evalkit.report.checks import check_page
from evalkit.report.console import Look, cells, cut, harmless, pad, wrap
from evalkit.report.decisions import decision_page
from evalkit.report.pages import blame_page, board_page, case_page, trial_page
from evalkit.report.runs import list_page, run_block
from evalkit.report.tables import table
from tests.report import building
from tests.report.building import nasty

PAGES: dict[str, Callable[[str, Look], str]] = {
    "board": lambda text, look: board_page(building.board(text), look),
    "wide board": lambda text, look: board_page(building.board(text, width=40), look),
    "board of two arms": lambda text, look: board_page(building.board(text, arms=("a", "b")), look),
    "case": lambda text, look: case_page((building.view(text), building.view(text, arm="b")), look),
    "trial": lambda text, look: trial_page(building.view(text), look),
    "open trial": lambda text, look: trial_page(building.view(text, closed=False), look),
    "blame": lambda text, look: blame_page(building.blamed(text), look),
    "decision": lambda text, look: decision_page(building.decision(text), look, explain=True),
    "list": lambda text, look: list_page(building.run_lines(text), look),
    "check": lambda text, look: check_page(building.suite_checks(text), look),
    "run": lambda text, look: run_block(
        building.manifest(text, text), {text: building.counts()}, look, complete=False
    ),
}
"""Every page of the room, from one hostile text."""

_COLOUR = re.compile("\x1b\\[(?:0|1|32|33|90|1;31)m")
_OBEYED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # categories that a terminal may act on or choke on


def _obeyed(page: str) -> list[str]:
    return [char for char in page if unicodedata.category(char) in _OBEYED and char != "\n"]


def _too_wide(page: str, width: int) -> list[str]:
    return [line for line in page.split("\n") if not 0 <= wcswidth(line) <= width]


@pytest.mark.parametrize("name", PAGES)
@given(text=nasty(), width=st.sampled_from((40, 80, 80, 80, 133)))
@example(text="退款" * 60, width=80)
@example(text="\x1b[2J\u202e" * 9, width=80)
@example(text="e" + "\u0301" * 90, width=80)
def test_no_line_is_wider_than_the_terminal_and_none_is_obeyed(name: str, text: str, width: int) -> None:
    """Any text anywhere: no line is wider than the width in cells, no control or format character is left."""
    page = PAGES[name](text, Look(width=width))
    assert [] == _too_wide(page, width)
    assert [] == _obeyed(page)
    page.encode("utf-8")


@pytest.mark.parametrize("name", PAGES)
@given(text=nasty())
def test_colour_changes_no_character(name: str, text: str) -> None:
    """A coloured page is the plain page with nothing but our own colours added: signs differ without them."""
    plain, coloured = (PAGES[name](text, Look(colour=colour)) for colour in (False, True))
    assert plain == _COLOUR.sub("", coloured)
    assert "\x1b" not in plain


@given(nasty(), st.integers(0, 60))
def test_what_is_cut_fits_and_what_is_padded_fills(text: str, width: int) -> None:
    """`cut` is never wider than asked, `pad` is exactly as wide."""
    assert wcswidth(cut(text, width)) <= width
    assert width == wcswidth(pad(text, width)) == wcswidth(pad(text, width, right=True))


@given(nasty(), st.integers(12, 60))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    """Every character that is not a space stands in one of the lines, in order."""
    lines = wrap(text, width, "- ", "    ")
    body = "".join(line[2 if at == 0 else 4 :] for at, line in enumerate(lines))
    assert "".join(harmless(text).split(" ")) == body.replace(" ", "")
    assert all(wcswidth(line) <= width for line in lines)


@given(st.lists(st.tuples(nasty(), nasty(), st.integers(0, 9999).map(str)), min_size=1, max_size=5))
def test_columns_line_up(rows: list[tuple[str, str, str]]) -> None:
    """Every line of a table holds its figures at the same cells, and no word is lost."""
    lines = table(rows, 80, right=frozenset({2}))
    assert all(wcswidth(line) <= 80 for line in lines)
    whole = "".join("".join(line.split()) for line in lines)
    for name, other, figure in rows:
        assert figure in whole
        assert Counter("".join(harmless(name + other).split())) <= Counter(whole)


@given(nasty())
def test_harmless_twice_is_harmless_once(text: str) -> None:
    """What is harmless stays as it is, and its width is known."""
    once = harmless(text)
    assert once == harmless(once)
    assert cells(once) == wcswidth(once)


def test_a_page_of_chinese_lines_up() -> None:
    """Wide characters take two cells: what stands right of them stands where it stands elsewhere."""
    rows = [("case", "n"), ("退款", "1"), ("a refund", "22")]
    lines = table(rows, 40, right=frozenset({1}))
    assert ["case       n", "退款       1", "a refund  22"] == lines
