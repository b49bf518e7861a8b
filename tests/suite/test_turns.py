"""Turns that ask of their own: what they become, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from evalkit.store.folder import suite_hash
from evalkit.suite.schemas import schema
from tests.suite.building import CASE, SOUND, SUITE, Change, in_case, loaded, problems_of

WHOLE = "requires: [lend]\ninput: May I borrow B-1?"
ASKING = """turns:
  - Hello.
  - {user: It is Ada., requires: [identify], forbids: [lend]}
  - {user: May I borrow B-1?, requires: [decide, lend, reply], allow_empty: [decide]}"""


def refused(tmp_path: Path, written: str) -> list[tuple[str, str, str]]:
    """Where a case is refused with this instead of its input, by what code and with what advice."""
    problems = problems_of(tmp_path, in_case(WHOLE, written))
    return [(problem.key, problem.code, problem.suggestion) for problem in problems]


def test_a_turn_asks_for_what_it_names_and_leaves_the_rest_to_the_agent(tmp_path: Path) -> None:
    """Every turn has a demand for every stage; the case as a whole has the strongest of them."""
    case = loaded(tmp_path, in_case(WHOLE, ASKING)).cases[0]
    free = dict.fromkeys(("identify", "decide", "lend", "reply"), "optional")
    assert (
        free,
        free | {"identify": "required", "lend": "forbidden"},
        free | {"decide": "required", "lend": "required", "reply": "required"},
    ) == case.demands
    assert ["", "", "decide"] == [" ".join(turn.allow_empty) for turn in case.turns]
    assert dict.fromkeys(free, "required") == case.demand


def test_turns_that_ask_nothing_leave_the_case_one_table(tmp_path: Path) -> None:
    """Long or short, they only say what the user says."""
    case = loaded(tmp_path, in_case("input: May I borrow B-1?", "turns: [Hello., {user: B-1?}]")).cases[0]
    assert not case.by_turn
    assert ({"identify": "required", "decide": "required", "lend": "required", "reply": "required"},) == (
        case.demands
    )


def test_what_the_case_or_the_suite_forbids_is_forbidden_in_every_turn(tmp_path: Path) -> None:
    """A turn that does not name the stage lifts no prohibition; one that does, only the suite's."""
    by_case = loaded(tmp_path / "a", in_case(WHOLE, "forbids: [lend]\n" + ASKING.replace(" lend,", "")))
    by_suite = loaded(
        tmp_path / "b", {**in_case(WHOLE, ASKING), SUITE: ("demand: optional", "demand: forbidden")}
    )
    assert ["forbidden"] * 3 == [asked["lend"] for asked in by_case.cases[0].demands]
    assert ["forbidden", "forbidden", "required"] == [asked["lend"] for asked in by_suite.cases[0].demands]


@pytest.mark.parametrize(
    ("written", "path", "code", "advice"),
    [
        (ASKING.replace("[identify]", "[identfy]"), "turns[1].requires[0]", "unknown-stage", "identify"),
        (
            ASKING.replace("forbids: [lend]", "optional: [identify]"),
            "turns[1].optional[0]",
            "two-demands",
            "one",
        ),
        ("requires: [lend]\n" + ASKING, "requires", "turn-demands", "into the turns"),
        ("optional: [lend]\n" + ASKING, "optional", "turn-demands", "into the turns"),
        ("forbids: [lend]\n" + ASKING, "turns[2].requires[1]", "two-demands", "in the turns"),
        ("turns: [{user: B-1?, forbids: [lend]}]", "turns[0].forbids", "turn-demands", "requires"),
        ("turns: [{user: B-1?, require: [lend]}]", "turns[0].require", "unknown-key", "requires"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, written: str, path: str, code: str, advice: str
) -> None:
    """At its place, with the word that was meant or what to do."""
    found = [one for one in refused(tmp_path, written) if one[1] == code]
    assert [path] == [where for where, _, _ in found]
    assert advice in found[0][2]


@pytest.mark.parametrize(("turn", "expected"), [(1, ["optional-stage"]), (2, [])])
def test_an_entry_of_a_turn_that_leaves_its_stage_out_is_refused(
    tmp_path: Path, turn: int, expected: list[str]
) -> None:
    """Another turn asks for the stage, but in this one skipping it would excuse the agent."""
    case = SOUND[CASE].replace(WHOLE, ASKING).replace("enjoy}", f"enjoy, turn: {turn}}}")
    over_turns = ("polite: {scope: outcome,", "polite: {scope: turn, primary: true,")
    assert expected == [problem.code for problem in problems_of(tmp_path, {CASE: case, SUITE: over_turns})]


def test_what_a_turn_asks_changes_the_suites_hash(tmp_path: Path) -> None:
    """Figures of before are not compared with figures of after."""
    one = loaded(tmp_path / "a", in_case(WHOLE, ASKING))
    other = loaded(tmp_path / "b", in_case(WHOLE, ASKING.replace("forbids: [lend]", "optional: [lend]")))
    assert suite_hash(one) != suite_hash(other)


@pytest.mark.parametrize("table", ["csv", "jsonl"])
def test_turns_of_a_table_ask_too(tmp_path: Path, table: str) -> None:
    """A cell of CSV holds them as JSON."""
    turns = '[{"user": "Hi", "requires": ["identify"]}, {"user": "B-1?", "requires": ["lend"]}]'
    quoted = turns.replace('"', '""')
    rows = {
        "csv": f'id,turns,vars.book,expect.state.sql,expect.state.equals\na,"{quoted}",B-1,select 1,1\n',
        "jsonl": f'{{"id": "a", "turns": {turns}, "vars": {{"book": "B-1"}}, "expect": '
        '[{"state": {"sql": "select 1", "equals": 1}}]}\n',
    }
    changes: dict[str, Change] = {
        SUITE: ("../../golden/desk\n", f"../../golden/desk.{table}\n"),
        f"golden/desk.{table}": rows[table],
        "suites/desk/gate.yaml": "require: [{metric: lent, at_least: 0.04}]\n",
    }
    case = loaded(tmp_path, changes).cases[0]
    assert ["required", "optional"] == [asked["identify"] for asked in case.demands]


def test_the_schema_of_a_case_knows_what_a_turn_may_ask() -> None:
    """Editors complete the keys and mark a wrong one."""
    validator = jsonschema_rs.validator_for(schema("case"))
    turn: dict[str, Any] = {"user": "Hi", "requires": ["a"], "forbids": ["b"], "allow_empty": ["a"]}
    assert validator.is_valid({"id": "x", "turns": [turn]})
    assert not validator.is_valid({"id": "x", "turns": [{**turn, "require": ["a"]}]})
    assert not validator.is_valid({"id": "x", "turns": [{**turn, "requires": "a"}]})
