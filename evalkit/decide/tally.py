"""Counting verdicts by metric and case: the law n_pass + n_fail + n_error = n_planned, kept in one place.

What comes in: the verdicts of a run, streamed, in any order. What goes out: `Tallies` for each arm;
memory grows with cases and metrics, never with trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evalkit.records.case import Case
from evalkit.records.claimed import claims_in
from evalkit.records.estimate import CaseTally
from evalkit.records.metric import Grade
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict

GRADES: tuple[Grade, ...] = ("static", "rule", "isolated", "live")
"""Grades of evidence, weakest first."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Broken:
    """A trial that the suite itself is at fault for.

    Attributes:
        index: Plan index.
        case: Case id.
        trial: Trial number.
        message: What broke: the tool or the check, and how.
    """

    index: int
    case: str
    trial: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallies:
    """The counts of one arm.

    Attributes:
        arm: The arm.
        metrics: Metric -> one tally for each case that is planned for it, in the suite's order.
        stages: Stage -> one tally for each case.
        grades: Metric -> case -> the weakest grade of evidence that a pass or fail rests on.
        steps: Metric -> which step decided (graph, check, rule, judge, person) -> passes and fails.
        roots: Metric -> root stages of its fails and explained errors, in the suite's order.
        blocked_at: Metric -> root stages of its explained errors alone: where those fell that never got
            there.
        claimed: Metric -> claim -> trials that made it; "" -> trials of which it is known what they claimed.
        broken: Metric -> the first of its trials that is `broken_case`.
    """

    arm: str
    metrics: dict[str, tuple[CaseTally, ...]]
    stages: dict[str, tuple[CaseTally, ...]]
    grades: dict[str, dict[str, Grade]] = field(default_factory=dict)
    steps: dict[str, dict[str, int]] = field(default_factory=dict)
    roots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    blocked_at: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claimed: dict[str, Counter[str]] = field(default_factory=dict)
    broken: dict[str, Broken] = field(default_factory=dict)

    def weakest(self, metric: str, cases: Iterable[str]) -> Grade | None:
        """Return the weakest grade that a figure rests on, None where nothing was examined.

        Args:
            metric: A metric.
            cases: The cases that enter the figure.
        """
        grades = self.grades.get(metric, {})
        found = [grades[case] for case in cases if case in grades]
        return min(found, key=GRADES.index, default=None)


@dataclass(slots=True)
class _Cell:
    """One metric or stage of one case while verdicts stream by; there are very many, so that it is plain."""

    looks: dict[str, int] = field(default_factory=dict)
    causes: dict[str, int] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    failed_at: frozenset[str] = frozenset()
    blocked_at: frozenset[str] = frozenset()
    weakest: int = len(GRADES)
    claimed: Counter[str] | None = None
    broken: Broken | None = None

    def count(self, row: Verdict) -> None:
        """Take one verdict in."""
        look = _look(row)
        _add(self.looks, look)
        if row.cause is not None:
            _add(self.causes, row.cause)
        if row.cause == "broken_case":
            one = Broken(index=row.index, case=row.case, trial=row.trial, message=row.message)
            self.broken = min(self.broken or one, one)
        claims = claims_in(row.measure) if row.measure is not None else None
        if claims is not None:
            self.claimed = (self.claimed or Counter()) + Counter(("", *claims))
        if row.degraded and look in ("passed", "failed", "explained"):
            _add(self.looks, "degraded")
            if look == "passed":
                _add(self.looks, "degraded_passed")
        if look == "failed":
            self.failed_at |= frozenset(row.roots)
        if look == "explained":
            self.blocked_at |= frozenset(row.roots)
        if row.outcome != "error":
            _add(self.steps, row.decided_by)
            if row.grade is not None:
                self.weakest = min(self.weakest, GRADES.index(row.grade))


def _add(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1


_Cells = Mapping[tuple[str, str, str], _Cell]  # (stage or metric, its name, case) -> its counts


def tally(suite: Suite, verdicts: Iterable[Verdict]) -> dict[str, Tallies]:
    """Count verdicts.

    Args:
        suite: The loaded suite.
        verdicts: Verdicts of the last attempts; the order does not matter.

    Returns:
        Arm -> its counts, arms in the order of their first verdict.
    """
    counted: dict[str, dict[tuple[str, str, str], _Cell]] = {}
    for row in verdicts:
        cells = counted.setdefault(row.arm, {})
        key = (row.of, row.name, row.case)
        cell = cells.get(key)
        if cell is None:
            cell = cells[key] = _Cell()
        cell.count(row)
    return {arm: _tallies(suite, arm, cells) for arm, cells in counted.items()}


def _look(row: Verdict) -> str:
    """Return the one of the five counters that a verdict feeds; an error without a class is unmeasured."""
    if row.outcome == "pass":
        return "passed"
    return "failed" if row.outcome == "fail" else row.cause_class or "unmeasured"


def _tallies(suite: Suite, arm: str, cells: _Cells) -> Tallies:
    names = [metric.name for metric in suite.metrics]
    of_metrics = {name: _of_cases(suite, cells, "metric", name) for name in names}
    of_stages = {stage.name: _of_cases(suite, cells, "stage", stage.name) for stage in suite.stages}
    return Tallies(
        arm=arm,
        metrics={name: _tally_row(suite, found) for name, found in of_metrics.items()},
        stages={name: _tally_row(suite, found) for name, found in of_stages.items()},
        grades={name: _grades(found) for name, found in of_metrics.items()},
        steps={name: _steps(found.values()) for name, found in of_metrics.items()},
        roots={
            name: _ordered(suite, (cell.failed_at | cell.blocked_at for cell in found.values()))
            for name, found in of_metrics.items()
        },
        blocked_at={
            name: _ordered(suite, (cell.blocked_at for cell in found.values()))
            for name, found in of_metrics.items()
        },
        claimed={name: _claimed(found.values()) for name, found in of_metrics.items()},
        broken={
            name: min(all_broken)
            for name, found in of_metrics.items()
            if (all_broken := [cell.broken for cell in found.values() if cell.broken is not None])
        },
    )


def _of_cases(suite: Suite, cells: _Cells, of: str, name: str) -> dict[str, _Cell]:
    """Return the cells of one metric or stage by case, in the suite's order."""
    keys = [(of, name, case.id) for case in suite.cases]
    return {key[2]: cells[key] for key in keys if key in cells}


def _tally_row(suite: Suite, found: Mapping[str, _Cell]) -> tuple[CaseTally, ...]:
    return tuple(_case_tally(case, found[case.id]) for case in suite.cases if case.id in found)


def _grades(found: Mapping[str, _Cell]) -> dict[str, Grade]:
    return {case: GRADES[cell.weakest] for case, cell in found.items() if cell.weakest < len(GRADES)}


def _steps(found: Iterable[_Cell]) -> dict[str, int]:
    steps: dict[str, int] = {}
    for cell in found:
        for step, times in cell.steps.items():
            steps[step] = steps.get(step, 0) + times
    return dict(sorted(steps.items()))


def _claimed(found: Iterable[_Cell]) -> Counter[str]:
    claimed: Counter[str] = Counter()
    for cell in found:
        if cell.claimed is not None:
            claimed.update(cell.claimed)
    return claimed


def _ordered(suite: Suite, found: Iterable[frozenset[str]]) -> tuple[str, ...]:
    named = {root for roots in found for root in roots}
    return tuple(stage.name for stage in suite.stages if stage.name in named)


def _case_tally(case: Case, cell: _Cell) -> CaseTally:
    looks = cell.looks.get
    passed, failed, explained = looks("passed", 0), looks("failed", 0), looks("explained", 0)
    not_asked, unmeasured = looks("not_asked", 0), looks("unmeasured", 0)
    return CaseTally(
        case=case.id,
        cluster=case.cluster_name,
        capability=capability_of(case),
        planned=passed + failed + explained + not_asked + unmeasured,
        passed=passed,
        degraded_passed=looks("degraded_passed", 0),
        degraded=looks("degraded", 0),
        failed=failed,
        explained=explained,
        not_asked=not_asked,
        unmeasured=unmeasured,
        causes=dict(sorted(cell.causes.items())),
    )


def capability_of(case: Case) -> str:
    """Return tags.capability, "" where the case has none.

    Args:
        case: A case.
    """
    value = case.tags.get("capability")
    return "" if value is None else str(value)
