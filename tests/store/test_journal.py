"""The journal keeps every closed trial, whole, whatever it holds and wherever it was cut."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import StoreError
from evalkit.records.event import Closed, Event, Replied, ToolReturned, UserTurn
from evalkit.store.encoding import LineEncoder
from evalkit.store.journal import Journal, JournalWriter, events, segments
from tests.store.events import BODIES, execution, opened

BODY_LISTS = st.lists(BODIES, max_size=4)


def write(folder: Path, *batches: list[Event], secrets: tuple[str, ...] = ()) -> None:
    """Append batches of events to one new segment."""
    with JournalWriter(folder, LineEncoder(secrets)) as writer:
        for batch in batches:
            for event in batch:
                writer.append(event)


def interleaved(left: list[Event], right: list[Event]) -> list[Event]:
    """Return the events of two executions in turn, as two concurrent trials would write them."""
    longest = max(len(left), len(right))
    return [event for at in range(longest) for side in (left, right) for event in side[at : at + 1]]


@given(BODY_LISTS, BODY_LISTS)
def test_every_event_comes_back(left: list[object], right: list[object]) -> None:
    """What is appended is read back equal, also when two trials write in turn."""
    first = execution("one", left, opened(trial=0), Closed())
    second = execution("two", right, opened(trial=1), Closed(end="limit"))
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), interleaved(first, second))
        journal = Journal(Path(name))
        for trial, expected in ((0, first), (1, second)):
            found = journal.last(("champion", "a", trial))
            assert found is not None
            assert tuple(expected) == journal.trace(found).events


@given(BODY_LISTS)
def test_truncation_at_every_byte_loses_only_what_was_cut(bodies: list[object]) -> None:
    """A segment cut anywhere still gives every execution whose closing line survived, and no other."""
    first = execution("one", bodies, opened(trial=0), Closed())
    second = execution("two", [Replied(content="x")], opened(trial=1), Closed())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, first, second)
        path = segments(folder)[0]
        whole = path.read_bytes()
        ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
        closes = {0: ends[len(first) - 1], 1: ends[-1]}
        for cut in {*range(0, len(whole), max(1, len(whole) // 40)), *ends, *(end - 1 for end in ends)}:
            path.write_bytes(whole[:cut])
            journal = Journal(folder)
            expected = {trial for trial, end in closes.items() if cut >= end}
            assert expected == {trial for trial in closes if journal.last(("champion", "a", trial))}
            assert len(expected) == journal.n_closed


def test_every_single_byte_of_a_small_segment(tmp_path: Path) -> None:
    """Exhaustive on one segment: at no cut does the reader raise or invent a trial."""
    write(tmp_path, execution("one", [UserTurn(content="退款\ud800")], opened(), Closed()))
    path = segments(tmp_path)[0]
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        assert int(cut == len(whole)) == Journal(tmp_path).n_closed


def test_a_damaged_line_in_the_middle_is_refused(tmp_path: Path) -> None:
    """Damage that a kill cannot explain is named by file and line, never skipped."""
    write(tmp_path, execution("one", [UserTurn(content="x")], opened(), Closed()))
    path = segments(tmp_path)[0]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"garbage\n" + lines[2])
    with pytest.raises(StoreError, match=r"events-0000\.jsonl:2: not an event"):
        Journal(tmp_path)


def test_a_missing_line_is_refused(tmp_path: Path) -> None:
    """A gap in the numbering of an execution is damage."""
    write(tmp_path, execution("one", [UserTurn(content="x")], opened(), Closed()))
    path = segments(tmp_path)[0]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[2])
    with pytest.raises(StoreError, match="gap before event 2"):
        Journal(tmp_path)


def test_peer_15_a_trial_cannot_be_closed_twice(tmp_path: Path) -> None:
    """peers.md 1.15: the same trial logged twice under one attempt is refused, not counted twice."""
    write(tmp_path, execution("one", [], opened(), Closed()), execution("two", [], opened(), Closed()))
    with pytest.raises(StoreError, match="closed twice under attempt 0"):
        Journal(tmp_path)


def test_the_last_attempt_counts(tmp_path: Path) -> None:
    """A second attempt in a later segment takes the place of the first, which stays on file."""
    write(tmp_path, execution("one", [], opened(), Closed(end="fault", cause="environment")))
    write(tmp_path, execution("two", [], opened(attempt=1), Closed(attempt=1)))
    journal = Journal(tmp_path)
    last = journal.last(("champion", "a", 0))
    assert last is not None
    assert ("two", 1) == (journal.trace(last).events[0].execution, last.attempt)
    assert [0, 1] == [one.attempt for one in journal.attempts(("champion", "a", 0))]


def test_an_execution_without_closing_line_does_not_count(tmp_path: Path) -> None:
    """What was open when the process died is counted as open, and is not a trial."""
    write(tmp_path, execution("one", [UserTurn(content="x")], opened(), None))
    journal = Journal(tmp_path)
    assert (0, 1) == (journal.n_closed, journal.unclosed)


def test_peer_19_secrets_are_redacted_by_value(tmp_path: Path) -> None:
    """peers.md 1.19: a secret never reaches the disk, under whatever key and however deeply quoted."""
    secret = 'sk-"geheim"-0042'
    body = UserTurn(content={"note": f"my key is {secret}", secret: [f'{{"raw": "{secret}"}}']})
    write(tmp_path, execution("one", [body], opened(), Closed()), secrets=(secret,))
    raw = segments(tmp_path)[0].read_text()
    assert "geheim" not in raw
    stored = list(events(segments(tmp_path)[0]))[1].body
    assert (
        UserTurn(content={"note": "my key is [redacted]", "[redacted]": ['{"raw": "[redacted]"}']}) == stored
    )


def test_a_secret_that_spells_a_keyword_does_not_damage_the_journal(tmp_path: Path) -> None:
    """Redaction touches the words of others only: a secret `opened` leaves the structure alone."""
    write(tmp_path, execution("one", [UserTurn(content="opened")], opened(), Closed()), secrets=("opened",))
    assert 1 == Journal(tmp_path).n_closed


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_non_finite_numbers_are_refused(tmp_path: Path, number: float) -> None:
    """A number that JSON cannot hold is refused before the write, never stored as null."""
    with pytest.raises(ValueError, match="not a number that can be stored"):
        write(tmp_path, execution("one", [UserTurn(content=[number])], opened(), Closed()))


def test_an_empty_segment_leaves_no_file(tmp_path: Path) -> None:
    """A process that ran nothing leaves nothing."""
    write(tmp_path)
    assert [] == segments(tmp_path)


@pytest.mark.parametrize("message", [None, {"a": 1}, 5])
def test_what_could_not_be_read_back_is_not_written(tmp_path: Path, message: object) -> None:
    """An event of the wrong shape is refused when it is written, not when the run is to be scored."""
    wrong = ToolReturned(id="a", tool="t", status="refused", message=message)  # type: ignore[arg-type]
    with JournalWriter(tmp_path, LineEncoder()) as writer:
        writer.append(Event(execution="one", seq=0, body=opened()))
        with pytest.raises(ValueError, match="could not be read back"):
            writer.append(Event(execution="one", seq=1, body=wrong))
        writer.append(Event(execution="one", seq=1, body=Closed()))
    assert 1 == Journal(tmp_path).n_closed


def test_trials_are_found_by_name_whatever_their_number(tmp_path: Path) -> None:
    """The index holds digests in buckets, and every trial is found in its own, attempts in their order."""
    trials = range(600)
    batches = [
        execution(f"e{n}-{a}", [], opened(trial=n, attempt=a), Closed(attempt=a))
        for a in (1, 0)
        for n in trials
    ]
    write(tmp_path, *batches)
    journal = Journal(tmp_path)
    assert 600 == journal.n_closed
    for number in trials:
        attempts = journal.attempts(("champion", "a", number))
        assert [0, 1] == [one.attempt for one in attempts]
        names = [journal.trace(one).events[0].execution for one in attempts]
        assert [f"e{number}-0", f"e{number}-1"] == names
    assert () == journal.attempts(("champion", "a", 600))


@pytest.mark.parametrize("attempt", [-1, 2**32, 2**70])
def test_an_attempt_that_cannot_be_is_refused(tmp_path: Path, attempt: int) -> None:
    """A number that no run of ours writes is damage, and named with its line."""
    write(tmp_path, execution("one", [], opened(attempt=attempt), Closed()))
    with pytest.raises(StoreError, match=rf"events-0000.jsonl:1: there is no attempt {attempt}"):
        Journal(tmp_path)
