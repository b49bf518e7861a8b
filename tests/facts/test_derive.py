"""The door of the room: any trace has facts, and the same trace always has the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.event import (
    Body,
    CallRequest,
    Closed,
    Event,
    Faulted,
    Limited,
    ModelReply,
    Opened,
    Probed,
    Replied,
    ToolCalled,
    ToolReturned,
    Trace,
    UserTurn,
)
from evalkit.records.fact import FactSheet
from evalkit.records.suite import Claim, ClaimProbe, ClaimSign, FactSource
from tests.facts.events import sheet_of, suite_of, trace_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
IDS = st.sampled_from(("1", "2", ""))
TOOLS = st.sampled_from(("a", "b"))
STATUSES = st.sampled_from(("ok", "refused", "fault", "missing", "broken", "unknown"))
BODIES: st.SearchStrategy[Body] = st.one_of(
    st.builds(Replied, content=JSON),
    st.builds(ModelReply, calls=st.tuples(st.builds(CallRequest, id=IDS, tool=TOOLS, raw=st.text()))),
    st.builds(ToolCalled, id=IDS, tool=TOOLS, args=st.none() | st.dictionaries(st.text(), JSON, max_size=2)),
    st.builds(ToolReturned, id=IDS, tool=TOOLS, status=STATUSES, value=JSON, cause=st.none() | st.text()),
    st.builds(Faulted, where=st.sampled_from(("tool", "model", "world", "harness")), cause=st.text()),
    st.builds(Limited, limit=st.just("turns"), reached=st.just(1.0), allowed=st.just(1.0)),
    st.builds(Probed, id=st.text(), rows=st.none() | st.lists(st.lists(JSON, max_size=2), max_size=2)),
)
SUITE = suite_of(
    facts={
        "of_call": FactSource(source="call", tool="a", path="result.x[].y"),
        "of_args": FactSource(source="call", tool="b", path="args.x"),
        "of_reply": FactSource(source="reply", matches=r"(\w)!"),
        "of_field": FactSource(source="reply", path="x"),
    },
    claims={"done": Claim(reply=ClaimSign(field="x[0]"), holds=ClaimProbe(sql="select 1"))},
)


@given(st.lists(BODIES, max_size=8))
def test_any_trace_has_facts(bodies: list[Body]) -> None:
    """Whatever an agent, a tool or a source wrote: reading it never raises, and gives the same again."""
    trace = trace_of(*bodies)
    sheet = sheet_of(trace, SUITE)
    assert sheet == sheet_of(trace, SUITE)
    seqs = {event.seq for event in trace.events}
    cited = {seq for fact in sheet.declared for seq in fact.cites} | {fault.seq for fault in sheet.faults}
    assert cited | {call.seq for call in sheet.calls} | {claim.seq for claim in sheet.claims} <= seqs


def test_a_trace_that_was_never_closed_has_no_stop() -> None:
    """What is not over did not end in any way."""
    opened = Opened(case="case", arm="a", mode="mock", trial=0)
    trace = Trace(opened=opened, events=(Event(execution="e", seq=0, body=opened),), closed=None)
    assert sheet_of(trace).stop is None


def test_facts_know_nothing_of_what_a_case_expects() -> None:
    """The sheet names the case and says what the trace observes; the closing line alone gives the end."""
    sheet = sheet_of(trace_of(closed=Closed(end="crash", message="broke")))
    assert ("case", "crash", ()) == (sheet.case, sheet.stop.end if sheet.stop else None, sheet.faults)


def test_an_event_stands_in_the_turn_that_the_user_had_begun() -> None:
    """What stands before the user spoke belongs to the first turn, what ends the trial to the last."""
    sheet = sheet_of(trace_of(Replied(content="a"), UserTurn(content="b"), Replied(content="c")))
    assert (1, 3) == sheet.begins
    assert [0, 0, 0, 1, 1, 1] == [sheet.turn_of(seq) for seq in range(6)]
    assert 0 == FactSheet(case="c", observes=()).turn_of(7)
