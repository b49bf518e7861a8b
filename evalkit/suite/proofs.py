"""What the sample size of a suite can prove, before anything is run.

What comes in: a suite and a gate policy. What goes out: one `Proof` for every figure that a gate asks for.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.records.case import Case
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.suite import Suite
from evalkit.stats.power import most_fails, most_hits, provable_at_least, provable_at_most, units_needed
from evalkit.suite.where import parse_where


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What one figure can prove at best.

    Attributes:
        require: Position in the policy's `require`; None for the suite as it is, without a policy.
        metric: The metric.
        of: What the figure is about: suite, a capability, or a case id.
        units: Independent units: clusters for a claim about cases like these, trials for one about these.
        best: The bound that is reached where not one unit is against it.
        threshold: What is asked for; None without a policy.
        at_most: The threshold must not be exceeded, instead of being reached.
        afforded: How many units may be against it; None where even none is too many, or nothing is asked.
        needed: Fewest units that can prove it; None where that is no matter or beyond reach.
    """

    require: int | None
    metric: str
    of: str
    units: int
    best: float
    threshold: float | None = None
    at_most: bool = False
    afforded: int | None = None
    needed: int | None = None

    @property
    def possible(self) -> bool:
        """Whether what is asked for can be proven at all."""
        return self.threshold is None or self.afforded is not None


def proofs(suite: Suite, policy: GatePolicy | None, *, today: dt.date | None = None) -> tuple[Proof, ...]:
    """Return what every figure of a gate can prove at best.

    Args:
        suite: The suite.
        policy: Its gate; None: the deciding primary over all cases, without a threshold.
        today: The day on which waivers are held against their end; None takes all for valid.

    Returns:
        One proof per figure, in the policy's order; none for an entry that selects nothing.
    """
    if policy is None:
        units = _clusters(fed_cases(suite, suite.deciding.name))
        return (
            Proof(
                require=None,
                metric=suite.deciding.name,
                of="suite",
                units=units,
                best=provable_at_least(units),
            ),
        )
    return tuple(
        _proof(number, require, of, units)
        for number, require in enumerate(policy.require)
        for of, units in _figures(suite, policy, require, today)
    )


def fed_cases(suite: Suite, metric: str) -> tuple[Case, ...]:
    """Return the cases for which a metric is planned.

    Args:
        suite: The suite.
        metric: The metric's name.
    """
    return tuple(case for case in suite.cases if any(m.name == metric for m in suite.metrics_of(case)))


def selected(suite: Suite, policy: GatePolicy, require: Require) -> tuple[Case, ...]:
    """Return the cases that an entry of a gate is about.

    Args:
        suite: The suite.
        policy: The gate; in real mode cases that declare a fault are left out.
        require: The entry.
    """
    where = parse_where(require.where or "")
    return tuple(
        case
        for case in fed_cases(suite, require.metric)
        if where.matches(case) and not (policy.mode == "real" and case.declares_fault)
    )


def _figures(
    suite: Suite, policy: GatePolicy, require: Require, today: dt.date | None
) -> Iterator[tuple[str, int]]:
    """Yield what each figure of an entry is about, and its independent units."""
    cases = selected(suite, policy, require)
    if require.per == "case":
        waived = {waiver.case for waiver in suite.known if today is None or waiver.until >= today}
        yield from ((case.id, policy.trials) for case in cases if case.id not in waived)
        return
    groups: dict[str, list[Case]] = {}
    for case in cases:
        of = str(case.tags.get("capability", "")) if require.per == "capability" else "suite"
        groups.setdefault(of, []).append(case)
    for of, group in groups.items():
        yield of, len(group) * policy.trials if require.estimand == "suite" else _clusters(tuple(group))


def _clusters(cases: tuple[Case, ...]) -> int:
    return len({case.cluster_name for case in cases})


def _proof(number: int, require: Require, of: str, units: int) -> Proof:
    confidence = require.confidence
    if require.at_least is not None:
        best = provable_at_least(units, confidence)
        afforded = most_fails(units, require.at_least, confidence)
        needed = units_needed(require.at_least, 0, confidence)
    else:
        threshold = require.at_most or 0.0
        best = provable_at_most(units, confidence)
        afforded = most_hits(units, threshold, confidence)
        needed = units_needed(1 - threshold, 0, confidence)
    return Proof(
        require=number,
        metric=require.metric,
        of=of,
        units=units,
        best=best,
        threshold=require.at_least if require.at_least is not None else require.at_most,
        at_most=require.at_least is None,
        afforded=afforded,
        needed=needed,
    )
