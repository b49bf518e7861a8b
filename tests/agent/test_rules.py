"""The rules of the reference loop, one by one."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import DependencyError, SuiteBug
from evalkit.records.arm import Arm, ModelSpec
from evalkit.records.event import (
    CallStatus,
    Limited,
    ModelReply,
    Replied,
    Timing,
    ToolCalled,
    ToolReturned,
    Usage,
    UserTurn,
)
from evalkit.records.ports import Message
from evalkit.records.suite import Limits, ToolSpec
from evalkit.records.written import Json
from evalkit.world.clock import ManualClock
from tests.agent.fakes import (
    Play,
    Tool,
    after,
    calls,
    case_of,
    echo,
    forever,
    outcome,
    says,
)


def arm(**given: Json) -> Arm:
    """An arm with these settings."""
    return Arm(arm="champion", model=ModelSpec(), **given)


# ---------------------------------------------------------------------- rule 1: truncated replies run nothing


def test_rule_1_a_truncated_reply_runs_nothing() -> None:
    """Every call of a reply that stopped for length is answered by a wish to resend, and no tool runs."""
    played = Play([calls("pay", "pay", stop="length"), says("sorry")], {"pay": echo})()
    assert [] == played.session.called
    assert {"c0": "unanswered", "c1": "unanswered"} == played.statuses
    assert [] == played.of(ToolCalled)
    told = [message for message in played.last_messages if message.role == "tool"]
    assert ["c0", "c1"] == [message.call for message in told]
    assert all(message.error and "again" in message.content for message in told)
    assert "done" == played.closed.end


def test_rule_1_execute_keeps_the_older_way_and_the_trace_says_so() -> None:
    """Under `on_truncated: execute` the calls run, and the trace shows them begun and answered."""
    said = [calls("pay", stop="length"), says("paid")]
    played = Play(said, {"pay": echo}, arm=arm(on_truncated="execute"))()
    assert [("pay", {})] == played.session.called
    assert ["c0"] == played.started
    assert {"c0": "ok"} == played.statuses


def test_rule_1_a_truncated_reply_without_calls_is_a_reply() -> None:
    """Length alone stops nothing but the reply itself."""
    played = Play([says("cut of", stop="length")])()
    assert ["cut of"] == [replied.content for replied in played.of(Replied)]
    assert "done" == played.closed.end


# ---------------------------------------------------------------------- rule 2: failures are messages


@pytest.mark.parametrize(
    "status", ["refused", "invalid", "unknown", "fault", "broken", "blocked", "unanswered"]
)
def test_rule_2_a_failure_of_a_tool_is_a_message(status: CallStatus) -> None:
    """Whatever a call ends with, the model is told what went wrong and goes on."""
    failing = outcome(ToolReturned(id="", tool="", status=status, message="no: closed on Sundays"))
    played = Play([calls("shop"), says("closed")], {"shop": failing})()
    assert (
        Message(role="tool", content="no: closed on Sundays", call="c0", tool="shop", error=True)
        == (played.last_messages[-1])
    )
    assert "done" == played.closed.end


@pytest.mark.parametrize(
    "status", ["refused", "blocked", "invalid", "unknown", "unanswered", "fault", "broken"]
)
def test_rule_2_a_failure_without_words_is_still_told_in_words(status: CallStatus) -> None:
    """Where the world says nothing, the loop says what went wrong and what to do next."""
    failing = outcome(ToolReturned(id="", tool="", status=status))
    played = Play([calls("shop"), says("closed")], {"shop": failing})()
    assert 40 < len(played.last_messages[-1].content)


def test_rule_2_unknown_tools_are_answered_by_the_session_or_by_the_arms_own_list() -> None:
    """A tool that the world does not have, and one that the arm may not see, are both unknown."""
    hidden = Play(
        [calls("pay", "nosuch"), says("x")], {"pay": echo, "look": echo}, arm=arm(tools=("look",))
    )()
    assert {"c0": "unknown", "c1": "unknown"} == hidden.statuses
    assert [] == hidden.session.called
    assert "look" in hidden.last_messages[-1].content
    assert ["look"] == [spec.name for spec in hidden.model.requests[0].tools]
    open_list = Play([calls("nosuch"), says("x")], {"look": echo})()
    assert {"c0": "unknown"} == open_list.statuses


def test_rule_2_unreadable_arguments_are_invalid_and_the_raw_text_is_kept() -> None:
    """Arguments that are no JSON object never reach the world; the trace keeps them as they were written."""
    played = Play([calls(("pay", "{amount: 5")), says("x")], {"pay": echo})()
    assert [ToolCalled(id="c0", tool="pay", raw="{amount: 5", args=None)] == played.of(ToolCalled)
    assert {"c0": "invalid"} == played.statuses
    assert [] == played.session.called
    assert "{amount: 5" in played.last_messages[-1].content


def test_rule_2_malformed_arguments_are_repaired_and_the_raw_text_is_kept() -> None:
    """A known malformed form reaches the tool mended; the trace has both."""
    raw = '```json\n{"amount": 5,}\n```'
    played = Play([calls(("pay", raw)), says("x")], {"pay": echo})()
    assert [ToolCalled(id="c0", tool="pay", raw=raw, args={"amount": 5})] == played.of(ToolCalled)
    assert [("pay", {"amount": 5})] == played.session.called


def test_rule_2_a_call_that_no_fixture_answers_ends_the_trial_there() -> None:
    """`missing` is nobody's answer: what comes after it in its lane never runs, and the trial stops."""
    missing = outcome(
        ToolReturned(id="", tool="", status="missing", cause="fixture_missing", message="nothing pinned")
    )
    specs = [ToolSpec(name="pay", effect="pay"), ToolSpec(name="gone", effect="write")]
    played = Play([calls("gone", "pay")], {"gone": missing, "pay": echo}, specs)()
    assert ("fault", "fixture_missing") == (played.closed.end, played.closed.cause)
    assert {"c0": "missing", "c1": "unanswered"} == played.statuses
    assert [("gone", {})] == played.session.called


# ---------------------------------------------------------------------- rule 3: parallel, and back in order


def test_rule_3_calls_run_side_by_side_and_are_written_back_in_order() -> None:
    """Outcomes are recorded in the order of finishing, and the model reads them in the order of asking."""
    tools = {"slow": after(6), "fast": after(1)}
    played = Play([calls("slow", "fast", "slow", "fast"), says("x")], tools)()
    assert ["c0", "c1", "c2", "c3"] == played.started
    assert ["c1", "c3", "c0", "c2"] == [returned.id for returned in played.of(ToolReturned)]
    assert ["c0", "c1", "c2", "c3"] == [m.call for m in played.last_messages if m.role == "tool"]


def test_rule_3_an_outcome_is_recorded_when_it_happens() -> None:
    """The outcome of a fast call is in the trace while a slow one is still at work."""
    play = Play([calls("look", "fast"), says("x")])
    seen: list[int] = []

    async def look(_args: dict[str, Json]) -> Json:
        for _ in range(5):
            await asyncio.sleep(0)
        seen.append(sum(isinstance(body, ToolReturned) for body in play.bodies))
        return None

    play.tools = {"look": look, "fast": after(1)}
    play()
    assert [1] == seen


def test_rule_3_a_serial_tool_makes_its_batch_serial() -> None:
    """With one serial call, every call waits for the one before it."""
    specs = [ToolSpec(name="alone", serial=True)]
    played = Play(
        [calls("slow", "alone", "fast"), says("x")],
        {"slow": after(5), "alone": after(3), "fast": after(0)},
        specs,
    )()
    order = [
        f"{type(body).__name__} {body.id}"
        for body in played.bodies
        if isinstance(body, ToolCalled | ToolReturned)
    ]
    assert [f"{kind} c{n}" for n in range(3) for kind in ("ToolCalled", "ToolReturned")] == order


def test_rule_3_writes_queue_behind_each_other_and_reads_do_not() -> None:
    """Calls that change the trial's world keep their order; a read beside them runs at once."""
    specs = [ToolSpec(name="write", effect="write"), ToolSpec(name="pay", effect="pay")]
    tools = {"write": after(5), "pay": after(0), "read": after(0)}
    played = Play([calls("write", "pay", "read"), says("x")], tools, specs)()
    assert ["c0", "c2", "c1"] == played.started
    assert ["c2", "c0", "c1"] == [returned.id for returned in played.of(ToolReturned)]


# ---------------------------------------------------------------------- rule 4: gates after write-back


def test_rule_4_a_gate_is_asked_only_when_every_call_is_answered() -> None:
    """A limit stops the trial after the outcomes are stored."""
    played = Play([calls("look", "look")], {"look": echo}, limits=Limits(turns=1))()
    assert {"c0": "ok", "c1": "ok"} == played.statuses
    assert [Limited(limit="turns", reached=1.0, allowed=1.0)] == played.of(Limited)
    assert isinstance(played.bodies[-1], Limited)
    assert "limit" == played.closed.end
    assert played.closed.cause is None


def test_rule_4_a_last_reply_within_the_limit_is_no_limit() -> None:
    """What a limit allows is allowed: an agent that ends on its last reply is done."""
    played = Play([calls("look"), says("x")], {"look": echo}, limits=Limits(turns=2, tool_calls=1))()
    assert "done" == played.closed.end
    assert [] == played.of(Limited)


def test_rule_4_a_limit_is_asked_before_a_later_user_turn() -> None:
    """A user turn that the agent could not answer is not begun."""
    played = Play([says("one")], case=case_of("a", "b"), limits=Limits(turns=1))()
    assert ["a"] == [turn.content for turn in played.of(UserTurn)]
    assert "limit" == played.closed.end


def test_rule_4_a_callers_own_gate_stops_after_write_back() -> None:
    """The caller's hook sees the outcomes of the batch, and its reason closes the trial."""
    seen: list[int] = []

    def hook(history: "object") -> str | None:
        assert isinstance(history, tuple)
        seen.append(len(history))
        return "enough"

    played = Play([calls("look", "look")], {"look": echo}, stop=hook)()
    assert [4] == seen
    assert ("done", "stopped by the caller: enough") == (played.closed.end, played.closed.message)


def test_rule_4_calls_beyond_the_limit_are_blocked_and_stop_the_trial() -> None:
    """Of a batch that goes beyond `tool_calls`, only what is allowed runs."""
    played = Play([calls("look", "look", "look")], {"look": echo}, limits=Limits(tool_calls=2, same_call=9))()
    assert {"c0": "ok", "c1": "ok", "c2": "blocked"} == played.statuses
    assert 2 == len(played.session.called)
    assert [Limited(limit="tool_calls", reached=3.0, allowed=2.0)] == played.of(Limited)


def test_rule_4_a_model_in_flight_is_cut_when_the_seconds_run_out() -> None:
    """A model that never answers ends in the limit, not in a hang."""
    played = Play([forever], limits=Limits(seconds=0.02))()
    assert [Limited(limit="seconds", reached=0.02, allowed=0.02)] == played.of(Limited)
    assert "limit" == played.closed.end


def timed(clock: ManualClock, tool: float, queue: float = 0.0, status: CallStatus = "ok") -> Tool:
    """A tool that works and lets evalkit wait, on a clock, and says so."""

    async def act(_args: dict[str, Json]) -> Json:
        await clock.sleep(tool + queue)
        timing = Timing(tool=tool, queue=queue)
        return ToolReturned(id="", tool="", status=status, cause="environment", timing=timing)

    return act


def test_rule_4_a_slow_call_is_not_cut_and_counts_in_full() -> None:
    """A call that ends after the seconds is answered, and stops the trial at the gate."""
    clock = ManualClock()
    played = Play([calls("slow")], {"slow": timed(clock, 15.0)}, limits=Limits(seconds=10.0), clock=clock)()
    assert {"c0": "ok"} == played.statuses
    assert [Limited(limit="seconds", reached=15.0, allowed=10.0)] == played.of(Limited)


def test_rule_4_what_is_spent_below_the_agent_is_never_its_limit() -> None:
    """A dependency that broke for longer than the seconds is told to the agent, which goes on."""
    clock = ManualClock()
    broken = timed(clock, 0.0, 15.0, "fault")
    played = Play(
        [calls("look"), says("it is down")], {"look": broken}, limits=Limits(seconds=10.0), clock=clock
    )()
    assert {"c0": "fault"} == played.statuses
    assert [] == played.of(Limited)
    assert "done" == played.closed.end


@given(st.integers(1, 40), st.integers(0, 40), st.integers(1, 40))
def test_rule_4_only_working_time_passes_the_limit(tool: int, queue: int, seconds: int) -> None:
    """Whatever was waited for, the limit is reached by what tools worked, and by nothing else."""
    clock = ManualClock()
    played = Play(
        [calls("act"), says("x")],
        {"act": timed(clock, tool, queue)},
        limits=Limits(seconds=seconds),
        clock=clock,
    )()
    assert {"c0": "ok"} == played.statuses
    assert (tool >= seconds) == bool(played.of(Limited))


def test_rule_4_no_further_call_begins_when_the_seconds_are_used_up() -> None:
    """In a lane, a call that used the seconds up is the last that runs; the others are unanswered."""
    clock = ManualClock()
    specs = [ToolSpec(name="write", effect="write")]
    tools = {"write": timed(clock, 6.0)}
    limits = Limits(seconds=10.0)
    played = Play([calls("write", "write", "write")], tools, specs, limits=limits, clock=clock)()
    assert {"c0": "ok", "c1": "ok", "c2": "unanswered"} == played.statuses
    assert 2 == len(played.session.called)
    assert [Limited(limit="seconds", reached=12.0, allowed=10.0)] == played.of(Limited)


def test_rule_4_a_timeout_can_be_declared_an_error() -> None:
    """`on_timeout: error` makes the trial unmeasured; other limits stay the agent's."""
    timed = Play([forever], limits=Limits(seconds=0.02, on_timeout="error"))()
    assert ("limit", "environment", "no_reply") == (timed.closed.end, timed.closed.cause, timed.closed.sub)
    other = Play([calls("look")], {"look": echo}, limits=Limits(turns=1, on_timeout="error"))()
    assert ("limit", None) == (other.closed.end, other.closed.cause)


# ---------------------------------------------------------------------- rule 5: errors and aborts stop hard


@pytest.mark.parametrize("stop", ["error", "aborted", "safety"])
def test_rule_5_a_broken_reply_stops_hard(stop: str) -> None:
    """No tool of that message runs, no turn follows, and the crash is the agent's."""
    broken = ModelReply(calls=calls("pay").calls, stop=stop, message="overflow")  # type: ignore[arg-type]
    played = Play([broken], {"pay": echo}, case=case_of("a", "b"))()
    assert [] == played.session.called
    assert [] == played.of(ToolCalled)
    assert {"c0": "unanswered"} == played.statuses
    assert [] == played.of(Replied)
    assert ["a"] == [turn.content for turn in played.of(UserTurn)]
    assert ("crash", None) == (played.closed.end, played.closed.cause)
    assert stop in played.closed.message
    assert "overflow" in played.closed.message


# ---------------------------------------------------------------------- turns, history, and what a model sees


def test_turns_come_in_order_and_keep_the_history() -> None:
    """Each reply without calls answers its user turn; the next turn sees all that came before."""
    case = case_of("a", {"form": 1}, history=[{"role": "user", "content": "earlier"}])
    said = [calls("look"), says("one"), ModelReply(data={"status": "refunded"})]
    played = Play(said, {"look": echo}, case=case, arm=arm(system="Be kind."))()
    assert [0, 1] == played.turns
    assert ["one", {"status": "refunded"}] == [replied.content for replied in played.of(Replied)]
    roles = ["system", "user", "user", "assistant", "tool", "assistant", "user"]
    assert roles == [message.role for message in played.last_messages]
    assert "Be kind." == played.last_messages[0].content
    assert [(0, 0), (0, 1), (1, 2)] == [(r.turn, r.step) for r in played.model.requests]


def test_a_model_sees_no_case_id_and_gets_the_trials_seed() -> None:
    """The request carries messages, tools, sampling and seed, and nothing that names the case."""
    played = Play([says("x")], arm=arm(sampling={"temperature": 0.5}))()
    request = played.model.requests[0]
    assert (7, {"temperature": 0.5}) == (request.seed, request.sampling)
    assert {"messages", "tools", "sampling", "seed", "turn", "step"} == set(request.__struct_fields__)


def test_a_history_that_is_none_is_the_suites_fault() -> None:
    """A message without a role is refused as a bug of the suite."""
    play = Play([says("x")], case=case_of("a", history=[{"content": "who said this?"}]))
    with pytest.raises(SuiteBug, match="history"):
        play()


def test_call_ids_are_unique_in_the_execution() -> None:
    """A model that repeats an id, or gives none, does not mix up its outcomes."""
    nameless = ModelReply(
        calls=tuple(call.__class__(id="", tool=call.tool) for call in calls("look", "look").calls)
    )
    played = Play([calls("look"), calls("look"), nameless, says("x")], {"look": echo})()
    assert ["c0", "c0-2", "call", "call-2"] == played.started
    assert 4 == len(played.statuses)


def test_a_model_that_stays_broken_raises_and_is_the_runners() -> None:
    """The loop lets `DependencyError` and `SuiteBug` out; nothing is unanswered then."""
    with pytest.raises(DependencyError):
        Play([DependencyError(503)])()


def test_seconds_count_the_model_and_tools_and_not_waiting() -> None:
    """Waiting in evalkit's own queues, as the world reports it, is not the agent's time."""
    waited = outcome(ToolReturned(id="", tool="", status="ok", timing=Timing(queue=50.0, tool=1.0)))
    played = Play([calls("look"), says("x")], {"look": waited}, limits=Limits(seconds=10.0))()
    assert "done" == played.closed.end


def test_seconds_are_measured_on_the_injected_clock() -> None:
    """Time that passes on the clock during a reply counts, also where nothing could be cut."""
    clock = ManualClock()

    async def thinks(_request: object) -> ModelReply:
        clock.advance(20.0)
        return calls("look")

    played = Play([thinks], {"look": echo}, limits=Limits(seconds=10.0), clock=clock)()
    assert [Limited(limit="seconds", reached=20.0, allowed=10.0)] == played.of(Limited)
    assert [20.0] == [r.timing.model for r in played.of(ModelReply) if r.timing is not None]


def test_a_reply_is_priced_where_its_provider_does_not_say() -> None:
    """The recorded usage carries the cost that the arm's prices give, and the money gate reads it."""
    usage = Usage(input=1_000_000, cache_read=0, cache_write=0, output=0)
    reply = ModelReply(calls=calls("look").calls, usage=usage)
    played = Play([reply], {"look": echo}, arm=arm(prices={"input": 3.0}), limits=Limits(cost_usd=2.5))()
    assert [3.0] == [r.usage.cost_usd for r in played.of(ModelReply) if r.usage is not None]
    assert [Limited(limit="cost_usd", reached=3.0, allowed=2.5)] == played.of(Limited)
