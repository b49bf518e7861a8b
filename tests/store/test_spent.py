"""What a run spent is the sum over its closing lines, and what is unknown of one is unknown of the sum."""

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import StoreError
from evalkit.records.event import Closed, Event, Replied, ToolCalled, Usage
from evalkit.records.spent import Spent, together
from evalkit.store.encoding import LineEncoder
from evalkit.store.journal import JournalWriter
from evalkit.store.spent import spent, tells_usage
from tests.store.events import BODIES, execution, opened


def usage(cost: float | None = None) -> Usage:
    """Return fifteen tokens of such a cost."""
    return Usage(input=10, cache_read=0, cache_write=0, output=5, cost_usd=cost)


def written(*executions: list[Event]) -> dict[str, Spent]:
    """Return what is read from a journal of such executions, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        with JournalWriter(Path(name), LineEncoder()) as writer:
            for one in executions:
                for event in one:
                    writer.append(event)
        return spent(Path(name))


def closed(trial: int, row: Usage | None, arm: str = "champion", seconds: float = 2.0) -> list[Event]:
    """Return an execution that closed with such a usage after so many seconds."""
    head = msgspec.structs.replace(opened(trial=trial), arm=arm)
    events = execution(f"e{trial}-{arm}", [Replied(content="x")], head, Closed(usage=row))
    last = events[-1]
    return [*events[:-1], Event(execution=last.execution, seq=last.seq, at=seconds, body=last.body)]


def test_arms_are_summed_apart() -> None:
    """Tokens, money and time of each arm are those of its closed executions, retried attempts included."""
    found = written(
        closed(0, usage(0.5)),
        closed(1, usage(0.25)),
        closed(0, usage(), arm="other"),
    )
    assert Spent(executions=2, known_tokens=30, known_usd=0.75, seconds=4.0) == found["champion"]
    assert Spent(executions=1, known_tokens=15, unpriced=1, seconds=2.0) == found["other"]
    assert (30, 0.75) == (found["champion"].tokens, found["champion"].usd)


def test_one_unknown_execution_makes_the_sum_unknown() -> None:
    """A sum that leaves one out would be a lower bound that reads like a figure."""
    found = written(closed(0, usage(0.5)), closed(1, None))
    assert (None, None, 2) == (
        found["champion"].tokens,
        found["champion"].usd,
        found["champion"].executions,
    )


def test_what_never_closed_is_not_counted() -> None:
    """An execution without a closing line, and a line that only speaks of one, add nothing."""
    liar = ToolCalled(id="1", tool="x", args={"type": "closed", "seq": 0, "usage": {"cost_usd": 9}})
    events = execution("e", [liar], opened(), Closed())
    assert {} == written(events[:-1])


@given(st.lists(BODIES, max_size=4), st.integers(0, 9), st.floats(0, 100))
def test_whatever_lies_between_is_passed_over(bodies: list[object], tokens: int, cost: float) -> None:
    """No body of a trial, however hostile, changes what its closing line says."""
    row = Usage(input=tokens, cache_read=0, cache_write=0, output=1, cost_usd=cost)
    found = written(execution("e", bodies, opened(), Closed(usage=row)))["champion"]
    assert (tokens + 1, cost, 1) == (found.tokens, found.usd, found.executions)


def test_a_damaged_closing_line_is_refused(tmp_path: Path) -> None:
    """A figure is not read from half a line; a torn last one was never there."""
    journal = tmp_path / "events-0000.jsonl"
    journal.write_bytes(b'{"execution":"e","seq":1,"body":{"type":"closed"')
    assert {} == spent(tmp_path)
    journal.write_bytes(journal.read_bytes() + b"\n")
    with pytest.raises(StoreError, match=r"events-0000\.jsonl:1"):
        spent(tmp_path)


COUNT = st.integers(0, 9)
PART = st.builds(Spent, executions=COUNT, known_tokens=COUNT, uncounted=COUNT, unpriced=COUNT)


@given(st.lists(PART))
def test_sums_add_up_in_any_order(parts: list[Spent]) -> None:
    """Parts together are the same whatever their order, and no more is known than of each."""
    whole = together(parts)
    assert whole == together(reversed(parts))
    known = whole.executions > 0 and all(part.uncounted == 0 for part in parts)
    assert known == (whole.tokens is not None)


def test_whether_usage_was_told_is_seen_without_counting(tmp_path: Path) -> None:
    """A run of scripted replies tells none; one reply that does is enough."""
    with JournalWriter(tmp_path, LineEncoder()) as writer:
        for event in closed(0, None):
            writer.append(event)
    assert not tells_usage(tmp_path)
    with JournalWriter(tmp_path, LineEncoder()) as writer:
        for event in closed(1, usage(0.5)):
            writer.append(event)
    assert tells_usage(tmp_path)
    (tmp_path / "events-0009.jsonl").touch()
    assert tells_usage(tmp_path)


@given(st.integers(0, 12))
def test_usage_is_seen_wherever_pieces_are_cut(cut: int) -> None:
    """Where a file is read piece by piece, what is looked for may lie across two of them."""
    with tempfile.TemporaryDirectory() as name:
        journal = Path(name) / "events-0000.jsonl"
        journal.write_bytes(b"x" * ((1 << 20) - cut) + b'"usage":{')
        assert tells_usage(Path(name))
