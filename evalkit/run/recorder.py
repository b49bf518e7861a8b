"""The recorder of one trial: bodies in, stamped events out, persisted before anything else happens.

What comes in: bodies, from whoever observes. What goes out: `Event`s through the sink, and the sums that the
closing line carries.
"""

from __future__ import annotations

from evalkit.errors import OutputError
from evalkit.records.event import Body, Event, ModelReply, Timing, ToolReturned, Usage
from evalkit.records.ports import Clock, Sink

_MICROSECONDS = (
    1e6  # in a second; `at` is a whole number of them, since finer is noise that every line would carry
)


class Recorder:
    """Stamps the events of one execution; `emit` implements `ports.Emit`."""

    __slots__ = ("_clock", "_execution", "_opened", "_seq", "_sink", "_timing", "_turn", "_usage", "replies")

    def __init__(self, execution: str, sink: Sink, clock: Clock) -> None:
        """Start a trace.

        Args:
            execution: Id of the execution, on every event.
            sink: Persists an event before it returns.
            clock: Time; `at` counts from now.
        """
        self._execution = execution
        self._sink = sink
        self._clock = clock
        self._opened = clock.now()
        self._seq = 0
        self._turn = 0
        self._usage: Usage | None = None
        self._timing = Timing()
        self.replies = 0

    def emit(self, body: Body) -> int:
        """Append one event.

        Args:
            body: What happened.

        Returns:
            The event's `seq`.

        Raises:
            OutputError: It could not be written.
        """
        seq = self._seq
        at = int((self._clock.now() - self._opened) * _MICROSECONDS + 0.5) / _MICROSECONDS
        event = Event(execution=self._execution, seq=seq, at=at, turn=self._turn, body=body)
        try:
            self._sink(event)
        except OSError as error:
            raise OutputError(
                f"event {seq} of execution {self._execution} was not written: {error}"
            ) from error
        self._seq = seq + 1  # only now: what was refused leaves no gap
        if isinstance(body, ModelReply):
            self.replies += 1
            self._usage = body.usage if self.replies == 1 else added(self._usage, body.usage)
            self._worked(body.timing)
        elif isinstance(body, ToolReturned):
            self._worked(body.timing)
        return seq

    def _worked(self, row: Timing | None) -> None:
        if row is not None:
            self._timing = _longer(self._timing, row)

    def begin_turn(self, number: int) -> None:
        """Stamp later events with a user turn, from 0."""
        self._turn = number

    @property
    def usage(self) -> Usage | None:
        """Sum of the usage rows of all model replies; None where nothing is known, or no model replied."""
        return self._usage

    @property
    def timing(self) -> Timing:
        """Sum of the timings of model replies and tool calls."""
        return self._timing


def added(one: Usage | None, other: Usage | None) -> Usage | None:
    """Return the sum of two usage rows; a bucket that is unknown in one is unknown in the sum.

    Args:
        one: A row; None: nothing is known of it.
        other: Another row.

    >>> added(Usage(input=3, output=1), Usage(input=4)).input
    7
    >>> added(Usage(input=3, output=1), Usage(input=4)).output is None
    True
    """
    if one is None or other is None:
        return None
    total = Usage(
        input=_sum(one.input, other.input),
        cache_read=_sum(one.cache_read, other.cache_read),
        cache_write=_sum(one.cache_write, other.cache_write),
        output=_sum(one.output, other.output),
        cost_usd=None if one.cost_usd is None or other.cost_usd is None else one.cost_usd + other.cost_usd,
    )
    return None if total == Usage() else total


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _longer(sums: Timing, row: Timing) -> Timing:
    return Timing(
        queue=sums.queue + row.queue,
        model=sums.model + row.model,
        tool=sums.tool + row.tool,
        person=sums.person + row.person,
    )
