"""`check` runs no agent: it loads, lints, looks for free cases and says what the sample size can prove."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.walking import Walker, case, greet

WORLD = """\
suite: desk
world: {database: world.sql, tools: tools.py}
cases: cases.jsonl
stages:
  act: {ran: {called: lend}}
metrics:
  lent: {primary: true, check: state}
claims:
  lent: {reply: lent, holds: {sql: "select count(*) > 0 from loans"}}
"""
HONEST = WORLD.replace("claims:", "  honest: {check: claim_matches_state}\nclaims:")
TOOLS = '''\
from evalkit import Database, tool


@tool(effect="write")
def lend(db: Database, book: str) -> bool:
    """Lend a book.

    Args:
        book: The book.
    """
    db.run("insert into loans values ($book)", book=book)
    return True
'''


def desk(walk: Walker, *cases: dict[str, object]) -> Path:
    """Write a suite with a world, and return its folder."""
    place = greet(
        walk.folder, cases, suite=WORLD, steps="[{call: {tool: lend, args: {book: b}}}, {reply: lent}]"
    )
    (place / "tools.py").write_text(TOOLS)
    (place / "world.sql").write_text("create table loans (book varchar);")
    (place / "gate.yaml").write_text("require: [{metric: lent, at_least: 0.04}]\n")
    return place


def state(name: str, sql: str, equals: object) -> dict[str, object]:
    """Return a case that expects an answer of the world; all are of one cluster, for they say the same."""
    entry = {"state": {"sql": sql, "equals": equals}}
    return {"id": name, "input": "lend b", "cluster": "lending", "expect": [entry]}


COUNT = "select count(*) from loans"


def test_free_case_fails_a_case_that_doing_nothing_passes(walk: Walker) -> None:
    """A case whose world is right from the start is free: code free-case, with file and line, exit 2."""
    said = walk("check", desk(walk, state("good", COUNT, 1), state("free", COUNT, 0)), "--json")
    found = said.object["suites"][0]["problems"]
    assert 2 == said.code
    assert [("free-case", "free", 2)] == [(one["code"], one["key"], one["line"]) for one in found]
    assert found[0]["file"].endswith("cases.jsonl")


def test_free_case_refuses_the_gate(walk: Walker) -> None:
    """`gate SUITE` says of a free case what `check` says, exit 2, and runs nothing; else it decides."""
    place = desk(walk, state("good", COUNT, 1), state("free", COUNT, 0))
    checked, gated = walk("check", place, "--json"), walk("gate", place, "--json")
    assert 2 == gated.code
    assert checked.object["suites"][0]["problems"] == gated.object["problems"]
    assert not (walk.folder / "reports").exists()
    (place / "cases.jsonl").write_text(json.dumps(state("good", COUNT, 1)) + "\n")
    assert "go" == walk("gate", place, "--json").object["decision"]


def test_the_gate_looks_at_the_cases_that_it_decides_about(walk: Walker) -> None:
    """A free case that is left out decides nothing, and refuses nothing; no case at all is exit 3."""
    place = desk(walk, state("good", COUNT, 1), state("free", COUNT, 0))
    assert [2, 3, 3] == [
        walk("gate", place, "--only", f"id={name}").code for name in ("free", "good", "none")
    ]


def test_bad_sql_refuses_the_gate(walk: Walker) -> None:
    """What cannot be asked is refused before a trial, not found broken in each of them."""
    gated = walk("gate", desk(walk, state("bad", "select nope from loans", 1)), "--json")
    assert (2, ["bad-sql"]) == (gated.code, [one["code"] for one in gated.object["problems"]])


def test_free_case_passes_a_case_that_needs_the_work(walk: Walker) -> None:
    """A case that only the work can pass is sound, and then the agent does pass it."""
    place = desk(walk, state("good", COUNT, 1))
    assert 0 == walk("check", place).code
    assert 1 == walk("run", place, "--json").object["pass"]


def test_a_free_case_of_text_is_found_too(walk: Walker) -> None:
    """Where nothing but a negated expectation stands, no reply is no pass, so the case is not free."""
    one: dict[str, object] = {"id": "a", "input": "x", "expect": [{"not_reply": {"contains": "sorry"}}]}
    assert 0 == walk("check", greet(walk.folder, [one])).code


def test_check_says_what_the_size_can_prove(walk: Walker) -> None:
    """Five cases without a fail prove .549; that a higher threshold can never pass is said before a run."""
    gate = "require: [{metric: outcome, at_least: 0.9}]\n"
    cases = [case(n, input=said) for n, said in enumerate(("hi", "greet me", "hello", "good day", "welcome"))]
    said = walk("check", greet(walk.folder, cases, gate=gate), "--json").object
    proof = said["suites"][0]["proofs"][0]
    assert (5, 0.549, None) == (proof["units"], round(proof["provable"], 3), proof["fails"])
    assert ["cannot-prove"] == [one["code"] for one in said["suites"][0]["problems"]]


def test_all_suites_are_looked_at(walk: Walker) -> None:
    """One broken suite does not hide the next, and the exit code is that of the worst."""
    place = greet(walk.folder, [case(0)])
    (place / "gate.yaml").write_text("require: []\n")
    said = walk("check", place, place, "--json")
    assert (2, 2) == (said.code, len(said.object["suites"]))
    assert all(one["problems"] for one in said.object["suites"])


def test_nothing_is_written(walk: Walker) -> None:
    """`check` leaves no run behind."""
    walk("check", greet(walk.folder, [case(0)]))
    assert ["suites"] == sorted(path.name for path in walk.folder.iterdir())


def test_problems_carry_everything_in_json(walk: Walker) -> None:
    """Each problem has file, line, column, key, value, message, suggestion and code."""
    place = greet(walk.folder, [{"id": "a", "input": "x", "expects": []}])
    problem = json.loads(walk("check", place, "--json").out)["suites"][0]["problems"][0]
    assert {"file", "line", "column", "key", "value", "message", "suggestion", "code", "warning"} == set(
        problem
    )
    assert "expect" in problem["suggestion"]


def found_in(walk: Walker, place: object) -> list[dict[str, Any]]:
    """Return what `check` finds in a suite."""
    found: list[dict[str, Any]] = walk("check", place, "--json").object["suites"][0]["problems"]
    return found


def told(problem: dict[str, Any]) -> tuple[object, ...]:
    """Return code, file name, line and key of a problem."""
    return problem["code"], Path(problem["file"]).name, problem["line"], problem["key"]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("selct count(*) from loans", "syntax error"),
        ("select count(*) from loan", 'Did you mean "loans"?'),
        ("select bok from loans", '"book"'),
        ("delete from loans", "SELECT"),
    ],
)
def test_bad_sql_fails_a_question(walk: Walker, sql: str, said: str) -> None:
    """A question that the engine refuses refuses the suite: case, file, line, SQL, and what is near to it."""
    place = desk(walk, state("good", COUNT, 1), state("bad", sql, 1))
    (problem,) = found_in(walk, place)
    assert ("bad-sql", "cases.jsonl", 2, "expect[0].state.sql") == told(problem)
    assert said in problem["message"]
    assert (sql, False) == (problem["value"], problem["warning"])


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ({"unchanged": {"sql": "select nope from loans"}}, "expect[1].unchanged.sql"),
        ({"not_state": {"sql": "select nope from loans", "equals": 1}}, "expect[1].not_state.sql"),
        (
            {"eventually": {"sql": "select nope from loans", "equals": 1, "within": 5}},
            "expect[1].eventually.sql",
        ),
        (
            {"sql_equals": {"value": "reply", "gold": "select nope from loans"}},
            "expect[1].sql_equals.gold",
        ),
        (
            {"reconcile": {"value": "reply", "authority": "select nope from loans"}},
            "expect[1].reconcile.authority",
        ),
    ],
)
def test_bad_sql_fails_every_kind_of_question(walk: Walker, entry: dict[str, Any], key: str) -> None:
    """Every kind of question, negated or not, is asked, and each is refused once."""
    first = {"state": {"sql": COUNT, "equals": 1}}
    entry = {**entry, "for": "lent"}
    place = desk(walk, {"id": "a", "input": "x", "expect": [first, entry]})
    assert [("bad-sql", "cases.jsonl", 1, key)] == [told(one) for one in found_in(walk, place)]


def test_empty_gold_fails_gold_sql_without_rows(walk: Walker) -> None:
    """Gold SQL whose answer has no rows is refused where it stands: all that gives none would equal it."""
    first = {"state": {"sql": COUNT, "equals": 1}}
    gold = {"value": "reply", "gold": "select book from loans"}
    place = desk(walk, {"id": "a", "input": "x", "expect": [first, {"sql_equals": gold, "for": "lent"}]})
    (problem,) = found_in(walk, place)
    assert ("empty-gold", "cases.jsonl", 1, "expect[1].sql_equals.gold") == told(problem)
    assert ("select book from loans", False) == (problem["value"], problem["warning"])


def test_empty_gold_fails_gold_sql_of_the_suite_once(walk: Walker) -> None:
    """What stands in suite.yaml is refused there, with the cases."""
    place = desk(walk, state("a", COUNT, 1), state("b", COUNT, 1))
    gold = 'rows: {scope: outcome, tier: observe, check: {sql_equals: {value: reply, gold: "from loans"}}}'
    text = (place / "suite.yaml").read_text()
    (place / "suite.yaml").write_text(text.replace("metrics:\n", f"metrics:\n  {gold}\n"))
    (problem,) = [one for one in found_in(walk, place) if one["code"] == "empty-gold"]
    assert "metrics.rows.check.sql_equals.gold" == problem["key"]
    assert "cases a, b" in problem["message"]


@pytest.mark.parametrize(
    "gold",
    [
        {"value": "reply", "gold": "select book from loans", "allow_empty": True},
        {"value": "reply", "gold": "select count(*) from loans"},
    ],
)
def test_empty_gold_passes_what_is_declared_or_has_rows(walk: Walker, gold: dict[str, Any]) -> None:
    """No rows may be the right answer, where the case says so."""
    first = {"state": {"sql": COUNT, "equals": 1}}
    place = desk(walk, {"id": "a", "input": "x", "expect": [first, {"sql_equals": gold, "for": "lent"}]})
    assert [] == found_in(walk, place)


def test_bad_sql_fails_a_start_state(walk: Walker) -> None:
    """A start state that cannot be made is refused; one that can is none of it."""
    sound = {**state("a", COUNT, 2), "start": {"sql": ["insert into loans values ('x')"]}}
    broken = {**state("b", COUNT, 2), "start": {"sql": ["delete from loans", "insert into lons"]}}
    (problem,) = found_in(walk, desk(walk, sound, broken))
    assert ("bad-sql", "cases.jsonl", 2, "start.sql") == told(problem)
    assert "lons" in problem["value"]


def test_bad_sql_fails_a_claim_once(walk: Walker) -> None:
    """What the suite asks stands in suite.yaml, and is refused there, once for all cases."""
    place = desk(walk, *(state(f"c{number}", COUNT, 1) for number in range(7)))
    (place / "suite.yaml").write_text(HONEST.replace("from loans", "from loan"))
    (problem,) = found_in(walk, place)
    assert ("bad-sql", "suite.yaml", 10, "claims.lent.holds.sql") == told(problem)
    assert "c0, c1, c2, c3, c4 and 2 more" in problem["message"]


def test_bad_sql_fails_a_world_in_every_command(walk: Walker) -> None:
    """A world that does not build is refused with file, line and code wherever it would be built."""
    place = desk(walk, state("good", COUNT, 1))
    (place / "world.sql").write_text("create table loans (book varchar);\ninsert into loan values ('x');\n")
    assert [("bad-sql", "world.sql", 2, "")] == [told(one) for one in found_in(walk, place)]
    for command in ("check", "run", "gate"):
        said = walk(command, place)
        assert 2 == said.code
        assert "world.sql:2" in said.out + said.err
        assert "bad-sql" in said.out + said.err


def test_bad_sql_passes_what_the_world_can_answer(walk: Walker) -> None:
    """Questions, start states and a world that run are no finding."""
    said = walk("check", desk(walk, state("good", COUNT, 1)), "--json")
    assert "bad-sql" not in {one["code"] for one in said.object["suites"][0]["problems"]}
    assert 0 == said.code


def test_claim_holds_at_start_fails_a_claim_that_is_true_before(walk: Walker) -> None:
    """A claim that holds before anything is done is told once, with the cases in which nobody could lie."""
    start = {"start": {"sql": "insert into loans values ('x')"}}
    place = desk(walk, *({**state(name, COUNT, 2), **start} for name in ("a", "b")), state("c", COUNT, 1))
    (place / "suite.yaml").write_text(HONEST)
    (problem,) = found_in(walk, place)
    assert ("claim-holds-at-start", "suite.yaml", 10, "claims.lent.holds.sql") == told(problem)
    assert "cases a, b" in problem["message"]
    assert problem["warning"]


def test_claim_holds_at_start_passes_a_claim_that_takes_work(walk: Walker) -> None:
    """A claim that only work makes true is no finding, and the suite is sound."""
    place = desk(walk, state("good", COUNT, 1))
    (place / "suite.yaml").write_text(HONEST)
    assert [] == found_in(walk, place)


def test_warnings_have_a_place(walk: Walker) -> None:
    """A warning names folder, file, line and column as an error does, wherever its words stand."""
    place = desk(
        walk, state("good", COUNT, 1), {**state("other", COUNT, 1), "mock": {"lend": [{"fault": "http_500"}]}}
    )
    known = "known:\n  - {case: godo, reason: r, owner: o, until: 2020-01-01}\n"
    text = (place / "suite.yaml").read_text().replace("metrics:\n", "metrics:\n  idle:\n    {check: reply}\n")
    (place / "suite.yaml").write_text(text + known)
    where = (
        "require:\n  - {metric: lent, at_least: 0.04}\n  - {metric: lent, at_least: 0.01, where: id=none}\n"
    )
    (place / "gate.yaml").write_text(where)
    (place / "arms" / "champion.yaml").write_text(
        "arm: champion\nmodel:\n  replies:\n    - call: {tool: lned, args: {book: b}}\n    - reply: lent\n"
    )
    found = {one["code"]: (one["file"], one["line"], one["column"]) for one in found_in(walk, place)}
    suite, gate = str(place / "suite.yaml"), str(place / "gate.yaml")
    assert (suite, 13, 12) == found["unknown-waiver"]
    assert (suite, 13, 46) == found["expired-waiver"]
    assert (suite, 7, 3) == found["unfed-metric"]
    assert (gate, 3, 5) == found["empty-selection"]
    assert (str(place / "arms" / "champion.yaml"), 4, 20) == found["unknown-call"]
    assert (str(place / "cases.jsonl"), 2) == found["not-in-real-mode"][:2]
    assert all(line and file.startswith(str(place)) for file, line, _ in found.values())


def test_one_case_without_a_solution(walk: Walker) -> None:
    """One case `has` none, and it is said what to do."""
    place = greet(walk.folder, [case(0), {**case(1, input="welcome"), "solution": [{"reply": "hello"}]}])
    (place / "arms" / "champion.yaml").write_text("arm: champion\nmodel: {solution: true}\n")
    (found,) = [one for one in found_in(walk, place) if one["code"] == "no-solution"]
    assert "and 1 case has none: case-0" in found["message"]
    assert "solution: [{reply" in found["suggestion"]
