"""A run in memory: a fake world, a list for a journal, and runners and assignments made of them.

What comes in: what a test wants to go wrong. What goes out: a runner, and the events that it recorded.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from evalkit.agent.loop import ReferenceLoop
from evalkit.records.case import Case
from evalkit.records.event import Body, Closed, Event
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Agent, AgentTask, Assignment, Model
from evalkit.records.probe import Probe
from evalkit.records.suite import Limits
from evalkit.run.retries import Retries, RetryBudget
from evalkit.run.runner import Runner, Watchdog
from evalkit.world.clock import ManualClock
from tests.agent.fakes import PLAIN_ARM, FakeSession, Replies, Said, Tool, case_of, says

START = Probe(id="start:select 1", sql="select 1", when="start")
END = Probe(id="end:select 1", sql="select 1")


class FakeWorld:
    """A world that opens sessions of Python functions, or fails to."""

    def __init__(self, tools: Mapping[str, Tool], opening: Sequence[Exception | None] = ()) -> None:
        self.tools = tools
        self.opening = list(opening)
        self.sessions: list[FakeSession] = []
        self.prepare: Callable[[FakeSession], None] = lambda _session: None
        self.closed = 0

    async def open(self, case: Case, trial: PlannedTrial) -> FakeSession:
        """Open a session, or raise what is next in the list."""
        error = self.opening.pop(0) if self.opening else None
        if error is not None:
            raise error
        session = FakeSession(self.tools)
        self.prepare(session)
        self.sessions.append(session)
        return session

    async def close(self) -> None:
        """Count the closings."""
        self.closed += 1


class FunctionAgent:
    """An agent that is one function."""

    def __init__(self, work: Callable[[AgentTask], Awaitable[Closed]]) -> None:
        self.work = work

    async def run(self, task: AgentTask) -> Closed:
        """Do the work."""
        return await self.work(task)


def loop(retries: Retries) -> Agent:
    """The reference loop, as the pipeline makes it."""
    return ReferenceLoop(retries)


def by(work: Callable[[AgentTask], Awaitable[Closed]]) -> Callable[[Retries], Agent]:
    """A maker of agents that do this work."""
    return lambda _retries: FunctionAgent(work)


def assignment(index: int = 0, attempt: int = 0, case: Case | None = None) -> Assignment:
    """One trial with a probe at each end."""
    return Assignment(
        trial=PlannedTrial(index=index, case="c", arm="champion", mode="mock", trial=index, seed=index),
        case=case or case_of(),
        arm=PLAIN_ARM,
        probes=(START, END),
        attempt=attempt,
    )


def assignments(number: int) -> Iterator[Assignment]:
    """So many trials of one case."""
    case = case_of()
    return (assignment(index, case=case) for index in range(number))


@dataclass
class Lab:
    """What one test runs its trials with, and what they left."""

    said: Sequence[Said] = (says("x"),)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    opening: Sequence[Exception | None] = ()
    make_agent: Callable[[Retries], Agent] = loop
    limits: Limits = field(default_factory=Limits)
    watchdog: Watchdog = field(default_factory=Watchdog)
    budget: RetryBudget = field(default_factory=RetryBudget)
    clock: ManualClock = field(default_factory=ManualClock)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world = FakeWorld(self.tools, self.opening)

    @property
    def runner(self) -> Runner:
        """A runner of these parts; every trial's model says the same."""
        ids = count()
        return Runner(
            world=self.world,
            make_model=self.model,
            make_agent=self.make_agent,
            limits=self.limits,
            sink=self.sink,
            clock=self.clock,
            new_id=lambda: f"e{next(ids)}",
            retry_budget=self.budget,
            watchdog=self.watchdog,
            worker="w1",
        )

    def model(self, _assignment: Assignment) -> Model:
        """A model for one trial."""
        return Replies(self.said)

    def sink(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)

    @property
    def bodies(self) -> list[Body]:
        """What was recorded."""
        return [event.body for event in self.events]

    @property
    def kinds(self) -> list[str]:
        """The kinds of what was recorded, in order."""
        return [type(body).__name__ for body in self.bodies]
