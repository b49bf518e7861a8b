"""Whatever stands in a run file, it is read or refused; nothing else comes out."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import InputError, Problem, Undecidable
from evalkit.exchange.imported import Imported
from evalkit.exchange.terminal_bench import read
from evalkit.records.event import Closed, Event, Opened
from evalkit.records.plan import PlannedTrial
from evalkit.store.encoding import LineEncoder, decoder
from evalkit.store.folder import suite_bytes
from tests.exchange.submissions import TIMES, failing, null, result, run_file, written

PLAIN = run_file(
    result("maze", 1, 2, **TIMES),
    failing("maze", 2, 2, instruction="Leave."),
    null("parse_error", "csv", 1, 2),
    failing("csv", 2, 2, failure_mode="agent_timeout"),
    id="a",
    accuracy=0.25,
    n_resolved=1,
    resolved_ids=["maze"],
    pass_at_k={"2": 0.5},
)

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(["passed", "maze", "unset", "maze.1-of-2", "\ud800", "NaN", "2025-01-01", 10**400])
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of everything inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, one in inner for found in ((*path, key), *_places(one, (*path, key)))]


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """Draw a good file in which up to three places were replaced, removed, renamed or doubled."""
    value = copy.deepcopy(PLAIN)
    for _ in range(draw(st.integers(1, 3))):
        places = _places(value)
        *way, last = draw(st.sampled_from(places))
        holder: Any = value
        for step in way:
            holder = holder[step]
        kind = draw(st.sampled_from(["replace", "remove", "rename"]))
        if kind == "replace":
            holder[last] = draw(_VALUES)
        elif kind == "remove":
            del holder[last]
        elif isinstance(holder, dict):
            holder[draw(st.text(max_size=8))] = holder.pop(last)
        else:
            holder.insert(last, copy.deepcopy(holder[last]))
    return value


def _read(path: Path) -> Imported | tuple[Problem, ...]:
    """Read a submission, or return why it is refused; any other exception comes through."""
    try:
        return read(path)
    except InputError as error:
        return error.problems
    except Undecidable:
        return ()


def _read_or_refused(path: Path) -> bool:
    """Read a submission to its last event, or have it refused; every problem names the file."""
    found = _read(path)
    if not isinstance(found, Imported):
        assert all(problem.file.startswith(str(path)) and problem.message for problem in found)
        return False
    encoder, decode = LineEncoder(), decoder(Event)
    assert suite_bytes(found.suite)
    for case in found.suite.cases:
        for number in range(found.trials):
            planned = PlannedTrial(index=0, case=case.id, arm="a", mode="imported", trial=number, seed=0)
            made = list(found.events(planned))
            assert isinstance(made[0].body, Opened)
            assert isinstance(made[-1].body, Closed)
            assert made == [decode(encoder.event(one)[0]) for one in made]
            assert [one.at for one in made] == sorted(one.at for one in made)
    return True


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the files of one property."""
    return tmp_path_factory.mktemp("hostile")


@given(value=mutated())
def test_a_mutated_value_is_read_or_refused(place: Path, value: Any) -> None:
    """Wrong kinds, missing keys, doubled trials: refused by name, or stored without loss."""
    _read_or_refused(written(place, value))


@given(data=st.data())
def test_a_mutated_text_is_read_or_refused(place: Path, data: st.DataObject) -> None:
    """The same for a file that was cut off, or in which bytes were changed."""
    content = bytearray(json.dumps(PLAIN).encode())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=6))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    _read_or_refused(written(place, bytes(content)))


def test_the_file_that_is_mutated_is_a_good_one(place: Path) -> None:
    """Else the properties above would say nothing."""
    assert _read_or_refused(written(place, PLAIN))
