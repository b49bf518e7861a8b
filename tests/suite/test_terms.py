"""Expectations on sums: what is refused at load, with its place and the nearest right word."""

from pathlib import Path

import pytest

from tests.suite.building import Change, in_case, problems_of


def _entry(text: str) -> dict[str, Change]:
    """Add an expectation to the first case."""
    return in_case("  - reply: {contains: enjoy}\n", f"  - reply: {{contains: enjoy}}\n  - {text}\n")


def _told(folder: Path, args: str) -> list[tuple[str, str, str]]:
    found = problems_of(folder, _entry(f"identity: {{{args}, for: found}}"))
    return [(one.code, one.key.removeprefix("expect[3].identity."), one.suggestion) for one in found]


@pytest.mark.parametrize(
    "args",
    [
        "left: reply.total, equals: {product: [reply.count, reply.mean]}, tolerance: 0.01",
        'left: {sum: ["reply.lines[].n", 2.5]}, equals: {difference: [fact.verdict, 1]}',
        "left: call.lend.result.paid, equals: {sum: [{product: [call.lend.args.book, 2]}, 1]}",
    ],
)
def test_sums_of_places_and_numbers_are_sound(tmp_path: Path, args: str) -> None:
    """Terms stand in one another, and a place may be any that `reconcile` reads."""
    assert [] == _told(tmp_path, args)


@pytest.mark.parametrize(
    ("args", "code", "key", "advice"),
    [
        ("left: reply.a, equals: {prodct: [reply.b, 2]}", "unknown-key", "equals.prodct", "`product`"),
        ("left: reply.a, equals: {sum: []}", "wrong-value", "equals.sum", "the least length is 1"),
        ("left: reply.a, equals: {product: [reply.b]}", "wrong-value", "equals.product", "length is 2"),
        ("left: reply.a, equals: {sum: [1], product: [1, 2]}", "exactly-one", "equals", ""),
        ("left: reply.a, equals: {}", "exactly-one", "equals", ""),
        ("left: reply.a", "missing-key", "equals", "add `equals: ...`"),
        ("left: reply.a, equals: {sum: [repy.b]}", "wrong-value", "equals.sum[0]", "did you mean `reply`?"),
        ("left: reply.a, equals: fact.verdikt", "unknown-fact", "equals", "did you mean `verdict`?"),
        ("left: call.lnd.args.book, equals: 1", "unknown-tool", "left", "did you mean `lend`?"),
        ("left: call.lend.args.bok, equals: 1", "unknown-argument", "left", "did you mean `book`?"),
        ("left: call.lend.book, equals: 1", "wrong-value", "left", "write call.TOOL.args.x"),
        ("left: reply..a, equals: 1", "bad-path", "left", "a.b"),
        ("left: 3, equals: {product: [1, 3]}", "empty-expectation", "", "reply.total"),
        ("left: reply.a, equals: reply.a", "empty-expectation", "", "what it is made of"),
        ("left: reply.a, equals: 1, tolerance: -1", "wrong-value", "tolerance", "at least 0"),
    ],
)
def test_a_sum_that_says_nothing_or_reads_nothing_is_refused(
    tmp_path: Path, args: str, code: str, key: str, advice: str
) -> None:
    """One problem, at the innermost place that is wrong."""
    (found,) = _told(tmp_path, args)
    assert (code, key) == (found[0], found[1].removeprefix("expect[3].identity"))
    assert advice in found[2]
