"""`repetition`: what goes round in circles, in words, calls and questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.written import Json
from evalkit.score.checks.phrases import questions, share_of, words
from tests.score.checks.views import END, ask, held, made, said, unexamined, unread, view_of, without

PROSE = (
    "Your refund of 87.50 has been paid to the card that ends in 4410. It takes three to five working days "
    "until the bank shows it. If it has not arrived by the end of next week, write to us again and name the "
    "order. Thank you for your patience, and have a pleasant evening."
)
CHINESE = (
    "您好，您的订单退款已经办理完成，金额八十七元五角会在三到五个工作日内退回原支付账户。"
    "如果下周末之前还没有收到，请再次联系我们并提供订单编号。感谢您的耐心等待，祝您生活愉快。"
)


@pytest.mark.parametrize("text", [PROSE, CHINESE, "OK.", "是的。", "42", "👍"])
def test_repetition_passes_prose(text: str) -> None:
    """Of either script, and however short."""
    found = ask("repetition", view_of(said(text)))
    assert (True, (2,)) == (found.held, found.cites)
    assert found.measure is not None
    assert (0.2, True) == (found.measure.threshold, found.measure.value < 0.05)


@pytest.mark.parametrize(
    "text",
    [
        "I will look it up for you. " * 8,
        f"{PROSE} {PROSE}",
        "so " * 40,
        "您好，请您稍等，我马上为您查询。" * 6,
        CHINESE * 2,
        "哈" * 40,
        "👍" * 40,
        "Please wait a little while.\n" * 3,
        "I check the order now. One. I check the order now. Two. I check the order now.",
    ],
)
def test_repetition_fails_a_loop(text: str) -> None:
    """Words, characters, sentences and lines; the reason says what comes again."""
    found = ask("repetition", view_of(said(text)))
    assert (False, (2,), True) == (found.held, found.cites, "stood there before, first '" in found.reason)
    assert found.measure is not None
    assert found.measure.value > 0.2


def test_the_share_is_one_minus_distinct_by_all() -> None:
    """Six pairs of words, two of them for the second time."""
    found = ask("repetition", view_of(said("a b c a b c a")), ngram=2, max_share=0.5)
    assert found.measure is not None
    assert (True, 0.5, 6) == (found.held, found.measure.value, found.measure.n)
    assert False is held("repetition", view_of(said("a b c a b c a")), ngram=2, max_share=0.49)


def test_the_last_reply_is_read_or_all_of_them() -> None:
    """Each of two equal replies is sound by itself."""
    view = view_of(said(PROSE), said(PROSE, turn=1), turns=2)
    assert [True, False] == [held("repetition", view, of=of) for of in ("reply", "replies")]


def test_keys_of_an_object_are_no_words() -> None:
    """What comes again is the form, and not what is said."""
    lines: Json = [{"the name of the article": name} for name in ("pen", "book", "lamp", "chair", "table")]
    assert True is held("repetition", view_of(said({"lines": lines})))


def test_a_reply_without_words_was_not_looked_at() -> None:
    """It is no pass, and no reply is a fail."""
    texts: tuple[Json, ...] = ("", "...", {})
    for text in texts:
        found = ask("repetition", view_of(said(text)))
        assert (False, "the reply holds no words", (2,)) == (found.held, found.reason, found.cites)
    assert (False, (END,)) == (ask("repetition", view_of()).held, ask("repetition", view_of()).cites)
    assert "not_observed" == unexamined(ask("repetition", view_of(observes=without("replies"))))


def test_a_call_that_was_answered_and_comes_again_is_repeated() -> None:
    """Whatever the answer was; other arguments make another call."""
    again = [made("get", {"id": 1}), made("get", {"id": 1.0}), made("get", {"id": 2}), made("pay", {"id": 1})]
    found = ask("repetition", view_of(*again), of="calls")
    assert (False, (3, 5, 7, 9)) == (found.held, found.cites)
    assert "1 of 4 calls stood there before, first 'get({\"id\": 1.0})'" == found.reason
    refused = [made("get", {"id": 1}, status="refused")] * 2
    assert False is held("repetition", view_of(*refused), of="calls")
    assert True is held("repetition", view_of(*again), of="calls", max_share=0.25)


def test_a_call_that_broke_may_be_made_again() -> None:
    """Trying again is no loop; neither are calls with arguments that nobody could read."""
    tried = [made("get", {"id": 1}, status="fault"), made("get", {"id": 1})]
    assert True is held("repetition", view_of(*tried), of="calls")
    assert True is held("repetition", view_of(unread("get"), unread("get")), of="calls")
    assert True is held("repetition", view_of(), of="calls")


def test_repetition_cannot_be_examined_where_answers_do_not_show() -> None:
    """They may have broken; where nothing comes again it does not matter."""
    twice = [made("get", {"id": 1}, status="unanswered")] * 2
    hidden = without("results")
    assert "not_observed" == unexamined(ask("repetition", view_of(*twice, observes=hidden), of="calls"))
    assert True is held("repetition", view_of(twice[0], observes=hidden), of="calls")
    assert "not_observed" == unexamined(ask("repetition", view_of(observes=without("calls")), of="calls"))


def test_a_question_that_was_asked_before_is_repeated() -> None:
    """Case and signs do not matter; in a turn, what earlier turns asked counts as before."""
    view = view_of(
        said("Which order is it?"), said("I see. WHICH ORDER IS IT?! And when?", turn=1), said("好的", turn=2)
    )
    found = ask("repetition", view, of="questions")
    assert (False, "1 of 3 questions stood there before, first 'which order is it'") == (
        found.held,
        found.reason,
    )
    turns = [
        held(
            "repetition",
            type(view)(suite=view.suite, case=view.case, sheet=view.sheet, turn=turn),
            of="questions",
        )
        for turn in (0, 1, 2)
    ]
    assert [True, False, True] == turns


@given(st.text(alphabet="ab。.? \n您", max_size=60), st.integers(1, 4))
def test_the_share_of_any_text_is_a_share(text: str, ngram: int) -> None:
    """Law: between 0 and 1; the same text once more repeats at least as much."""
    share = share_of(text, ngram)
    assert 0 <= share.again <= share.total
    assert (share.first == "") is (share.again == 0)
    assert share_of(f"{text}\n{text}", ngram).value >= share.value or not words(text)


@given(st.lists(st.sampled_from(["what is it", "which one", "退款吗"]), max_size=5))
def test_questions_are_found_in_order(asked: list[str]) -> None:
    """Law: every question that is written down is read."""
    assert [" ".join(words(one)) for one in asked] == questions(" Well. ".join(f"{one}? " for one in asked))
