"""Strategies and builders for events, shared by the tests of the store."""

from hypothesis import strategies as st

from evalkit.records.event import (
    CallRequest,
    Closed,
    Event,
    Faulted,
    Limited,
    ModelReply,
    Opened,
    Probed,
    Replied,
    Timing,
    ToolCalled,
    ToolReturned,
    Usage,
    UserTurn,
)

# Every code point, lone surrogates and the private-use mark of the escape included.
TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\ud800\udfff\ue0ff\x00\u2028"))
NUMBER = st.integers(-(2**80), 2**80) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
COUNT = st.none() | st.integers(0, 2**40)
USAGE = st.builds(Usage, input=COUNT, output=COUNT, cost_usd=st.none() | st.floats(0, 1e6))
TIMING = st.builds(Timing, queue=st.floats(0, 1e6), tool=st.floats(0, 1e6))
CALL = st.builds(CallRequest, id=TEXT, tool=TEXT, raw=TEXT)

BODIES = st.one_of(
    st.builds(UserTurn, content=JSON),
    st.builds(
        ModelReply,
        text=st.none() | TEXT,
        data=JSON,
        calls=st.lists(CALL, max_size=2).map(tuple),
        usage=st.none() | USAGE,
    ),
    st.builds(ToolCalled, id=TEXT, tool=TEXT, raw=TEXT, args=st.none() | st.dictionaries(TEXT, JSON)),
    st.builds(
        ToolReturned,
        id=TEXT,
        tool=TEXT,
        status=st.sampled_from(["ok", "fault"]),
        value=JSON,
        message=TEXT,
        timing=st.none() | TIMING,
    ),
    st.builds(Replied, content=JSON),
    st.builds(Probed, id=TEXT, rows=st.none() | st.lists(st.lists(JSON, max_size=2), max_size=2)),
    st.builds(
        Faulted, where=st.sampled_from(["model", "harness"]), cause=st.just("environment"), message=TEXT
    ),
    st.builds(Limited, limit=st.just("turns"), reached=st.floats(0, 1e9), allowed=st.floats(0, 1e9)),
)


def opened(case: str = "a", trial: int = 0, attempt: int = 0) -> Opened:
    """Return an opening body."""
    return Opened(case=case, arm="champion", mode="mock", trial=trial, attempt=attempt)


def execution(name: str, bodies: list[object], head: Opened, tail: Closed | None) -> list[Event]:
    """Return the events of one execution; without `tail` it never closed."""
    all_bodies = [head, *bodies, *([tail] if tail else [])]
    return [
        Event(execution=name, seq=seq, at=seq / 8, body=body)  # type: ignore[arg-type]
        for seq, body in enumerate(all_bodies)
    ]
