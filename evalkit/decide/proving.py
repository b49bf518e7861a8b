"""What the size of a suite can prove, before anything is run.

What comes in: a suite and its gate policy. What goes out: `Proof`s: a policy that cannot be met is seen here.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.case import Case
from evalkit.records.checkup import Proof
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.suite import Suite
from evalkit.stats.power import most_fails, most_hits, provable_at_least, provable_at_most


def proofs(suite: Suite, policy: GatePolicy) -> tuple[Proof, ...]:
    """Return what a faultless run would prove for each require and slice.

    Args:
        suite: The loaded suite.
        policy: Its gate policy; slices of `where` are not narrowed, which is said in the slice's name.

    Returns:
        Proofs in the order of the policy. Units are clusters of cases for estimand `population`, trials for
        `suite`.
    """
    return tuple(
        _proof(one, name, units) for one in policy.require for name, units in _units(suite, policy, one)
    )


def _units(suite: Suite, policy: GatePolicy, require: Require) -> Iterator[tuple[str, int]]:
    cases = [
        case
        for case in suite.cases
        if any(metric.name == require.metric for metric in suite.metrics_of(case))
    ]
    if require.per == "case":
        yield from ((f"case={case.id}", policy.trials) for case in cases)
        return
    groups: dict[str, list[Case]] = {}
    for case in cases:
        capability = f"capability={case.tags.get('capability') or '(none)'}"
        groups.setdefault(capability if require.per == "capability" else "suite", []).append(case)
    for name, group in groups.items():
        clusters = len({case.cluster_name for case in group})
        yield name, len(group) * policy.trials if require.estimand == "suite" else clusters


def _proof(require: Require, name: str, units: int) -> Proof:
    least = require.at_least is not None
    threshold = require.at_least if require.at_least is not None else require.at_most or 0.0
    prove, allow = (provable_at_least, most_fails) if least else (provable_at_most, most_hits)
    return Proof(
        metric=require.metric,
        slice=name,
        asked=f"{require.statistic} {'>=' if least else '<='} {threshold}",
        units=units,
        provable=prove(units, require.confidence),
        fails=allow(units, threshold, require.confidence),
    )
