"""The largest matching, against every possible one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from evalkit.score.checks.matching import largest_matching

EDGES = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=6), max_size=6)


def largest_by_hand(edges: Sequence[Sequence[int]]) -> int:
    """The size of a largest matching: each left node takes one of its right nodes, or none."""
    choices = itertools.product(*([*one, None] for one in edges))
    used = ([right for right in chosen if right is not None] for chosen in choices)
    return max(len(rights) for rights in used if len(rights) == len(set(rights)))


@given(EDGES)
def test_no_matching_is_larger(edges: list[list[int]]) -> None:
    """Its pairs are edges, each node is used once, and brute force finds nothing larger."""
    found = largest_matching(edges)
    assert all(right in edges[left] for left, right in found.items())
    assert len(found) == len(set(found.values()))
    assert largest_by_hand(edges) == len(found)


def test_a_long_chain_is_undone_to_the_end() -> None:
    """Every match has to give way to the next, over as many as there are."""
    size = 300
    edges = [[at, at + 1] for at in range(size)] + [[0]]
    found = largest_matching(edges)
    assert size + 1 == len(found)
    assert 0 == found[size]
