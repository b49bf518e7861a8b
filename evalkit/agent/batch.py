"""Running the calls of one reply: in parallel where they may, each outcome recorded when it happens.

What comes in: calls, a session, the seconds that are left. What goes out: one outcome per call in source
order, whatever order they finished in. Calls that may touch the same thing share a *lane* and queue there in
source order; lanes run side by side.

The limit on seconds cuts no call in flight: below the agent a dependency that broke may be asked again, and
only the session knows which of that time is the agent's. A call ends by its tool's own `timeout`; what the
limit keeps from happening is the next call of a lane that has used the seconds up.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from typing import Final

from msgspec import Struct, structs
from msgspec.json import Encoder

from evalkit.agent import messages
from evalkit.agent.arguments import Arguments, read_arguments
from evalkit.records.event import CallRequest, Timing, ToolCalled, ToolReturned
from evalkit.records.ports import Clock, Emit, Session
from evalkit.records.suite import ToolSpec
from evalkit.records.written import Json

_SORTED: Final = Encoder(order="sorted")


class ReadCall(Struct, frozen=True, kw_only=True):
    """A call with its arguments read.

    Attributes:
        request: The call as the model wrote it.
        arguments: What could be read of its arguments.
    """

    request: CallRequest
    arguments: Arguments

    @property
    def key(self) -> str:
        """What makes two calls identical: the tool and its arguments, whatever their order and spacing."""
        value = self.arguments.value
        text = self.request.raw if value is None else _sorted(value) if value else ""
        return f"{self.request.tool} {text}"


def _sorted(value: dict[str, Json]) -> str:
    """Return arguments as text that is the same for equal ones."""
    try:
        return _SORTED.encode(value).decode()
    except (UnicodeEncodeError, RecursionError):  # half of a surrogate pair is the agent's to write
        return json.dumps(value, sort_keys=True)


def read_calls(requests: Sequence[CallRequest]) -> tuple[ReadCall, ...]:
    """Read the arguments of the calls of one reply."""
    return tuple(ReadCall(request=request, arguments=read_arguments(request.raw)) for request in requests)


class Batch(Struct, frozen=True, kw_only=True):
    """How the calls of one reply ended.

    Attributes:
        outcomes: One per call, in source order.
        seconds: Working time: of lanes that ran side by side the longest, without evalkit's own waiting.
    """

    outcomes: tuple[ToolReturned, ...]
    seconds: float


class Toolbox(Struct, frozen=True, kw_only=True):
    """The tools of one trial, as one arm sees them.

    Attributes:
        session: The world.
        offered: Specs of the tools that the arm sees.
        closed_list: Whether tools outside `offered` are hidden from the arm; else the session knows.
        emit: Where calls and outcomes are recorded.
        clock: Time.
    """

    session: Session
    offered: tuple[ToolSpec, ...]
    closed_list: bool
    emit: Emit
    clock: Clock

    async def run(self, calls: Sequence[ReadCall], seconds: float) -> Batch:
        """Run the calls of one reply.

        Args:
            calls: In source order; ids unique.
            seconds: How long a lane may work before no further call of it begins.

        Returns:
            One outcome per call, every one recorded.
        """
        ended: dict[str, ToolReturned] = {}
        lanes = [self._lane(lane, seconds, ended) for lane in lanes_of(calls, self.offered)]
        worked = await _together(lanes)
        outcomes = tuple(ended[call.request.id] for call in calls)
        return Batch(outcomes=outcomes, seconds=max(worked, default=0.0))

    async def _lane(self, lane: Sequence[ReadCall], seconds: float, ended: dict[str, ToolReturned]) -> float:
        """Run calls one after the other while they may; answer all; return the seconds they worked."""
        worked, why = 0.0, ""
        for call in lane:
            if not why and worked >= seconds:
                why = "the time limit was reached"
            returned = messages.stopped(call.request, why) if why else await self._one(call)
            self.emit(returned)
            ended[returned.id] = returned
            worked += returned.timing.tool if returned.timing else 0.0
            if returned.status == "missing":
                why = "a call before it could not be answered"
        return worked

    async def _one(self, call: ReadCall) -> ToolReturned:
        request, args = call.request, call.arguments.value
        self.emit(ToolCalled(id=request.id, tool=request.tool, raw=request.raw, args=args))
        if self.closed_list and all(request.tool != spec.name for spec in self.offered):
            return messages.unknown(request, tuple(spec.name for spec in self.offered))
        if args is None:
            return messages.unreadable(request, call.arguments.problem)
        begun = self.clock.now()
        returned = await self.session.call(request.id, request.tool, args)
        if returned.timing is None:
            returned = structs.replace(returned, timing=Timing(tool=self.clock.now() - begun))
        return returned


_ALL: Final = 0  # the lane of writes, and of everything in a serial batch


def lanes_of(calls: Sequence[ReadCall], specs: Sequence[ToolSpec]) -> list[list[ReadCall]]:
    """Sort the calls of one reply into lanes that may run side by side.

    One call of a serial tool makes the whole batch one lane. Otherwise calls that can change something
    share one lane: what they change is the trial's own world, one resource. A call that only reads has a
    lane of its own.

    Args:
        calls: In source order.
        specs: What is known of the tools; an unknown tool changes nothing.

    Returns:
        Lanes in the order of their first call, each in source order.
    """
    if len(calls) == 1:
        return [list(calls)]
    by_name = {spec.name: spec for spec in specs}
    known = [by_name.get(call.request.tool) for call in calls]
    serial = any(spec is not None and spec.serial for spec in known)
    lanes: dict[int, list[ReadCall]] = {}
    for place, (call, spec) in enumerate(zip(calls, known, strict=True), start=1):
        queues = serial or (spec is not None and spec.effect != "read")
        lanes.setdefault(_ALL if queues else place, []).append(call)
    return list(lanes.values())


async def _together(lanes: Sequence[Coroutine[None, None, float]]) -> list[float]:
    """Await lanes side by side; the first that raises, and any cut from outside, ends the others."""
    if len(lanes) == 1:
        return [await lanes[0]]
    tasks = [asyncio.create_task(lane) for lane in lanes]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
