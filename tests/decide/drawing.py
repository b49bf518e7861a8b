"""Random cases with random outcomes, for properties."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.decide.building import Drawn

_few = st.integers(0, 3)


@st.composite
def drawn_case(draw: st.DrawFn, name: str) -> Drawn:
    """One case with at least one trial, now and then in a cluster with others."""
    passed, failed = draw(st.integers(0, 6)), draw(_few)
    rest: dict[str, Any] = {
        kind: draw(st.sampled_from((0, 0, 0, 1, 2))) for kind in ("explained", "not_asked", "unmeasured")
    }
    if not passed + failed + sum(rest.values()):
        passed = 1
    return Drawn(
        case=name,
        passed=passed,
        failed=failed,
        degraded_passed=draw(st.integers(0, passed)),
        degraded_failed=draw(st.integers(0, failed)),
        cluster=draw(st.sampled_from((None, None, "k1", "k2", "k3"))),
        capability=draw(st.sampled_from((None, "x", "y"))),
        **rest,
    )


def drawn_cases(least: int = 1, most: int = 12) -> st.SearchStrategy[tuple[Drawn, ...]]:
    """Some cases with names of their own."""
    return st.integers(least, most).flatmap(
        lambda number: st.tuples(*(drawn_case(f"c{at}") for at in range(number)))
    )


@st.composite
def like_cases(draw: st.DrawFn) -> tuple[Drawn, ...]:
    """Many cases that nearly all come out alike, so that there is something to decide; few are unmeasured."""
    number, trials = draw(st.integers(5, 40)), draw(st.integers(1, 4))
    good = draw(st.booleans())
    found = []
    for at in range(number):
        odd = draw(st.integers(0, 9)) == 0
        unmeasured = 1 if draw(st.integers(0, 29)) == 0 else 0
        measured = trials - unmeasured
        passed = measured if good != odd else draw(st.integers(0, measured))
        found.append(
            Drawn(
                case=f"c{at}",
                passed=passed if good else measured - passed,
                failed=measured - passed if good else passed,
                unmeasured=unmeasured,
                cluster=draw(st.sampled_from((None, None, None, "k1", "k2"))),
            )
        )
    return tuple(found)
