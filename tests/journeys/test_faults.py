"""Declared faults, late effects and SQL of the agent through the command line, and their verdicts again."""

import json
from pathlib import Path
from typing import Any

from tests.journeys.walking import Walker, greet

WORLD = """\
suite: desk
world: {database: world.sql, tools: tools.py}
cases: cases.jsonl
stages:
  act:   {ran: {called: lend}}
  reply: {needs: [act], ran: {replied: true}}
metrics:
  lent: {primary: true, stage: act, tier: gate}
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


def look(db: Database) -> int:
    """Count the loans."""
    return db.value("select count(*) from loans")
'''
COUNT = "select count(*) from loans"
LEND = {"call": {"tool": "lend", "args": {"book": "b"}}}
SAID = {"reply": {"sql": "select count(*) as n from loans"}}


def _case(name: str, *expect: dict[str, object], lend: dict[str, object] | None = None) -> dict[str, object]:
    mock = {"mock": {"lend": [lend]}} if lend else {}
    fed = [{**one, "for": "lent"} for one in expect]
    return {"id": name, "input": "lend b", "expect": fed, "solution": [LEND, SAID], **mock}


def _desk(walk: Walker, *cases: dict[str, object]) -> Path:
    place = greet(walk.folder, cases, suite=WORLD)
    (place / "tools.py").write_text(TOOLS)
    (place / "world.sql").write_text("create table loans (book varchar);")
    arm = "arm: champion\nmodel: {provider: scripted, solution: true}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    (place / "gate.yaml").unlink()
    return place


def _verdicts(walk: Walker, run: str) -> dict[str, dict[str, Any]]:
    """Return the verdict of the deciding primary by case."""
    lines = (walk.run_folder(run) / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return {row["case"]: row for row in rows if row["name"] == "lent"}


def _came(within: float) -> dict[str, object]:
    return {"eventually": {"sql": COUNT, "equals": 1, "within": within}}


def _late(seconds: float) -> dict[str, object]:
    return {"fault": "delayed_persistence", "seconds": seconds}


def test_what_comes_late_is_told_from_what_never_comes(walk: Walker) -> None:
    """In time, after the window, never: pass, the environment's, fail; nobody waits, and none is degraded."""
    place = _desk(
        walk,
        _case("at-once", _came(5)),
        _case("in-time", _came(5), lend=_late(3)),
        _case("late", _came(5), lend=_late(8)),
        _case("too-late", _came(5), lend=_late(11)),
        _case("never", _came(5), lend={"fault": "lie"}),
        _case("twice", _came(5), lend={"fault": "duplicate"}),
    )
    assert 0 == walk("check", place).code
    said = walk("run", place, "--json")
    found = _verdicts(walk, said.run)
    expected = {
        "at-once": ("pass", None, None, 0.0),
        "in-time": ("pass", None, None, 3.0),
        "late": ("error", "environment", "late_effect", None),
        "too-late": ("fail", None, None, None),
        "never": ("fail", None, None, None),
        "twice": ("fail", None, None, None),
    }
    assert expected == {
        name: (row["outcome"], row.get("cause"), row.get("sub"), (row.get("measure") or {}).get("value"))
        for name, row in found.items()
    }
    assert not any(row.get("degraded") for row in found.values())
    assert 3 == said.code


def test_score_gives_the_same_verdicts_with_no_world(walk: Walker) -> None:
    """Every look is in the journal, so that nothing has to be waited for or asked again."""
    place = _desk(
        walk,
        _case("in-time", _came(5), lend=_late(3)),
        _case("late", _came(5), lend=_late(8)),
        _case("sql", {"sql_equals": {"value": "reply.sql", "gold": COUNT}}),
    )
    run = walk("run", place, "--json").run
    folder = walk.run_folder(run)
    before = (folder / "verdicts.jsonl").read_bytes()
    (place / "world.sql").unlink()
    walk("score", run)
    assert before == (folder / "verdicts.jsonl").read_bytes()


def test_sql_of_the_agent_is_run_on_the_world_that_it_left(walk: Walker) -> None:
    """Rows decide, not names or words; SQL that does not run is the agent's fail."""
    replies: dict[str, str] = {
        "same": COUNT,
        "other": "select 7",
        "broken": "select nope from loans",
        "writing": "delete from loans",
        "none": "",
    }
    cases: list[dict[str, object]] = [
        {
            **_case(name, {"sql_equals": {"value": "reply.sql", "gold": COUNT}}),
            "solution": [LEND, {"reply": {"sql": sql}}],
        }
        for name, sql in replies.items()
    ]
    silent: dict[str, object] = {
        **_case("silent", {"sql_equals": {"value": "reply.sql", "gold": COUNT}}),
        "solution": [LEND, {"reply": "x"}],
    }
    said = walk("run", _desk(walk, *cases, silent), "--json")
    found = _verdicts(walk, said.run)
    assert {"same": "pass"} | dict.fromkeys(("other", "broken", "writing", "none", "silent"), "fail") == {
        name: row["outcome"] for name, row in found.items()
    }
    assert "nope" in found["broken"]["message"]
    assert 0 == said.code


def test_a_call_that_the_world_doubled_is_not_the_agents_repetition(walk: Walker) -> None:
    """`idempotent` counts intents of the agent, and the state shows the double effect."""
    doubled: dict[str, object] = {"fault": "duplicate"}
    place = _desk(
        walk,
        _case("once", {"idempotent": {"tool": "lend"}}, {"state": {"sql": COUNT, "equals": 2}}, lend=doubled),
    )
    said = walk("run", place, "--json")
    assert ("pass", 0) == (_verdicts(walk, said.run)["once"]["outcome"], said.code)


def test_a_case_with_a_fault_for_all_other_calls_is_not_planned_in_real_mode(walk: Walker) -> None:
    """A fault is declared wherever it stands in `mock`."""
    other: dict[str, object] = {"otherwise": {"fault": "slow", "seconds": 2}}
    place = _desk(walk, _case("slow", _came(5), lend=other), _case("plain", _came(5)))
    run = walk("run", place, "--mode", "real", "--json").run
    assert ["plain"] == list(_verdicts(walk, run))


def test_the_seconds_of_a_slow_answer_count_against_the_limit(walk: Walker) -> None:
    """An answer that takes longer than the trial may stops it, though nobody waited."""
    slow: dict[str, object] = {"fault": "slow", "seconds": 20}
    place = _desk(walk, _case("slow", {"within": {"seconds": 15}}, lend=slow))
    text = (place / "suite.yaml").read_text()
    (place / "suite.yaml").write_text(f"{text}limits: {{seconds: 10}}\n")
    run = walk("run", place, "--json").run
    row = _verdicts(walk, run)["slow"]
    assert "fail" == row["outcome"]
    assert 20.0 <= row["measure"]["value"] < 21.0
