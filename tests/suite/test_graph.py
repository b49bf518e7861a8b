"""The declared graph: order, circles, ancestors."""

from hypothesis import given
from hypothesis import strategies as st

from evalkit.suite.graph import ancestors, circles, needs_first

_NAMES = "abcdefg"
_GRAPHS = st.dictionaries(
    st.sampled_from(_NAMES), st.lists(st.sampled_from(_NAMES), max_size=3, unique=True), max_size=7
).map(lambda graph: {name: [need for need in needs if need in graph] for name, needs in graph.items()})


@given(_GRAPHS)
def test_needs_come_first(graph: dict[str, list[str]]) -> None:
    """Every stage comes after all that it needs; those in or below a circle are left out."""
    order = needs_first(graph)
    for name in order:
        assert all(order.index(need) < order.index(name) for need in graph[name])
    in_circles = {name for name in graph if name in ancestors(name, graph)}
    below = {name for name in graph if ancestors(name, graph) & in_circles}
    assert set(order) == set(graph) - in_circles - below


@given(_GRAPHS)
def test_every_circle_is_one(graph: dict[str, list[str]]) -> None:
    """Each circle leads back to its beginning, none shares a stage with another, and none is overlooked."""
    found = circles(graph)
    for circle in found:
        assert all(need in graph[name] for name, need in zip(circle, (*circle[1:], circle[0]), strict=True))
    named = [name for circle in found for name in circle]
    assert len(named) == len(set(named))
    assert any(name in ancestors(name, graph) for name in graph) == bool(found)


def test_an_order_that_is_right_is_kept() -> None:
    """The suite's own order stands where needs come first in it already."""
    assert ("c", "a", "b") == needs_first({"c": [], "a": ["c"], "b": []})
