"""State is read once: every question becomes one probe."""

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


def test_without_a_database_nothing_is_asked() -> None:
    """A suite of text in, text out has no probes."""
    text = suite(None)
    assert () == probes_of(text, text.cases[0])
