"""Laws of reading: nothing but InputError is raised, and a suite survives its own file."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import InputError, Problem
from evalkit.records.suite import Suite
from evalkit.suite.document import Document
from evalkit.suite.faults import validated
from evalkit.suite.forms import ArmFile, CaseFile, SuiteFile
from evalkit.suite.load import load_suite
from evalkit.suite.tables import read_csv, read_jsonl
from evalkit.suite.where import parse_where
from evalkit.suite.yaml_builder import Builder
from evalkit.suite.yaml_sound import sound
from evalkit.suite.yaml_source import new_parser, read_yaml
from tests.suite.building import ARM, CASE, GATE, OTHER, SOLUTION, SOUND, SUITE, describe, laid_out

# Signs of which YAML is made, so that junk is near to it.
_JUNK = st.lists(
    st.sampled_from(
        [
            *"-:,[]{}&*!|>%@`\"'#?=~.<\\ \t\n\r",
            "\n  ",
            ": ",
            "- ",
            "010",
            "no",
            "id",
            "2026-01-01",
            "é",
            "\x00",
        ]
    )
    | st.text(max_size=3),
    max_size=40,
).map("".join)
_KEYS = st.sampled_from(
    ["id", "input", "expect", "reply", "contains", "stages", "ran", "called", "vars", "mock", "x"]
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(_KEYS | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
_NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=8)


def _refusals(load: Callable[[], object]) -> tuple[Problem, ...]:
    """Return what an InputError holds, () where none is raised; it never comes without problems."""
    try:
        load()
    except InputError as error:
        return error.problems or (Problem(message="an error without a problem"),)
    return ()


@given(_JUNK)
def test_junk_is_read_without_raising(text: str) -> None:
    """Whatever a text holds, the reader of YAML gives a document and placed problems."""
    document, problems = read_yaml(text, "junk.yaml")
    assert all(problem.line >= 1 and problem.column >= 1 and problem.code for problem in problems)
    assert document.file == "junk.yaml"


@given(
    st.sampled_from([SUITE, CASE, OTHER, SOLUTION, ARM, GATE]), _JUNK, st.integers(0, 400), st.integers(0, 30)
)
def test_junk_in_any_file_raises_nothing_but_input_errors(path: str, junk: str, at: int, length: int) -> None:
    """A suite with junk in one of its files loads, or is refused with problems that are placed in a file."""
    text = SOUND[path]
    changed = text[:at] + junk + text[at + length :]
    with TemporaryDirectory() as folder:
        desk = laid_out(Path(folder), {path: changed.encode("utf-8", "surrogatepass")})
        problems = _refusals(lambda: load_suite(desk, describe=describe))
    assert all(problem.file and problem.code and problem.message for problem in problems)


@given(st.lists(_JUNK, max_size=3), _JUNK)
def test_a_parser_keeps_nothing_of_what_it_has_read(before: list[str], text: str) -> None:
    """One parser reads many files, and reads each as a new one would."""
    used = new_parser()
    for junk in before:
        read_yaml(junk, "before.yaml", used)
    (again, told), (new, said) = read_yaml(text, "x.yaml", used), read_yaml(text, "x.yaml")
    assert (new.value, new.mark, new.doubts, said) == (again.value, again.mark, again.doubts, told)


@given(st.sampled_from([SUITE, CASE, OTHER, SOLUTION, ARM, GATE]), _JUNK, st.integers(0, 400), st.booleans())
def test_two_parsers_read_one_document(path: str, junk: str, at: int, alone: bool) -> None:  # noqa: FBT001 - a drawn value
    """What libyaml is trusted with has the values, the places and the doubts that ruamel.yaml gives it."""
    text = junk if alone else SOUND[path][:at] + junk + SOUND[path][at:]
    quick = sound(text, "x.yaml")
    if quick is None:
        return
    builder = Builder("x.yaml", {})
    assert all(builder.take(event) for event in new_parser().parse(text))
    slow = builder.document()
    assert [] == builder.problems
    assert (repr(slow.value), slow.mark, slow.doubts) == (repr(quick.value), quick.mark, quick.doubts)


@pytest.mark.parametrize("path", sorted(path for path in SOUND if path.endswith(".yaml")))
def test_sound_files_are_read_by_libyaml(path: str) -> None:
    """The files of a suite without faults need no second reading."""
    assert sound(SOUND[path], path) is not None


@given(_VALUES, st.sampled_from([SuiteFile, CaseFile, ArmFile]))
def test_any_value_is_held_against_a_form(value: object, model: type[SuiteFile | CaseFile | ArmFile]) -> None:
    """Whatever JSON value a file holds, a form or problems come of it, and one of the two always does."""
    form, problems = validated(Document(file="x", value=value), model)
    assert (form is None) == bool(problems)
    assert all(problem.suggestion and problem.value for problem in problems), problems


@given(_JUNK)
def test_junk_is_no_table_and_raises_nothing(text: str) -> None:
    """Tables give documents and problems, whatever they hold."""
    for documents, problems in (read_csv(text, "t.csv"), read_jsonl(text, "t.jsonl")):
        assert all(problem.line >= 1 and problem.code for problem in problems)
        for document in documents:
            validated(document, CaseFile)


@given(_VALUES)
def test_json_is_yaml(value: object) -> None:
    """What JSON writes (in ASCII) the reader of YAML reads as the same value."""
    document, problems = read_yaml(json.dumps(value), "x.yaml")
    assert [] == [problem for problem in problems if problem.code not in ("encoding", "quote-it")]
    if not problems:
        assert value == document.value


@given(_JUNK)
def test_an_expression_is_read_or_refused(text: str) -> None:
    """An expression gives terms or an InputError with the place at which it ends."""
    assert {"bad-expression"} >= {problem.code for problem in _refusals(lambda: parse_where(text))}


@given(
    st.lists(_NAMES, min_size=1, max_size=5, unique=True),
    st.dictionaries(_NAMES, st.text(max_size=5) | st.integers() | st.booleans(), max_size=3),
    st.text("abc 退款 \"'\\:{}#", min_size=1, max_size=20),
)
def test_a_suite_survives_its_file(stages: list[str], tags: dict[str, object], said: str) -> None:
    """Suite -> suite.json -> Suite gives an equal suite, with and without defaults written out."""
    graph = {name: {"ran": {"always": True}, "needs": stages[:number]} for number, name in enumerate(stages)}
    metric = {"stage": stages[-1], "primary": True, "check": "reply"}
    case = {"id": "a", "input": said, "tags": tags, "expect": [{"reply": {"equals": {"said": said}}}]}
    with TemporaryDirectory() as folder:
        desk = Path(folder)
        text = {"suite": "x", "stages": graph, "metrics": {"m": metric}, "cases": "c.jsonl"}
        (desk / "suite.yaml").write_text(json.dumps(text), encoding="utf-8")
        (desk / "c.jsonl").write_text(json.dumps(case), encoding="utf-8")
        suite = load_suite(desk)
    assert suite == Suite.model_validate_json(suite.model_dump_json(by_alias=True))
    assert suite == Suite.model_validate_json(suite.model_dump_json(exclude_unset=True))
    assert stages == [stage.name for stage in suite.stages]


def test_the_whole_desk_survives_its_file(tmp_path: Path) -> None:
    """A suite with world, facts, fixtures, claims and solutions is the same after its file."""
    suite = load_suite(laid_out(tmp_path), describe=describe)
    assert suite == Suite.model_validate_json(suite.model_dump_json(by_alias=True))
