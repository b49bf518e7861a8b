"""Failing trials with the same roots and cause form one cluster: one cause, one red, one line.

What comes in: attribution records. What goes out: `Cluster`s and `RootSummary`s, most trials first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.decision import RootSummary
from evalkit.records.suite import Suite

_TAGS = ("capability", "layer", "risk")


@dataclass(slots=True)
class _Gathered:
    """What is known of one cluster while records stream by."""

    roots: tuple[str, ...]
    reasons: dict[str, str]
    example: int
    cases: set[str] = field(default_factory=set)
    capabilities: set[str] = field(default_factory=set)
    trials: int = 0


def cluster(records: Iterable[Attribution]) -> tuple[Cluster, ...]:
    """Gather records by their roots and why these failed.

    Args:
        records: Attribution records of one arm, in plan order.

    Returns:
        Clusters, most trials first, then by the first trial.
    """
    gathered: dict[str, _Gathered] = {}
    for record in records:
        one = gathered.setdefault(
            cluster_id(record), _Gathered(record.primary, _causes(record), record.index)
        )
        one.cases.add(record.case)
        one.capabilities.add(record.capability)
        one.trials += 1
    found = [_cluster(key, one) for key, one in gathered.items()]
    return tuple(sorted(found, key=lambda one: (-one.trials, one.example)))


def cluster_id(record: Attribution) -> str:
    """Return the id of the cluster that a record belongs to: its roots and why they failed.

    Args:
        record: What a failing trial left behind.
    """
    causes = _causes(record)
    return " + ".join(f"{stage}={causes.get(stage, '')}" for stage in record.primary) or "unknown"


def _causes(record: Attribution) -> dict[str, str]:
    """Return root stage -> why it failed, with the checks where the record tells them."""
    return {
        stage: ": ".join(part for part in (reason, record.checks.get(stage)) if part)
        for stage, reason in record.reasons.items()
    }


def _cluster(name: str, one: _Gathered) -> Cluster:
    return Cluster(
        id=name,
        roots=one.roots,
        reasons=one.reasons,
        capability=next(iter(one.capabilities)) if len(one.capabilities) == 1 else "",
        cases=tuple(sorted(one.cases)),
        trials=one.trials,
        example=one.example,
    )


def roots(clusters: Iterable[Cluster], suite: Suite) -> tuple[RootSummary, ...]:
    """Sum clusters up by root stage and cause; a cluster with two roots counts for both.

    Args:
        clusters: Clusters of one arm.
        suite: The loaded suite, for the tags of cases.

    Returns:
        One summary for each root stage and cause, most trials first.
    """
    tags = {case.id: case.tags for case in suite.cases}
    cases: dict[tuple[str, str], set[str]] = {}
    trials: dict[tuple[str, str], int] = {}
    for one in clusters:
        for stage in one.roots:
            key = (stage, one.reasons.get(stage, ""))
            cases.setdefault(key, set()).update(one.cases)
            trials[key] = trials.get(key, 0) + one.trials
    ordered = sorted(cases, key=lambda key: (-trials[key], key))
    return tuple(
        RootSummary(
            stage=stage,
            cause=cause,
            cases=tuple(sorted(cases[stage, cause])),
            tags=_tags([tags[case] for case in cases[stage, cause]]),
            trials=trials[stage, cause],
        )
        for stage, cause in ordered
    )


def _tags(all_tags: list[dict[str, object]]) -> dict[str, list[str]]:
    """Return the capabilities that the cases are of, and the other well-known tags that they all share."""
    found = {name: {str(tags[name]) for tags in all_tags if tags.get(name) is not None} for name in _TAGS}
    everywhere = [name for name in _TAGS if all(tags.get(name) is not None for tags in all_tags)]
    return {
        name: sorted(values)
        for name, values in found.items()
        if values and (name == "capability" or (len(values) == 1 and name in everywhere))
    }
