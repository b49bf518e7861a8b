"""`idempotent`: one effect per intent."""

from __future__ import annotations

import pytest

from evalkit.records.event import CallStatus
from evalkit.records.written import Json
from tests.score.checks.views import END, ask, held, made, unexamined, unread, view_of, without


def test_idempotent_passes_with_one_effect_for_each_intent() -> None:
    """Different arguments are different intents; calls in vain have no effect."""
    view = view_of(made("pay", {"o": 1}), made("pay", {"o": 2}), made("pay", {"o": 1}, status="refused"))
    found = ask("idempotent", view, tool="pay")
    assert (True, (3, 5)) == (found.held, found.cites)
    assert found.measure is not None
    assert (1.0, 2, 1.0) == (found.measure.value, found.measure.n, found.measure.threshold)


def test_idempotent_passes_where_the_tool_took_no_effect() -> None:
    """Nothing happened, so nothing happened twice."""
    found = ask("idempotent", view_of(made("get"), made("get")), tool="pay")
    assert (True, "pay took no effect", (END,)) == (found.held, found.reason, found.cites)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"o": 1, "a": 100}, {"a": 100.0, "o": 1}),
        ({"o": [1, {"x": None}]}, {"o": [1.0, {"x": None}]}),
        ({}, {}),
    ],
)
def test_idempotent_fails_on_a_second_effect_however_its_arguments_are_written(
    first: dict[str, Json], second: dict[str, Json]
) -> None:
    """100 and 100.0, and any order of keys, are one intent."""
    found = ask("idempotent", view_of(made("pay", first), made("pay", second)), tool="pay")
    assert (False, (3, 5)) == (found.held, found.cites)
    assert found.measure is not None
    assert 2.0 == found.measure.value


@pytest.mark.parametrize(("first", "second"), [(1, True), (1, "1"), (None, 0), ([], {}), ([[1]], [1])])
def test_values_that_differ_are_different_intents(first: Json, second: Json) -> None:
    """True is not 1, and text is no number."""
    assert held("idempotent", view_of(made("pay", {"o": first}), made("pay", {"o": second})), tool="pay")


def test_the_key_says_which_arguments_make_up_an_intent() -> None:
    """Other arguments may differ; a key that is left out is like null."""
    acts = (made("pay", {"o": 1, "why": "a"}), made("pay", {"o": 1, "why": "b"}))
    assert held("idempotent", view_of(*acts), tool="pay")
    assert False is held("idempotent", view_of(*acts), tool="pay", key=["o"])
    assert False is held(
        "idempotent", view_of(made("pay", {"o": None}), made("pay", {})), tool="pay", key=["o"]
    )


def test_idempotent_fails_on_a_retry_after_an_effect_without_an_answer() -> None:
    """A time-out after the effect is an effect; one before it is none."""
    again = made("pay", {"o": 1})
    after = made("pay", {"o": 1}, status="fault", fault="timeout_after")
    before = made("pay", {"o": 1}, status="fault", fault="timeout_before")
    assert False is held("idempotent", view_of(after, again), tool="pay")
    assert held("idempotent", view_of(before, again), tool="pay")
    assert held("idempotent", view_of(after, made("pay", {"o": 1}, status="refused")), tool="pay")


@pytest.mark.parametrize("status", ["refused", "blocked", "invalid", "unknown", "unanswered", "fault"])
def test_what_did_not_run_took_no_effect(status: CallStatus) -> None:
    """Only successful calls count."""
    assert held("idempotent", view_of(made("pay"), made("pay", status=status)), tool="pay")


def test_idempotent_cannot_be_examined_where_a_second_effect_would_not_show() -> None:
    """Two calls of one intent and unknown outcome may both have taken effect; one alone cannot."""
    blind = without("results")
    one, other = made("pay", {"o": 1}, status="unanswered"), made("pay", {"o": 2}, status="unanswered")
    assert "not_observed" == unexamined(ask("idempotent", view_of(one, one, observes=blind), tool="pay"))
    assert held("idempotent", view_of(one, other, observes=blind), tool="pay")
    assert held("idempotent", view_of(one, observes=blind), tool="pay")
    assert "not_observed" == unexamined(ask("idempotent", view_of(observes=without("calls")), tool="pay"))
    assert False is held(
        "idempotent", view_of(made("pay"), made("pay"), observes=without("calls")), tool="pay"
    )


def test_idempotent_cannot_be_examined_where_arguments_are_not_known() -> None:
    """Two effects of unknown intent may be one intent or two; a repetition that was seen still counts."""
    dark = unread("pay")
    known = made("pay", {"o": 1})
    assert "not_observed" == unexamined(ask("idempotent", view_of(dark, dark), tool="pay"))
    assert "not_observed" == unexamined(ask("idempotent", view_of(dark, known), tool="pay"))
    assert False is held("idempotent", view_of(dark, known, known), tool="pay")
    assert held("idempotent", view_of(dark), tool="pay")
    hidden = unread("pay", status="unanswered")
    found = ask("idempotent", view_of(known, hidden, observes=without("results")), tool="pay")
    assert "not_observed" == unexamined(found)


@pytest.mark.parametrize(
    ("status", "fault", "effect", "counts"),
    [
        ("fault", "timeout_after", True, True),
        ("fault", "timeout_after", False, False),
        ("ok", "lie", False, False),
        ("ok", "delayed_persistence", True, True),
        ("ok", "duplicate", None, True),
    ],
)
def test_the_record_of_an_effect_goes_before_what_the_agent_was_told(
    status: CallStatus, fault: str, *, effect: bool | None, counts: bool
) -> None:
    """A time-out after a refusal and a lie had no effect; what came late, or twice by the world, is one."""
    met = made("pay", {"o": 1}, status=status, fault=fault, effect=effect, declared=True)
    assert held("idempotent", view_of(met), tool="pay")
    assert (not counts) is held("idempotent", view_of(met, made("pay", {"o": 1})), tool="pay")
