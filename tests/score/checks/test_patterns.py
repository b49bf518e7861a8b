"""Patterns of a suite on text of any length."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import SuiteBug
from evalkit.score.checks.patterns import WINDOW, is_found, occurrences


@given(
    st.text("ab1- \n", max_size=30),
    st.sampled_from(["a+", "a*", r"\w+-\d", "^a", "b$", r"\ba", "(?<=a)b", "a(b)?", "(?m)^b", r"[^a]+\Z"]),
)
def test_short_text_is_read_as_usual(text: str, pattern: str) -> None:
    """Up to a window there is no difference."""
    assert [m.span() for m in re.finditer(pattern, text)] == [m.span() for m in occurrences(pattern, text)]


@given(
    st.text("ab.", max_size=40), st.integers(5, 12), st.sampled_from(["ab", "b", "a.?b", "(?<=a)b", r"\bab"])
)
def test_windows_change_nothing_for_matches_that_fit_the_overlap(
    text: str, window: int, pattern: str
) -> None:
    """Every match is found once and whole, at the seams of windows too."""
    found = occurrences(pattern, text, window=window, overlap=4)
    assert [m.span() for m in re.finditer(pattern, text)] == [m.span() for m in found]


@pytest.mark.parametrize("pattern", ["x$", r"x\Z", r"x\b", "x(?!x)", r"\Ay", "^y", "y$"])
def test_the_end_of_a_window_is_no_end_of_the_text(pattern: str) -> None:
    """Anchors mean the text."""
    text = "x" * (2 * WINDOW + 7) + "y"
    assert (re.search(pattern, text) is not None) is is_found(pattern, text)


def test_a_match_longer_than_a_window_is_whole() -> None:
    """What begins in a window is matched against all that follows."""
    text = "a" * (3 * WINDOW)
    assert [(0, 3 * WINDOW)] == [m.span() for m in occurrences("a+", text)]


def test_what_spans_more_than_the_overlap_is_found_in_one_window_alone() -> None:
    """The stated limit: beyond a window a match that has to reach far may be missed."""
    whole, padded = "x" * 99 + "y", "x" * 200 + "y"
    for pattern, text, expected in (("^x.*y", whole, 1), ("^x.*y", padded, 0), ("x.*y", padded, 1)):
        assert expected == len(list(occurrences(pattern, text, window=100, overlap=10)))


def test_time_does_not_grow_with_the_square_of_the_text() -> None:
    """A pattern that starts over at every character is held to a window: the whole would take a minute."""
    begun = time.process_time()
    assert [] == list(occurrences(r"\d+x", "1" * 100_000, window=500, overlap=50))
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("pattern", ["(", "*", "(?P<a>", "[b-a]", "a{99999999999999999999}"])
def test_what_is_no_pattern_is_the_suites_bug(pattern: str) -> None:
    """The scorer calls it `broken_case`."""
    with pytest.raises(SuiteBug):
        is_found(pattern, "text")
