"""Tiny worlds, models and clocks that stand at the seams of `records.ports`.

What comes in: what a test wants a model to say and a tool to do. What goes out: the trace, and what each was
asked.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from evalkit.agent.loop import ReferenceLoop, StopHook
from evalkit.records.arm import Arm, ModelSpec
from evalkit.records.case import Case, Start, Turn
from evalkit.records.event import Body, CallRequest, Closed, ModelReply, StopReason, ToolCalled, ToolReturned
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import AgentTask, Message, ModelRequest
from evalkit.records.probe import Probe, ProbeAnswer
from evalkit.records.suite import Limits, ToolSpec
from evalkit.records.written import Json
from evalkit.world.clock import ManualClock

T = TypeVar("T")
Said = ModelReply | Exception | Callable[[ModelRequest], Awaitable[ModelReply]]
Tool = Callable[[dict[str, Json]], Awaitable[Json]]


class Replies:
    """A model that says what it was given, in order, and remembers what it was asked."""

    def __init__(self, said: Iterable[Said]) -> None:
        self.said = list(said)
        self.requests: list[ModelRequest] = []

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Say the next thing, or raise it."""
        self.requests.append(request)
        said = self.said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, ModelReply) else await said(request)


class FakeSession:
    """A world of Python functions; a function that returns a `ToolReturned` decides its own outcome."""

    def __init__(self, tools: Mapping[str, Tool], specs: Sequence[ToolSpec] = ()) -> None:
        named = {spec.name: spec for spec in specs}
        self.functions = dict(tools)
        self.tools = tuple(named.get(name, ToolSpec(name=name)) for name in tools)
        self.called: list[tuple[str, dict[str, Json]]] = []
        self.asked: list[str] = []
        self.answers: dict[str, ProbeAnswer | Exception] = {}
        self.waited: list[float] = []
        self.closed = 0

    async def call(self, call: str, tool: str, args: dict[str, Json]) -> ToolReturned:
        """Run a function, or decide as it says."""
        if tool not in self.functions:
            return ToolReturned(id=call, tool=tool, status="unknown", message=f"no tool {tool}")
        self.called.append((tool, args))
        value = await self.functions[tool](args)
        if isinstance(value, ToolReturned):
            return ToolReturned(
                id=call,
                tool=tool,
                status=value.status,
                value=value.value,
                message=value.message,
                cause=value.cause,
                timing=value.timing,
            )
        return ToolReturned(id=call, tool=tool, status="ok", value=value)

    async def probe(self, probe: Probe) -> ProbeAnswer:
        """Answer as a test laid down; else one row."""
        self.asked.append(probe.id)
        answer = self.answers.get(probe.id, ProbeAnswer(rows=[[1]]))
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def wait(self, seconds: float) -> None:
        """Remember how long."""
        self.waited.append(seconds)

    async def close(self) -> None:
        """Count the closings."""
        self.closed += 1


async def once(attempt: Callable[[], Awaitable[ModelReply]]) -> ModelReply:
    """A retry policy that asks once."""
    return await attempt()


async def echo(args: dict[str, Json]) -> Json:
    """A tool that returns its arguments."""
    return args


def after(turns: int, value: Json = "done") -> Tool:
    """A tool that lets others run so many times before it returns."""

    async def tool(_args: dict[str, Json]) -> Json:
        for _ in range(turns):
            await asyncio.sleep(0)
        return value

    return tool


def outcome(returned: ToolReturned) -> Tool:
    """A tool that ends with the outcome it was given."""

    async def tool(_args: dict[str, Json]) -> Json:
        return returned

    return tool


async def forever(_anything: object) -> ModelReply:
    """A model, or a tool, that never returns."""
    await asyncio.Event().wait()
    raise AssertionError("nobody sets the event")


def says(text: str, stop: StopReason = "stop") -> ModelReply:
    """A reply without calls."""
    return ModelReply(text=text, stop=stop)


def calls(*named: str | tuple[str, str], stop: StopReason = "tool_use", start: int = 0) -> ModelReply:
    """A reply that calls tools, each a name or (name, raw arguments), with the ids c0, c1 and so on."""
    pairs = [(name, "{}") if isinstance(name, str) else name for name in named]
    return ModelReply(
        calls=tuple(CallRequest(id=f"c{n}", tool=t, raw=raw) for n, (t, raw) in enumerate(pairs, start)),
        stop=stop,
    )


def case_of(*turns: Json, history: Sequence[dict[str, Json]] = ()) -> Case:
    """A case with these user turns."""
    spoken = turns or ("hello",)
    return Case(id="c", turns=tuple(Turn(user=turn) for turn in spoken), start=Start(history=tuple(history)))


PLAIN_ARM = Arm(arm="champion", model=ModelSpec())
TRIAL = PlannedTrial(index=0, case="c", arm="champion", mode="mock", trial=0, seed=7)


@dataclass
class Played:
    """One trial of the loop: what it recorded, what the model was asked, how it closed."""

    bodies: list[Body]
    turns: list[int]
    model: Replies
    session: FakeSession
    closed: Closed

    def of(self, kind: type[T]) -> list[T]:
        """The recorded bodies of one kind, in order."""
        return [body for body in self.bodies if isinstance(body, kind)]

    @property
    def statuses(self) -> dict[str, str]:
        """Status by call id."""
        return {returned.id: returned.status for returned in self.of(ToolReturned)}

    @property
    def started(self) -> list[str]:
        """Ids of the calls that were begun, in order."""
        return [called.id for called in self.of(ToolCalled)]

    @property
    def last_messages(self) -> tuple[Message, ...]:
        """What the model saw last."""
        return self.model.requests[-1].messages


@dataclass
class Play:
    """What a trial is played with."""

    said: Sequence[Said]
    tools: Mapping[str, Tool] = field(default_factory=dict)
    specs: Sequence[ToolSpec] = ()
    case: Case = field(default_factory=case_of)
    arm: Arm = PLAIN_ARM
    limits: Limits = field(default_factory=Limits)
    stop: StopHook | None = None
    clock: ManualClock = field(default_factory=ManualClock)
    bodies: list[Body] = field(default_factory=list)

    def __call__(self) -> Played:
        """Play the trial to its end."""
        turns: list[int] = []
        model, session = Replies(self.said), FakeSession(self.tools, self.specs)

        def emit(body: Body) -> int:
            self.bodies.append(body)
            return len(self.bodies) - 1

        task = AgentTask(
            case=self.case,
            trial=TRIAL,
            arm=self.arm,
            session=session,
            model=model,
            limits=self.limits,
            emit=emit,
            begin_turn=turns.append,
            clock=self.clock,
        )
        closed = asyncio.run(ReferenceLoop(once, stop=self.stop).run(task))
        return Played(bodies=self.bodies, turns=turns, model=model, session=session, closed=closed)
