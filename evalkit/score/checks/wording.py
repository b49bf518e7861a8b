"""What is read out of a text: the numbers that stand in it, and its language.

What comes in: hostile text. What goes out: numbers, a language. The patterns here take time in proportion to
the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

# Full-width forms and signs that stand for plain ones. Compatibility normalisation would also lower a
# superscript (10² would be 102), and make a thousands mark of the comma between two Chinese clauses.
_PLAIN = str.maketrans("０１２３４５６７８９．＋－\u2212￥", "0123456789.+--¥")
_WIDE_COMMA = re.compile("(?<=[０-９])，(?=[０-９]{3})")
_MARKS = ",'\u00a0\u2009\u202f"  # between thousands; a plain space parts two numbers
_NUMBER = re.compile(
    rf"""
    (?:(?<!\w)(?P<sign>[-+])[¥$€£]?)?                     # a hyphen inside a word or a date is no sign
    (?P<whole>\d{{1,3}}(?:[{_MARKS}]\d{{3}})+(?!\d)|\d+|(?<![\w.])(?=\.\d))
    (?P<rest>(?:\.\d+)?(?:[eE][-+]?\d{{1,3}}(?!\w))?)
    (?P<unit>[万亿]?)
    """,
    re.VERBOSE,
)
_UNITS: dict[str, int] = {"万": 10**4, "亿": 10**8}

_HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_OTHER_WIDE = re.compile("[\u1100-\u11ff\u3041-\u30ff\u3130-\u318f\uac00-\ud7af]+")  # kana and hangul
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def numbers(text: str) -> list[float]:
    """Return the numbers that stand in a text, in any notation.

    Args:
        text: Full-width digits, thousands marks, currency signs and the units 万 and 亿 are understood; a
            number with such a unit stands for itself too. Number words are not understood.

    >>> numbers("¥1,234.50 or 88元, not A-17; -3"), numbers("2026-10-02, 1.2万元")
    ([1234.5, 88.0, 17.0, -3.0], [2026.0, 10.0, 2.0, 1.2, 12000.0])
    """
    plain = _WIDE_COMMA.sub(",", text).translate(_PLAIN)
    return [value for found in _NUMBER.finditer(plain) for value in _values(found)]


def _values(found: re.Match[str]) -> Iterator[float]:
    whole = found["whole"].translate(_NO_MARKS)
    written = f"{found['sign'] or ''}{whole}{found['rest']}"
    yield float(written)
    unit = _UNITS.get(found["unit"])
    if unit is not None:
        yield float(Decimal(written) * unit)


_NO_MARKS = dict.fromkeys(map(ord, _MARKS))


def language(text: str) -> Literal["zh", "en"] | None:
    """Return the language that most letters belong to: zh, en, or None for others and for no letters.

    Letters of Chinese, Japanese and Korean count double: one is about half a word, a Latin letter a fifth.
    All Latin letters count as English; Chinese is told from Japanese only by the kana in between.

    Args:
        text: Hostile text.

    >>> language("您的退款 (refund) 已完成"), language("Refund for 张伟 is done"), language("42")
    ('zh', 'en', None)
    >>> language("払い戻しが完了しました"), language("Возврат выполнен, OK")
    (None, None)
    """
    chinese, latin = _count(_HAN, text), _count(_LATIN, text)
    wide = _count(_OTHER_WIDE, text)
    others = 2 * wide + max(0, _count(_LETTERS, text) - chinese - latin - wide)
    if 2 * chinese >= max(1, latin, others):
        return "zh"
    return "en" if latin >= max(1, others) else None


def _count(letters: re.Pattern[str], text: str) -> int:
    return sum(map(len, letters.findall(text)))
