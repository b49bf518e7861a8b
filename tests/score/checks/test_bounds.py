"""`within`: what a trial used, and what is not known of it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evalkit.records.event import Timing, Usage
from tests.score.checks.views import END, ask, held, made, unexamined, view_of, without

USED: dict[str, Any] = {
    "model_replies": 3,
    "usage": Usage(input=10, cache_read=20, cache_write=30, output=40, cost_usd=0.25),
    "timing": Timing(queue=100, model=1.5, tool=0.5, person=100),
}
ACTS = (made("get"), made("pay", status="refused"))
EXACT = {"turns": 3, "tool_calls": 2, "tokens": 100, "seconds": 2.0, "cost_usd": 0.25}


def test_within_passes_on_the_bound_itself() -> None:
    """Bounds are inclusive; calls in vain count, waiting and people do not."""
    found = ask("within", view_of(*ACTS, **USED), **EXACT)
    assert (True, (END,)) == (found.held, found.cites)
    assert (
        "turns 3 of 3; tool_calls 2 of 2; tokens 100 of 100; seconds 2 of 2; cost_usd 0.25 of 0.25"
        == found.reason
    )


@pytest.mark.parametrize(("name", "bound"), [(name, bound * 0.9) for name, bound in EXACT.items()])
def test_within_fails_beyond_any_bound(name: str, bound: float) -> None:
    """One is enough, and it is the one that is measured."""
    below = int(bound) if name in ("turns", "tool_calls", "tokens") else bound
    found = ask("within", view_of(*ACTS, **USED), **{**EXACT, name: below})
    assert (False, (END,)) == (found.held, found.cites)
    assert found.measure is not None
    assert (name, float(EXACT[name]), float(below)) == (
        found.measure.unit,
        found.measure.value,
        found.measure.threshold,
    )


def test_the_tightest_bound_is_measured() -> None:
    """The greatest share of its bound; nothing used of nothing allowed is all of it."""
    found = ask("within", view_of(*ACTS, **USED), turns=6, tokens=110, cost_usd=1.0)
    assert found.measure is not None
    assert ("tokens", 100.0, 110.0) == (found.measure.unit, found.measure.value, found.measure.threshold)
    none = ask("within", view_of(**USED), turns=4, tool_calls=0)
    assert none.measure is not None
    assert (True, "tool_calls", 0.0) == (none.held, none.measure.unit, none.measure.value)
    worst = ask("within", view_of(*ACTS, **USED), turns=1, tool_calls=0, tokens=99)
    assert worst.measure is not None
    assert "tool_calls" == worst.measure.unit


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("turns", {"observes": without("replies")}),
        ("tool_calls", {"observes": without("calls")}),
        ("tokens", {"usage": None}),
        ("tokens", {"usage": Usage(input=1, cache_read=0, cache_write=0)}),
        ("cost_usd", {"usage": None}),
        ("cost_usd", {"usage": Usage(input=1)}),
        ("seconds", {"timing": None}),
    ],
)
def test_within_cannot_be_examined_where_usage_is_not_known(name: str, unknown: dict[str, Any]) -> None:
    """Unknown is not 0, and the other bounds do not make up for it."""
    view = view_of(**{**USED, **unknown})
    found = ask("within", view, **{name: 1000})
    assert ("not_observed", f"not known: {name}") == (unexamined(found), found.reason)
    other = "turns" if name != "turns" else "tokens"
    assert "not_observed" == unexamined(ask("within", view, **{name: 1000, other: 1000}))


def test_within_cannot_be_examined_where_nothing_is_known_and_nothing_is_allowed() -> None:
    """Unknown is not more than 0 either."""
    view = view_of(usage=None, timing=None)
    for bound in ({"tokens": 0}, {"cost_usd": 0.0}, {"seconds": 0.0}):
        assert "not_observed" == unexamined(ask("within", view, **bound))


@pytest.mark.parametrize(
    ("name", "bound", "known"),
    [
        ("turns", 2, {"observes": without("replies")}),
        ("tool_calls", 1, {"observes": without("calls")}),
        ("tokens", 59, {"usage": Usage(input=10, output=50)}),
    ],
)
def test_within_fails_on_what_is_known_in_part(name: str, bound: int, known: dict[str, Any]) -> None:
    """What was seen is already too much, whatever else there was."""
    assert False is held("within", view_of(*ACTS, **{**USED, **known}), **{name: bound})
    assert None is held("within", view_of(*ACTS, **{**USED, **known}), **{name: bound + 1})


def test_within_fails_on_one_bound_though_another_is_not_known() -> None:
    """A fail that was seen stands."""
    assert False is held("within", view_of(*ACTS, **USED | {"usage": None}), turns=1, tokens=10)


@pytest.mark.parametrize("cost", [math.nan, math.inf, -0.5, True, 10**400])
def test_a_cost_that_is_none_is_not_known(cost: Any) -> None:
    """Not a number, without end, below nothing, true: no sum of money."""
    view = view_of(**USED | {"usage": Usage(input=1, cache_read=1, cache_write=1, output=1, cost_usd=cost)})
    assert "not_observed" == unexamined(ask("within", view, cost_usd=1.0))
    assert held("within", view, tokens=4)


def test_every_measure_is_a_finite_number() -> None:
    """Bounds of 0 included."""
    for bound in (0, 1, 10**6):
        found = ask("within", view_of(*ACTS, **USED), turns=bound, tool_calls=bound)
        assert found.measure is not None
        assert math.isfinite(found.measure.value)


def test_one_turn_of_several_is_known_by_its_calls_alone() -> None:
    """It used at most what the trial used; whether less is not shown."""
    acts = (made("get"), made("get", turn=1), made("pay", turn=1))
    several: dict[str, Any] = {**USED, "turns": 2}
    assert [True, False] == [
        held("within", view_of(*acts, **several, turn=turn), tool_calls=1) for turn in (0, 1)
    ]
    assert held("within", view_of(*acts, **several, turn=1), tokens=100)
    assert None is held("within", view_of(*acts, **several, turn=1), tokens=99)
    assert None is ask("within", view_of(*acts, **several, turn=1), tokens=100).measure
    assert False is held("within", view_of(*acts, **USED, turn=0), tokens=99)
