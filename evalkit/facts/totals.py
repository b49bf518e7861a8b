"""What a trial used and why it ended; unknown is None and never 0.

What comes in: the events of one trial. What goes out: `Usage`, `Timing` and `StopFact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from evalkit.facts.faults import known_cause
from evalkit.records.event import Event, Limited, ModelReply, Timing, ToolReturned, Trace, Usage
from evalkit.records.fact import StopFact

_Number = TypeVar("_Number", int, float)


def usage_of(trace: Trace) -> Usage | None:
    """Return the sums of the usage rows, bucket by bucket.

    Args:
        trace: The events of one trial.

    Returns:
        Of each bucket the sum over the model's replies where every reply tells it, else what the closing line
        tells, else None (unknown). None as a whole where the trace does not observe usage. Where no reply is
        shown and the closing line tells something, that is all there is: its unknown buckets are not 0.
    """
    if "usage" not in trace.opened.observes:
        return None
    rows = [event.body.usage for event in trace.events if type(event.body) is ModelReply]
    told = trace.closed.usage if trace.closed else None
    if not rows and told is not None:
        return told
    known = [row for row in rows if row is not None]
    closing = told or Usage()
    if len(known) < len(rows):
        return closing
    return Usage(
        input=_total([row.input for row in known], closing.input),
        cache_read=_total([row.cache_read for row in known], closing.cache_read),
        cache_write=_total([row.cache_write for row in known], closing.cache_write),
        output=_total([row.output for row in known], closing.output),
        cost_usd=_total([row.cost_usd for row in known], closing.cost_usd),
    )


def _total(values: Sequence[_Number | None], otherwise: _Number | None) -> _Number | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return otherwise
    return sum(known) if values or otherwise is None else otherwise


def timing_of(trace: Trace) -> Timing | None:
    """Return how the time of a trial was spent.

    Args:
        trace: The events of one trial.

    Returns:
        The closing line's sums, else those of the events where every reply and result tells its time, else
        None.
    """
    if "timing" not in trace.opened.observes:
        return None
    if trace.closed is not None and trace.closed.timing is not None:
        return trace.closed.timing
    bodies = [event.body for event in trace.events]
    rows = [body.timing for body in bodies if isinstance(body, ModelReply | ToolReturned)]
    known = [row for row in rows if row is not None]
    if len(known) < len(rows):
        return None
    return Timing(
        queue=sum(row.queue for row in known),
        model=sum(row.model for row in known),
        tool=sum(row.tool for row in known),
        person=sum(row.person for row in known),
    )


def stop_of(trace: Trace) -> StopFact | None:
    """Return why a trial ended; None where it was never closed.

    Args:
        trace: The events of one trial.

    Returns:
        The stop, with a cause only where the whole trial is unmeasured: the operator cancelled it, or a limit
        stopped it and the suite calls that an error.
    """
    closed = trace.closed
    if closed is None:
        return None
    limits = [event for event in trace.events if type(event.body) is Limited]
    last: Event | None = limits[-1] if limits else None
    shown = last if last is not None else trace.events[-1] if trace.events else None
    cause = None
    if closed.end == "cancelled" or (closed.end == "limit" and closed.cause is not None):
        cause = known_cause(closed.cause, "cancelled" if closed.end == "cancelled" else "environment")
    return StopFact(
        end=closed.end,
        seq=shown.seq if shown is not None else 0,
        limit=last.body.limit if last is not None and isinstance(last.body, Limited) else None,
        cause=cause,
        sub=closed.sub,
        message=closed.message,
    )
