"""The ten broken suites: every problem of every file, with file, line, column, value and suggestion."""

from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.suite.load import load_suite

BROKEN = Path(__file__).parent / "broken"
HELLO = "cases/hello.yaml"
_BOOLEAN = 'quote it: "no", or write false'

Row = tuple[str, int, int, str, str, str, str]

# suite -> (file, line, column, code, key path, value, suggestion) of everything that is wrong with it
EXPECTED: dict[str, list[Row]] = {
    "01-unknown-key": [
        (HELLO, 3, 1, "unknown-key", "expct", "expct", "did you mean `expect`?"),
    ],
    "02-wrong-indent": [
        (
            "cases/bye.yaml",
            5,
            4,
            "syntax",
            "",
            "- reply: {contains: good}",
            "indent the line like the lines that it belongs to",
        ),
        (
            HELLO,
            5,
            3,
            "unknown-key",
            "start.expect",
            "expect",
            "`expect` is a key of the file itself: indent it less, to column 1",
        ),
    ],
    "03-duplicate-key": [
        (HELLO, 4, 30, "duplicate-key", "expect[0].reply.contains", "contains", "leave one of them out"),
        (HELLO, 5, 1, "duplicate-key", "input", "input", "leave one of them out"),
    ],
    "04-duplicate-id": [
        ("cases/b.yaml", 2, 5, "duplicate-id", "id", "hello", "rename one of the two"),
    ],
    "05-cycle": [
        (
            "suite.yaml",
            3,
            18,
            "cycle",
            "stages.think.needs",
            "think -> reply -> think",
            "take `reply` out of these needs, or mend one of the others",
        ),
    ],
    "06-two-primaries": [
        (
            "suite.yaml",
            4,
            22,
            "two-primaries",
            "metrics.quick.primary",
            "true",
            "leave `primary` out of one of the two",
        ),
    ],
    "07-no-expectation": [
        ("cases/bye.yaml", 1, 1, "no-expectation", "", "bye", "add `expect: [...]`"),
        (HELLO, 1, 1, "no-expectation", "", "hello", "add `expect: [...]`"),
    ],
    "08-unbound-expectation": [
        (
            HELLO,
            5,
            5,
            "unbound",
            "expect[1]",
            "{within}",
            "add `for: METRIC` to the entry (known: greeted); checks that are fed here: reply",
        ),
    ],
    "09-six-gates": [
        (
            "suite.yaml",
            8,
            12,
            "many-gates",
            "metrics.quick5.tier",
            "gate",
            "write `tier: compare` or `tier: observe`",
        ),
    ],
    "10-plain-values": [
        (HELLO, 2, 8, "quote-it", "split", "no", _BOOLEAN),
        (HELLO, 3, 15, "quote-it", "tags.order", "010", 'quote it: "010"'),
        (HELLO, 3, 25, "quote-it", "tags.day", "2026-10-02", 'quote it: "2026-10-02"'),
        (HELLO, 7, 1, "tab", "", "- reply: {contains: hello}", "indent by spaces"),
        (HELLO, 8, 1, "tab", "", "- reply:", "indent by spaces"),
        (HELLO, 9, 1, "tab", "", "conatins: hello", "indent by spaces"),
        (HELLO, 9, 3, "unknown-key", "expect[1].reply.conatins", "conatins", "did you mean `contains`?"),
    ],
}


def test_the_table_names_every_broken_suite() -> None:
    """No broken suite lies there unread."""
    assert sorted(EXPECTED) == sorted(path.name for path in BROKEN.iterdir())


@pytest.mark.parametrize("name", EXPECTED)
def test_every_problem_is_reported_at_once(name: str) -> None:
    """One error holds all problems of all files, each placed, with its value and what to write instead."""
    with pytest.raises(InputError) as refused:
        load_suite(BROKEN / name)
    found = [
        (
            Path(problem.file).relative_to(BROKEN / name).as_posix(),
            problem.line,
            problem.column,
            problem.code,
            problem.key,
            problem.value,
            problem.suggestion,
        )
        for problem in refused.value.problems
    ]
    assert EXPECTED[name] == found
    assert 2 == refused.value.exit_code
    assert not any(problem.warning for problem in refused.value.problems)
