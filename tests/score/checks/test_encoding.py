"""`encoding`: what text cannot hold, with its code point and its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.written import Json
from tests.score.checks.views import END, ask, held, made, said, unexamined, view_of, without

SOUND = (
    "您好，退款已经办好。🎉 👩‍👩‍👧",
    "Spaß “quoted” – café’s naïve «é”—»\tand\r\nmore\n",
    "São Paulo, «AMANHÃ », CAFÉ’S, e\u0301",
    "हिन्दी العربية ไทย",
)
UNSOUND = (
    ("see \ufffd", "U+FFFD (replacement character) at character 5 of the reply"),
    ("a\x07", "U+0007 (a control character) at character 2"),
    ("a\x85b", "U+0085 (a control character) at character 2"),
    ("a\rb", "U+000D (a control character) at character 2"),
    ("\ud83d!", "U+D83D (a lone surrogate) at character 1"),
    ("x\uffff", "U+FFFF (no character) at character 2"),
    ("x\U0010fffe", "U+10FFFE (no character) at character 2"),
)
TEXTS = ("é", "’", "£5 für Öl", "您好，世界", "😀", "\ufffd")


@pytest.mark.parametrize("text", SOUND)
def test_encoding_passes_text_of_every_script(text: str) -> None:
    """Accents, emoji and typographic marks are no mistakes, and the reply is cited."""
    found = ask("encoding", view_of(said(text)))
    assert (True, (2,)) == (found.held, found.cites)
    assert found.measure is not None
    assert (0.0, 1, 0.0) == (found.measure.value, found.measure.n, found.measure.threshold)


@pytest.mark.parametrize(("text", "told"), UNSOUND)
def test_encoding_fails_and_names_what_text_cannot_hold(text: str, told: str) -> None:
    """Code point, name and position, from 1; nothing that a terminal would obey is repeated."""
    found = ask("encoding", view_of(said(text)))
    assert (False, True, (2,)) == (found.held, told in found.reason, found.cites)
    assert text not in found.reason or "\ufffd" in text


@pytest.mark.parametrize("text", TEXTS)
def test_utf8_that_was_read_as_windows_1252_is_found(text: str) -> None:
    """Accents, marks, Chinese and emoji, each of them in the middle of sound text."""
    garbled = "".join(_as_windows(byte) for byte in text.encode())
    found = ask("encoding", view_of(said(f"so it {garbled} is")))
    assert False is found.held
    assert "at character 7 of the reply" in found.reason


def _as_windows(byte: int) -> str:
    """A byte as browsers read it: the five that Windows-1252 leaves open are control characters."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def test_a_replacement_character_that_was_read_as_gbk_is_found() -> None:
    """Twice U+FFFD in UTF-8 are three characters of GBK."""
    text = ("\ufffd" * 2).encode().decode("gbk")
    assert "锟斤拷" == text
    assert False is held("encoding", view_of(said(text)))
    assert True is held("encoding", view_of(said(text)), mojibake=False)


def test_every_reply_is_read_and_of_a_turn_only_its_own() -> None:
    """An earlier reply counts as much as the last."""
    acts = (said("a\x00b"), said("fine", turn=1))
    assert [False, False, True] == [
        held("encoding", view_of(*acts, turn=turn, turns=2)) for turn in (None, 0, 1)
    ]


def test_objects_are_read_as_they_were_sent() -> None:
    """A control character that JSON would escape is found in values and in keys, with its way."""
    found = ask("encoding", view_of(said({"lines": [{"note": "a\x1bb"}], "k\x00": 1})))
    assert "U+001B (a control character) at character 2 of the reply at lines[0].note" in found.reason
    assert "U+0000 (a control character) at character 2 of the reply at k\\x00" in found.reason
    assert found.measure is not None
    assert 2.0 == found.measure.value


def test_arguments_are_read_where_asked() -> None:
    """They are what the agent wrote too; results are not."""
    acts = (made("pay", {"note": "a\ufffd"}, "\x00"), said("done"))
    assert True is held("encoding", view_of(*acts))
    found = ask("encoding", view_of(*acts), arguments=True)
    assert (False, (2,)) == (found.held, found.cites)
    assert "of an argument of pay at note" in found.reason


def test_encoding_cannot_be_examined_where_replies_do_not_show_and_no_reply_is_a_fail() -> None:
    """Nothing that was sent is not sound text."""
    assert (False, (END,)) == (ask("encoding", view_of()).held, ask("encoding", view_of()).cites)
    assert "not_observed" == unexamined(ask("encoding", view_of(observes=without("replies"))))
    hidden = view_of(said("fine"), observes=without("calls"))
    assert True is held("encoding", hidden)
    assert "not_observed" == unexamined(ask("encoding", hidden, arguments=True))


def test_many_places_are_counted_and_few_are_listed() -> None:
    """The reason stays short, the measure is whole."""
    found = ask("encoding", view_of(said("\ufffd" * 5000)))
    assert found.measure is not None
    assert (5000.0, True) == (found.measure.value, found.reason.endswith("and 4997 more"))


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_replacement_character_is_found_wherever_it_stands(content: Any) -> None:
    """Law: one more of them, anywhere, is one more that is counted."""
    before = ask("encoding", view_of(said(content)), mojibake=False)
    after: Json = [content, {"x": "\ufffd"}]
    found = ask("encoding", view_of(said(after)), mojibake=False)
    assert before.measure is not None
    assert found.measure is not None
    assert (False, before.measure.value + 1) == (found.held, found.measure.value)
