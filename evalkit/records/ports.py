"""The Protocols that rooms hand each other; `pipeline` binds them.

What comes in: nothing. What goes out: types. A room that needs another room's work takes it as an argument
of one
of these types and never imports it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from evalkit.records.arm import Arm
from evalkit.records.case import Case
from evalkit.records.event import Body, Closed, Event, ModelReply, ToolReturned, Trace
from evalkit.records.fact import FactSheet
from evalkit.records.plan import PlannedTrial
from evalkit.records.probe import Probe, ProbeAnswer, Window
from evalkit.records.suite import Limits, ToolSpec
from evalkit.records.verdict import Verdict
from evalkit.records.written import Json


class Clock(Protocol):
    """Time, injected. Never `time.time()` inside a room."""

    def now(self) -> float:
        """Return seconds on a clock that never goes back."""
        ...

    def wall(self) -> str:
        """Return the time of day, ISO 8601, UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class Budget(Protocol):
    """Seconds that may be spent on waiting, shared by all who may spend them."""

    def spend(self, seconds: float) -> bool:
        """Take seconds out; False, and nothing taken, where they are not there."""
        ...


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message that a model sees.

    Attributes:
        role: system, user, assistant or tool.
        content: Text or object.
        calls: For assistant messages: the calls as [{id, tool, raw}].
        call: For tool messages: the id of the call.
        tool: For tool messages: the tool.
        error: For tool messages: the result is an error.
    """

    role: str
    content: Json = None
    calls: tuple[dict[str, Json], ...] = ()
    call: str = ""
    tool: str = ""
    error: bool = False


class ModelRequest(Struct, frozen=True, kw_only=True):
    """Everything that a model may see, and nothing else (no case id, no tags, no expectations).

    Attributes:
        messages: System prompt first, then the conversation in order.
        tools: Tools that it may call.
        sampling: Temperature and the like.
        seed: Seed of the trial.
        turn: User turn, from 0.
        step: How many model replies this trial has had before.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    sampling: dict[str, Json] = {}
    seed: int = 0
    turn: int = 0
    step: int = 0


class Model(Protocol):
    """A model at the seam of the world: live, scripted or replayed."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return one reply.

        Raises:
            DependencyError: The provider broke (retried by `run`'s retry policy).
        """
        ...


Policy = Callable[[ModelRequest, random.Random], Sequence[Mapping[str, Json]]]
"""A scripted model written as a Python function: request and seeded chance -> steps ({call} or {reply})."""


class Session(Protocol):
    """The world of one trial: its tools and its own state."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools that the agent may see."""
        ...

    async def call(self, call: str, tool: str, args: dict[str, Json]) -> ToolReturned:
        """Run one tool call with effective arguments; a tool that fails is an outcome, not a raise."""
        ...

    async def probe(self, probe: Probe) -> ProbeAnswer:
        """Answer one question about the state."""
        ...

    async def wait(self, seconds: float) -> None:
        """Let time pass in this world; effects that are due by then happen."""
        ...

    async def close(self) -> None:
        """Give everything back."""
        ...


class World(Protocol):
    """Everything outside the harness, behind one seam: real or mock is which object is passed in."""

    async def open(self, case: Case, trial: PlannedTrial) -> Session:
        """Return a fresh session with the case's start state.

        Raises:
            SuiteBug: The case's start state cannot be made (cause `broken_case`).
            DependencyError: The world is down (cause `environment`).
        """
        ...

    async def close(self) -> None:
        """Shut the world down; raises SuiteBug if a trial touched the template."""
        ...


Emit = Callable[[Body], int]
"""Append one event to the trial's trace (stamped and persisted at once); returns its `seq`."""


class AgentTask(Struct, frozen=True, kw_only=True):
    """What an agent is given for one trial.

    Attributes:
        case: The case; an agent reads turns and history, never expectations.
        trial: The planned trial.
        arm: The arm.
        session: The world.
        model: The model.
        limits: What stops it.
        emit: Where it records what happens.
        begin_turn: Called with the turn's number before its first event; stamps later events.
        clock: Time.
    """

    case: Case
    trial: PlannedTrial
    arm: Arm
    session: Session
    model: Model
    limits: Limits
    emit: Emit
    begin_turn: Callable[[int], None]
    clock: Clock


class Agent(Protocol):
    """The agent under test."""

    async def run(self, task: AgentTask) -> Closed:
        """Work through the case's turns, recording every event, and say how it ended (without probes)."""
        ...


Sink = Callable[[Event], None]
"""Persist one event before returning."""

Checked = Callable[[FactSheet], Json]
"""A suite's own check, loaded: see `checks.Python`."""


Arrived = Callable[[Window, list[list[Json]]], bool]
"""Whether an answer is the one that is waited for; it saves waiting, and decides nothing: `score` does."""

Stated = Callable[[Case, Sequence[Event], Probe], str | None]
"""The SQL that the agent stated in a trial's events, for a probe that says where; None: none."""


class Assignment(Struct, frozen=True, kw_only=True):
    """One trial with all that running it needs.

    Attributes:
        trial: The planned trial.
        case: Its case.
        arm: Its arm.
        probes: Questions to ask at the start and the end.
        attempt: Number of this attempt.
    """

    trial: PlannedTrial
    case: Case
    arm: Arm
    probes: tuple[Probe, ...] = ()
    attempt: int = 0


class Execute(Protocol):
    """Run one assignment; its events go to the sink."""

    async def __call__(self, assignment: Assignment) -> Closed:
        """Return the closing body."""
        ...


class Rescore(Protocol):
    """Trace -> verdicts, with nothing executed."""

    def __call__(self, trial: PlannedTrial, trace: Trace | None) -> tuple[Verdict, ...]:
        """Return the verdicts of one trial: stages, then metrics, in the suite's order."""
        ...
