"""What a trial looks like in which nobody does anything: the traces of the silent agent.

What comes in: a suite. What goes out: one trace per case, from a real world and real probes. Nothing is
stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evalkit.agent.silent import SilentAgent
from evalkit.plan.probes import probes_of
from evalkit.records.arm import Arm, ModelSpec
from evalkit.records.case import Case
from evalkit.records.event import Closed, Event, Opened, Trace
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Assignment, Clock
from evalkit.records.suite import Suite
from evalkit.run.engine import execute_all
from evalkit.run.retries import RetryBudget
from evalkit.run.runner import Runner
from evalkit.run.stop import Stop
from evalkit.score.checks.eventually import arrived
from evalkit.world.opening import open_world
from evalkit.world.scripted import Scripted

_NOBODY = Arm(arm="nobody", model=ModelSpec(replies=()))


def empty_traces(suite: Suite, folder: Path, clock: Clock) -> Iterator[tuple[PlannedTrial, Trace]]:
    """Yield the trace of an empty transcript for each case, in the suite's order.

    Args:
        suite: The loaded suite.
        folder: Its folder.
        clock: Time.

    Raises:
        SuiteBug: A case reached beyond its own world.
    """
    events: list[Event] = []
    budget = RetryBudget()
    world = open_world(suite, folder, "mock", clock=clock, budget=budget)
    names = (f"empty-{number}" for number in range(len(suite.cases)))
    runner = Runner(
        world=world,
        make_model=Scripted({}, clock),
        make_agent=lambda _retries: SilentAgent(),
        limits=suite.limits,
        sink=events.append,
        clock=clock,
        new_id=lambda: next(names),
        retry_budget=budget,
        arrived=arrived,
    )
    assignments = [_assignment(suite, case, index) for index, case in enumerate(suite.cases)]
    execute_all(assignments, runner, concurrency=1, stop=Stop(clock), at_end=world.close)
    yield from zip((one.trial for one in assignments), _traces(events), strict=True)


def _assignment(suite: Suite, case: Case, index: int) -> Assignment:
    trial = PlannedTrial(index=index, case=case.id, arm=_NOBODY.arm, mode="mock", trial=0, seed=0)
    return Assignment(trial=trial, case=case, arm=_NOBODY, probes=probes_of(suite, case))


def _traces(events: list[Event]) -> Iterator[Trace]:
    """Yield the traces of trials that ran one after the other."""
    one: list[Event] = []
    for event in events:
        one.append(event)
        if isinstance(event.body, Closed) and isinstance(one[0].body, Opened):
            yield Trace(opened=one[0].body, events=tuple(one), closed=event.body)
            one = []
