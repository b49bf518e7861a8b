"""Faults of pinned answers: the keys that each needs and reads, and the tools that it can befall."""

from pathlib import Path
from typing import get_args

import pytest

from evalkit.records.case import FaultKind
from evalkit.suite.fault_keys import FAULTS
from tests.suite.building import OTHER, SUITE, Change, loaded, problems_of

# Fault -> a sound answer of it.
SOUND: dict[str, str] = {
    "timeout_before": "find: [{fault: timeout_before}]",
    "timeout_after": "lend: [{fault: timeout_after}]",
    "http_429": "find: [{fault: http_429}]",
    "http_500": "find: [{fault: http_500}]",
    "forbidden": "find: [{fault: forbidden}]",
    "empty": "find: [{fault: empty}]",
    "malformed": "find: [{fault: malformed, text: x}]",
    "truncated": "find: [{fault: truncated, length: 0, path: hits, text: more}]",
    "inject": "find: [{fault: inject, text: x, path: note}]",
    "slow": "find: [{fault: slow, seconds: 30}]",
    "stale": "find: [{fault: stale}]",
    "duplicate": "lend: [{fault: duplicate}]",
    "lie": "lend: [{fault: lie}]",
    "delayed_persistence": "lend: [{fault: delayed_persistence, seconds: 0.5}]",
}


_FIND = """  find:
    - {when: {name: Ada}, times: 1, return: {id: M-1}}
    - {otherwise: {error: unknown}}
"""


def _mock(text: str) -> dict[str, Change]:
    return {OTHER: (_FIND, f"  {text}\n")}


def test_every_fault_says_what_it_reads() -> None:
    """The table knows every fault, and so does this page."""
    assert set(get_args(FaultKind)) == set(FAULTS) == set(SOUND)


@pytest.mark.parametrize("fault", SOUND)
def test_a_sound_fault_loads(tmp_path: Path, fault: str) -> None:
    """What is written becomes the fixture, and the case is not planned in real mode."""
    case = loaded(tmp_path, _mock(SOUND[fault])).cases[1]
    (pinned,) = case.mock.values()
    assert (fault, True) == (pinned.answers[0].fault, case.declares_fault)


def test_a_fault_for_all_other_calls_is_declared_too(tmp_path: Path) -> None:
    """A fault under `otherwise` keeps the case out of real mode as any other does."""
    case = loaded(tmp_path, _mock("find: [{otherwise: {fault: slow, seconds: 1}}]")).cases[1]
    assert case.declares_fault


@pytest.mark.parametrize(
    ("text", "code", "key", "words"),
    [
        ("find: [{fault: slow}]", "missing-key", "seconds", "needs its seconds"),
        ("find: [{fault: truncated}]", "missing-key", "length", "needs its length"),
        ("find: [{fault: inject}]", "missing-key", "text", "needs its text"),
        ('find: [{fault: inject, text: ""}]', "missing-key", "text", "needs its text"),
        ("lend: [{fault: delayed_persistence}]", "missing-key", "seconds", "needs its seconds"),
        ("find: [{otherwise: {fault: slow}}]", "missing-key", "otherwise.seconds", "needs its seconds"),
        (
            "find: [{fault: empty, seconds: 3}]",
            "wrong-value",
            "seconds",
            "with the faults slow and delayed_persistence only",
        ),
        ("find: [{return: 1, length: 3}]", "wrong-value", "length", "with the faults truncated only"),
        ("find: [{fault: slow, seconds: 3, path: a}]", "wrong-value", "path", "truncated and inject only"),
        ("find: [{fault: slow, seconds: 0}]", "wrong-value", "seconds", "greater than 0"),
        ("find: [{fault: truncated, length: -1}]", "wrong-value", "length", "greater than or equal to 0"),
        ("find: [{fault: truncated, length: x}]", "wrong-type", "length", "a whole number"),
        ("find: [{fault: slow, seconds: 31}]", "wrong-value", "fault", "is cut after 30 s"),
        ("find: [{fault: lie}]", "wrong-value", "fault", "only reads"),
        ("find: [{fault: duplicate}]", "wrong-value", "fault", "only reads"),
        ("find: [{fault: delayed_persistence, seconds: 1}]", "wrong-value", "fault", "only reads"),
        ("lend: [{fault: stale}]", "wrong-value", "fault", "has no old answer"),
        ("find: [{fault: empty, return: 1}]", "exactly-one", "", "exactly one of"),
        ("lend: [{fault: duplicate, return: 1}]", "exactly-one", "", "exactly one of"),
        ("lend: [{fault: lie, return: null}]", "exactly-one", "", "exactly one of"),
        ("lend: [{fault: lie, error: closed}]", "exactly-one", "", "exactly one of"),
    ],
)
def test_what_is_wrong_with_a_fault_is_told_where_it_stands(
    tmp_path: Path, text: str, code: str, key: str, words: str
) -> None:
    """Keys that a fault needs or does not read, and faults that could never show, are refused."""
    (found,) = problems_of(tmp_path, _mock(text))
    tool = text.partition(":")[0]
    assert code == found.code
    assert ".".join(part for part in (f"mock.{tool}[0]", key) if part) == found.key
    assert words in found.message
    assert found.line > 1


def test_a_misspelt_fault_gets_the_nearest_word(tmp_path: Path) -> None:
    """A fault that nobody knows is refused with the one that was meant."""
    (found,) = problems_of(tmp_path, _mock("lend: [{fault: delayed_persistance, seconds: 1}]"))
    assert "did you mean `delayed_persistence`?" == found.suggestion


_BARE: dict[str, Change] = {SUITE: ("{database: world.sql, tools: tools.py}", "{tools: tools.py}")}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("find: [{fault: duplicate}]", "no effect"),
        ("find: [{fault: delayed_persistence, seconds: 1, return: 1}]", "no effect"),
        ("find: [{fault: lie}]", "nothing but pinned answers"),
        ("find: [{fault: stale}]", "nothing but pinned answers"),
        ("find: [{fault: slow, seconds: 1}]", "nothing but pinned answers"),
        ("find: [{fault: truncated, length: 1}]", "nothing but pinned answers"),
    ],
)
def test_without_a_database_a_fault_needs_a_result(tmp_path: Path, answer: str, words: str) -> None:
    """Where no tool can answer, a fault befalls what is written down, and no effect is twice or late."""
    found = problems_of(tmp_path, _BARE | _mock(answer))
    assert [words in one.message for one in found if one.key == "mock.find[0].fault"] == [True]


@pytest.mark.parametrize("fault", ["lie", "stale", "slow, seconds: 1", "truncated, length: 1"])
def test_without_a_database_a_result_beside_the_fault_is_enough(tmp_path: Path, fault: str) -> None:
    """A `return` is what the fault befalls."""
    found = problems_of(tmp_path, _BARE | _mock(f"find: [{{fault: {fault}, return: x}}]"))
    assert [] == [one for one in found if one.key.startswith("mock")]
