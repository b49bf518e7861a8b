"""Words that lead nowhere: arguments that no tool takes, unreadable paths, entries of lists that are text."""

from pathlib import Path

import pytest

from tests.suite.building import CASE, OTHER, SOLUTION, Change, codes_of, in_case, in_suite, problems_of

_TRACED = "found: {scope: trace, stage: identify, tier: compare, primary: true, check: "


def _entry(text: str) -> dict[str, Change]:
    """Add an expectation to the first case."""
    return in_case("  - reply: {contains: enjoy}\n", f"  - reply: {{contains: enjoy}}\n  - {text}\n")


@pytest.mark.parametrize(
    ("changes", "key", "advice"),
    [
        (
            in_case("args: {name: Ada}", "args: {nmae: Ada}"),
            "expect[1].called.args.nmae",
            "did you mean `name`?",
        ),
        (
            _entry("not_called: {calls: [{tool: find}, {tool: lend, args: {bok: x}}], for: found}"),
            "expect[3].not_called.calls[1].args.bok",
            "did you mean `book`?",
        ),
        (
            {OTHER: ("when: {name: Ada}", "when: {nmae: Ada}")},
            "mock.find[0].when.nmae",
            "did you mean `name`?",
        ),
        (
            _entry("idempotent: {tool: lend, key: [boook], for: found}"),
            "expect[3].idempotent.key[0]",
            "did you mean `book`?",
        ),
        (
            _entry('reconcile: {value: call.lend.args.bok, authority: "select 1", for: found}'),
            "expect[3].reconcile.value",
            "did you mean `book`?",
        ),
        (
            in_suite("path: args.verdict", "path: args.verdcit.x"),
            "facts.verdict.path",
            "did you mean `verdict`?",
        ),
        (
            in_suite(f"{_TRACED}called", f"{_TRACED}{{idempotent: {{tool: lend, key: [member]}}}}"),
            "metrics.found.check.idempotent.key[0]",
            "known: book",
        ),
    ],
)
def test_an_argument_that_no_tool_takes_is_refused(
    tmp_path: Path, changes: dict[str, Change], key: str, advice: str
) -> None:
    """Wherever an argument is named, a name that the tool does not take is refused, with the nearest."""
    found = [one for one in problems_of(tmp_path, changes) if one.code == "unknown-argument"]
    assert [(key, advice)] == [(one.key, one.suggestion) for one in found]
    assert found[0].line > 1


@pytest.mark.parametrize(
    "text",
    [
        "returned: {tool: find, path: a..b, equals: 1, for: found}",
        'cites: {tool: find, path: "hits[x]", pattern: x, for: found}',
        'reply: {json: {"a.": 1}, for: polite}',
        'reconcile: {value: reply..x, authority: "select 1", for: found}',
    ],
)
def test_a_path_of_a_check_that_nobody_can_read_is_refused(tmp_path: Path, text: str) -> None:
    """A path into a result, a reply or a call is a chain of keys, or refused."""
    assert ["bad-path"] == codes_of(tmp_path, _entry(text))


@pytest.mark.parametrize(
    "changes",
    [
        in_suite("path: args.verdict", "path: .args"),
        in_suite("{field: status,", "{field: status..x,"),
        in_suite(
            "{ran: {called: find}}",
            '{ran: {called: find}, empty: {returned: {tool: find, path: "[", equals: []}}}',
        ),
        {OTHER: ("times: 1, return: {id: M-1}", "fault: inject, text: x, path: a..b")},
    ],
)
def test_a_path_elsewhere_that_nobody_can_read_is_refused(tmp_path: Path, changes: dict[str, Change]) -> None:
    """Facts, claims, empty results and injections have paths too."""
    assert "bad-path" in codes_of(tmp_path, changes)


def test_a_variable_gets_its_nearest_word(tmp_path: Path) -> None:
    """`$boook` is refused with the variable that the case does give."""
    (found,) = problems_of(tmp_path, in_case('where book = $book", equals', 'where book = $boook", equals'))
    assert ("unbound-var", "$boook") == (found.code, found.value)
    assert found.suggestion.startswith("did you mean `$book`?")


def test_the_sql_of_a_rule_needs_its_variables_too(tmp_path: Path) -> None:
    """A question that a rule asks about every case binds from every case's vars."""
    rule = 'rule: {pass_when: [{state: {sql: "select $shelf", equals: 1}}]}}'
    changes = in_suite("tier: observe, check: reply}", f"tier: observe, {rule}")
    found = problems_of(tmp_path, changes | {CASE: ("  - reply: {contains: enjoy}\n", "")})
    assert {("unbound-var", "$shelf")} == {(one.code, one.value) for one in found}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("optional:\n  - lend\n   - decide\n", 2, 4),
        ("optional:\n  - lend\n\n     -\n     decide\n", 3, 6),
        ("without: [lend\n   - decide]\n", 1, 4),
    ],
)
def test_an_entry_that_is_text_is_refused(tmp_path: Path, text: str, line: int, column: int) -> None:
    """A line that begins with a dash and goes on with the text above it is refused where it stands."""
    problems = problems_of(tmp_path, {OTHER: ("turns:\n", f"{text}turns:\n")})
    (found,) = [one for one in problems if one.code == "quote-it"]
    assert (5 + line, column) == (found.line, found.column)


def test_text_over_several_lines_stands(tmp_path: Path) -> None:
    """Text that goes on without a dash in front, and quoted text with one, is text."""
    assert [] == codes_of(tmp_path, in_case("input: May I borrow B-1?", "input: May I\n  borrow -\n  B-1?"))
    assert [] == codes_of(tmp_path, in_case("input: May I borrow B-1?", 'input: "May I\n  - borrow?"'))


@pytest.mark.parametrize(
    ("changes", "file", "code", "key", "advice"),
    [
        (
            in_case("call: {tool: lend, args", "call: {tool: lned, args"),
            CASE,
            "unknown-tool",
            "solution[0].call.tool",
            "did you mean `lend`?",
        ),
        (
            in_case("call: {tool: lend, args: {book", "call: {tool: lend, args: {boko"),
            CASE,
            "unknown-argument",
            "solution[0].call.args.boko",
            "did you mean `book`?",
        ),
        (
            {SOLUTION: ("tool: decide", "tool: deside")},
            SOLUTION,
            "unknown-tool",
            "[0].call.tool",
            "did you mean `decide`?",
        ),
        (
            {SOLUTION: ("args: {verdict", "args: {vredict")},
            SOLUTION,
            "unknown-argument",
            "[0].call.args.vredict",
            "did you mean `verdict`?",
        ),
    ],
)
def test_a_solution_that_no_tool_could_answer_is_refused(
    tmp_path: Path, changes: dict[str, Change], file: str, code: str, key: str, advice: str
) -> None:
    """A reference solution calls tools that there are, with arguments that they take, or is refused."""
    (found,) = problems_of(tmp_path, changes)
    assert (code, key, advice, False) == (found.code, found.key, found.suggestion, found.warning)
    assert found.file.endswith(Path(file).name)
    assert found.line > 0
    assert found.column > 1
