"""What all records have in common, and that every field comes back from disk."""

import datetime as dt
import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import evalkit.records
from evalkit.errors import DependencyError, InputError, Problem
from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.case import Source
from evalkit.records.decision import Decision
from evalkit.records.estimate import Estimate
from evalkit.records.plan import PlannedTrial
from evalkit.records.signature import COMPARED, Manifest, Signature
from evalkit.records.verdict import ACTIONS, Verdict, cause_class
from evalkit.records.written import Written
from evalkit.suite.descriptions import field_texts

MODULES = [
    importlib.import_module(f"evalkit.records.{one.name}")
    for one in pkgutil.iter_modules(evalkit.records.__path__)
]
STRUCTS = [
    one
    for module in MODULES
    for _, one in inspect.getmembers(module, inspect.isclass)
    if issubclass(one, msgspec.Struct) and one.__module__ == module.__name__
]
MODELS = [
    one
    for module in MODULES
    for _, one in inspect.getmembers(module, inspect.isclass)
    if issubclass(one, Written) and one.__module__ == module.__name__
]
JSON = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers(), max_size=2)
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


@pytest.mark.parametrize("record", STRUCTS, ids=lambda one: one.__name__)
def test_what_the_harness_writes_is_frozen_and_named(record: type[msgspec.Struct]) -> None:
    """Every struct is frozen and takes keywords only."""
    config = record.__struct_config__
    assert config.frozen
    with pytest.raises(TypeError):
        record(*(["x"] * (len(record.__struct_fields__) or 1)))


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.__name__)
def test_what_people_write_is_frozen_and_refuses_unknown_keys(model: type[Written]) -> None:
    """Every model is frozen, strict and forbids keys that it does not know; every field is described."""
    config = model.model_config
    assert (True, "forbid", True) == (config.get("frozen"), config.get("extra"), config.get("strict"))
    described = field_texts(model)
    assert [] == [name for name in model.model_fields if not described.get(name)]


@given(st.data())
@pytest.mark.parametrize("record", [Verdict, Attribution, Cluster, Estimate, PlannedTrial, Signature])
def test_every_field_comes_back(record: type[msgspec.Struct], data: st.DataObject) -> None:
    """A record with every field drawn is equal after JSON and back."""
    one = data.draw(st.builds(record, **_drawn(record)))
    assert one == msgspec.json.decode(msgspec.json.encode(one), type=record)


def _drawn(record: type[msgspec.Struct]) -> dict[str, st.SearchStrategy[Any]]:
    """Return a strategy for every field, so that none is left at its default."""
    hints = get_type_hints(record)
    return {name: _of(hints[name]) for name in record.__struct_fields__}


def _of(hint: object) -> st.SearchStrategy[Any]:
    if hint is Any:
        return JSON
    if hint == dict[str, Any]:
        return st.dictionaries(st.text(), JSON, max_size=2)
    found: st.SearchStrategy[Any] = st.from_type(hint)  # type: ignore[arg-type]
    return found


def test_two_figures_refuse_to_be_compared_when_they_must() -> None:
    """A compared field that differs is named; seed, version and host are recorded and do not count."""
    one = Signature(suite_hash="a", mode="mock", seed=1, evalkit="1", host="x")
    assert () == one.differences(msgspec.structs.replace(one, seed=2, evalkit="2", host="y"))
    other = msgspec.structs.replace(
        one, suite_hash="b", mode="real", scoring_version=9, judge="j", limits={"a": 1}
    )
    assert COMPARED == one.differences(other)


def test_every_cause_has_an_action_and_a_class() -> None:
    """The closed list is the same everywhere; emptiness is explained where it has roots."""
    classes = {cause: cause_class(cause, ()) for cause in ACTIONS}
    assert "explained" == classes["upstream_failed"]
    assert {"upstream_empty", "upstream_refused", "not_required"} == {
        cause for cause, found in classes.items() if found == "not_asked"
    }
    assert "explained" == cause_class("upstream_empty", ("retrieve",))


def test_what_was_not_observed_has_advice_that_can_be_followed() -> None:
    """It names what exists, and the pages that tell of causes say the same."""
    action = ACTIONS["not_observed"]
    assert "gateway" not in action
    for page in ("guides/verdicts.md", "vocabulary.md"):
        text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
        assert f"| `not_observed` | what would show it was not recorded | {action} |" in text


@pytest.mark.parametrize("bad", [0, 1.5, True, "yesterday", "2026-13-01"])
def test_a_date_is_written_as_a_date(bad: object) -> None:
    """A number is no date: 0 is not the year 1970."""
    with pytest.raises(ValidationError):
        Source.model_validate({"origin": "x", "at": bad})
    assert dt.date(2026, 1, 2) == Source.model_validate({"origin": "x", "at": "2026-01-02"}).at


def test_a_problem_says_everything_on_one_line() -> None:
    """File, line, column, key, message, value, suggestion and code."""
    problem = Problem(
        file="a.yaml",
        line=3,
        column=5,
        key="x.y",
        value="1",
        message="is wrong",
        suggestion="write 2",
        code="c",
    )
    assert "a.yaml:3:5: x.y: is wrong (got 1; write 2) [c]" == str(problem)
    assert (2, str(problem)) == (InputError((problem,)).exit_code, str(InputError((problem,))))


@pytest.mark.parametrize(
    ("status", "passes", "sub"),
    [(0, True, "no_reply"), (429, True, "rate"), (503, True, None), (404, False, "bad_argument")],
)
def test_what_a_broken_dependency_means(status: int, passes: bool, sub: str | None) -> None:  # noqa: FBT001
    """A rate limit and a server's own fault pass; a wrong argument does not."""
    error = DependencyError(status)
    assert (passes, sub) == (error.passes, error.sub)


def test_decisions_and_manifests_are_structs() -> None:
    """What is written once is of the same kind as what is written a million times."""
    assert {Decision, Manifest} <= set(STRUCTS)
