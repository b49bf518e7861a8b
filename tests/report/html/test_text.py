"""Foreign text is shown, cut and counted; nothing is left out without a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.report.html.text import NameRoom, brief, clean, listed, passage, shown


def test_what_a_page_cannot_show_is_refused() -> None:
    """A template that prints None, a flag or a record has a bug, and says so."""
    for value in (None, True, ("a",), object()):
        with pytest.raises(TypeError):
            shown(value)


def test_lines_stay_lines() -> None:
    """A text keeps its lines, and every other control character becomes visible."""
    assert "a\nb\nc \\x07" == clean("a\r\nb\nc\t\x07")


def test_a_cut_text_says_how_much_is_left_out() -> None:
    """What is cut off is counted."""
    assert "ab… (1 more character)" == brief("abc", 2)
    assert "abc" == brief("abc", 3)


@given(st.text(max_size=80), st.integers(0, 50), st.integers(0, 50))
def test_a_passage_leaves_nothing_out_unsaid(text: str, first: int, most: int) -> None:
    """Beginning, rest and count of a passage add up to the text."""
    one = passage(text, first, most)
    assert max(0, len(text) - max(first, most)) == one.left
    assert len(one.head.encode()) + len(one.rest.encode()) == one.size


@given(st.lists(st.integers(), max_size=40), st.integers(0, 20), st.integers(20, 30))
def test_a_list_leaves_nothing_out_unsaid(items: list[int], first: int, most: int) -> None:
    """What is shown, what is shown on demand and what is counted add up to the list."""
    one = listed(items, first, most)
    assert items[:most] == [*one.first, *one.more]
    assert len(items) == len(one.first) + len(one.more) + one.left


def test_names_share_the_room() -> None:
    """Names take room; those that find none are counted."""
    room = NameRoom(10)
    assert (2, 1) == ((one := room.take(["abc", "def", "ghi"])).count, one.left)
    assert 2 == room.take(["j", "k"]).left


def test_a_name_is_one_line() -> None:
    """A name with a newline cannot look like two."""
    assert "a b" == NameRoom(99).take(["a\nb"]).lines
