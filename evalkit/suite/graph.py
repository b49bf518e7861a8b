"""The declared graph of stages: circles, an order in which needs come first, and what lies above a stage.

What comes in: stage -> the stages that it needs. What goes out: names in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def needs_first(needs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the stages with needs before what needs them, otherwise in their own order.

    Args:
        needs: Stage -> stages that it needs; needs that are no stage are passed over.

    Returns:
        Every stage that stands in no circle and below none.

    >>> needs_first({"reply": ["decide"], "decide": [], "act": ["decide"]})
    ('decide', 'reply', 'act')
    """
    left = {name: {need for need in needed if need in needs} for name, needed in needs.items()}
    placed: list[str] = []
    while True:
        ready = next((name for name, needed in left.items() if needed <= set(placed)), None)
        if ready is None:
            return tuple(placed)
        placed.append(ready)
        del left[ready]


def circles(needs: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return one circle for every group of stages that need one another.

    Args:
        needs: Stage -> stages that it needs.

    Returns:
        Circles, each beginning with its first stage in the suite's order; a stage is in at most one.

    >>> circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["d"], "e": ["a"]})
    (('a', 'b', 'c'), ('d',))
    """
    found: list[tuple[str, ...]] = []
    for name in needs:
        if not any(name in circle for circle in found):
            circle = _circle(name, needs)
            if circle and not any(set(circle) & set(other) for other in found):
                found.append(circle)
    return tuple(found)


def _circle(start: str, needs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a shortest way from a stage back to itself, or ()."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while ways:
        following: list[tuple[str, ...]] = []
        for way in ways:
            for need in needs.get(way[-1], ()):
                if need == start:
                    return way
                if need not in seen:
                    seen.add(need)
                    following.append((*way, need))
        ways = following
    return ()


def ancestors(name: str, needs: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the stages above a stage in the declared graph, itself left out unless it is in a circle.

    >>> sorted(ancestors("act", {"act": ["decide"], "decide": ["lookup"], "lookup": []}))
    ['decide', 'lookup']
    """
    found: set[str] = set()
    waiting = list(needs.get(name, ()))
    while waiting:
        above = waiting.pop()
        if above not in found:
            found.add(above)
            waiting.extend(needs.get(above, ()))
    return frozenset(found)
