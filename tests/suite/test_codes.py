"""Every code has a file that brings it about and one, as near to it as can be, that does not."""

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pytest

from evalkit.errors import InputError, Problem
from evalkit.records.suite import SuiteType
from evalkit.suite.arms import arm_files, load_arm
from evalkit.suite.codes import CODES, WARNINGS
from evalkit.suite.files import YAML_LIMIT
from evalkit.suite.functions import load_functions
from evalkit.suite.leaks import possible_leaks
from evalkit.suite.lint import lint
from evalkit.suite.load import read_suite
from evalkit.suite.policy import load_policy
from evalkit.suite.scaffold import scaffold
from tests.suite.building import (
    ARM,
    CASE,
    CHECKS,
    GATE,
    OTHER,
    POLICIES,
    PROMPT,
    SOUND,
    SUITE,
    TOOLS,
    Change,
    describe,
    in_case,
    in_suite,
    laid_out,
)

Changes = Mapping[str, Change]

TODAY = dt.date(2026, 11, 30)
# Found where nothing is loaded: by `init`, and by the pipeline, which runs probes on an empty transcript.
ELSEWHERE = frozenset({"exists", "free-case", "bad-sql", "empty-gold", "claim-holds-at-start"})

_TABLE: Changes = {
    **in_suite("../../golden/desk", "../../golden/desk.csv"),
    GATE: "require: [{metric: lent, at_least: 0.04}]\n",
}
_CSV = "id,input,vars.book,requires,expect.state.sql,expect.state.equals\na,x,B-1,lend,select 1,1\n"
_GATES = "".join(f"  g{n}: {{stage: reply, check: python, tier: gate}}\n" for n in range(4))
_ASKING = "turns: [{user: Hello, requires: [identify]}, {user: 'May I borrow B-1?', requires: [lend, reply]}]"
_STATE = '  - state: {sql: "select count(*) from loans where book = $book", equals: 1}\n'
_KNOWN = "known: [{case: lend-1, reason: r, owner: o, until: 2026-11-30}]\nlimits"
_TEXT_ONLY: dict[str, Change] = {
    SUITE: "suite: echo\ncases: ../../golden/desk\n",
    CASE: "id: a\ninput: hi\nmock: {find: [{return: 1}, {otherwise: missing}]}\n"
    "expect: [{reply: {contains: hi}}]\n",
    OTHER: "id: b\ninput: hi\nexpect: [{reply: {contains: hi}}]\nsolution: solutions/refuse-2.yaml\n",
    ARM: "arm: champion\nmodel: {solution: true}\n",
    GATE: "require: [{metric: outcome, at_least: 0.1}]\n",
}

_TOKEN = "gh" + "p_" + "aB9dE8fG7hI6" * 3
_TWIN = SOUND[CASE].partition("solution:")[0] + "solution: solutions/refuse-2.yaml\n"


def _many(said: str) -> Changes:
    """Return a text suite of ten cases that say this, with the number as a word and more and more to say."""
    numbers = ["ten", "one", "two", "six", "four", "five", "nine", "zero", "pens", "pins"]
    rows = [
        f'{{"id": "c-{n}", "input": "{said.format(n=word, more=" now" * n)}", "cluster": "c",'
        ' "expect": [{"reply": {"contains": "y"}}]}\n'
        for n, word in enumerate(numbers)
    ]
    return {
        SUITE: "suite: desk\ncases: c.jsonl\n",
        "suites/desk/c.jsonl": "".join(rows),
        ARM: "arm: champion\nmodel: {replies: [{reply: x}]}\n",
        GATE: "require: [{metric: outcome, at_least: 0.01}]\n",
    }


_ORDERED = "- order: {tools: [look_up, write_down], for: found}\n  - called: {tool: find"

# code -> (what brings it about, what comes near to it and does not)
EXAMPLES: dict[str, tuple[Changes, Changes]] = {
    "no-file": (
        in_suite("../../golden/desk", "../../golden/desks"),
        in_suite("../../golden/desk", "../../golden/desk/"),
    ),
    "outside": (
        in_suite("../../golden/desk", "../../../elsewhere"),
        in_suite("../../golden/desk", "../../suites/../golden/desk"),
    ),
    "too-large": ({CASE: b"#" * (YAML_LIMIT + 1)}, {CASE: SOUND[CASE] + "#" * 2**16}),
    "encoding": ({CASE: SOUND[CASE].encode() + b"# \xff\n"}, {CASE: SOUND[CASE] + "# ü 退款 😀\n"}),
    "empty-file": ({CASE: "# nothing\n"}, {CASE: "# something\n" + SOUND[CASE]}),
    "syntax": (in_case("input: May", "input: [May"), in_case("input: May", 'input: "[May" # ]\n#')),
    "tab": (in_case("  - reply:", "\t- reply:"), in_case("May I borrow B-1?", '"May\tI borrow?"')),
    "too-deep": (
        in_case("{capability: lending}", f"{{capability: lending, x: {'[' * 64}{']' * 64}}}"),
        in_case("{capability: lending}", f"{{capability: lending, x: {'[' * 40}{']' * 40}}}"),
    ),
    "directive": ({CASE: "%YAML 1.1\n---\n" + SOUND[CASE]}, {CASE: "---\n" + SOUND[CASE]}),
    "anchor": (in_case("input: May", "input: &a May"), in_case("input: May", "input: R&a May")),
    "merge-key": (
        in_case("{capability: lending}", "{capability: lending, <<: {a: b}}"),
        in_case("{capability: lending}", '{capability: lending, "<<": {a: b}}'),
    ),
    "tag": (in_case("input: May", "input: !!str May"), in_case("input: May", "input: May !!str")),
    "not-finite": (in_case("equals: 1}", "equals: .inf}"), in_case("equals: 1}", 'equals: ".inf"}')),
    "many-documents": ({CASE: SOUND[CASE] + "---\nid: b\n"}, {CASE: SOUND[CASE] + "...\n"}),
    "duplicate-key": (
        in_case("vars: {book: B-1}", "vars: {book: B-1, book: B-2}"),
        in_case("vars: {book: B-1}", "vars: {book: B-1, Book: B-2}"),
    ),
    "quote-it": (in_case("{name: Ada}", "{name: 010}"), in_case("{name: Ada}", '{name: "010"}')),
    "duplicate-column": (
        {**_TABLE, "golden/desk.csv": _CSV.replace("input", "id", 1)},
        {**_TABLE, "golden/desk.csv": _CSV},
    ),
    "ragged-row": ({**_TABLE, "golden/desk.csv": _CSV + "b,x\n"}, {**_TABLE, "golden/desk.csv": _CSV + "\n"}),
    "exists": ({}, {}),
    "unread-file": ({"golden/desk/more/case.yaml": "id: x\n"}, {"golden/desk/more/notes.md": "id: x\n"}),
    "secret": (
        {PROMPT: f"Use {_TOKEN}.\n"},
        {PROMPT: f"Use {_TOKEN.replace('9', 'EXAMPLE', 1)}.\n"},
    ),
    "possible-secret": (
        {PROMPT: "password: hU7kq93LmZp0Qw2x\n"},
        {PROMPT: "password: EXAMPLEhU7kq93LmZp0Qw2x\n"},
    ),
    "unknown-key": (in_case("expect:", "expct:"), in_case("tags: {", "tags: {expct: x, ")),
    "missing-key": (in_case("id: lend-1\n", ""), in_case("source: {origin: written, at: 2026-10-02}\n", "")),
    "wrong-type": (
        in_case("requires: [lend]", "requires: lend"),
        in_case("requires: [lend]", 'requires: ["lend"]'),
    ),
    "wrong-value": (in_suite("turns: 10", "turns: 0"), in_suite("turns: 10", "turns: 1")),
    "exactly-one": (
        in_suite("{replied: true}", "{replied: true, called: find}"),
        in_suite("{replied: true}", "{always: true}"),
    ),
    "bad-pattern": (
        in_case("contains: enjoy", 'matches: "(enjoy"'),
        in_case("contains: enjoy", 'matches: "[(]enjoy"'),
    ),
    "bad-path": (
        in_suite("path: args.verdict", "path: args..verdict"),
        in_suite("path: args.verdict", "path: args.verdict.why"),
    ),
    "bad-schema": (
        in_case("reply: {contains: enjoy}", "reply: {json_schema: {typ: object}}"),
        in_case("reply: {contains: enjoy}", "reply: {json_schema: {type: object}}"),
    ),
    "bad-function": (
        in_case("reply: {contains: enjoy}", 'python: {function: "checks.py:polit", for: polite}'),
        in_case("reply: {contains: enjoy}", 'python: {function: "checks.py:polite", for: polite}'),
    ),
    "bad-expression": (
        {GATE: ("capability=lending", "capability lending")},
        {GATE: ("capability=lending", "capability!=refusal and id~lend-*")},
    ),
    "tools-file": ({TOOLS: "broken"}, {TOOLS: "pass\n"}),
    "cycle": (
        in_suite("{ran: {called: find}}", "{needs: [reply], ran: {called: find}}"),
        in_suite("reply: {needs: [decide]", "reply: {needs: [lend, decide]"),
    ),
    "unknown-stage": (
        in_suite("reply: {needs: [decide]", "reply: {needs: [decided]"),
        in_suite("reply: {needs: [decide]", "reply: {needs: [identify]"),
    ),
    "unknown-fact": (
        in_suite("{fact: verdict}", "{fact: verdicts}"),
        in_suite("{fact: verdict}", "{fact: verdict}, strict: true"),
    ),
    "unknown-tool": (
        in_suite("called: lend", "called: lnd"),
        in_suite("called: lend", "called: [lend, decide]"),
    ),
    "unknown-argument": (
        in_case("args: {name: Ada}", "args: {nmae: Ada}"),
        in_case("called: {tool: find, args: {name: Ada}}", "called: {tool: find, args: {}}"),
    ),
    "unknown-claim": (
        in_suite("check: claim_matches_state", "check: {claim_matches_state: {claims: [lnt]}}"),
        in_suite("check: claim_matches_state", "check: {claim_matches_state: {claims: [lent]}}"),
    ),
    "unknown-metric": (
        in_case("reply: {contains: enjoy}", "reply: {contains: enjoy, for: polit}"),
        in_case("reply: {contains: enjoy}", "reply: {contains: enjoy, for: polite}"),
    ),
    "two-primaries": (
        in_suite("tier: observe, check: reply", "tier: observe, primary: true, check: reply"),
        in_suite(
            "polite: {scope: outcome, stage: reply, tier: observe",
            "polite: {scope: turn, stage: reply, tier: observe, primary: true",
        ),
    ),
    "no-primary": (
        in_suite("tier: compare, primary: true", "tier: compare"),
        in_suite(
            "scope: trace, stage: identify, tier: compare, primary: true",
            "scope: outcome, stage: identify, tier: compare",
        ),
    ),
    "many-gates": (
        in_suite("metrics:\n", "metrics:\n" + _GATES),
        in_suite("metrics:\n", "metrics:\n" + _GATES.replace("tier: gate", "tier: compare", 1)),
    ),
    "metric-without-stage": (
        in_suite("scope: outcome, stage: lend, ", "scope: outcome, "),
        in_suite("scope: outcome, stage: reply, tier: observe", "scope: outcome, tier: observe"),
    ),
    "metric-without-check": (
        in_suite("polite:", "kind: {stage: reply}\n  polite:"),
        {
            **in_suite("polite:", "kind: {stage: reply}\n  polite:"),
            CASE: ("contains: enjoy", "contains: enjoy, for: kind"),
        },
    ),
    "reply-decides": (
        in_case("reply: {contains: enjoy}", "reply: {contains: enjoy, for: lent}"),
        in_case("reply: {contains: enjoy}", "called: {tool: lend, for: lent}"),
    ),
    "target-without-baseline": (
        in_suite("world:", "goal: {object: x, target: {value: 1, unit: min}}\nworld:"),
        in_suite(
            "world:",
            "goal: {object: x, target: {value: 1, unit: min}, baseline: {value: 9, unit: min}}\nworld:",
        ),
    ),
    "no-world": (in_suite("{database: world.sql, tools: tools.py}", "{tools: tools.py}"), {**_TEXT_ONLY}),
    "duplicate-id": ({OTHER: ("id: refuse-2", "id: lend-1")}, {OTHER: ("id: refuse-2", "id: Lend-1")}),
    "two-demands": (
        in_case("requires: [lend]", "requires: [lend]\noptional: [lend]"),
        in_case("requires: [lend]", "requires: [lend]\noptional: [decide]"),
    ),
    "turn-demands": (
        in_case("requires: [lend]\ninput: May I borrow B-1?", "requires: [lend]\n" + _ASKING),
        in_case("requires: [lend]\ninput: May I borrow B-1?", _ASKING),
    ),
    "unbound": (
        in_case("reply: {contains: enjoy}", "order: [find, lend]"),
        in_case("reply: {contains: enjoy}", "order: {tools: [find, lend], for: found}"),
    ),
    "doubly-bound": (
        in_suite("polite:", "kind: {stage: reply, check: reply}\n  polite:"),
        {
            **in_suite("polite:", "kind: {stage: reply, check: reply}\n  polite:"),
            CASE: ("contains: enjoy", "contains: enjoy, for: kind"),
        },
    ),
    "no-expectation": ({**_TEXT_ONLY, CASE: "id: a\ninput: hi\nexpect: []\n"}, _TEXT_ONLY),
    "undecided-case": (in_case(_STATE, ""), in_case("  - reply: {contains: enjoy}\n", "")),
    "optional-stage": (in_case("requires: [lend]\n", ""), in_case("requires: [lend]\n", "forbids: [lend]\n")),
    "empty-expectation": (
        in_case("contains: enjoy", 'contains: ""'),
        in_case("contains: enjoy", 'contains: "."'),
    ),
    "unbound-var": (
        in_case("vars: {book: B-1}", "vars: {books: B-1}"),
        in_case('where book = $book", equals', "where book = '$books'\", equals"),
    ),
    "unknown-turn": (
        {OTHER: ("equals: reserved}", "equals: reserved, turn: 2}")},
        {OTHER: ("equals: reserved}", "equals: reserved, turn: 1}")},
    ),
    "bad-sql": ({}, {}),
    "empty-gold": ({}, {}),
    "free-case": ({}, {}),
    "unknown-case": (
        {ARM: "arm: champion\nmodel: {replies: {lend-2: [{reply: x}]}}\n"},
        {ARM: 'arm: champion\nmodel: {replies: {lend-1: [{reply: x}], "*": [{reply: y}]}}\n'},
    ),
    "unknown-tag": (
        {GATE: ("capability=lending", "capabilty=lending")},
        {GATE: ("capability=lending", "tags.capability=lending")},
    ),
    "observed-metric": (
        {GATE: ("metric: lent", "metric: polite")},
        {GATE: ("metric: lent", "metric: honest")},
    ),
    "shared-root": (
        {GATE: SOUND[GATE] + "  - {metric: found, at_least: 0.2}\n"},
        {GATE: SOUND[GATE] + "  - {metric: honest, at_least: 0.2}\n"},
    ),
    "empty-selection": (
        {GATE: ("capability=lending", "capability=refusals")},
        {GATE: ("capability=lending", "capability=refusal")},
    ),
    "cannot-prove": (
        {GATE: ("at_least: 0.04", "at_least: 0.9")},
        {GATE: ("at_least: 0.04", "at_least: 0.05")},
    ),
    "too-few-trials": (
        {GATE: ("statistic: rate", "statistic: pass^6")},
        {GATE: ("statistic: rate", "statistic: pass^5")},
    ),
    "unknown-waiver": (in_suite("limits", _KNOWN.replace("lend-1", "lend-3")), in_suite("limits", _KNOWN)),
    "expired-waiver": (in_suite("limits", _KNOWN.replace("30}", "29}")), in_suite("limits", _KNOWN)),
    "waiver-ends-soon": (
        in_suite("limits", _KNOWN.replace("2026-11-30", "2026-12-14")),
        in_suite("limits", _KNOWN.replace("2026-11-30", "2026-12-15")),
    ),
    "no-claims": (
        {
            SUITE: "suite: desk\nworld: {database: world.sql, tools: tools.py}\ncases: c.jsonl\n",
            "suites/desk/c.jsonl": "",
            GATE: "require: [{metric: outcome, at_least: 0.1}]\n",
        },
        {},
    ),
    "open-fixtures": (
        {**_TEXT_ONLY, CASE: str(_TEXT_ONLY[CASE]).replace(", {otherwise: missing}", "")},
        _TEXT_ONLY,
    ),
    "not-in-real-mode": (
        {OTHER: ("return: {id: M-1}", "fault: http_500")},
        {OTHER: ("return: {id: M-1}", "error: nobody")},
    ),
    "unfed-metric": (in_case("  - reply: {contains: enjoy}\n", ""), {}),
    "no-solution": ({**_TEXT_ONLY}, {**_TEXT_ONLY, CASE: f"{_TEXT_ONLY[CASE]!s}solution: [{{reply: hi}}]\n"}),
    "unknown-call": (
        {
            ARM: (
                'policy: "policies.py:champion"',
                "replies: [{call: {tool: lend, args: {boko: x}}}, {reply: hi}]",
            )
        },
        {
            ARM: (
                'policy: "policies.py:champion"',
                "replies: [{call: {tool: lend, args: {book: x}}}, {reply: hi}]",
            )
        },
    ),
    "forbidden-place": (
        {
            **in_suite("scope: trace, stage: identify, tier", "scope: trace, tier"),
            OTHER: ("expect:\n", "expect:\n  - called: find\n"),
        },
        {OTHER: ("expect:\n", "expect:\n  - called: find\n")},
    ),
    "claim-holds-at-start": ({}, {}),
    "near-duplicate": (
        {OTHER: _TWIN.replace("lend-1", "lend-3").replace("May I borrow B-1?", "may I borrow B-3")},
        {OTHER: _TWIN.replace("lend-1", "lend-3").replace("lending}", "lending, cluster: lend-1}")},
    ),
    "declared-recipe": (
        in_case("borrow B-1?", "borrow B-1? The answer is enjoy."),
        in_case("borrow B-1?", "borrow B-1? The answer is enjoy or no."),
    ),
    "recipe-in-prompt": (
        {**in_case("- called: {tool: find", _ORDERED), PROMPT: "Call look_up, then call write_down.\n"},
        {**in_case("- called: {tool: find", _ORDERED), PROMPT: "There are look_up and write_down.\n"},
    ),
    "too-tidy": (_many("Refund {n} of this"), _many("Refund {n} of this{more}")),
}


def _found(folder: Path, changes: Changes) -> tuple[Problem, ...]:
    """Return all that `check` would find: what refuses the suite, else the warnings."""
    desk = laid_out(folder, changes)
    try:
        suite, reading = read_suite(desk, describe=describe)
    except InputError as error:
        return error.problems
    arms = tuple(load_arm(path, suite) for path in arm_files(desk))
    guesses = tuple(possible_leaks(reading.files, reading.read))
    return guesses + lint(suite, load_policy(desk / "gate.yaml", suite), arms, today=TODAY)


def test_every_code_has_its_examples() -> None:
    """The table of codes and the table of examples name the same codes, and every warning is a code."""
    assert set(CODES) == set(EXAMPLES)
    assert set() == WARNINGS - set(CODES)


@pytest.mark.parametrize("code", [code for code in EXAMPLES if code not in ELSEWHERE])
def test_fails(tmp_path: Path, code: str) -> None:
    """The code is reported with file, value and suggestion, as a warning where it is one."""
    found = [problem for problem in _found(tmp_path, EXAMPLES[code][0]) if problem.code == code]
    assert found, f"{code} is not reported"
    for problem in found:
        assert (True, True, True) == (bool(problem.file), bool(problem.value), bool(problem.suggestion)), (
            problem
        )
        assert (code in WARNINGS) == problem.warning


@pytest.mark.parametrize("code", [code for code in EXAMPLES if code not in ELSEWHERE])
def test_passes(tmp_path: Path, code: str) -> None:
    """What comes near to it is not reported, and refuses no file for any other reason."""
    found = _found(tmp_path, EXAMPLES[code][1])
    assert [] == [str(problem) for problem in found if problem.code == code or not problem.warning]


def test_the_sound_suite_has_no_findings(tmp_path: Path) -> None:
    """The bench itself is sound, so that every finding is the doing of a change."""
    assert () == _found(tmp_path, {})


def test_exists_fails_a_second_scaffold(tmp_path: Path) -> None:
    """A scaffold overwrites nothing: the second one is refused, and the first one stands."""
    kind: SuiteType = "reasoning"
    first = scaffold(tmp_path, kind)
    with pytest.raises(InputError) as refused:
        scaffold(tmp_path, kind)
    (problem,) = refused.value.problems
    assert ("exists", str(tmp_path)) == (problem.code, problem.file)
    assert f"{len(first)} files are there already" in problem.message
    assert set(first) == {path for path in tmp_path.rglob("*") if path.is_file()}


def test_exists_passes_a_folder_with_other_files(tmp_path: Path) -> None:
    """What stands beside a scaffold is no obstacle, and stays as it was."""
    (tmp_path / "notes.md").write_text("mine", encoding="utf-8")
    assert scaffold(tmp_path, "reasoning")
    assert "mine" == (tmp_path / "notes.md").read_text(encoding="utf-8")


def test_a_function_that_raises_on_import_is_refused(tmp_path: Path) -> None:
    """Whatever a suite's file raises when it is loaded is the suite's bug, reported as bad-function."""
    desk = laid_out(tmp_path, {CHECKS: "1 / 0\ndef polite(sheet): ...\n", POLICIES: SOUND[POLICIES]})
    with pytest.raises(InputError, match="ZeroDivisionError") as refused:
        load_functions(desk, ["checks.py:polite"])
    assert ["bad-function"] == [problem.code for problem in refused.value.problems]
