"""Holding values against each other: arguments, numbers, and the largest matching of calls.

What comes in: expected and actual JSON values. What goes out: whether they agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.checks import ExpectedCall
from evalkit.records.fact import CallFact
from evalkit.records.paths import same
from evalkit.records.written import Json


def is_number(value: Json) -> bool:
    """Return whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def near(expected: Json, actual: Json, tolerance: float) -> bool:
    """Return whether two values are equal, numbers within a tolerance, lists and objects item by item.

    Args:
        expected: JSON value.
        actual: JSON value.
        tolerance: Largest absolute difference between numbers; 0 asks for equality.

    >>> near({"a": [1.0, "x"]}, {"a": [1.004, "x"]}, 0.01), near(True, 1, 1.0)
    (True, False)
    """
    if is_number(expected) and is_number(actual):
        return bool(expected == actual) or bool(abs(expected - actual) <= tolerance)
    if isinstance(expected, list) and isinstance(actual, list):
        pairs = zip(expected, actual, strict=False)
        return len(expected) == len(actual) and all(near(a, b, tolerance) for a, b in pairs)
    if isinstance(expected, dict) and isinstance(actual, dict):
        if expected.keys() != actual.keys():
            return False
        return all(near(expected[key], actual[key], tolerance) for key in expected)
    return same(expected, actual)


def fits(expected: ExpectedCall, call: CallFact) -> bool:
    """Return whether a call is one that was expected.

    Args:
        expected: Tool, arguments and how they are held against each other.
        call: A call; one whose arguments could not be read fits only where they do not matter.
    """
    if call.tool != expected.tool:
        return False
    if expected.mode == "ignore":
        return True
    if call.args is None:
        return False
    want, have = expected.args, call.args
    tolerance = expected.tolerance if expected.mode == "tolerance" else 0.0
    if expected.mode == "exact":
        return near(want, have, 0.0)
    if expected.mode == "superset":
        return all(key in want and near(want[key], have[key], 0.0) for key in have)
    return all(key in have and near(want[key], have[key], tolerance) for key in want)


def largest_matching(expected: Sequence[ExpectedCall], calls: Sequence[CallFact]) -> dict[int, int]:
    """Return a largest matching of expected calls with calls, each used once.

    Args:
        expected: Expected calls.
        calls: Candidate calls.

    Returns:
        Position in `expected` -> position in `calls`.

    Source: Kuhn 1955, The Hungarian method, in its augmenting-path form for unweighted bipartite graphs.
    """
    edges = [[at for at, call in enumerate(calls) if fits(one, call)] for one in expected]
    taken: dict[int, int] = {}
    for start in range(len(expected)):
        _augment(edges, start, taken)
    return {left: right for right, left in taken.items()}


def _augment(edges: Sequence[Sequence[int]], start: int, taken: dict[int, int]) -> None:
    """Find one more match by breadth; `taken` maps calls to expectations and is changed in place."""
    came_from: dict[int, int] = {}
    queue = [start]
    for left in queue:
        for right in edges[left]:
            if right in came_from:
                continue
            came_from[right] = left
            if right not in taken:
                _flip(came_from, taken, start, right)
                return
            queue.append(taken[right])


def _flip(came_from: dict[int, int], taken: dict[int, int], start: int, right: int) -> None:
    partner = {left: at for at, left in taken.items()}
    while True:
        left = came_from[right]
        taken[right] = left
        if left == start:
            return
        right = partner[left]
