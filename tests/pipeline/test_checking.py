"""`check` runs no agent: it loads, lints, looks for free cases and says what the sample size can prove."""

import json

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


def desk(walk: Walker, *cases: dict[str, object]) -> object:
    """Write a suite with a world, and return its folder."""
    place = greet(
        walk.folder, cases, suite=WORLD, steps="[{call: {tool: lend, args: {book: b}}}, {reply: lent}]"
    )
    (place / "tools.py").write_text(TOOLS)
    (place / "world.sql").write_text("create table loans (book varchar);")
    (place / "gate.yaml").write_text("require: [{metric: lent, at_least: 0.04}]\n")
    return place


def state(name: str, sql: str, equals: object) -> dict[str, object]:
    """Return a case that expects an answer of the world."""
    return {"id": name, "input": "lend b", "expect": [{"state": {"sql": sql, "equals": equals}}]}


COUNT = "select count(*) from loans"


def test_free_case_fails_a_case_that_doing_nothing_passes(walk: Walker) -> None:
    """A case whose world is right from the start is free: code free-case, with file and line, exit 2."""
    said = walk("check", desk(walk, state("good", COUNT, 1), state("free", COUNT, 0)), "--json")
    found = said.object["suites"][0]["problems"]
    assert 2 == said.code
    assert [("free-case", "free", 2)] == [(one["code"], one["key"], one["line"]) for one in found]
    assert found[0]["file"].endswith("cases.jsonl")


def test_free_case_passes_a_case_that_needs_the_work(walk: Walker) -> None:
    """A case that only the work can pass is sound, and then the agent does pass it."""
    place = desk(walk, state("good", COUNT, 1))
    assert 0 == walk("check", place).code
    assert 1 == walk("run", place, "--json").object["pass"]


def test_a_free_case_of_text_is_found_too(walk: Walker) -> None:
    """Where nothing but a negated expectation stands, no reply is no pass, so the case is not free."""
    one = {"id": "a", "input": "x", "expect": [{"not_reply": {"contains": "sorry"}}]}
    assert 0 == walk("check", greet(walk.folder, [one])).code


def test_check_says_what_the_size_can_prove(walk: Walker) -> None:
    """Five cases without a fail prove .549; that a higher threshold can never pass is said before a run."""
    gate = "require: [{metric: outcome, at_least: 0.9}]\n"
    said = walk("check", greet(walk.folder, [case(n) for n in range(5)], gate=gate), "--json").object
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
