"""`eventually`: what comes in time, what comes late, and what never comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from evalkit.records.fact import ProbeFact
from evalkit.records.probe import Window, window_id
from evalkit.records.written import Json
from evalkit.score.checks.eventually import arrived
from evalkit.score.finding import CheckView, Finding
from tests.score.checks.views import ANSWERED, SQL, ask, unexamined, view_of, without

WITHIN = 5.0
WINDOW = Window(within=WITHIN, every=1.0, equals=1)


def looked(*looks: tuple[float, Json], window: Window = WINDOW) -> CheckView:
    """A trial whose world said this after so many seconds; the earlier answers have lower numbers."""
    name = window_id(SQL, window)
    facts = [
        ProbeFact(id=name, seq=10 + at, rows=[[value]], waited=seconds)
        for at, (seconds, value) in enumerate(looks)
    ]
    return view_of(answers=[structs.replace(facts[-1], earlier=tuple(facts[:-1]))])


def found(view: CheckView, equals: Json = 1) -> Finding:
    """What the check finds."""
    return ask("eventually", view, sql=SQL, equals=equals, within=WITHIN)


@pytest.mark.parametrize("seconds", [0.0, 3.0, WITHIN])
def test_eventually_passes_within_the_window(seconds: float) -> None:
    """The bound itself is allowed; the seconds that were waited are measured; the world is the evidence."""
    looks = [(seconds, 1)] if not seconds else [(0.0, 0), (seconds, 1)]
    result = found(looked(*looks))
    assert (True, True, (ANSWERED,)) == (result.held, result.live, result.cites)
    assert result.measure is not None
    assert (seconds, "seconds", WITHIN) == (
        result.measure.value,
        result.measure.unit,
        result.measure.threshold,
    )


@pytest.mark.parametrize("seconds", [WITHIN + 1.0, 2 * WITHIN])
def test_eventually_cannot_be_examined_where_the_effect_is_late(seconds: float) -> None:
    """Slowness is not forgetting: the effect is there, and the agent did its part."""
    result = found(looked((0.0, 0), (seconds, 1)))
    assert (None, "environment", "late_effect") == (result.held, result.cause, result.sub)
    assert (ANSWERED,) == result.cites
    assert f"after {seconds:g} s" in result.reason


def test_eventually_fails_where_the_answer_never_comes() -> None:
    """The reason says how long the world was watched, what it said, and what it should say."""
    result = found(looked((0.0, 0), (2 * WITHIN, 0)))
    assert (False, (ANSWERED,)) == (result.held, result.cites)
    assert result.reason.startswith("after 10 s the world says 0, it should be 1")


def test_what_was_right_once_stays_right() -> None:
    """The first right answer decides, whatever came after it."""
    result = found(looked((0.0, 0), (2.0, 1), (3.0, 7), (10.0, 7)))
    assert (True, (11,)) == (result.held, result.cites)


def test_a_world_that_was_not_watched_to_the_end_shows_nothing() -> None:
    """A trial that was cut while it waited knows neither that the answer came late nor that it never came."""
    for seconds in (2.0, WITHIN, 2 * WITHIN - 1.0):
        assert "not_observed" == unexamined(found(looked((0.0, 0), (seconds, 0))))


def test_a_question_without_an_answer_is_not_the_agents() -> None:
    """SQL that does not run is the suite's; a question that was not asked shows nothing."""
    broken = ProbeFact(id=window_id(SQL, WINDOW), seq=0, cause="broken_case", message="no such table")
    assert "broken_case" == unexamined(found(view_of(answers=[broken])))
    assert "not_observed" == unexamined(found(view_of(observes=without("probes"))))


def test_an_answer_that_was_there_before_the_world_broke_counts() -> None:
    """What was seen was seen."""
    name = window_id(SQL, WINDOW)
    first = ProbeFact(id=name, seq=10, rows=[[1]])
    broken = ProbeFact(id=name, seq=11, cause="environment", waited=1.0, earlier=(first,))
    assert found(view_of(answers=[broken])).held


def test_another_window_is_another_question() -> None:
    """An answer that was waited for otherwise is not this one."""
    assert "not_observed" == unexamined(
        found(looked((0.0, 1), window=Window(within=9.0, every=1.0, equals=1)))
    )


@given(st.lists(st.integers(0, 2), max_size=3), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_what_stops_the_watching_is_what_passes(values: list[int], ordered: bool, tolerance: float) -> None:  # noqa: FBT001 - drawn
    """The port that saves waiting and the check agree on every answer."""
    window = Window(within=WITHIN, every=1.0, equals=[0, 1], ordered=ordered, tolerance=tolerance)
    rows: list[list[Json]] = [[value] for value in values]
    view = view_of(answers=[ProbeFact(id=window_id(SQL, window), seq=0, rows=rows, waited=2 * WITHIN)])
    args: dict[str, Json] = {"equals": [0, 1], "ordered": ordered, "tolerance": tolerance}
    result = ask("eventually", view, sql=SQL, within=WITHIN, **args)
    assert arrived(window, rows) == (result.held is None)
