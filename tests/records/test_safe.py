"""What hostile text becomes before it is stored or shown."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.safe import (
    as_written,
    encodable,
    escape_surrogates,
    legible,
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


ESCAPES = st.text(st.sampled_from("\\u0041\x00\ud800\ufffe5c退")) | TEXT
"""Escapes, halves of escapes, and what is escaped, in any order."""


@given(ESCAPES)
def test_what_is_made_legible_can_be_read_back(text: str) -> None:
    """`as_written` returns to the letter what was made legible or encodable, also where it looks escaped."""
    assert text == as_written(legible(text))
    assert text == as_written(encodable(text))


@given(ESCAPES)
def test_what_is_encodable_or_legible_can_be_encoded(text: str) -> None:
    """Neither leaves a surrogate, and `legible` no control character but tab and line ends."""
    encodable(text).encode()
    shown = legible(text)
    shown.encode()
    assert [] == [char for char in shown if ord(char) < 0x20 and char not in "\t\n\r"]


def test_what_people_write_is_left_alone() -> None:
    """Chinese, emoji with joiners, marks and ordinary backslashes stand as they were written."""
    text = "退款 👩\u200d💻 e\u0301 C:\\users\\new \\n é"
    assert text == legible(text)
    assert text == encodable(text)


@pytest.mark.parametrize("secret", ['pla"in\\quote', "-----BEGIN\nkey\nEND-----", "tab\tulator", "schlüssel"])
@pytest.mark.parametrize("plain", [True, False], ids=["ascii", "letters"])
def test_a_secret_within_json_is_a_secret(secret: str, *, plain: bool) -> None:
    """A call's arguments are JSON in a text, and a tool may answer with JSON that holds JSON."""
    redact = redactor([secret])
    once = json.dumps({"key": secret}, ensure_ascii=plain)
    assert json.dumps({"key": "[redacted]"}) == redact(once)
    assert json.dumps([json.dumps({"key": "[redacted]"})]) == redact(json.dumps([once], ensure_ascii=plain))
