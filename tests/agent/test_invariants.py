"""Invariants of every trace of the loop, over random scripts: I2, I3, I5, I6 and I7 of the trace rules.

Each stands for a way in which recorded traces have been found broken elsewhere: lost, doubled or reordered
results, results of calls that nobody made, a trial that went on after its end, an end without a reason.
"""

import asyncio
from dataclasses import dataclass
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.arm import Arm, ModelSpec
from evalkit.records.event import (
    CallStatus,
    Limited,
    ModelReply,
    Replied,
    StopReason,
    ToolCalled,
    ToolReturned,
    UserTurn,
)
from evalkit.records.suite import Limits, ToolSpec
from evalkit.records.written import Json
from tests.agent.fakes import Play, Played, Tool, calls, case_of, outcome, says

STOPS: tuple[StopReason, ...] = get_args(StopReason)
HARD: tuple[StopReason, ...] = ("error", "aborted", "safety")
STATUSES: tuple[CallStatus, ...] = get_args(CallStatus)
SPECS = (
    ToolSpec(name="alone", serial=True),
    ToolSpec(name="pay", effect="pay"),
    ToolSpec(name="write", effect="write"),
)
NAMES = ("read", "look", "alone", "pay", "write", "nosuch")
TOOL_USE: StopReason = "tool_use"
OK: CallStatus = "ok"
MOSTLY_TOOL_USE: tuple[StopReason, ...] = (*STOPS, *(TOOL_USE,) * 6)
MOSTLY_OK: tuple[CallStatus, ...] = (*STATUSES, *(OK,) * 12)
RAW = ("{}", '{"a": 1}', '{"a": 1,}', "{", "")


@dataclass
class Script:
    """What is drawn for one trial."""

    play: Play

    def __repr__(self) -> str:
        return f"{self.play.said} {self.play.arm.on_truncated} {self.play.limits}"


@st.composite
def replies(draw: st.DrawFn, start: int) -> ModelReply:
    """One reply, with calls or without, that stopped for any reason, mostly an ordinary one."""
    stop = draw(st.sampled_from(MOSTLY_TOOL_USE))
    wanted = draw(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(RAW)), max_size=4))
    return calls(*wanted, stop=stop, start=start) if wanted else says("text", stop=stop)


@st.composite
def tools(draw: st.DrawFn, name: str) -> Tool:
    """A tool that waits a little and ends in one of the ways in which tools end."""
    delays = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    statuses = draw(st.lists(st.sampled_from(MOSTLY_OK), min_size=1, max_size=3))
    turn = [0]

    async def tool(args: dict[str, Json]) -> Json:
        turn[0] += 1
        for _ in range(delays[turn[0] % len(delays)]):
            await asyncio.sleep(0)
        status = statuses[turn[0] % len(statuses)]
        return await outcome(ToolReturned(id="", tool=name, status=status, cause="environment"))(args)

    return tool


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """A trial: what the model says, how the tools end, and the limits."""
    said = [draw(replies(start=100 * n)) for n in range(draw(st.integers(1, 6)))]
    turns = draw(st.integers(1, 3))
    return Script(
        Play(
            said=[*said, *(says("done") for _ in range(turns))],
            tools={name: draw(tools(name)) for name in NAMES if name != "nosuch"},
            specs=SPECS,
            case=case_of(*("hello",) * turns),
            arm=Arm(
                arm="champion",
                model=ModelSpec(),
                on_truncated=draw(st.sampled_from(("refuse", "execute"))),
                tools=draw(st.sampled_from((None, ("read", "pay")))),
            ),
            limits=Limits(
                turns=draw(st.integers(1, 9)),
                tool_calls=draw(st.integers(1, 12)),
                same_call=draw(st.integers(1, 5)),
                oscillation=draw(st.integers(2, 5)),
            ),
        )
    )


@given(scripts())
def test_invariants_hold_for_any_script(script: Script) -> None:
    """Whatever a model says and however tools end, the trace and the history keep their shape."""
    played = script.play()
    every_call_is_answered_once_and_in_order(played)
    no_result_without_its_call(played)
    nothing_follows_a_broken_reply(played)
    the_end_can_be_explained(played)
    begun_calls_end(played)


def every_call_is_answered_once_and_in_order(played: Played) -> None:
    """I2: the calls of a reply are answered before the next reply, each once, and told in source order."""
    wanted: list[str] = []
    answered: list[str] = []
    for body in played.bodies:
        if isinstance(body, ModelReply | UserTurn | Replied | Limited):
            assert sorted(wanted) == sorted(answered)
            wanted = [call.id for call in body.calls] if isinstance(body, ModelReply) else []
            answered = []
        if isinstance(body, ToolReturned):
            answered.append(body.id)
    assert sorted(wanted) == sorted(answered)
    for request in played.model.requests:
        history = request.messages
        asked = [call["id"] for message in history for call in message.calls]
        assert asked == [message.call for message in history if message.role == "tool"]


def no_result_without_its_call(played: Played) -> None:
    """I3: an outcome belongs to a call of the last reply, and to its tool."""
    asked = {call.id: call.tool for reply in played.of(ModelReply) for call in reply.calls}
    for returned in played.of(ToolReturned):
        assert asked[returned.id] == returned.tool


def nothing_follows_a_broken_reply(played: Played) -> None:
    """I5: after an error, an abort or a safety stop there is nothing but calls that never ran."""
    for place, body in enumerate(played.bodies):
        if isinstance(body, ModelReply) and body.stop in HARD:
            rest = played.bodies[place + 1 :]
            assert all(isinstance(late, ToolReturned) and late.status == "unanswered" for late in rest)
            assert "crash" == played.closed.end


def the_end_can_be_explained(played: Played) -> None:
    """I6: the last thing in the trace says why the trial ended."""
    last, closed = played.bodies[-1], played.closed
    missing = any(returned.status == "missing" for returned in played.of(ToolReturned))
    broken = played.of(ModelReply)[-1].stop in HARD
    explained = {
        "done": isinstance(last, Replied) and len(played.of(Replied)) == len(played.turns),
        "limit": isinstance(last, Limited) and not missing,
        "crash": broken,
        "fault": missing and closed.cause == "environment",
    }
    assert explained[closed.end]
    assert [closed.end] == [end for end, why in explained.items() if why]


def begun_calls_end(played: Played) -> None:
    """I7: as many calls end as were begun, and no call ends before it was begun or twice."""
    begun: set[str] = set()
    ended: set[str] = set()
    for body in played.bodies:
        if isinstance(body, ToolCalled):
            assert body.id not in begun
            begun.add(body.id)
        if isinstance(body, ToolReturned):
            assert body.id not in ended
            ended.add(body.id)
            never_ran = {"unanswered", "blocked"}
            assert body.id in begun or body.status in never_ran
    assert begun <= ended
