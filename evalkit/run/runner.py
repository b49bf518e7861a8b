"""Running one trial: a fresh world, probes, the agent, probes again, and one closing line.

What comes in: an `Assignment`. What goes out: its events, ending in `Closed`. This is the one place of
`run` where a fault inside a trial becomes a value: whatever is raised ends as `Faulted` and a closing
line, but for what cannot be written down (`OutputError`) and for the operator's own stop, which leaves no
closing line, so that `resume` runs the trial again.
"""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import Final

from msgspec import Struct, structs

from evalkit.errors import DependencyError, EvalkitError, FixtureMissing, OutputError, SuiteFault
from evalkit.records.event import Closed, Event, Faulted, Opened, Where
from evalkit.records.ports import (
    Agent,
    AgentTask,
    Arrived,
    Assignment,
    Budget,
    Clock,
    Model,
    Session,
    Sink,
    Stated,
    World,
)
from evalkit.records.suite import Limits
from evalkit.run.asking import Asking, longest_watch, never_arrived, nothing_stated
from evalkit.run.recorder import Recorder
from evalkit.run.retries import Retries, RetryPolicy
from evalkit.world.late import Late, within

_CLOSING_SECONDS: Final = 30.0  # a world that needs longer to give a trial's state back is broken


class Watchdog(Struct, frozen=True, kw_only=True):
    """When a trial is taken for hung: far beyond what its own limits and retries can take.

    Attributes:
        times: Multiple of `limits.seconds`; above the attempts of one model call, each of which may take
        them all. margin: Seconds on top, for retries (a minute each for model and tools), probes and
        queues.
    """

    times: float = 4.0
    margin: float = 300.0

    def seconds(self, limits: Limits) -> float:
        """Return the seconds after which a trial is cut.

        >>> Watchdog().seconds(Limits(seconds=60.0))
        540.0
        """
        return self.times * limits.seconds + self.margin


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs assignments one at a time or many at once; implements `ports.Execute`.

    Attributes:
        world: Where sessions come from: real or mock is which object this is.
        make_model: Makes the model of one trial.
        make_agent: Makes the agent of one trial; it is handed the retries for its model.
        limits: What stops a trial.
        sink: Persists one event before returning.
        clock: Time.
        new_id: Makes a new execution id.
        retry_budget: Seconds of waiting that the whole run shares.
        retry_policy: How dependencies are asked again.
        arrived: Whether an answer is the one that a probe waits for.
        stated: Finds SQL that the agent stated, for a probe that says where.
        watchdog: When a trial is taken for hung.
        worker: Name of this process in the journal.
    """

    world: World
    make_model: Callable[[Assignment], Model]
    make_agent: Callable[[Retries], Agent]
    limits: Limits
    sink: Sink
    clock: Clock
    new_id: Callable[[], str]
    retry_budget: Budget
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    arrived: Arrived = never_arrived
    stated: Stated = nothing_stated
    watchdog: Watchdog = field(default_factory=Watchdog)
    worker: str = ""

    async def __call__(self, assignment: Assignment) -> Closed:
        """Run one trial.

        Args:
            assignment: The trial with its case, arm and probes.

        Returns:
            The closing body, already recorded.

        Raises:
            OutputError: An event could not be written.
        """
        kept: list[Event] = []
        needed = any(probe.stated for probe in assignment.probes)
        recorder = Recorder(self.new_id(), _keeping(self.sink, kept) if needed else self.sink, self.clock)
        recorder.emit(self._opened(assignment))
        closed = await _settled(recorder, "world", self._watched(assignment, recorder, kept))
        closed = structs.replace(
            closed,
            attempt=assignment.attempt,
            usage=closed.usage or recorder.usage,
            timing=closed.timing or recorder.timing,
        )
        recorder.emit(closed)
        return closed

    def _opened(self, assignment: Assignment) -> Opened:
        trial = assignment.trial
        return Opened(
            case=trial.case,
            arm=trial.arm,
            mode=trial.mode,
            trial=trial.trial,
            attempt=assignment.attempt,
            started_at=self.clock.wall(),
            worker=self.worker,
        )

    async def _watched(self, assignment: Assignment, recorder: Recorder, kept: Sequence[Event]) -> Closed:
        seconds = self.watchdog.seconds(self.limits) + longest_watch(assignment.probes)
        try:
            return await within(seconds, self._trial(assignment, recorder, kept))
        except Late:
            raise EvalkitError(f"the trial hung: nothing had ended it after {seconds:g} seconds") from None

    async def _trial(self, assignment: Assignment, recorder: Recorder, kept: Sequence[Event]) -> Closed:
        retries = Retries(self.retry_policy, self.retry_budget, self.clock)
        session = await retries(lambda: self.world.open(assignment.case, assignment.trial))
        asking = Asking(
            session=session,
            emit=recorder.emit,
            arrived=self.arrived,
            stated=partial(self.stated, assignment.case, kept),
        )
        try:
            await asking.start(assignment.probes)
            closed = await _settled(recorder, "model", self._agent(assignment, session, recorder, retries))
            await asking.end(assignment.probes)
        finally:
            await within(_CLOSING_SECONDS, session.close())
        return closed

    async def _agent(
        self, assignment: Assignment, session: Session, recorder: Recorder, retries: Retries
    ) -> Closed:
        task = AgentTask(
            case=assignment.case,
            trial=assignment.trial,
            arm=assignment.arm,
            session=session,
            model=self.make_model(assignment),
            limits=self.limits,
            emit=recorder.emit,
            begin_turn=recorder.begin_turn,
            clock=self.clock,
        )
        return await self.make_agent(retries).run(task)


def _keeping(sink: Sink, kept: list[Event]) -> Sink:
    """Return a sink that keeps what was persisted, for probes that are read from it."""

    def keep(event: Event) -> None:
        sink(event)
        kept.append(event)

    return keep


async def _settled(recorder: Recorder, where: Where, work: Awaitable[Closed]) -> Closed:
    """Return how some work closed; what it raises is recorded, and closes the trial as a fault.

    Args:
        recorder: Where the fault goes.
        where: What a fault of the suite or of a dependency befell.
        work: The work.
    """
    try:
        return await work
    except OutputError:
        raise  # nothing can be recorded any more: the run stops
    except DependencyError as error:
        fault = Faulted(where=where, cause="environment", sub=error.sub, message=str(error))
    except SuiteFault as error:
        cause = "fixture_missing" if isinstance(error, FixtureMissing) else "broken_case"
        fault = Faulted(where=where, cause=cause, message=str(error))
    except Exception as error:  # the boundary of the room: a fault of ours is a value, too
        fault = Faulted(where="harness", cause="harness", message=_described(error))
    recorder.emit(fault)
    return Closed(end="fault", cause=fault.cause, sub=fault.sub, message=fault.message)


def _described(error: Exception) -> str:
    """Say what was raised and where, without the paths of this machine."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
