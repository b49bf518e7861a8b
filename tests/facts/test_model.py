"""What each reply of the model and each call took, and which calls were asked for at once."""

from __future__ import annotations

from evalkit.records.event import CallRequest, ModelReply, Timing, ToolCalled, ToolReturned, Usage
from tests.facts.events import FIRST, sheet_of, trace_of


def test_every_reply_of_the_model_is_a_fact() -> None:
    """With its own time and usage; what is not known is None, and never 0."""
    usage = Usage(input=10, output=2)
    trace = trace_of(
        ModelReply(text="a", timing=Timing(queue=9, model=1.5), usage=usage), ModelReply(text="b")
    )
    sheet = sheet_of(trace)
    assert 2 == sheet.model_replies
    assert [(FIRST, 1.5, usage), (FIRST + 1, None, None)] == [
        (m.seq, m.seconds, m.usage) for m in sheet.model
    ]


def test_a_call_has_the_time_of_its_tool_and_the_reply_that_asked_for_it() -> None:
    """Waiting is not working; a call that nobody was seen to ask for has no such reply."""
    asked = (CallRequest(id="1", tool="a"), CallRequest(id="2", tool="b"))
    trace = trace_of(
        ModelReply(calls=asked, stop="tool_use"),
        ToolCalled(id="1", tool="a"),
        ToolReturned(id="1", tool="a", status="ok", timing=Timing(queue=9, tool=0.25)),
        ToolCalled(id="3", tool="c"),
        ToolReturned(id="3", tool="c", status="ok"),
    )
    told = {fact.tool: (fact.seconds, fact.asked) for fact in sheet_of(trace).calls}
    assert {"a": (0.25, FIRST), "b": (None, FIRST), "c": (None, None)} == told
