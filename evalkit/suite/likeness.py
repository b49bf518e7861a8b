"""How alike two texts are once case, space, punctuation, figures, ids and names are left out.

What comes in: what users say. What goes out: masked words, shingles of two of them, and the Jaccard index of
two sets of shingles (Broder, "On the resemblance and containment of documents", 1997). A word of an alphabet
is one token, and so is one character of Chinese, Japanese or Korean, whose scripts put no space between
words.
"""

from __future__ import annotations

import re

MOST_WORDS = 1_000
"""Words of a text that are held against another; what stands behind them is not looked at."""

FIGURE, ADDRESS, NAME = "#", "@", "~"
"""What stands for anything with a digit, for an address with `@`, for a name."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}~]|[^\W{_CJK}]+(?:[-.@+'’/:]+[^\W{_CJK}]+)*")
_STARTS = re.compile(r"[.!?:;\n。！？：；]")
_CALLED = re.compile(rf"(我是|我叫|名叫|姓名是)[{_CJK}]{{2,4}}(?=[\s,.;!，、。；！]|$)")
_MOST_CHARACTERS = 16 * MOST_WORDS


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without space and punctuation.

    >>> words_of("Hi, it's 退款!")
    ['hi', "it's", '退', '款']
    """
    return [match[0].lower() for match in _TOKEN.finditer(text[:_MOST_CHARACTERS])]


def masked(text: str) -> tuple[str, ...]:
    """Return the words of a text, those masked that change from one template's case to the next.

    A name is a capitalised word inside a sentence (the first word of one tells nothing, nor does one in
    capitals throughout); in Chinese, what follows "I am" or "my name is" up to the next mark. A run of the
    same mask is one.

    Args:
        text: What a user says.

    >>> masked("Hi, I am Ada Lovelace: refund order A-1001!"), masked("我是王芳，订单 A-1 退款")
    (('hi', 'i', 'am', '~', 'refund', 'order', '#'), ('我', '是', '~', '订', '单', '#', '退', '款'))
    """
    found: list[str] = []
    text = _CALLED.sub(rf"\1 {NAME} ", text[:_MOST_CHARACTERS].replace(NAME, " "))
    shouted = text.isupper()  # capitals tell nothing of names where all are
    end = 0
    for match in _TOKEN.finditer(text):
        word, start = match[0], match.start()
        if not (word.islower() and word.isalpha()):
            inside = not shouted and end > 0 and not _STARTS.search(text, end, start)
            word = _mask(word, inside=inside)
        end = match.end()
        if not (found and word == found[-1] and word in (FIGURE, ADDRESS, NAME)):
            found.append(word)
    return tuple(found[:MOST_WORDS])


def _mask(word: str, *, inside: bool) -> str:
    """Return a word in lower case, or what masks it; `inside` a sentence a capital makes a name."""
    if "@" in word:
        return ADDRESS
    if any(map(str.isdigit, word)):
        return FIGURE
    named = inside and word[0].isupper() and word[1:2] not in ("", "'", "’") and not word.isupper()
    return NAME if named else word.lower()


def shingles(words: tuple[str, ...]) -> frozenset[str]:
    """Return the pairs of words that follow one another, beginning and end included.

    >>> sorted(shingles(("money", "back")))
    [' money', 'back ', 'money back']
    """
    return frozenset(f"{one} {other}" for one, other in zip(("", *words), (*words, ""), strict=True))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard index of two sets, between 0 and 1: what both have of what either has.

    >>> likeness(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    both = len(one & other)
    either = len(one) + len(other) - both
    return both / either if either else 1.0
