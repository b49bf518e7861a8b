"""Texts taken apart into words, sentences and questions, and how much of them stood there before.

What comes in: hostile text. What goes out: words, sentences, a `Share`. The patterns here take time in
proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

# Scripts that are written without spaces: Han, kana, Thai, Lao, Burmese, Khmer. Hangul has spaces.
_WIDE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff"  # vowel signs belong to the word
_SIGNS = "\u2600-\u27bf\U0001f000-\U0001faff"  # an emoji is a word of its own
_WORD = re.compile(f"[{_WIDE}{_SIGNS}]|(?:[^\\W{_WIDE}]|[{_MARKS}])+")
_WIDE_WORD = re.compile(f"[{_WIDE}]")
_SENTENCE = re.compile(r"([^\n]+?)([?？]+|[.!…](?=\s|$)|[。！；]|\n|$)")


class Share(Struct, frozen=True):
    """How many of some things stood there before, of how many, and the first of them in words."""

    again: int
    total: int
    of: str
    first: str = ""

    @property
    def value(self) -> float:
        """The share; 0 where there was nothing."""
        return self.again / self.total if self.total else 0.0


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; in scripts without spaces, the characters.

    >>> words("Hello, A-17! 您好 👋"), words("_ -- !")
    (['hello', 'a', '17', '您', '好', '👋'], ['_'])
    """
    return _WORD.findall(text.casefold())


def sentences(text: str) -> list[str]:
    r"""Return the sentences and lines of a text, without the sign that ends them.

    >>> sentences("It is 87.5. 好的。Is it?\nYes")
    ['It is 87.5', ' 好的', 'Is it', 'Yes']
    """
    return [match[1] for match in _SENTENCE.finditer(text)]


def questions(text: str) -> list[str]:
    """Return the questions of a text, as their words: what ends in a question mark.

    >>> questions("Hi. Which order, please? 订单号是多少？ I wait.")
    ['which order please', '订 单 号 是 多 少']
    """
    asked = (" ".join(words(match[1])) for match in _SENTENCE.finditer(text) if match[2][:1] in ("?", "？"))
    return [one for one in asked if one]


def repeated(things: Iterable[str], of: str) -> Share:
    """Return how many of some things stood there before.

    Args:
        things: In order.
        of: What they are called.

    >>> repeated(["a", "b", "a"], "letters")
    Share(again=1, total=3, of='letters', first='a')
    """
    seen: set[str] = set()
    again: list[str] = []
    total = 0
    for one in things:
        total += 1
        if one in seen:
            again.append(one)
        seen.add(one)
    return Share(len(again), total, of, again[0] if again else "")


def share_of(text: str, ngram: int) -> Share:
    """Return the greater of two shares of a text: the n-grams, and the sentences, that stood there before.

    Sentences and lines shorter than an n-gram are left out: a list may well say "none" twice.

    Args:
        text: Hostile text.
        ngram: Words of an n-gram; twice as many characters where most words are characters, because one of
            those is about half a word.

    >>> share_of("I will look it up for you. " * 3, 4)
    Share(again=2, total=3, of='sentences', first='i will look it up for you')
    >>> share_of("请您稍等一下。谢谢您的耐心。" * 2, 4)
    Share(again=5, total=17, of='runs of 8 characters', first='请 您 稍 等 一 下 谢 谢')
    """
    row = words(text)
    wide = 2 * sum(1 for word in row if _WIDE_WORD.match(word)) > len(row)
    size = 2 * ngram if wide else ngram
    grams = _grams(row, size, "characters" if wide else "words")
    whole = (words(one) for one in sentences(text))
    lines = repeated((" ".join(one) for one in whole if len(one) >= size), "sentences")
    return max(grams, lines, key=lambda share: share.value)


def _grams(row: Sequence[str], size: int, unit: str) -> Share:
    """Count runs of words by a number of 64 bits each, so that a long text costs little memory."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(word, len(numbers)) for word in row]
    seen: set[int] = set()
    first = ""
    for at, gram in enumerate(map(hash, zip(*(codes[skip:] for skip in range(size)), strict=False))):
        if gram in seen and not first:
            first = " ".join(row[at : at + size])
        seen.add(gram)
    total = max(0, len(row) - size + 1)
    return Share(total - len(seen), total, f"runs of {size} {unit}", first)
