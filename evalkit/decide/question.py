"""What a decision rests on, and the slices that each of its requires is about.

What comes in: suite, policy, tallies, what the run is. What goes out: `GateQuestion`, `Slice`s. A slice
that the policy speaks of and the run lacks is a slice still: what is missing is never left out in silence.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from evalkit.decide.tally import Tallies, capability_of
from evalkit.decide.unasked import Unasked
from evalkit.records.case import Case
from evalkit.records.decision import RootSummary
from evalkit.records.estimate import CaseTally
from evalkit.records.metric import Grade
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class GateQuestion:
    """All that a decision about one arm rests on.

    Attributes:
        suite: The loaded suite.
        policy: What must be proven.
        tallies: The arm's tallies.
        roots: Root causes of the arm's failing trials.
        manifest: What the run is.
        arm: The arm.
        today: For waivers that have ended.
        complete: Every planned trial has a closing line.
        selects: Whether a `where` expression selects a case.
        overrides: Flags that took the place of what the policy says, in words.
        unasked: Metrics of tier gate that failed in passing trials, and that no require names.
    """

    suite: Suite
    policy: GatePolicy
    tallies: Tallies
    roots: tuple[RootSummary, ...]
    manifest: Manifest
    arm: str
    today: dt.date
    complete: bool
    selects: Callable[[str, Case], bool]
    overrides: tuple[str, ...] = ()
    unasked: Unasked = field(default_factory=dict)

    @property
    def waived(self) -> tuple[str, ...]:
        """Cases with a waiver that has not ended."""
        return tuple(one.case for one in self.suite.known if one.until >= self.today)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The cases of one figure.

    Attributes:
        name: suite, ``capability=x``, ``case=x``, the `where` expression, or capability and expression
            joined by `and`.
        tallies: What the run has of them.
        missing: Cases that belong here and that the run did not plan: they count as unmeasured.
        grade: The weakest grade of evidence, None where nothing was examined.
    """

    name: str
    tallies: tuple[CaseTally, ...]
    missing: tuple[Case, ...] = ()
    grade: Grade | None = None


def slices(question: GateQuestion, require: Require) -> tuple[Slice, ...]:
    """Return the slices of a require, at least one.

    Args:
        question: All that the decision rests on.
        require: An entry of its policy.

    Returns:
        One slice for the suite, or one for each capability or case, in the suite's order; an empty one where
        nothing is selected. Cases with a waiver are left out of `per: case`.
    """
    groups: dict[str, list[Case]] = {}
    for case in asked_about(question, require):
        groups.setdefault(_name(case, require), []).append(case)
    if not groups:
        return (Slice(name=require.where or "suite", tallies=()),)
    return tuple(_slice(question, require, name, cases) for name, cases in groups.items())


def asked_about(question: GateQuestion, require: Require) -> Iterator[Case]:
    """Yield the cases that a require speaks of, whether or not the run planned them.

    Args:
        question: All that the decision rests on.
        require: An entry of its policy.
    """
    waived = question.waived if require.per == "case" else ()
    real = question.manifest.signature.mode == "real"
    for case in question.suite.cases:
        planned = any(metric.name == require.metric for metric in question.suite.metrics_of(case))
        selected = require.where is None or question.selects(require.where, case)
        if planned and selected and case.id not in waived and not (real and case.declares_fault):
            yield case


def _slice(question: GateQuestion, require: Require, name: str, cases: list[Case]) -> Slice:
    wanted = {case.id for case in cases}
    tallies = tuple(one for one in question.tallies.metrics[require.metric] if one.case in wanted)
    found = {one.case for one in tallies}
    return Slice(
        name=name,
        tallies=tallies,
        missing=tuple(case for case in cases if case.id not in found),
        grade=question.tallies.weakest(require.metric, found),
    )


def _name(case: Case, require: Require) -> str:
    if require.per == "case":
        return f"case={case.id}"
    own = f"capability={capability_of(case) or '(none)'}" if require.per == "capability" else ""
    return " and ".join(part for part in (own, require.where) if part) or "suite"
