"""Defaults of a suite, resolved into records."""

from pathlib import Path

import pytest

from evalkit.suite.load import load_suite
from evalkit.suite.schemas import kinds, schema
from tests.suite.building import CASE, OTHER, SOUND, SUITE, in_case, in_suite, loaded, problems_of


def test_a_metric_without_stage_is_shown_at_the_deciding_one(tmp_path: Path) -> None:
    """Stage defaults to that of the deciding primary, needs to the stage; what is written stands."""
    suite = loaded(
        tmp_path, in_suite("polite: {scope: outcome, stage: reply,", "polite: {needs: [identify],")
    )
    found = {metric.name: (metric.stage, metric.needs) for metric in suite.metrics if not metric.companion}
    assert {
        "lent": ("lend", ("lend",)),
        "found": ("identify", ("identify",)),
        "honest": ("reply", ("reply",)),
        "polite": ("lend", ("identify",)),
    } == found


def test_stages_are_sorted_needs_first(tmp_path: Path) -> None:
    """The order of the file stands, but that needs come before what needs them."""
    suite = loaded(
        tmp_path,
        {
            SUITE: SOUND[SUITE].replace(
                "stages:\n", "stages:\n  early: {needs: [lend], ran: {always: true}}\n"
            )
        },
    )
    assert ["identify", "decide", "lend", "early", "reply"] == [stage.name for stage in suite.stages]


def test_a_case_says_what_it_asks_of_every_stage(tmp_path: Path) -> None:
    """Demands are the suite's, but for those that the case names."""
    first, second = loaded(tmp_path).cases
    assert {
        "identify": "required",
        "decide": "required",
        "lend": "required",
        "reply": "required",
    } == first.demand
    assert "forbidden" == second.demand["lend"]


def test_entries_are_bound_to_the_metric_of_their_kind(tmp_path: Path) -> None:
    """The one metric whose check names the kind takes the entry; `for` names another, inside or beside."""
    inside = loaded(tmp_path / "a", in_case("contains: enjoy", "contains: enjoy, for: found")).cases[0]
    beside = loaded(
        tmp_path / "b",
        {
            CASE: SOUND[CASE].replace(
                "  - reply: {contains: enjoy}", "  - {reply: {contains: enjoy}, for: found}"
            )
        },
    ).cases[0]
    assert ["lent", "found", "found"] == [entry.metric for entry in inside.expect]
    assert inside.expect == beside.expect


@pytest.mark.parametrize(
    ("written", "args"),
    [
        ("called: find", {"calls": [{"tool": "find"}]}),
        (
            "called: {tool: find, mode: exact, times: 2}",
            {"calls": [{"tool": "find", "mode": "exact"}], "times": 2},
        ),
        ("called: [{tool: find}, {tool: lend}]", {"calls": [{"tool": "find"}, {"tool": "lend"}]}),
        (
            "called: {calls: [{tool: find}], attempted: true}",
            {"calls": [{"tool": "find"}], "attempted": True},
        ),
    ],
)
def test_short_forms_become_long_ones(tmp_path: Path, written: str, args: dict[str, object]) -> None:
    """One call, a list of calls and the long form give the same kind of arguments."""
    case = loaded(tmp_path, in_case("called: {tool: find, args: {name: Ada}}", written)).cases[0]
    assert args == case.expect[1].args


def test_a_negation_keeps_its_kind(tmp_path: Path) -> None:
    """`not_reply` is the check reply, negated, and feeds the same metric."""
    entry = (
        loaded(tmp_path, in_case("reply: {contains: enjoy}", "not_reply: {contains: sorry}"))
        .cases[0]
        .expect[2]
    )
    assert ("reply", True, "polite") == (entry.kind, entry.negated, entry.metric)


def test_fixtures_keep_their_order_and_their_end(tmp_path: Path) -> None:
    """Answers come in order, and `otherwise` closes the list."""
    pinned = loaded(tmp_path).cases[1].mock["find"]
    assert ({"name": "Ada"}, 1, {"id": "M-1"}) == (
        pinned.answers[0].when,
        pinned.answers[0].times,
        pinned.answers[0].returns,
    )
    assert pinned.otherwise is not None
    assert "missing" != pinned.otherwise
    assert "unknown" == pinned.otherwise.error


def test_an_answer_in_the_middle_cannot_close_the_list(tmp_path: Path) -> None:
    """Nothing after `otherwise` would ever be read."""
    changed = (
        SOUND[OTHER]
        .replace("    - {otherwise: {error: unknown}}\n", "")
        .replace("find:\n", "find:\n    - {otherwise: missing}\n")
    )
    (problem,) = problems_of(tmp_path, {OTHER: changed})
    assert ("wrong-value", "mock.find[0]") == (problem.code, problem.key)


def test_a_metric_with_arguments_feeds_from_the_suite(tmp_path: Path) -> None:
    """`check: {within: ...}` is a kind with arguments: every case feeds it unless it says `without`."""
    changes = {
        **in_suite("polite:", "quick: {stage: reply, tier: observe, check: {within: {turns: 3}}}\n  polite:"),
        CASE: ("expect:", "without: [quick]\nexpect:"),
    }
    suite = loaded(tmp_path, changes)
    quick = next(metric for metric in suite.metrics if metric.name == "quick")
    assert ("within", {"turns": 3}, True) == (quick.check, quick.args, quick.from_suite)
    planned = [[metric.name for metric in suite.metrics_of(case)] for case in suite.cases]
    assert (False, True) == tuple("quick" in names for names in planned)


def test_a_rule_is_bound_to_its_metric(tmp_path: Path) -> None:
    """Entries of a rule are about the metric that has it."""
    entries = "pass_when: [{reply: {contains: please}}], fail_when: [{not_called: find}]"
    rule = f"kind: {{stage: reply, tier: observe, rule: {{{entries}}}}}\n  polite:"
    suite = loaded(tmp_path, in_suite("polite:", rule))
    metric = next(metric for metric in suite.metrics if metric.name == "kind")
    assert metric.rule is not None
    assert [("reply", False, "kind"), ("called", True, "kind")] == [
        (entry.kind, entry.negated, entry.metric)
        for entry in (*metric.rule.pass_when, *metric.rule.fail_when)
    ]


def test_an_entry_of_a_rule_names_no_other_metric(tmp_path: Path) -> None:
    """`for` inside a rule would send the entry elsewhere: it is refused."""
    rule = "kind: {stage: reply, rule: {pass_when: [{reply: {contains: x, for: lent}}]}}\n  polite:"
    (problem,) = problems_of(tmp_path, in_suite("polite:", rule))
    assert ("unknown-key", "metrics.kind.rule.pass_when[0].for") == (problem.code, problem.key)


def test_two_faults_in_two_files_are_one_report(tmp_path: Path) -> None:
    """Suite, cases, arm and gate are all read, whatever is wrong with the others, and reported by file."""
    changes = {
        SUITE: ("turns: 10", "turns: ten"),
        CASE: ("expect:", "expct:"),
        OTHER: ("forbids", "forbid"),
        "suites/desk/arms/champion.yaml": ("policy:", "polcy:"),
        "suites/desk/gate.yaml": ("metric:", "metrics:"),
    }
    found = [(Path(problem.file).name, problem.code) for problem in problems_of(tmp_path, changes)]
    assert [
        ("suite.yaml", "wrong-type"),
        ("lend-1.yaml", "unknown-key"),
        ("refuse-2.yaml", "unknown-key"),
        ("champion.yaml", "unknown-key"),
        ("gate.yaml", "unknown-key"),
    ] == found


def test_the_schemas_describe_every_key() -> None:
    """Every key that an editor can complete has a description."""
    for kind in kinds():
        found = schema(kind)
        for name, model in {kind: found, **found["$defs"]}.items():
            missing = [
                key for key, value in model.get("properties", {}).items() if not _described(value, found)
            ]
            assert [] == missing, name


def _described(value: dict[str, object], root: dict[str, object]) -> bool:
    return "description" in value or "$ref" in value


def test_a_suite_that_only_reads_may_be_judged_by_its_reply(tmp_path: Path) -> None:
    """Where no tool changes the world, the reply may be the outcome."""
    changes = in_case("contains: enjoy", "contains: enjoy, for: lent")
    assert ["reply-decides"] == [problem.code for problem in problems_of(tmp_path / "a", changes)]
    suite = tmp_path / "b"
    loaded(suite)
    (suite / CASE).write_text(
        SOUND[CASE].replace("contains: enjoy", "contains: enjoy, for: lent"), encoding="utf-8"
    )
    assert "lend-1" == load_suite(suite / "suites" / "desk").cases[0].id


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"requires: [lend]": "requires: [lnd]"}, ["unknown-stage"]),
        ({"requires: [lend]": "requires: [zzz]"}, ["unknown-stage"]),
        ({"requires: [lend]": "forbids: [lnd]"}, ["unknown-stage"]),
        ({"requires: [lend]": "allow_empty: [identfy]"}, ["optional-stage", "unknown-stage"]),
        ({"requires: [lend]": "requires: [identfy]"}, ["optional-stage", "unknown-stage"]),
    ],
)
def test_what_follows_from_a_misspelt_stage_is_not_told(
    tmp_path: Path, changes: dict[str, str], expected: list[str]
) -> None:
    """One wrong name is one problem; a stage that no misspelt name can mean keeps its own."""
    ((old, new),) = changes.items()
    assert expected == sorted(one.code for one in problems_of(tmp_path, in_case(old, new)))


def test_a_misspelt_stage_excuses_no_other_case(tmp_path: Path) -> None:
    """What a case asks of too little is told, whatever another case misspells."""
    changes = {**in_case("requires: [lend]", "requires: [lnd]"), OTHER: ("forbids: [lend]\n", "")}
    assert ["optional-stage", "unknown-stage"] == sorted(one.code for one in problems_of(tmp_path, changes))
