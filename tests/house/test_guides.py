"""The guides can be believed: what they show loads and runs, and they leave no key, check or code out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from evalkit.records.arm import ModelSpec, Versions
from evalkit.records.case import FaultKind, Step
from evalkit.records.checks import CHECKS, CheckKind
from evalkit.records.decision import EXIT_CODES
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.suite import Claim, FactSource, Goal, Limits, Waiver, WorldSpec
from evalkit.records.verdict import Cause
from evalkit.stats.interval import lower_bound, upper_bound
from evalkit.suite.codes import CODES, WARNINGS
from evalkit.suite.forms import AnswerFile, ArmFile, CaseFile, MetricFile, StageFile, SuiteFile, TurnFile
from evalkit.suite.load import load_suite
from evalkit.suite.scaffold import scaffold
from evalkit.world.tools import describe
from tests.house.guides import (
    FORMS,
    GUIDES,
    Block,
    blocks,
    blocks_in,
    first_column,
    flow,
    keys_of,
    problems_of,
    rows_problems,
    section,
    suite_problems,
    words_in_code,
)
from tests.journeys.walking import Walker

PAGES = sorted(path.name for path in GUIDES.glob("*.md"))
YAML = [block for page in PAGES for block in blocks(page, "yaml")]
PYTHON = [block for page in PAGES for block in blocks(page, "python")]

# (page, heading) -> the form whose keys the first table there lists, each exactly once.
TABLES: dict[tuple[str, str], type[BaseModel]] = {
    ("suites.md", "suite.yaml"): SuiteFile,
    ("suites.md", "Goal"): Goal,
    ("suites.md", "World"): WorldSpec,
    ("suites.md", "Facts"): FactSource,
    ("suites.md", "Stages"): StageFile,
    ("suites.md", "Metrics"): MetricFile,
    ("suites.md", "Claims"): Claim,
    ("suites.md", "Limits"): Limits,
    ("suites.md", "Waivers"): Waiver,
    ("suites.md", "Cases"): CaseFile,
    ("suites.md", "Turns that ask"): TurnFile,
    ("suites.md", "Pinned answers"): AnswerFile,
    ("suites.md", "Arms"): ArmFile,
    ("suites.md", "Scripted models"): ModelSpec,
    ("gates.md", "gate.yaml"): GatePolicy,
    ("gates.md", "Requires"): Require,
}

# Keys of a record that are not written in its file: (form, key) -> why.
NOT_WRITTEN = {(StageFile, "name"): "a stage is named by its key"}


def _named(block: Block) -> str:
    return f"{block.page}:{block.line}"


@pytest.mark.parametrize("block", YAML, ids=_named)
def test_what_is_shown_is_valid(block: Block) -> None:
    """Every YAML block says what it is, and has the form of that file."""
    assert [] == [str(problem) for problem in problems_of(block)]


@pytest.mark.parametrize("block", [b for page in PAGES for b in blocks(page, "jsonl")], ids=_named)
def test_rows_of_json_are_cases(block: Block) -> None:
    """Every JSONL block is a table of cases."""
    assert [] == [str(problem) for problem in rows_problems(block)]


@pytest.mark.parametrize("block", [b for page in PAGES for b in blocks(page, "csv")], ids=_named)
def test_rows_of_csv_are_cases(block: Block) -> None:
    """Every CSV block is a table of cases."""
    assert [] == [str(problem) for problem in rows_problems(block)]


def test_suites_load(tmp_path: Path) -> None:
    """Every suite block, made whole, is a suite: names, graph, patterns and primaries hold."""
    scaffold(tmp_path, "task_execution")
    found = {_named(block): suite_problems(block, tmp_path) for block in YAML if "suite.yaml" in block.kind}
    assert {} == {
        name: [str(problem) for problem in problems] for name, problems in found.items() if problems
    }
    assert len(found) > 5


def test_cases_load(tmp_path: Path) -> None:
    """Every case block, made whole, is a case of the library suite: tools, stages, metrics are there."""
    folder = _library_with(tmp_path, [])
    golden = tmp_path / "golden" / "library"
    suite = (folder / "suite.yaml").read_text(encoding="utf-8")
    told = (
        f"metrics:\n  told: {flow({'scope': 'turn', 'stage': 'reply', 'tier': 'observe', 'primary': True})}\n"
    )
    (folder / "suite.yaml").write_text(suite.replace("metrics:\n", told), encoding="utf-8")
    shown = [block for block in YAML if block.kind in ("case", "in a case")]
    for block in shown:
        (golden / f"{block.line}.yaml").write_text(flow(_whole_case(block)), encoding="utf-8")
    (golden / "borrow-007.yaml").unlink()
    loaded = load_suite(folder, describe=describe)
    assert 6 + len(shown) == len(loaded.cases)
    assert len(shown) > 15


def test_tools_are_tools(tmp_path: Path) -> None:
    """What is shown as tools.py is read as one."""
    (shown,) = [block for block in PYTHON if block.kind == "tools.py"]
    (tmp_path / "tools.py").write_text(shown.text, encoding="utf-8")
    specs = {spec.name: spec for spec in describe(tmp_path / "tools.py")}
    assert ["find_member", "lend_book"] == list(specs)
    assert "Lend a book to a member, who may have at most 3." == specs["lend_book"].description


@pytest.mark.parametrize("block", PYTHON, ids=_named)
def test_python_compiles(block: Block) -> None:
    """Every Python block is Python."""
    assert compile(block.text, _named(block), "exec") is not None


def test_what_is_shown_of_the_checks_holds(walk: Walker) -> None:
    """Every example of a check loads on the library suite, and the case's reference solution passes it."""
    folder = _library_with(walk.folder, _shown_entries())
    said = walk("run", folder, "--arm", "reference", "--only", "id=borrow-007", "--json")
    assert 0 == said.code, said.out
    lines = (walk.run_folder(said.run) / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    assert [] == [(row["name"], row.get("message")) for row in verdicts if row["outcome"] != "pass"]
    assert {"settled", "looked_up", "no_false_claim", *_own_metrics()} <= {row["name"] for row in verdicts}


def test_every_check_is_shown() -> None:
    """Each of the check kinds has an example, with every argument that it takes."""
    used: dict[str, set[str]] = {kind: set() for kind in CHECKS}
    for entry in _shown_entries():
        for name, arguments in entry.items():
            if name.removeprefix("not_") in used:
                used[name.removeprefix("not_")].add(flow(arguments))
    assert [] == [kind for kind, shown in used.items() if not shown]
    text = section("suites.md", "Checks")
    missing = {(kind, key) for kind, model in CHECKS.items() for key in keys_of(model)}
    assert set() == {(kind, key) for kind, key in missing if key not in words_in_code(text)}


@pytest.mark.parametrize(("page", "heading"), TABLES)
def test_every_key_is_told(page: str, heading: str) -> None:
    """The table under a heading lists the keys of that file, none missing and none invented."""
    model = TABLES[page, heading]
    wanted = [key for key in keys_of(model) if (model, key) not in NOT_WRITTEN]
    assert sorted(wanted) == sorted(first_column(section(page, heading)))


@pytest.mark.parametrize("model", [Step, Versions])
def test_every_small_key_is_told(model: type[BaseModel]) -> None:
    """The keys of steps and versions stand in code somewhere in the guide of suites."""
    assert set() == set(keys_of(model)) - words_in_code((GUIDES / "suites.md").read_text(encoding="utf-8"))


def test_every_fault_is_told() -> None:
    """The second table of the pinned answers lists the faults."""
    assert set(get_args(FaultKind)) == set(first_column(section("suites.md", "Pinned answers"), 1))


def test_every_cause_is_told() -> None:
    """The guide of verdicts lists every cause of an error, in the order of the records."""
    assert list(get_args(Cause)) == first_column(section("verdicts.md", "Causes of an error"))


def test_every_code_is_told() -> None:
    """The guide of lint has a row for each code: whether it refuses, and the line that the code has."""
    text = (GUIDES / "lint.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| (refuses|warns) \| (.+) \|$", text, flags=re.MULTILINE)
    told = [(code, kind, line.replace("\\|", "|")) for code, kind, line in rows]
    wanted = [(code, "warns" if code in WARNINGS else "refuses", line) for code, line in CODES.items()]
    assert wanted == told


def test_the_figures_of_the_gates_are_right() -> None:
    """The table of what a number of units proves is what the statistics give."""
    rows = re.findall(
        r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", _gates(), flags=re.MULTILINE
    )
    wanted = [(str(n), *_bounds(n)) for n in (5, 6, 7, 8, 10, 20, 40, 60, 100)]
    assert wanted == [(n, *(cell.strip() for cell in cells)) for n, *cells in rows]


def test_exit_codes_of_a_decision_are_told() -> None:
    """The guide of gates says which exit code each decision has."""
    told = dict(re.findall(r"^\| `(go|no-go|undecided)` \| (\d) \|", _gates(), flags=re.MULTILINE))
    assert {choice: str(code) for choice, code in EXIT_CODES.items()} == told


def test_a_wrong_example_is_found() -> None:
    """Self-test: an unknown key, an unknown check and a block that says not what it is are found."""
    wrong = ("# case\nid: a\ninputs: x", "id: b", "# in a case\nexpect: [{calls: a}]")
    text = "".join(f"```yaml\n{block}\n```\n" for block in wrong)
    said = [str(p) for block in blocks_in(text, "p.md", "yaml") for p in problems_of(block)]
    assert 3 == len(said)
    assert ["inputs", "says not what this is", "calls"] == [
        word
        for word, line in zip(["inputs", "says not what this is", "calls"], said, strict=True)
        if word in line
    ]


def test_forms_are_those_of_the_command_line() -> None:
    """Self-test: the kinds of blocks are used, and every one of them is looked at."""
    assert {block.kind for block in YAML} == set(FORMS)


def _gates() -> str:
    return (GUIDES / "gates.md").read_text(encoding="utf-8")


def _bounds(n: int) -> tuple[str, ...]:
    """Return the lower bounds with no, one and two fails, and the upper bound without a pass."""
    figures = (*(lower_bound(n - fails, n) for fails in (0, 1, 2)), upper_bound(0, n))
    return tuple(f"{figure:.3f}".removeprefix("0") for figure in figures)


def _shown_entries() -> list[dict[str, object]]:
    """Return the expectations that the chapter of the checks shows."""
    shown = blocks_in(section("suites.md", "Checks"), "suites.md", "yaml")
    return [entry for block in shown if block.kind == "in a case" for entry in block.document.value["expect"]]


def _own_metrics() -> dict[str, dict[str, object]]:
    """Return a metric for each kind that no metric of the library suite takes."""
    kinds = [kind for kind in get_args(CheckKind) if kind not in ("state", "called", "claim_matches_state")]
    return {
        f"by_{kind}": {"scope": "trace", "stage": "reply", "tier": "observe", "check": kind} for kind in kinds
    }


def _whole_case(block: Block) -> dict[str, object]:
    """Return a case block with what a case of the library suite has to have."""
    value = block.document.value
    if block.kind == "case":
        return dict(value)
    deciding = {"state": {"sql": "select count(*) from members", "equals": 3}}
    return {
        **value,
        "id": f"guide-{block.line}",
        "vars": {"member": "M-1", "book": "B-1"},
        "requires": ["lend"],
        "expect": [deciding, *value.get("expect", [])],
    }


def _library_with(project: Path, entries: list[dict[str, object]]) -> Path:
    """Scaffold the library, with the guide's own case and checks, and an arm that plays solutions."""
    scaffold(project, "task_execution")
    folder = project / "suites" / "library"
    (borrow,) = [b for b in YAML if b.kind == "case" and b.document.value["id"] == "borrow-007"]
    case = {**borrow.document.value, "expect": [*borrow.document.value["expect"], *entries]}
    (project / "golden" / "library" / "borrow-007.yaml").write_text(flow(case), encoding="utf-8")
    (arm,) = [b for b in YAML if b.kind == "arm" and b.document.value["arm"] == "reference"]
    (folder / "arms" / "reference.yaml").write_text(arm.text, encoding="utf-8")
    (checks,) = [block for block in PYTHON if block.kind == "checks.py"]
    (folder / "checks.py").write_text(checks.text, encoding="utf-8")
    suite = (folder / "suite.yaml").read_text(encoding="utf-8")
    lines = "".join(f"  {name}: {flow(metric)}\n" for name, metric in _own_metrics().items())
    (folder / "suite.yaml").write_text(suite.replace("metrics:\n", f"metrics:\n{lines}"), encoding="utf-8")
    return folder
