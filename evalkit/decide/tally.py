"""Counting verdicts by metric and case: the law n_pass + n_fail + n_error = n_planned, kept in one place.

What comes in: the verdicts of a run, streamed, in any order. What goes out: `Tallies` for each arm;
memory grows with cases and metrics, never with trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from evalkit.records.case import Case
from evalkit.records.estimate import CaseTally
from evalkit.records.metric import Grade
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict

GRADES: tuple[Grade, ...] = ("static", "rule", "isolated", "live")
"""Grades of evidence, weakest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallies:
    """The counts of one arm.

    Attributes:
        arm: The arm.
        metrics: Metric -> one tally for each case that is planned for it, in the suite's order.
        stages: Stage -> one tally for each case.
        grades: Metric -> the weakest grade of evidence that a pass or fail of it rests on.
    """

    arm: str
    metrics: dict[str, tuple[CaseTally, ...]]
    stages: dict[str, tuple[CaseTally, ...]]
    grades: dict[str, Grade]


@dataclass(slots=True)
class _Counts:
    """One cell while verdicts stream by."""

    looks: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)


_Key = tuple[str, str, str]  # (stage or metric, its name, case)


def tally(suite: Suite, verdicts: Iterable[Verdict]) -> dict[str, Tallies]:
    """Count verdicts.

    Args:
        suite: The loaded suite.
        verdicts: Verdicts of the last attempts; the order does not matter.

    Returns:
        Arm -> its counts, arms in the order of their first verdict.
    """
    counts: dict[str, dict[_Key, _Counts]] = {}
    grades: dict[str, dict[str, int]] = {}
    for row in verdicts:
        cells = counts.setdefault(row.arm, {})
        cell = cells.setdefault((row.of, row.name, row.case), _Counts())
        cell.looks.update(_looks(row))
        if row.cause is not None:
            cell.causes[row.cause] += 1
        if row.grade is not None and row.of == "metric":
            weakest = grades.setdefault(row.arm, {})
            weakest[row.name] = min(weakest.get(row.name, len(GRADES)), GRADES.index(row.grade))
    return {arm: _tallies(suite, arm, cells, grades.get(arm, {})) for arm, cells in counts.items()}


def _looks(row: Verdict) -> list[str]:
    """Return the counters that a verdict feeds."""
    looks = ["planned"]
    if row.outcome == "pass":
        looks.append("passed")
    elif row.outcome == "fail":
        looks.append("failed")
    else:
        looks.append(row.cause_class or "unmeasured")
    if row.degraded and looks[-1] in ("passed", "failed", "explained"):
        looks.append("degraded")
        looks += ["degraded_passed"] if row.outcome == "pass" else []
    return looks


def _tallies(suite: Suite, arm: str, cells: dict[_Key, _Counts], grades: dict[str, int]) -> Tallies:
    def column(of: str, name: str) -> tuple[CaseTally, ...]:
        found = ((case, cells.get((of, name, case.id))) for case in suite.cases)
        return tuple(_case_tally(case, cell) for case, cell in found if cell is not None)

    return Tallies(
        arm=arm,
        metrics={metric.name: column("metric", metric.name) for metric in suite.metrics},
        stages={stage.name: column("stage", stage.name) for stage in suite.stages},
        grades={name: GRADES[weakest] for name, weakest in grades.items()},
    )


def _case_tally(case: Case, cell: _Counts) -> CaseTally:
    looks = cell.looks
    return CaseTally(
        case=case.id,
        cluster=case.cluster_name,
        capability=str(case.tags.get("capability", "")),
        planned=looks["planned"],
        passed=looks["passed"],
        degraded_passed=looks["degraded_passed"],
        degraded=looks["degraded"],
        failed=looks["failed"],
        explained=looks["explained"],
        not_asked=looks["not_asked"],
        unmeasured=looks["unmeasured"],
        causes=dict(cell.causes),
    )
