"""Where the peers fall short, as far as it is a matter of reading files: lines 1, 8 and 24 of the list."""

from pathlib import Path

import pytest

from tests.suite.building import (
    CASE,
    OTHER,
    SOUND,
    Change,
    codes_of,
    in_case,
    in_suite,
    loaded,
    problems_of,
)


def test_peer_01_a_misspelt_key_for_the_expectations_is_refused(tmp_path: Path) -> None:
    """A misspelt `expect` is refused with its line and the nearest key, not read as a case without checks."""
    found = problems_of(tmp_path, in_case("expect:", "expects:"))
    assert [("unknown-key", 8, "did you mean `expect`?")] == [(p.code, p.line, p.suggestion) for p in found]


def test_peer_01_expectations_under_the_wrong_parent_are_refused(tmp_path: Path) -> None:
    """Expectations that are indented too far are refused, with the column in which they belong."""
    head, expect = SOUND[CASE].split("\nexpect:\n")
    indented = "".join(f"  {line}\n" for line in ["expect:", *expect.splitlines()])
    case = head.replace("start: {sql", "start:\n  {sql").replace("input: May I borrow B-1?", "")
    case = case.replace("start:\n  {sql: ", "start:\n  sql: ").replace('$book"}', '$book"')
    case = case.replace("requires: [lend]\n", "").strip() + "\n" + indented
    found = [p for p in problems_of(tmp_path, {CASE: case}) if p.value == "expect"]
    assert ["`expect` is a key of the file itself: indent it less, to column 1"] == [
        p.suggestion for p in found
    ]


@pytest.mark.parametrize("expect", ["", "expect: []\n"])
def test_peer_01_a_case_without_expectations_is_refused(tmp_path: Path, expect: str) -> None:
    """A case with nothing that could fail never passes: it is refused when it is loaded."""
    changes: dict[str, Change] = {
        "suites/desk/suite.yaml": "suite: desk\ncases: ../../golden/desk\n",
        CASE: f"id: a\ninput: hi\n{expect}",
        OTHER: "id: b\ninput: hi\nexpect: [{reply: {contains: hi}}]\nsolution: solutions/refuse-2.yaml\n",
        "suites/desk/gate.yaml": "require: [{metric: outcome, at_least: 0.1}]\n",
    }
    assert ["no-expectation"] == codes_of(tmp_path, changes)


@pytest.mark.parametrize(
    "entry",
    [
        "called: []",
        "called: {calls: []}",
        'reply: {contains: "", for: found}',
        "reply: {contains: [], for: found}",
        'reply: {contains: [enjoy, " "], for: found}',
        'reply: {matches: "", for: found}',
        "reply: {json: {}, for: found}",
        "reply: {numbers: [], for: found}",
        'reply: {equals: "", for: found}',
        "reply: {for: found}",
        "reply: {tolerance: 1.0, for: found}",
        "within: {for: found}",
        'returned: {tool: find, contains: "", for: found}',
        'state: {sql: "select 1", equals: [], for: found}',
    ],
)
def test_peer_08_an_empty_expected_set_is_refused(tmp_path: Path, entry: str) -> None:
    """An expectation of nothing is no perfect score: it is refused."""
    found = codes_of(tmp_path, in_case("called: {tool: find, args: {name: Ada}}", entry))
    assert found in (["empty-expectation"], ["wrong-value"]), found


def test_peer_08_an_empty_list_of_tools_is_a_prohibition(tmp_path: Path) -> None:
    """`only_called: []` says that no tool may be called, which a call would fail: it stands."""
    suite = loaded(
        tmp_path, in_case("called: {tool: find, args: {name: Ada}}", "only_called: {tools: [], for: found}")
    )
    assert {"tools": []} == suite.cases[0].expect[1].args


def test_peer_08_a_check_of_claims_without_claims_is_refused(tmp_path: Path) -> None:
    """A metric that holds claims against the world and has none to hold would always pass: it is refused."""
    claims = SOUND["suites/desk/suite.yaml"].split("claims:\n")[1].split("cases:")[0]
    assert ["empty-expectation"] == codes_of(tmp_path, in_suite("claims:\n" + claims, ""))


def test_peer_24_a_date_stays_a_date_in_its_field_and_is_refused_elsewhere(tmp_path: Path) -> None:
    """A date is a date under `source.at`, and under a tag it must be quoted."""
    suite = loaded(tmp_path)
    assert suite.cases[0].source is not None
    assert "2026-10-02" == str(suite.cases[0].source.at)
    found = problems_of(tmp_path, in_case("{capability: lending}", "{capability: lending, day: 2026-10-02}"))
    assert [("quote-it", "2026-10-02", 'quote it: "2026-10-02"')] == [
        (p.code, p.value, p.suggestion) for p in found
    ]


@pytest.mark.parametrize(
    "text", ["010", "0x1F", "0o17", "+5", "1_000", "12:30:45", "no", "On", "2026-10-02T10:00:00Z"]
)
def test_peer_24_a_plain_value_that_would_change_is_refused(tmp_path: Path, text: str) -> None:
    """What would be read as another value than the one that is written must be quoted."""
    found = problems_of(tmp_path, in_case("{name: Ada}", f"{{name: {text}}}"))
    assert [("quote-it", text)] == [(p.code, p.value) for p in found]


@pytest.mark.parametrize("text", ["010", "1_000", "no", "12:30:45"])
def test_peer_24_in_quotes_it_is_the_text_that_is_written(tmp_path: Path, text: str) -> None:
    """In quotes nothing changes."""
    suite = loaded(tmp_path, in_case("{name: Ada}", f'{{name: "{text}"}}'))
    assert {"calls": [{"tool": "find", "args": {"name": text}}]} == suite.cases[0].expect[1].args


def test_peer_24_a_list_as_a_variable_does_not_multiply_the_case(tmp_path: Path) -> None:
    """A variable is one value: a list is refused, and makes no three cases."""
    found = problems_of(tmp_path, in_case("vars: {book: B-1}", "vars: {book: [B-1, B-2, B-3]}"))
    assert [("wrong-type", "vars.book", "[3 entries]")] == [(p.code, p.key, p.value) for p in found]


def test_peer_24_nothing_is_expanded(tmp_path: Path) -> None:
    """Templates and names of environment variables are text like any other."""
    suite = loaded(tmp_path, in_case("input: May I borrow B-1?", 'input: "{{ env.HOME }} ${HOME} $HOME"'))
    assert "{{ env.HOME }} ${HOME} $HOME" == suite.cases[0].turns[0].user
