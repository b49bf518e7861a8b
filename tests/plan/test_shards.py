"""A plan is cut into parts that are disjoint, whole and balanced, the same way on every machine."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalkit.errors import InputError
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.plan.shards import assigned
from evalkit.records.suite import Suite


def suite(clusters: list[str]) -> Suite:
    """Return a suite with one case for every name of a cluster."""
    return Suite.model_validate(
        {
            "suite": "s",
            "stages": [{"name": "reply", "ran": {"replied": True}}],
            "metrics": [{"name": "outcome", "primary": True}],
            "cases": [
                {"id": f"c{n}", "turns": [{"user": "x"}], "cluster": name} for n, name in enumerate(clusters)
            ],
        }
    )


def request(trials: int = 2, arms: tuple[str, ...] = ("a", "b")) -> PlanRequest:
    """Return a request for every case."""
    return PlanRequest(arms=arms, mode="mock", trials=trials, seed=3, selected=lambda _case: True)


def keys(plan: Plan) -> list[tuple[str, str, int, int]]:
    """Return what identifies the trials of a plan, in plan order."""
    return [(one.case, one.arm, one.trial, one.seed) for one in plan.in_plan_order()]


CLUSTERS = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=40)


@given(CLUSTERS, st.integers(1, 10), st.integers(1, 3))
def test_shards_are_a_disjoint_cover(clusters: list[str], of: int, trials: int) -> None:
    """Every planned trial is in exactly one shard, with the seed that it has in the whole plan."""
    assume(of <= len(set(clusters)))
    loaded = suite(clusters)
    parts = [key for n in range(1, of + 1) for key in keys(Plan(loaded, request(trials), (n, of)))]
    assert sorted(keys(Plan(loaded, request(trials)))) == sorted(parts)


@given(CLUSTERS, st.integers(1, 10))
def test_shards_are_balanced(clusters: list[str], of: int) -> None:
    """No part is empty that need not be, and two parts differ by at most the largest cluster."""
    sizes = Counter(assigned(clusters, of))
    filled = [sizes[part] for part in range(1, of + 1)]
    assert max(filled) - min(filled) <= max(Counter(clusters).values())
    assert min(of, len(set(clusters))) == sum(size > 0 for size in filled)


@given(CLUSTERS, st.integers(1, 10))
def test_a_cluster_stays_together(clusters: list[str], of: int) -> None:
    """The cases of a cluster are in one part."""
    parts = assigned(clusters, of)
    assert len(set(clusters)) == len(set(zip(clusters, parts, strict=True)))


@given(st.integers(1, 60), st.integers(1, 60))
def test_cases_of_their_own_are_dealt_evenly(cases: int, of: int) -> None:
    """Without clusters two parts differ by at most one case."""
    sizes = Counter(assigned([f"c{n}" for n in range(cases)], of))
    filled = [sizes[part] for part in range(1, of + 1)]
    assert max(filled) - min(filled) <= 1


def test_a_shard_counts_its_own_trials() -> None:
    """A shard is a plan: indices count from nought, and the summary says what it owes."""
    plan = Plan(suite(list("abcde")), request(), (2, 2))
    assert list(range(8)) == [one.index for one in plan.in_plan_order()]
    assert (8, 2, 0) == (plan.summary.planned, plan.summary.cases, plan.summary.left_out)


def test_a_shard_works_round_by_round() -> None:
    """The work order of a shard covers the shard and nothing else."""
    plan = Plan(suite(list("abcdef")), request(), (1, 3))
    assert sorted(keys(plan)) == sorted((t.case, t.arm, t.trial, t.seed) for t in plan.in_work_order())


def test_more_shards_than_clusters_are_refused() -> None:
    """A shard with nothing to run would measure nothing, and whoever asked is told how many there may be."""
    with pytest.raises(InputError, match=r"3 shards of 2 clusters.*at most --shard 1/2"):
        Plan(suite(["a", "a", "b"]), request(), (1, 3))
