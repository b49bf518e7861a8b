"""Numbers and languages, read out of hostile text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.score.checks.wording import language, numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("88", [88]),
        ("¥88", [88]),
        ("88元", [88]),
        ("￥８８．５０", [88.5]),
        ("１，２３４", [1234]),
        ("1,234.50", [1234.5]),
        ("12,345,678.9", [12345678.9]),
        ("1\u00a0234,", [1234]),
        ("1\u202f234\u2009567", [1234567]),
        ("1'234", [1234]),
        ("3 200", [3, 200]),
        ("订单88，200元", [88, 200]),  # the comma between two clauses
        ("10, 20", [10, 20]),
        ("1,2", [1, 2]),
        ("1,2345", [1, 2345]),
        ("20261,234", [20261, 234]),
        ("-3 and - 4", [-3, 4]),
        ("\u22123", [-3]),
        ("－３", [-3]),
        ("-¥88 ¥-88 +5", [-88, -88, 5]),
        ("A-17, order17, 3-5", [17, 17, 3, 5]),
        ("2026-10-02 at 10:30", [2026, 10, 2, 10, 30]),
        ("87.5%", [87.5]),
        (".5 and $.25", [0.5, 0.25]),
        ("v1.2.3", [1.2, 3]),
        ("It is 42.", [42]),
        ("1e3 2.5E-2 7e", [1000, 0.025, 7]),
        ("1.15万元, 2亿", [1.15, 11500, 2, 200000000]),
        ("10² m²", [10]),
        ("007", [7]),
        ("八十八元, no number", []),
        ("", []),
    ],
)
def test_numbers_in_every_notation(text: str, expected: list[float]) -> None:
    """Thousands marks, full-width digits, signs and units; an id or a date has no negative numbers."""
    assert [float(value) for value in expected] == numbers(text)


def test_a_number_without_end_is_read_in_no_time() -> None:
    """Hostile length is no fault."""
    assert [float("inf")] == numbers("9" * 200_000)
    assert [1.0] + [11.0] * 24_999 + [1.0] == numbers("1,1" * 25_000)


@given(st.integers(-(10**12), 10**12), st.integers(0, 99), st.sampled_from(["", "¥", "a "]))
def test_a_written_number_is_found(whole: int, cents: int, before: str) -> None:
    """Plain, with thousands marks, or full-width: the same number."""
    value = float(f"{whole}.{cents:02d}")
    wide = str.maketrans("0123456789.,-", "０１２３４５６７８９．，－")
    for text in (f"{whole}.{cents:02d}", f"{whole:,}.{cents:02d}", f"{whole:,}.{cents:02d}".translate(wide)):
        assert [value] == numbers(f"{before}{text} left")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your refund is done.", "en"),
        ("您的退款已经完成。", "zh"),
        ("您的 Sony 耳机已退款", "zh"),
        ("张伟 has been refunded", "en"),
        ("𠮷野家", "zh"),
        ("〇", "zh"),
        ("注文の払い戻しが完了しました", None),
        ("환불이 완료되었습니다", None),
        ("Возврат выполнен OK", None),
        ("OK возврат", None),
        ("已ok", "zh"),  # as much of both: Chinese
        ("123 !?", None),
        ("", None),
    ],
)
def test_the_language_of_most_letters(text: str, expected: str | None) -> None:
    """Digits and signs are no letters, and letters of other scripts are not counted for either."""
    assert expected is language(text) or expected == language(text)
