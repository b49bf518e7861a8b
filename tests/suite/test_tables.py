"""Tables of cases."""

from pathlib import Path

import pytest

from evalkit.records.suite import Suite
from evalkit.suite.faults import validated
from evalkit.suite.forms import CaseFile
from evalkit.suite.load import load_suite
from evalkit.suite.tables import read_csv, read_jsonl


def _loaded(folder: Path, name: str, content: bytes) -> Suite:
    (folder / "suite.yaml").write_text(f"suite: greet\ncases: {name}\n", encoding="utf-8")
    (folder / name).write_bytes(content)
    return load_suite(folder)


def test_the_shortest_suite(tmp_path: Path) -> None:
    """Two lines and a table are a suite: one stage, the reply, and one metric, fed by every entry."""
    suite = _loaded(
        tmp_path, "cases.jsonl", b'{"id": "a", "input": "hi", "expect": [{"reply": {"contains": "hello"}}]}\n'
    )
    (stage,) = suite.stages
    (metric,) = suite.metrics
    assert ("reply", True, "required") == (stage.name, stage.ran.replied, suite.cases[0].demand["reply"])
    assert ("outcome", "gate", True, True, "reply") == (
        metric.name,
        metric.tier,
        metric.primary,
        metric.any_kind,
        metric.stage,
    )
    assert metric == suite.deciding
    assert "outcome" == suite.cases[0].expect[0].metric


def test_csv_says_the_same_as_yaml(tmp_path: Path) -> None:
    """Dotted columns, a byte order mark, quoted commas and lines, and text that stays text."""
    content = (
        "\ufeffid,input,tags.risk,tags.code,vars.limit,expect.reply.contains,expect.within.turns\r\n"
        'a,"hi, ""you""\nthere",high,010,500,hello,3\r\n'
        "7,x,,1.5,B-1,bye,\r\n"
    )
    first, second = _loaded(tmp_path, "cases.csv", content.encode()).cases
    assert ("a", 'hi, "you"\nthere') == (first.id, first.turns[0].user)
    assert {"risk": "high", "code": "010"} == first.tags
    assert {"limit": 500} == first.vars
    assert [("reply", {"contains": "hello"}), ("within", {"turns": 3})] == [
        (e.kind, e.args) for e in first.expect
    ]
    assert ("7", {"code": 1.5}, {"limit": "B-1"}) == (second.id, second.tags, second.vars)
    assert [("reply", {"contains": "bye"})] == [(e.kind, e.args) for e in second.expect]
    assert f"{tmp_path / 'cases.csv'}:4" == second.place


def test_an_unknown_column_is_reported_once_with_its_number() -> None:
    """A misspelt column is one problem at the header, not one in every row."""
    text = "id,input,expect.reply.contain\n" + "a,b,c\n" * 100
    documents, problems = read_csv(text, "t.csv")
    assert [(1, 3, "expect.reply.contain", "did you mean `contains`?")] == [
        (p.line, p.column, p.value, p.suggestion) for p in problems
    ]
    assert 100 == len(documents)


def test_a_cell_is_placed_by_row_and_column() -> None:
    """The row is the line at which it begins, the column its number; the key names the column."""
    documents, _ = read_csv('id,input,signal\na,"two\nlines",capability\nb,x,knowlege\n', "t.csv")
    _, (problem,) = validated(documents[1], CaseFile)
    assert (4, 3, "signal", "knowlege", "did you mean `knowledge`?") == (
        problem.line,
        problem.column,
        problem.key,
        problem.value,
        problem.suggestion,
    )


def test_semicolons_are_recognised() -> None:
    """A table of another dialect is told what to do."""
    _, (problem,) = read_csv("id;input\na;b\n", "t.csv")
    assert "separate the columns by commas" == problem.suggestion


def test_a_key_in_json_is_placed_in_its_line() -> None:
    """A misspelt key deep in a row has its line and column."""
    text = '\n{"id": "a", "input": "x", "expect": [{"reply": {"conatins": "h"}}]}\n'
    documents, _ = read_jsonl(text, "t.jsonl")
    _, (problem,) = validated(documents[0], CaseFile)
    assert (2, 49, "did you mean `contains`?") == (problem.line, problem.column, problem.suggestion)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"id": "a", "id": "b"}', "duplicate-key"),
        ('{"id": "a", "tags": {"x": NaN}}', "not-finite"),
        ('{"id": "a", "tags": {"x": 1e999}}', "not-finite"),
        ('{"id": "a",}', "syntax"),
        ('{"id": "\\ud800"}', "encoding"),
        ('{"\\udfff": 1}', "encoding"),
        ('{"id": ' + "9" * 400 + "}", "quote-it"),
        ("[" * 100 + "]" * 100, "too-deep"),
        ("[" * 100_000, "too-deep"),
    ],
)
def test_json_that_changes_or_breaks_things_is_refused(line: str, code: str) -> None:
    """Doubled keys, numbers that are none, half characters, endless nesting: refused with their row."""
    _, problems = read_jsonl("{}\n" + line + "\n", "t.jsonl")
    assert [(code, 2)] == [(problem.code, problem.line) for problem in problems]


def test_a_suite_may_have_no_cases(tmp_path: Path) -> None:
    """An empty table is a suite without cases, which whoever runs it refuses to call measured."""
    assert () == _loaded(tmp_path, "cases.jsonl", b"\n").cases
