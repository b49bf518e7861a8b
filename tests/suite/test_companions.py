"""Companion metrics: which a type brings, that they can be switched off, and change nothing else."""

from pathlib import Path
from typing import get_args

import pytest

from evalkit.records.companions import Figure
from evalkit.records.suite import Suite, SuiteType
from evalkit.suite.companions import companions
from tests.suite.building import CASE, GATE, OTHER, SUITE, Change, in_suite, loaded, problems_of

SHORT = "suite: short\ntype: {type}\ncases: ../../golden/desk\n"
CASES: dict[str, Change] = {
    CASE: "id: a\ninput: hi\nexpect: [{reply: {contains: hi}}]\n",
    OTHER: "id: b\ninput: ho\nexpect: [{within: {turns: 3}}]\nsolution: solutions/refuse-2.yaml\n",
    GATE: "trials: 5\nrequire:\n  - {metric: outcome, statistic: rate, at_least: 0.04}\n",
    "golden/desk/solutions/refuse-2.yaml": "- reply: x\n",
}


def _names(suite: Suite) -> list[str]:
    return [metric.name for metric in suite.metrics if metric.companion]


def _typed(type_: str, more: str = "") -> dict[str, Change]:
    return in_suite("suite: desk\n", f"suite: desk\ntype: {type_}\n{more}")


@pytest.mark.parametrize(
    ("type_", "names"),
    [
        ("task_execution", ["call_chain"]),
        ("reasoning", ["steps_skipped"]),
        ("knowledge_qa", ["retrieval_rounds"]),
        ("guidance", ["clarifying_rounds", "repeated_questions", "re_ask_rate"]),
        ("multi_agent", ["repeated_context"]),
        ("creative", ["human_acceptance"]),
    ],
)
def test_each_type_brings_its_own(tmp_path: Path, type_: str, names: list[str]) -> None:
    """Observed, fed by the suite, shown where the deciding primary is, and described."""
    suite = loaded(tmp_path, _typed(type_))
    assert names == _names(suite)
    for metric in companions(suite.model_copy(update={"metrics": suite.metrics[: -len(names)]})):
        assert ("observe", "trace", False, "lend", True, True) == (
            metric.tier,
            metric.scope,
            metric.primary,
            metric.stage,
            metric.from_suite,
            bool(metric.description),
        )


def test_a_citation_is_a_fact_of_the_reply_that_shows_a_stage(tmp_path: Path) -> None:
    """The first pattern of which a stage says that it ran by it, and something that retrieves."""
    changes = _typed("knowledge_qa")
    changes[SUITE] = (
        "facts:\n",
        "type: knowledge_qa\nfacts:\n  source: {from: reply, matches: 'd[0-9]'}\n",
    )
    suite = loaded(tmp_path, changes)
    assert ["retrieval_rounds"] == _names(suite)
    text = (tmp_path / SUITE).read_text(encoding="utf-8")
    cited = text.replace(
        "  reply: {needs:", "  cite: {ran: {fact: source}, demand: optional}\n  reply: {needs:"
    )
    again = loaded(tmp_path / "again", {SUITE: cited})
    found = {metric.name: metric.args for metric in again.metrics if metric.companion}
    assert {"figure": "citation_hit", "fact": "source"} == found["citation_hit"]
    assert {"figure": "retrieval_rounds", "tools": ["find"]} == found["retrieval_rounds"]


@pytest.mark.parametrize("type_", get_args(SuiteType))
def test_what_a_suite_cannot_show_is_not_planned(tmp_path: Path, type_: str) -> None:
    """Text in, text out has no calls and no steps; every expectation still feeds the one metric it has."""
    suite = loaded(tmp_path, {**CASES, SUITE: SHORT.format(type=type_)})
    shown = {"guidance": 3, "multi_agent": 1, "creative": 1}
    assert shown.get(type_, 0) == len(_names(suite))
    assert ("outcome", {"outcome"}) == (
        suite.deciding.name,
        {entry.metric for case in suite.cases for entry in case.expect},
    )
    alone = [metric.primary for metric in suite.metrics if metric.companion]
    assert [True, False, False][: len(alone)] == alone


def test_a_suite_can_switch_them_off(tmp_path: Path) -> None:
    """All of them, and a case those that it says it is without."""
    assert [] == _names(loaded(tmp_path, _typed("guidance", "companions: false\n")))
    without: dict[str, Change] = {
        **_typed("guidance"),
        CASE: ("requires: [lend]\n", "requires: [lend]\nwithout: [re_ask_rate]\n"),
    }
    suite = loaded(tmp_path / "case", without)
    planned = [{m.name for m in suite.metrics_of(case) if m.companion} for case in suite.cases]
    assert [{"re_ask_rate"}] == [planned[1] - planned[0]]


def test_a_metric_of_the_same_name_takes_its_place(tmp_path: Path) -> None:
    """With a bound of its own, and the tier that it says."""
    own = (
        "  call_chain: {scope: trace, tier: compare, check: {companion: {figure: call_chain, bound: 0.5}}}\n"
    )
    suite = loaded(tmp_path, in_suite("metrics:\n", f"metrics:\n{own}"))
    (metric,) = [metric for metric in suite.metrics if metric.name == "call_chain"]
    assert ("compare", False, 0.5) == (metric.tier, metric.companion, (metric.args or {})["bound"])


def test_a_case_without_expectations_is_refused_as_before(tmp_path: Path) -> None:
    """A companion is nothing that could fail a case."""
    changes: dict[str, Change] = {**CASES, SUITE: SHORT.format(type="guidance"), CASE: "id: a\ninput: hi\n"}
    assert ["no-expectation"] == [one.code for one in problems_of(tmp_path, changes)]


def test_a_gate_cannot_require_one(tmp_path: Path) -> None:
    """What is only observed decides nothing."""
    (found,) = problems_of(tmp_path, {GATE: ("metric: lent", "metric: call_chain")})
    assert "observed-metric" == found.code


@pytest.mark.parametrize(
    ("args", "code", "key", "advice"),
    [
        ("figure: call_chian", "wrong-value", "figure", "did you mean `call_chain`?"),
        ("figure: retrieval_rounds", "missing-key", "tools", "add `tools: ...`"),
        ("figure: retrieval_rounds, tools: [fnd]", "unknown-tool", "tools[0]", "did you mean `find`?"),
        ("figure: citation_hit, fact: verdikt", "unknown-fact", "fact", "did you mean `verdict`?"),
        ("figure: call_chain, fact: verdict", "wrong-value", "fact", "leave `fact` out"),
        ("figure: call_chain, bound: -1", "wrong-value", "bound", "at least 0"),
    ],
)
def test_a_figure_that_cannot_be_measured_is_refused(
    tmp_path: Path, args: str, code: str, key: str, advice: str
) -> None:
    """One problem, at the innermost place."""
    own = f"  mine: {{scope: trace, tier: observe, check: {{companion: {{{args}}}}}}}\n"
    (found,) = problems_of(tmp_path, in_suite("metrics:\n", f"metrics:\n{own}"))
    assert (code, f"metrics.mine.check.companion.{key}") == (found.code, found.key)
    assert advice in found.suggestion


def test_every_figure_belongs_to_a_type(tmp_path: Path) -> None:
    """None is measured that no type brings."""
    brought: set[str] = set()
    for type_ in get_args(SuiteType):
        brought |= set(_names(loaded(tmp_path / type_, _typed(type_))))
    assert {"citation_hit"} == set(get_args(Figure)) - brought
