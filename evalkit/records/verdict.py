"""Verdicts: pass, fail or error, with cause and evidence. Nothing else.

What comes in: what `score` decides. What goes out: lines of `verdicts.jsonl`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.metric import Grade, Scope, Tier
from evalkit.records.stage import StageState

Outcome = Literal["pass", "fail", "error"]
"""The three outcomes."""

Cause = Literal[
    "upstream_failed",
    "upstream_empty",
    "upstream_refused",
    "not_required",
    "environment",
    "fixture_missing",
    "not_observed",
    "broken_case",
    "judge_unavailable",
    "judge_unauthorised",
    "needs_human",
    "harness",
    "cancelled",
]
"""Why a verdict is an error: the closed list."""

CauseClass = Literal["explained", "not_asked", "unmeasured"]
"""The three classes of causes."""

FailReason = Literal["missing", "empty", "forbidden", "out_of_order", "check"]
"""Why a stage (first four) or a metric (`check`) failed."""

ACTIONS: dict[Cause, str] = {
    "upstream_failed": "fix the named roots",
    "upstream_empty": "see the stage that returned nothing",
    "upstream_refused": "none",
    "not_required": "none",
    "environment": "fix the environment, then `evalkit retry RUN --errors`",
    "fixture_missing": "record the fixture",
    "not_observed": "record it: let the agent work on the suite's own tools, or let its trace tell it",
    "broken_case": "mend the suite",
    "judge_unavailable": "mend or replace the judge",
    "judge_unauthorised": "label, or calibrate the judge",
    "needs_human": "label",
    "harness": "report the bug",
    "cancelled": "`evalkit resume RUN`",
}
"""Cause -> what to do about it."""


class Measure(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The quantity that a pass was read from.

    Attributes:
        value: Finite number.
        unit: Its unit.
        n: Over how many things it was taken.
        threshold: What it was held against.
    """

    value: float
    unit: str
    n: int = 1
    threshold: float | None = None


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One verdict on one stage or metric of one trial.

    Attributes:
        index: Plan index of the trial.
        case: Case id.
        arm: Arm.
        trial: Trial number.
        attempt: Attempt that counts.
        of: Whether `name` is a stage (its own did-it-run verdict) or a metric.
        name: Stage or metric.
        outcome: pass, fail or error.
        cause: For errors: why.
        cause_class: For errors: explained, not_asked or unmeasured.
        sub: Sub-cause.
        reason: For fails of a stage: missing, empty, forbidden, out_of_order; of a metric: check. A passing
            stage may carry out_of_order: the fact is shown, and only a strict stage fails by it.
        message: One sentence for people.
        roots: Root stages of a fail, or of what blocked it.
        cites: `seq` of the events that show it.
        measure: What the pass was read from.
        grade: Strength of the evidence.
        degraded: The trial reached its end by a fallback or after a recovered fault.
        inherited: A fail below a failing ancestor.
        decided_by: Which step decided.
        state: For stages: what attribution says of it.
        emptied_by: For `upstream_empty`: the stage that returned nothing.
    """

    index: int
    case: str
    arm: str
    trial: int
    attempt: int = 0
    of: Literal["stage", "metric"]
    name: str
    outcome: Outcome
    cause: Cause | None = None
    cause_class: CauseClass | None = None
    sub: str | None = None
    reason: FailReason | None = None
    message: str = ""
    roots: tuple[str, ...] = ()
    cites: tuple[int, ...] = ()
    measure: Measure | None = None
    grade: Grade | None = None
    degraded: bool = False
    inherited: bool = False
    decided_by: Literal["graph", "check", "rule", "judge", "person"] = "graph"
    state: StageState | None = None
    emptied_by: str | None = None


class MetricPlace(Struct, frozen=True, kw_only=True):
    """Where a metric stands: what estimates and gates need to know of it."""

    name: str
    scope: Scope
    tier: Tier
    stage: str
    primary: bool = False
    deciding: bool = False


_NOT_ASKED = frozenset({"upstream_refused", "not_required"})


def cause_class(cause: Cause, roots: tuple[str, ...]) -> CauseClass:
    """Return the class of a cause.

    Args:
        cause: A cause of the closed list.
        roots: Root stages; `upstream_empty` is explained where the emptiness is a fail, that is where it
            has roots.

    Returns:
        explained, not_asked or unmeasured.
    """
    if cause == "upstream_failed" or (cause == "upstream_empty" and roots):
        return "explained"
    if cause in _NOT_ASKED or cause == "upstream_empty":
        return "not_asked"
    return "unmeasured"
