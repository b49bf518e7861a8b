"""Running the calls of one reply: in parallel where they may, each outcome recorded when it happens.

What comes in: calls, a session, the seconds that are left. What goes out: one outcome per call in source
order, whatever order they finished in. Calls that may touch the same thing share a *lane* and queue there in
source order; lanes run side by side.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct, structs

from evalkit.agent import messages
from evalkit.agent.arguments import Arguments, read_arguments
from evalkit.records.event import CallRequest, Timing, ToolCalled, ToolReturned
from evalkit.records.ports import Clock, Emit, Session
from evalkit.records.suite import ToolSpec


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
        text = self.request.raw if value is None else json.dumps(value, sort_keys=True) if value else ""
        return f"{self.request.tool} {text}"


def read_calls(requests: Sequence[CallRequest]) -> tuple[ReadCall, ...]:
    """Read the arguments of the calls of one reply."""
    return tuple(ReadCall(request=request, arguments=read_arguments(request.raw)) for request in requests)


class Batch(Struct, frozen=True, kw_only=True):
    """How the calls of one reply ended.

    Attributes:
        outcomes: One per call, in source order.
        seconds: Working time: of lanes that ran side by side the longest, without evalkit's own waiting.
        in_time: False where the seconds ran out and calls were cut.
    """

    outcomes: tuple[ToolReturned, ...]
    seconds: float
    in_time: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
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
            seconds: How long the batch may take; what is in flight then is cut.

        Returns:
            One outcome per call, every one recorded.
        """
        ended: dict[str, ToolReturned] = {}
        lanes = [self._lane(lane, ended) for lane in lanes_of(calls, self.offered)]
        worked, in_time = await _within(seconds, lanes)
        why = "a call before it could not be answered" if in_time else "the time limit was reached"
        for call in calls:
            if call.request.id not in ended:
                ended[call.request.id] = messages.stopped(call.request, why)
                self.emit(ended[call.request.id])
        return Batch(
            outcomes=tuple(ended[call.request.id] for call in calls), seconds=worked, in_time=in_time
        )

    async def _lane(self, lane: Sequence[ReadCall], ended: dict[str, ToolReturned]) -> float:
        """Run calls one after the other, up to one that nothing answers; return the seconds they worked."""
        worked = 0.0
        for call in lane:
            returned = await self._one(call)
            self.emit(returned)
            ended[returned.id] = returned
            worked += returned.timing.tool if returned.timing else 0.0
            if returned.status == "missing":
                break
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
    by_name = {spec.name: spec for spec in specs}
    known = [by_name.get(call.request.tool) for call in calls]
    serial = any(spec is not None and spec.serial for spec in known)
    lanes: dict[int, list[ReadCall]] = {}
    for place, (call, spec) in enumerate(zip(calls, known, strict=True), start=1):
        queues = serial or (spec is not None and spec.effect != "read")
        lanes.setdefault(_ALL if queues else place, []).append(call)
    return list(lanes.values())


async def _within(seconds: float, lanes: Sequence[Coroutine[None, None, float]]) -> tuple[float, bool]:
    """Run lanes side by side; return how long the longest worked, and whether they ended in time."""
    cut = asyncio.timeout(seconds)
    try:
        async with cut:
            return max(await _together(lanes), default=0.0), True
    except TimeoutError:
        if not cut.expired():
            raise
        return seconds, False


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
