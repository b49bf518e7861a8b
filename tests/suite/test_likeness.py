"""How alike two texts are once what changes from template to template is left out."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.suite.likeness import MOST_WORDS, likeness, masked, shingles

SETS = st.frozensets(st.sampled_from("abcdef"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Refund order A-1001", "refund   ORDER A-1002."),
        ("Hi, I am Ada Lovelace: where is B-1?", "Hi, I am Alan Turing, where is B-22?"),
        ("Mail me at ada@example.com!", "mail me at alan.turing@example.org"),
        ("我是王芳，订单 A-1002 我想全部退款。", "我是李伟,订单A-7我想全部退款"),
        ("PLEASE SEND IT BACK", "please send it back"),
    ],
)
def test_templates_read_alike(one: str, other: str) -> None:
    """Case, space, punctuation, figures, ids, addresses and names make no difference."""
    assert masked(one) == masked(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Refund order A-1001", "Cancel order A-1001"),
        ("Refund Ada, please", "Cancel Ada, please"),
        ("订单 A-1 退款", "订单 A-1 换货"),
        ("I want it", "I'm in it"),
    ],
)
def test_what_is_asked_is_kept(one: str, other: str) -> None:
    """The words that say what is wanted are no names, at the beginning of a sentence neither."""
    assert masked(one) != masked(other)


@given(SETS, SETS)
def test_likeness_is_a_measure(one: frozenset[str], other: frozenset[str]) -> None:
    """The index is the same both ways, lies between 0 and 1, and is 1 exactly for equal sets."""
    index = likeness(one, other)
    assert likeness(other, one) == index
    assert 0 <= index <= 1
    assert (one == other) == (index == 1)


@given(st.text())
def test_masking_reads_anything(text: str) -> None:
    """Any text has words, none of them with a digit or in capitals, and as many shingles at most plus one."""
    words = masked(text)
    assert not [word for word in words if re.search(r"\d", word)]
    assert len(shingles(words)) <= len(words) + 1


def test_one_word_of_twenty_may_differ() -> None:
    """Two texts of twenty words that differ in one are alike at .8, of ten words they are not."""
    twenty = tuple("abcdefghijklmnopqrst")
    assert likeness(shingles(twenty), shingles((*twenty[:9], "?", *twenty[10:]))) >= 0.8
    assert likeness(shingles(twenty[:10]), shingles((*twenty[:5], "?", *twenty[6:10]))) < 0.8


@pytest.mark.parametrize("hostile", ["a" * 10**6, "a-" * 10**6, "我是" * 10**6, "A." * 10**6, "~" * 10**6])
def test_long_texts_are_cut(hostile: str) -> None:
    """A text of a million characters has a thousand words, whatever they are."""
    assert len(masked(hostile)) <= MOST_WORDS
