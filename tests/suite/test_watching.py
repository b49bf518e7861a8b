"""`eventually` and `sql_equals` as people write them: what is refused, and where."""

from pathlib import Path

import pytest

from evalkit.records.watching import Eventually
from tests.suite.building import CASE, SUITE, Change, loaded, problems_of

ASKED = 'eventually: {sql: "select count(*) from loans where book = $book", equals: 1, within: 5'
WRITTEN = 'sql_equals: {value: reply.sql, gold: "select book from loans where book = $book"'


def _entry(text: str) -> dict[str, Change]:
    return {CASE: ("  - reply: {contains: enjoy}\n", f"  - reply: {{contains: enjoy}}\n  - {text}\n")}


def test_what_is_written_becomes_a_window(tmp_path: Path) -> None:
    """A second lies between two looks unless the case says otherwise."""
    entry = loaded(tmp_path, _entry(f"{ASKED}, for: lent}}")).cases[0].expect[-1]
    assert isinstance(entry.arguments, Eventually)
    assert (5.0, 1.0, 1) == (
        entry.arguments.window.within,
        entry.arguments.window.every,
        entry.arguments.window.equals,
    )


@pytest.mark.parametrize(
    ("text", "code", "key", "words"),
    [
        (f"{ASKED}, every: 6, for: lent}}", "wrong-value", "eventually.every", "before the first look"),
        (f"{ASKED}, every: 0.02, for: lent}}", "wrong-value", "eventually.every", "more than 200 times"),
        (f"{ASKED}, every: 0, for: lent}}", "wrong-value", "eventually.every", "greater than 0"),
        (f"{ASKED}, tolerance: -1, for: lent}}", "wrong-value", "eventually.tolerance", "greater than or"),
        (f"{ASKED}, evry: 1, for: lent}}", "unknown-key", "eventually.evry", "is not known"),
        (ASKED.replace(", within: 5", ", for: lent}"), "missing-key", "eventually.within", "is missing"),
        (
            f"{ASKED}, for: lent}}".replace("within: 5", "within: 601"),
            "wrong-value",
            "eventually.within",
            "less than or equal to 600",
        ),
        (f"{ASKED}, for: lent}}".replace("$book", "$bok"), "unbound-var", "eventually.sql", "$bok"),
        (
            f"{ASKED}, for: lent}}".replace("equals: 1", "equals: []"),
            "empty-expectation",
            "eventually.equals",
            "expects nothing",
        ),
        (
            f"{WRITTEN}, for: lent}}".replace("reply.sql", "rply.sql"),
            "wrong-value",
            "sql_equals.value",
            "read",
        ),
        (
            f"{WRITTEN}, for: lent}}".replace("reply.sql", "reply..x"),
            "bad-path",
            "sql_equals.value",
            "no path",
        ),
        (
            f"{WRITTEN}, for: lent}}".replace("reply.sql", "call.find.args.nam"),
            "unknown-argument",
            "sql_equals.value",
            "nam",
        ),
        (
            f"{WRITTEN}, for: lent}}".replace("reply.sql", "call.fnd.args.name"),
            "unknown-tool",
            "sql_equals.value",
            "fnd",
        ),
        (
            f"{WRITTEN}, for: lent}}".replace("reply.sql", "fact.nobody"),
            "unknown-fact",
            "sql_equals.value",
            "nobody",
        ),
        (f"{WRITTEN}, for: lent}}".replace("$book", "$bok"), "unbound-var", "sql_equals.gold", "$bok"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    tmp_path: Path, text: str, code: str, key: str, words: str
) -> None:
    """Windows that are never looked into, or too often; places, paths, variables that are not there."""
    found = problems_of(tmp_path, _entry(text))
    assert [(code, f"expect[3].{key}")] == [(one.code, one.key) for one in found]
    assert words in found[0].message
    assert found[0].line > 1


def test_two_hundred_looks_are_allowed(tmp_path: Path) -> None:
    """The bound itself is no problem."""
    assert () == problems_of(tmp_path, _entry(f"{ASKED}, every: 0.025, for: lent}}"))


@pytest.mark.parametrize("text", [f"{ASKED}, for: lent}}", f"{WRITTEN}, for: lent}}"])
def test_without_a_database_nothing_can_be_asked(tmp_path: Path, text: str) -> None:
    """Both ask the world, and a suite without one is told so at the entry."""
    bare: dict[str, Change] = {SUITE: ("{database: world.sql, tools: tools.py}", "{tools: tools.py}")}
    found = [one for one in problems_of(tmp_path, bare | _entry(text)) if one.code == "no-world"]
    assert f"expect[3].{text.partition(':')[0]}" in [one.key for one in found]
