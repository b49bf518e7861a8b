"""Clusters and roots: one cause is one line, however many trials fall with it."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalkit.diagnose.clusters import cluster, roots
from evalkit.records.attribution import Attribution
from evalkit.records.case import Case, Turn
from tests.decide.building import cases as drawn
from tests.decide.building import suite_of


def _record(index: int, case: str, *causes: tuple[str, str], capability: str = "") -> Attribution:
    return Attribution(
        index=index,
        case=case,
        arm="a",
        trial=0,
        capability=capability,
        phenomenon="x",
        primary=tuple(stage for stage, _ in causes),
        reasons=dict(causes),
    )


A, B = ("retrieve", "missing"), ("answer", "solved")


def test_the_same_roots_and_cause_are_one_cluster() -> None:
    """Trials fall together by roots and cause, most trials first; the first of them is the example."""
    records = [_record(0, "c1", B), _record(1, "c2", A), _record(2, "c3", A), _record(3, "c3", A)]
    found = cluster(records)
    assert [(("retrieve",), ("c2", "c3"), 3, 1), (("answer",), ("c1",), 1, 0)] == [
        (one.roots, one.cases, one.trials, one.example) for one in found
    ]


def test_another_cause_at_the_same_root_is_another_cluster() -> None:
    """Missing and empty are two causes, even at one stage."""
    found = cluster([_record(0, "c1", A), _record(1, "c2", ("retrieve", "empty"))])
    assert ["retrieve=missing", "retrieve=empty"] == [one.id for one in found]


def test_one_cause_over_capabilities_is_one_cluster() -> None:
    """A cluster is named after a capability only where all its cases are of that one."""
    both = cluster([_record(0, "c1", A, capability="x"), _record(1, "c2", A, capability="y")])
    one = cluster([_record(0, "c1", A, capability="x"), _record(1, "c2", A, capability="x")])
    assert ([""], ["x"]) == ([found.capability for found in both], [found.capability for found in one])


def test_a_cluster_with_two_roots_counts_for_both() -> None:
    """Two independent causes in one trial: both are summed up."""
    suite = suite_of(drawn(2))
    found = roots(cluster([_record(0, "c1", A, B), _record(1, "c2", A)]), suite)
    assert [("retrieve", "missing", ("c1", "c2"), 2), ("answer", "solved", ("c1",), 1)] == [
        (one.stage, one.cause, one.cases, one.trials) for one in found
    ]


def _tagged(*tags: dict[str, Any]) -> Any:
    cases = tuple(Case(id=f"c{at}", turns=(Turn(user="go"),), tags=one) for at, one in enumerate(tags, 1))
    return suite_of(drawn(len(tags))).model_copy(update={"cases": cases})


def test_roots_name_capabilities_and_what_all_cases_share() -> None:
    """Capabilities are always named; layer and risk only where every case has the same."""
    suite = _tagged(
        {"capability": "y", "risk": "high", "layer": "happy"},
        {"capability": "x", "risk": "high", "layer": "boundary"},
    )
    (found,) = roots(cluster([_record(0, "c1", A), _record(1, "c2", A)]), suite)
    assert {"capability": ["x", "y"], "risk": ["high"]} == found.tags


def test_a_tag_that_one_case_lacks_is_not_shared() -> None:
    """What one case does not say is not said of all."""
    (found,) = roots(cluster([_record(0, "c1", A), _record(1, "c2", A)]), _tagged({"risk": "high"}, {}))
    assert {} == found.tags


@given(
    st.lists(st.tuples(st.sampled_from(("c1", "c2", "c3")), st.sampled_from((A, B))), max_size=12),
    st.randoms(use_true_random=False),
)
def test_no_order_changes_roots(rows: list[tuple[str, tuple[str, str]]], chance: random.Random) -> None:
    """Every failing trial is counted once, and summaries are the same in any order of records."""
    records = [_record(index, case, cause) for index, (case, cause) in enumerate(rows)]
    mixed = list(records)
    chance.shuffle(mixed)
    suite = suite_of(drawn(3))
    assert len(rows) == sum(one.trials for one in cluster(records))
    assert roots(cluster(records), suite) == roots(cluster(mixed), suite)
