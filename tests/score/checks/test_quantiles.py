"""`within: {latency}` and `{quantile}`: bounds on single calls and replies of the model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.event import CallStatus, Usage
from evalkit.records.fact import ModelFact
from evalkit.records.written import Json
from evalkit.score.finding import Finding
from evalkit.stats.percentile import percentile
from tests.score.checks.views import ask, made, unexamined, view_of, without

TIMES = (0.1, 0.2, 0.3, 0.4, 2.0)


def calls(*seconds: float | None, tool: str = "get", **more: Any) -> list[Any]:
    """Calls that took these times."""
    return [made(tool, seconds=one, **more) for one in seconds]


def bounded(p: float, at_most: float, *acts: Any, of: str = "tool_seconds", **more: Any) -> Finding:
    """What a bound on a quantile finds."""
    tool = {"tool": more.pop("tool")} if "tool" in more else {}
    return ask("within", view_of(*acts, **more), quantile={"of": of, "p": p, "at_most": at_most, **tool})


def test_a_quantile_is_interpolated_and_measured() -> None:
    """p90 of five times lies between the fourth and the fifth; n, unit and bound are told."""
    found = bounded(90, 1.5, *calls(*TIMES))
    assert (True, "p90 of tool_seconds 1.36 of 1.5") == (found.held, found.reason)
    assert found.measure is not None
    assert (1.36, 5, "p90 of tool_seconds", 1.5) == (
        round(found.measure.value, 9),
        found.measure.n,
        found.measure.unit,
        found.measure.threshold,
    )
    over = bounded(90, 1.0, *calls(*TIMES))
    assert (False, "p90 of tool_seconds 1.36, bound 1") == (over.held, over.reason)
    assert over.measure is not None
    assert 5 == over.measure.n


def test_of_one_call_every_quantile_is_that_call() -> None:
    """It describes what was done, and estimates nothing."""
    for p in (1, 50, 99, 100):
        found = bounded(p, 0.5, *calls(0.5))
        assert found.measure is not None
        assert (True, 0.5, 1) == (found.held, found.measure.value, found.measure.n)


def test_of_no_call_there_is_no_quantile() -> None:
    """Nothing was measured, and that is no pass; calls of other tools do not help."""
    for acts in ((), calls(0.5, tool="pay")):
        found = bounded(50, 9, *acts, tool="get")
        assert ("not_observed", True) == (unexamined(found), "no call ran" in found.reason)
    silent = bounded(50, 9, of="model_seconds")
    assert ("not_observed", True) == (unexamined(silent), "the model did not reply" in silent.reason)


@pytest.mark.parametrize(
    ("status", "counts"),
    [
        ("ok", True),
        ("refused", True),
        ("fault", True),
        ("broken", True),
        ("blocked", False),
        ("invalid", False),
        ("unknown", False),
        ("missing", False),
        ("unanswered", False),
    ],
)
def test_what_never_reached_its_tool_took_no_time(status: CallStatus, counts: bool) -> None:  # noqa: FBT001
    """A call that was refused or broke did."""
    found = bounded(100, 1, *calls(0.5), *calls(3.0, status=status))
    assert (not counts) is found.held


def test_a_time_that_is_not_known_is_not_zero() -> None:
    """A bound that is broken whatever it was is broken; any other stays open."""
    assert "not_observed" == unexamined(bounded(50, 9, *calls(0.5, None)))
    assert False is bounded(100, 1, *calls(2.0, None)).held
    assert False is bounded(50, 0.9, *calls(2.0, 2.0, None)).held
    assert "not_observed" == unexamined(bounded(50, 1, *calls(2.0, None, None)))
    assert "not_observed" == unexamined(bounded(50, 1, *calls(float("nan"), -1.0)))


def test_calls_that_do_not_show_leave_it_open() -> None:
    """But the greatest time that was seen stays."""
    for kind in ("calls", "results"):
        hidden: dict[str, Any] = {"observes": without(kind)}
        assert "not_observed" == unexamined(bounded(50, 9, *calls(0.5), **hidden))
        assert "not_observed" == unexamined(bounded(50, 0.1, *calls(0.5), **hidden))
        assert False is bounded(100, 0.1, *calls(0.5), **hidden).held
    unanswered = made("get", status="unanswered")
    assert "not_observed" == unexamined(bounded(100, 9, *calls(0.5), unanswered, observes=without("results")))


def test_replies_of_the_model_have_times_and_tokens() -> None:
    """Of a turn only its own; a context is all that the model read."""
    usage = Usage(input=100, cache_read=40, cache_write=2, output=7)
    model = (ModelFact(seq=1, turn=0, seconds=1.0, usage=usage), ModelFact(seq=2, turn=1, seconds=3.0))
    more: dict[str, Any] = {"model": model, "turns": 2}
    assert [True, False] == [bounded(50, at, of="model_seconds", **more).held for at in (2.0, 1.9)]
    first: dict[str, Any] = {**more, "turn": 0}
    assert [True, False] == [bounded(50, at, of="model_seconds", **first).held for at in (1.0, 0.9)]
    assert [True, False] == [bounded(50, at, of="context_tokens", **first).held for at in (142, 141)]
    assert [True, False] == [bounded(50, at, of="reply_tokens", **first).held for at in (7, 6)]
    assert "not_observed" == unexamined(bounded(50, 200, of="context_tokens", **more))


def test_latency_is_a_short_form_of_quantiles() -> None:
    """Every bound is one of its own, and beside them the others of `within` stand."""
    view = view_of(*calls(*TIMES), *calls(9.0, tool="pay"))
    bounds: Json = {"of": "tool", "tool": "get", "max": 2.0, "p50": 0.3, "p90": 1.4, "p99": 2.0}
    found = ask("within", view, latency=bounds, tool_calls=6)
    assert True is found.held
    assert 5 == found.reason.count(" of get") + found.reason.count("tool_calls 6")
    for name in ("max", "p50", "p90", "p99"):
        tighter = {**bounds, name: bounds[name] - 0.1}
        assert False is ask("within", view, latency=tighter).held
    assert False is ask("within", view, latency={"of": "tool", "max": 2.0}).held


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=20), st.floats(0.1, 100))
def test_the_quantile_is_that_of_the_statistics(seconds: list[float], p: float) -> None:
    """Law: what is measured in a trial and what a report shows are worked out the same way."""
    figure = percentile(seconds, p).value
    assert figure is not None
    found = bounded(p, figure, *calls(*seconds))
    assert found.measure is not None
    assert (True, figure) == (found.held, found.measure.value)
