"""Every message of a tau-bench trial becomes what it was: a turn, a reply, a call, an observation."""

from pathlib import Path

import pytest

from evalkit.records.event import CallRequest, ModelReply, Replied, ToolCalled, ToolReturned, UserTurn
from tests.exchange.recordings import (
    BYE,
    DONE,
    HELLO,
    SYSTEM,
    answers,
    asks,
    entry,
    events,
    imported,
    of_messages,
    problems,
    written,
)

RAW = '{"reservation_id": "A7"}'


def test_a_conversation_in_events(tmp_path: Path) -> None:
    """Order and content are those of the messages; text beside calls is not shown to the user."""
    call = asks(("c1", RAW), text="Let me see.")
    request = CallRequest(id="c1", tool="cancel_reservation", raw=RAW)
    expected = [
        UserTurn(content="Cancel A7, please."),
        ModelReply(text="Let me see.", calls=(request,), stop="tool_use"),
        ToolCalled(id="c1", tool="cancel_reservation", raw=RAW, args={"reservation_id": "A7"}),
        ToolReturned(id="c1", tool="cancel_reservation", status="ok", value={"ok": True}),
        ModelReply(text="It is cancelled."),
        Replied(content="It is cancelled."),
        UserTurn(content="Thanks. ###STOP###"),
    ]
    assert expected == of_messages(tmp_path, HELLO, call, answers("c1", '{"ok": true}'), DONE, BYE)


def test_events_stand_in_order_and_in_their_turn(tmp_path: Path) -> None:
    """`seq` has no gaps, the time is 0.0, and every user message begins a turn."""
    found = events(imported(tmp_path, entry()))
    assert list(range(len(found))) == [event.seq for event in found]
    assert {0.0} == {event.at for event in found}
    assert {"airline-2-0"} == {event.execution for event in found}
    assert [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1] == [event.turn for event in found]


@pytest.mark.parametrize(
    ("content", "status", "value", "message"),
    [
        ("23553.0", "ok", 23553.0, ""),
        ("", "ok", "", ""),
        ("Transfer successful", "ok", "Transfer successful", ""),
        ("Error: payment method not found", "refused", None, "Error: payment method not found"),
        ("Unknown action cancel_reservation", "unknown", None, "Unknown action cancel_reservation"),
        ("Unknown action other", "ok", "Unknown action other", ""),
    ],
)
def test_an_observation_says_how_a_call_ended(
    tmp_path: Path, content: str, status: str, value: object, message: str
) -> None:
    """Errors are refusals of the world, a tool that is not there is unknown, all else is a result."""
    found = of_messages(tmp_path, HELLO, asks(("c1", RAW)), answers("c1", content))[-1]
    assert isinstance(found, ToolReturned)
    assert (status, value, message) == (found.status, found.value, found.message)


def test_a_repeated_id_gets_a_number(tmp_path: Path) -> None:
    """Call ids are unique in a trial, whatever the source did."""
    once = [asks(("c1", RAW)), answers("c1", "a")]
    called = [body for body in of_messages(tmp_path, HELLO, *once, *once) if isinstance(body, ToolCalled)]
    assert ["c1", "c1#2"] == [body.id for body in called]


def test_parallel_calls_are_answered_by_id(tmp_path: Path) -> None:
    """Observations may come in any order; two calls of one id are answered in the order of the calls."""
    call = asks(("c1", "{}"), ("c2", "{}"), ("c1", "{}"))
    observations = [answers("c2", "two"), answers("c1", "one"), answers("c1", "three")]
    found = of_messages(tmp_path, HELLO, call, *observations)
    assert [("c2", "two"), ("c1", "one"), ("c1#2", "three")] == [
        (body.id, body.value) for body in found if isinstance(body, ToolReturned)
    ]


def test_what_an_agent_does_wrong_is_kept(tmp_path: Path) -> None:
    """Arguments that are no JSON object stay text; a call without an observation was not seen to be made."""
    call = asks(("c1", "{oops"), ("c2", "[1]"))
    found = imported(tmp_path, entry(traj=[SYSTEM, HELLO, call, answers("c1", "done"), DONE]))
    made = [event.body for event in events(found) if isinstance(event.body, ToolCalled)]
    assert [("c1", "{oops", None)] == [(body.id, body.raw, body.args) for body in made]
    told = [loss for loss in found.losses if loss.startswith(("calls: ", "arguments: "))]
    assert ["calls: 1 have no", "arguments: those of 1"] == [" ".join(loss.split()[:4]) for loss in told]


def test_a_half_surrogate_comes_through(tmp_path: Path) -> None:
    """A model may stop in the middle of an emoji; the trace keeps what it wrote."""
    found = of_messages(tmp_path, HELLO, {"role": "assistant", "content": "ok \ud83d"})
    assert Replied(content="ok \ud83d") == found[-1]


def test_a_message_without_text_and_calls_is_an_empty_reply(tmp_path: Path) -> None:
    """Such a message went to the user, and said nothing."""
    assert Replied(content="") == of_messages(tmp_path, HELLO, {"role": "assistant", "content": None})[-1]


WRITTEN = {"role": "assistant", "content": 'Action:\n{"name": "cancel_reservation", "arguments": {}}'}


@pytest.mark.parametrize(
    ("messages", "key"),
    [
        ([HELLO, answers("c1", "x")], "[0].traj[2].tool_call_id"),
        ([HELLO, asks(("c1", RAW)), answers("c2", "x")], "[0].traj[3].tool_call_id"),
        ([HELLO, asks(("c1", RAW)), answers("c1", "x"), answers("c1", "x")], "[0].traj[4].tool_call_id"),
        ([HELLO, asks(("c1", RAW)), BYE, answers("c1", "x")], "[0].traj[4].tool_call_id"),
        ([HELLO, asks(("c1", RAW)), answers("c1", "x", tool="other")], "[0].traj[3].name"),
        ([HELLO, SYSTEM], "[0].traj[2]"),
        ([HELLO, WRITTEN, {"role": "user", "content": "API output: {}"}], "[0].traj[3].content"),
    ],
)
def test_a_damaged_trace_is_refused(tmp_path: Path, messages: list[object], key: str) -> None:
    """An observation that answers nothing, and calls that are written as text, cannot be told apart later."""
    path = written(tmp_path, [entry(traj=[SYSTEM, *messages])])
    assert [key] == [problem.key for problem in problems(path)]
