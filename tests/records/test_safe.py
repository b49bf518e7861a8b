"""What hostile text becomes before it is stored or shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.safe import (
    escape_surrogates,
    printable,
    redactor,
    restore_surrogates,
    storable,
)

TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\ud800\udfff\ue0ff\x1b\u202e"))


@given(TEXT)
def test_surrogates_are_escaped_reversibly(text: str) -> None:
    """What is escaped can be encoded, and is restored to the letter; the mark itself is no exception."""
    escaped = escape_surrogates(text)
    escaped.encode()
    assert text == restore_surrogates(escaped)


@given(TEXT)
def test_nothing_that_a_terminal_obeys_gets_through(text: str) -> None:
    """Every character of the result is printable; plain text is left alone."""
    shown = printable(text)
    assert all(char.isprintable() or char == "\u3000" for char in shown)
    assert not text.isprintable() or shown == text


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), [1, {"a": float("-inf")}]])
def test_non_finite_numbers_are_refused(bad: object) -> None:
    """NaN and infinity have no JSON form, however deep they lie."""
    with pytest.raises(ValueError, match="not a number that can be stored"):
        storable(bad)


@pytest.mark.parametrize("bad", [{1: "x"}, {"a": {2}}, b"bytes", object()])
def test_what_is_no_json_is_refused(bad: object) -> None:
    """Keys that are no text, sets, bytes and objects are said to be what they are."""
    with pytest.raises(TypeError, match="is not a"):
        storable(bad)


def test_big_integers_and_tuples_are_kept() -> None:
    """An integer beyond 64 bits stays that integer; a tuple becomes a list."""
    assert [2**80, [True, None]] == storable((2**80, (True, None)))


def test_longer_secrets_go_first_and_short_words_stay() -> None:
    """A secret that holds another is replaced whole; a value under six characters redacts nothing."""
    redact = redactor(["sk-12345", "sk-12345-long", "abc"])
    assert "[redacted] [redacted] abc" == redact("sk-12345-long sk-12345 abc")


def test_without_secrets_text_is_left_alone() -> None:
    """No secrets, no change."""
    assert "sk-12345" == redactor([])("sk-12345")
