"""Expected calls and made calls: which fit, and the largest matching of the two.

What comes in: what a suite expects, what an agent did. What goes out: who is matched with whom.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.checks import ExpectedCall
from evalkit.records.fact import CallFact
from evalkit.score.checks.values import near


def fits(expected: ExpectedCall, call: CallFact) -> bool:
    """Return whether a call is one that was expected.

    Args:
        expected: Tool, arguments and how they are held against each other.
        call: A call; one whose arguments are not known fits only where nothing is asked of them.
    """
    if call.tool != expected.tool:
        return False
    if expected.mode == "ignore":
        return True
    want, have = expected.args, call.args
    if have is None:
        return not want and expected.mode in ("subset", "tolerance")
    if expected.mode == "exact":
        return near(want, have)
    if expected.mode == "superset":
        return all(key in want and near(want[key], have[key]) for key in have)
    tolerance = expected.tolerance if expected.mode == "tolerance" else 0.0
    return all(key in have and near(want[key], have[key], tolerance) for key in want)


def match_calls(expected: Sequence[ExpectedCall], calls: Sequence[CallFact]) -> dict[int, int]:
    """Return a largest matching of expected calls with calls, each used once.

    Args:
        expected: Expected calls.
        calls: Candidates.

    Returns:
        Position in `expected` -> position in `calls`.
    """
    return largest_matching([[at for at, call in enumerate(calls) if fits(one, call)] for one in expected])


def largest_matching(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return a largest matching in a bipartite graph.

    Args:
        edges: For each left node the right nodes that it may be matched with.

    Returns:
        Left node -> right node, each used once.

    Source: Kuhn 1955, The Hungarian method, in its augmenting-path form for unweighted bipartite graphs.

    >>> sorted(largest_matching([[0, 1], [0]]).items())
    [(0, 1), (1, 0)]
    """
    taken: dict[int, int] = {}
    for start in range(len(edges)):
        _augment(edges, start, taken)
    return {left: right for right, left in taken.items()}


def _augment(edges: Sequence[Sequence[int]], start: int, taken: dict[int, int]) -> None:
    """Find one more match by breadth; `taken` maps right nodes to left ones and is changed in place."""
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
    """Walk back from a free right node, and give each left node on the way the node it was reached from."""
    partner = {left: at for at, left in taken.items()}
    while True:
        left = came_from[right]
        taken[right] = left
        if left == start:
            return
        right = partner[left]
