"""Bounds on single calls: what is refused at load, with its place and the nearest right word."""

from pathlib import Path

import pytest

from tests.suite.building import Change, in_case, problems_of


def _entry(args: str) -> dict[str, Change]:
    """Add an expectation to the first case."""
    entry = f"  - within: {{{args}, for: found}}\n"
    return in_case("  - reply: {contains: enjoy}\n", f"  - reply: {{contains: enjoy}}\n{entry}")


@pytest.mark.parametrize(
    "args",
    [
        "latency: {of: tool, tool: find, p90: 2, max: 5}",
        "latency: {of: model, p50: 0.5}, turns: 3",
        "quantile: {of: context_tokens, p: 99.9, at_most: 1000}",
    ],
)
def test_bounds_are_taken(tmp_path: Path, args: str) -> None:
    """Alone, and beside the sums."""
    assert () == problems_of(tmp_path, _entry(args))


@pytest.mark.parametrize(
    ("args", "code", "key", "advice"),
    [
        ("latency: {of: tool, p95: 2}", "unknown-key", "latency.p95", "did you mean `p9"),
        ("latency: {of: tool}", "empty-expectation", "latency", "known: "),
        ("latency: {of: tools, max: 2}", "wrong-value", "latency.of", "did you mean `tool`?"),
        ("latency: {of: tool, tool: fnd, max: 2}", "unknown-tool", "latency.tool", "did you mean `find`?"),
        ("latency: {of: model, tool: find, max: 2}", "wrong-value", "latency.tool", "leave `tool` out"),
        ("latency: {of: tool, max: -2}", "wrong-value", "latency.max", "at least 0"),
        ("quantile: {of: tool_secs, p: 9, at_most: 2}", "wrong-value", "quantile.of", "`tool_seconds`"),
        ("quantile: {of: tool_seconds, p: 0, at_most: 2}", "wrong-value", "quantile.p", "more than 0"),
        ("quantile: {of: tool_seconds, p: 101, at_most: 2}", "wrong-value", "quantile.p", "at most 100"),
        ("quantile: {of: tool_seconds, p: 50}", "missing-key", "quantile.at_most", "add `at_most: ...`"),
    ],
)
def test_a_bound_that_is_none_is_refused(tmp_path: Path, args: str, code: str, key: str, advice: str) -> None:
    """One problem, at the innermost place."""
    (found,) = problems_of(tmp_path, _entry(args))
    assert (code, f"expect[3].within.{key}") == (found.code, found.key)
    assert advice in found.suggestion
