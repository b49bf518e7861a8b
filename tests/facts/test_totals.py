"""What was used and why it ended: unknown is unknown, never 0."""

from __future__ import annotations

import pytest

from evalkit.records.event import (
    Closed,
    End,
    Limited,
    ModelReply,
    Observable,
    Probed,
    Replied,
    Timing,
    Usage,
    UserTurn,
)
from tests.facts.events import FIRST, call, sheet_of, trace_of

ALL_BUT: dict[Observable, tuple[Observable, ...]] = {
    "usage": ("calls", "results", "replies", "probes", "timing"),
    "timing": ("calls", "results", "replies", "probes", "usage"),
}


def test_usage_is_summed_bucket_by_bucket() -> None:
    """A bucket that one reply does not tell is unknown; the others are sums."""
    rows = (Usage(input=1, output=2, cost_usd=0.5), Usage(input=3, output=4))
    usage = sheet_of(trace_of(*(ModelReply(text="x", usage=row) for row in rows))).usage
    assert Usage(input=4, output=6) == usage


def test_usage_that_rows_do_not_tell_may_stand_in_the_closing_line() -> None:
    """A source may know a sum without knowing its parts."""
    closed = Closed(usage=Usage(input=9, output=1))
    usage = sheet_of(trace_of(ModelReply(text="x", usage=Usage(output=4)), closed=closed)).usage
    assert Usage(input=9, output=4) == usage


def test_what_a_closing_line_alone_does_not_tell_is_unknown() -> None:
    """Sums of a trial whose replies nobody recorded: a bucket that they leave out is not 0."""
    closed = Closed(usage=Usage(input=9, output=1))
    assert Usage(input=9, output=1) == sheet_of(trace_of(closed=closed)).usage


def test_usage_of_a_reply_without_a_row_is_unknown() -> None:
    """No row is not a row of zeros."""
    usage = sheet_of(trace_of(ModelReply(text="x", usage=Usage(input=1)), ModelReply(text="y"))).usage
    assert Usage() == usage


def test_a_trial_without_model_replies_used_nothing() -> None:
    """Where usage is observed and no model was asked, zero is known."""
    assert Usage(input=0, cache_read=0, cache_write=0, output=0, cost_usd=0) == sheet_of(trace_of()).usage


def test_what_is_not_observed_is_unknown() -> None:
    """Neither usage nor timing is made up for a trace that does not show them."""
    rows = ModelReply(text="x", usage=Usage(input=1), timing=Timing(model=1.0))
    assert sheet_of(trace_of(rows, observes=ALL_BUT["usage"])).usage is None
    assert sheet_of(trace_of(rows, observes=ALL_BUT["timing"])).timing is None


def test_timing_is_the_closing_line_or_the_sum_of_rows() -> None:
    """The sums that `run` wrote come first; a row without its time leaves the sum unknown."""
    rows = (ModelReply(text="x", timing=Timing(model=1.0)), *call("a", 1, timing=Timing(tool=2.0, queue=0.5)))
    assert Timing(model=1.0, tool=2.0, queue=0.5) == sheet_of(trace_of(*rows)).timing
    assert Timing(model=9.0) == sheet_of(trace_of(*rows, closed=Closed(timing=Timing(model=9.0)))).timing
    assert sheet_of(trace_of(*rows, ModelReply(text="y"))).timing is None


@pytest.mark.parametrize(
    ("end", "cause", "expected"),
    [
        ("done", None, None),
        ("crash", None, None),
        ("limit", None, None),
        ("fault", "environment", None),
        ("cancelled", None, "cancelled"),
        ("cancelled", "cancelled", "cancelled"),
        ("limit", "environment", "environment"),
    ],
)
def test_only_a_trial_that_is_unmeasured_as_a_whole_has_a_stop_cause(
    end: End, cause: str | None, expected: str | None
) -> None:
    """A fault taints what it touches; cancelling, and a time-out that the suite calls an error, take all."""
    stop = sheet_of(trace_of(closed=Closed(end=end, cause=cause, sub="s", message="m"))).stop
    assert stop is not None
    assert (end, expected, "s", "m") == (stop.end, stop.cause, stop.sub, stop.message)


def test_a_limit_is_named_and_cited() -> None:
    """The stop cites the limit's event."""
    limited = Limited(limit="same_call", reached=6, allowed=5)
    stop = sheet_of(trace_of(limited, closed=Closed(end="limit"))).stop
    assert stop is not None
    assert ("same_call", FIRST) == (stop.limit, stop.seq)


def test_what_the_user_said_what_the_world_said_and_what_the_source_said() -> None:
    """One text per user turn, one answer per probe, and the source's own words."""
    trace = trace_of(
        Probed(id="start:select 1", rows=[[1]]),
        Replied(content="ok"),
        UserTurn(content={"say": "more"}),
        Probed(id="end:select 1", cause="environment", message="down"),
        closed=Closed(source={"reward": 1.0}),
    )
    sheet = sheet_of(trace)
    assert (2, ("go", '{"say":"more"}'), {"reward": 1.0}) == (sheet.turns, sheet.user_text, sheet.recorded)
    assert [[[1]], None] == [probe.rows for probe in sheet.probes.values()]
    assert (FIRST + 3, "environment") == (
        sheet.probes["end:select 1"].seq,
        sheet.probes["end:select 1"].cause,
    )


def test_a_question_that_was_asked_again_keeps_its_earlier_answers() -> None:
    """The last answer counts; those before it stand in order, each with its event and its seconds."""
    trace = trace_of(
        Probed(id="q", rows=[[0]]),
        Probed(id="q", rows=[[7]], waited=2.0),
        Probed(id="q", rows=[[1]], waited=3.0),
    )
    found = sheet_of(trace).probes["q"]
    assert ([[1]], 3.0) == (found.rows, found.waited)
    assert [([[0]], 0.0, ()), ([[7]], 2.0, ())] == [
        (one.rows, one.waited, one.earlier) for one in found.earlier
    ]
    assert [one.seq for one in found.earlier] == [found.seq - 2, found.seq - 1]
