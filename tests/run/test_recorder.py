"""The recorder: stamps without gaps, persisted first, and sums that keep the unknown unknown."""

import math

import pytest

from evalkit.errors import OutputError
from evalkit.records.event import Event, ModelReply, Replied, Timing, ToolReturned, Usage
from evalkit.run.recorder import Recorder
from evalkit.world.clock import ManualClock


def test_events_are_stamped_in_order_and_persisted_before_the_seq_is_returned() -> None:
    """Execution, seq without gaps, seconds since the opening, and the user turn."""
    clock, events = ManualClock(), list[Event]()
    clock.advance(100.0)
    recorder = Recorder("e1", events.append, clock)
    first = recorder.emit(Replied(content="a"))
    clock.advance(1.23456789)
    recorder.begin_turn(1)
    second = recorder.emit(Replied(content="b"))
    assert (0, 1) == (first, second)
    assert [("e1", 0, 0.0, 0), ("e1", 1, 1.234568, 1)] == [(e.execution, e.seq, e.at, e.turn) for e in events]


def test_an_event_that_was_refused_leaves_no_gap() -> None:
    """What the sink raises comes out, and the next event takes the same seq."""
    events = list[Event]()

    def sink(event: Event) -> None:
        if event.body == Replied(content=math.inf):
            raise ValueError("not a number")
        events.append(event)

    recorder = Recorder("e1", sink, ManualClock())
    assert 0 == recorder.emit(Replied(content="a"))
    with pytest.raises(ValueError, match="not a number"):
        recorder.emit(Replied(content=math.inf))
    assert 1 == recorder.emit(Replied(content="b"))
    assert [0, 1] == [event.seq for event in events]


def test_a_full_disk_is_an_output_error() -> None:
    """Whatever the operating system says while an event is written ends the run as such."""

    def full(_event: Event) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match="No space left"):
        Recorder("e1", full, ManualClock()).emit(Replied(content="a"))


@pytest.mark.parametrize(
    ("rows", "total"),
    [
        ([], None),
        ([Usage(input=5, output=2, cost_usd=0.5)], Usage(input=5, output=2, cost_usd=0.5)),
        (
            [Usage(input=5, output=2, cost_usd=0.5), Usage(input=6, cost_usd=0.25)],
            Usage(input=11, cost_usd=0.75),
        ),
        ([Usage(input=5), None], None),
        ([Usage(input=5), None, Usage(input=1)], None),
        ([Usage(input=5), Usage(output=5), Usage(input=1)], None),
    ],
)
def test_usage_sums_and_one_unknown_row_makes_its_bucket_unknown(
    rows: list[Usage | None], total: Usage | None
) -> None:
    """Sums are over all model replies; what one does not know, the sum does not know."""
    recorder = Recorder("e1", lambda _event: None, ManualClock())
    for row in rows:
        recorder.emit(ModelReply(usage=row))
    assert total == recorder.usage


def test_timing_sums_over_replies_and_calls() -> None:
    """Waiting, model and tool time each have their own sum."""
    recorder = Recorder("e1", lambda _event: None, ManualClock())
    recorder.emit(ModelReply(timing=Timing(queue=1.0, model=2.0)))
    recorder.emit(ToolReturned(id="a", tool="t", status="ok", timing=Timing(queue=0.5, tool=4.0)))
    recorder.emit(ToolReturned(id="b", tool="t", status="ok"))
    assert Timing(queue=1.5, model=2.0, tool=4.0) == recorder.timing
