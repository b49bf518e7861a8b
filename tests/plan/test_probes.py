"""State is read once: every question becomes one probe."""

import pytest

from evalkit.plan.probes import probes_of
from evalkit.records.suite import Suite

STATE = "select status  from orders where id = $order"


def suite(database: str | None) -> Suite:
    """Return a suite with state, unchanged, reconcile and a claim."""
    expect = [
        {"kind": "state", "args": {"sql": STATE, "equals": "x"}, "metric": "outcome"},
        {"kind": "state", "args": {"sql": STATE, "equals": "y"}, "metric": "outcome"},
        {"kind": "unchanged", "args": {"sql": "select count(*) from t"}, "metric": "outcome"},
        {"kind": "reconcile", "args": {"value": "reply.x", "authority": "select 1"}, "metric": "outcome"},
    ]
    return Suite.model_validate(
        {
            "suite": "s",
            "world": {"database": database},
            "stages": [{"name": "reply", "ran": {"replied": True}}],
            "metrics": [
                {"name": "outcome", "primary": True},
                {"name": "honest", "check": "claim_matches_state"},
            ],
            "claims": {"done": {"reply": "done", "holds": {"sql": "select $order is not null"}}},
            "cases": [
                {"id": "c", "turns": [{"user": "x"}], "vars": {"order": "A-1", "other": 2}, "expect": expect}
            ],
        }
    )


def test_each_question_is_asked_once_and_start_questions_first() -> None:
    """Equal questions share a probe; `unchanged` asks twice; only the named vars are bound."""
    world = suite("world.sql")
    probes = probes_of(world, world.cases[0])
    assert [
        ("start:select count(*) from t", {}),
        ("end:select status from orders where id = $order", {"order": "A-1"}),
        ("end:select count(*) from t", {}),
        ("end:select 1", {}),
        ("end:select $order is not null", {"order": "A-1"}),
    ] == [(probe.id, probe.vars) for probe in probes]


def entries(*given: dict[str, object], scope: str = "outcome") -> Suite:
    """A suite whose one case of two turns expects this."""
    return Suite.model_validate(
        {
            "suite": "s",
            "world": {"database": "world.sql"},
            "stages": [{"name": "reply", "ran": {"replied": True}}],
            "metrics": [{"name": "m", "primary": True, "scope": scope}],
            "deciding_scope": scope,
            "cases": [
                {
                    "id": "c",
                    "turns": [{"user": "x"}, {"user": "y"}],
                    "vars": {"order": "A-1"},
                    "expect": [{"metric": "m", **one} for one in given],
                }
            ],
        }
    )


def test_what_is_waited_for_is_part_of_the_question() -> None:
    """Windows that differ are probes of their own; the same one is asked once."""
    args: dict[str, object] = {"sql": "select $order", "equals": 1, "within": 5}
    wanted = [args, {**args, "every": 0.5}, {**args, "equals": 2}, args]
    given: list[dict[str, object]] = [{"kind": "eventually", "args": one} for one in wanted]
    world = entries(*given)
    probes = probes_of(world, world.cases[0])
    assert [(1, 1.0), (1, 0.5), (2, 1.0)] == [
        (probe.window.equals, probe.window.every) for probe in probes if probe.window is not None
    ]
    assert [{"order": "A-1"}] * 3 == [probe.vars for probe in probes]
    assert 3 == len({probe.id for probe in probes})


@pytest.mark.parametrize(
    ("scope", "turn", "expected"),
    [("outcome", None, [None]), ("outcome", 1, [1]), ("turn", None, [0, 1]), ("turn", 0, [0])],
)
def test_sql_of_the_agent_is_asked_for_the_turns_that_are_judged(
    scope: str, turn: int | None, expected: list[int | None]
) -> None:
    """Gold is asked at both ends, and what the agent states once for each turn; it binds no variables."""
    args = {"value": "reply.sql", "gold": "select $order"}
    world = entries({"kind": "sql_equals", "args": args, "turn": turn}, scope=scope)
    start, gold, *stated = probes_of(world, world.cases[0])
    assert ["start:select $order", "end:select $order"] == [start.id, gold.id]
    assert expected == [probe.turn for probe in stated]
    assert [("", "reply.sql", {})] * len(expected) == [(one.sql, one.stated, one.vars) for one in stated]


def test_without_a_database_nothing_is_asked() -> None:
    """A suite of text in, text out has no probes."""
    text = suite(None)
    assert () == probes_of(text, text.cases[0])
