"""Estimates: numbers with interval, n, method, estimand. Undefined is None with a reason, never 0.

What comes in: verdicts, counted by `decide`. What goes out: `CaseTally` and `Estimate`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.policy import Estimand


class CaseTally(Struct, frozen=True, kw_only=True):
    """Counts of one metric over the trials of one case (planned = the sum of the other five).

    Attributes:
        case: Case id.
        cluster: Cluster that intervals are computed over.
        capability: tags.capability, "" where there is none.
        planned: Trials planned for the metric.
        passed: Passes.
        degraded_passed: Passes that were degraded (part of `passed`).
        degraded: Degraded trials, passed or failed or explained (numerator of the degradation rate).
        failed: Fails.
        explained: Errors of class explained.
        not_asked: Errors of class not asked.
        unmeasured: Errors of class unmeasured.
        causes: Cause -> count, all errors.
    """

    case: str
    cluster: str
    capability: str = ""
    planned: int = 0
    passed: int = 0
    degraded_passed: int = 0
    degraded: int = 0
    failed: int = 0
    explained: int = 0
    not_asked: int = 0
    unmeasured: int = 0
    causes: dict[str, int] = {}


class Estimate(Struct, frozen=True, kw_only=True):
    """One figure with all that is needed to doubt it.

    Attributes:
        metric: Metric, or stage for a stage's own verdict.
        slice: "suite", ``capability=x``, ``case=x`` or the `where` expression.
        statistic: rate, conditional, pass^k, pass@k, degraded; `ran` for a stage's own did-it-run rate, which
            stands beside `conditional` (`metric` is then the stage).
        estimand: population or suite.
        value: The figure, None where undefined.
        low: Displayed interval, lower end (two-sided, 95 % unless said).
        high: Displayed interval, upper end.
        bound: The one-sided bound that decides, None where undefined.
        n: Cases (or clusters for intervals; trials for `suite` and `per: case`) that the figure rests on.
        n_planned: Trials planned.
        n_pass: Passed trials.
        n_fail: Failed trials.
        n_error: Error trials.
        n_effective: Effective sample size n*, None where undefined.
        coverage: 1 - unmeasured / (planned - not asked), None where nothing was asked.
        worst: The figure with the unmeasured as fails.
        best: The figure with the unmeasured as passes.
        clean: Rate of clean passes.
        degraded: Degradation rate.
        threshold: What was asked, None where nothing was.
        confidence: One-sided confidence of `bound`.
        decision: go, no-go or undecided where something was asked.
        method: How the interval and bound were computed.
        reason: Why undefined or undecided; "" otherwise.
        flags: few_clusters, low_coverage ...
    """

    metric: str
    slice: str = "suite"
    statistic: str = "rate"
    estimand: Estimand = "population"
    value: float | None = None
    low: float | None = None
    high: float | None = None
    bound: float | None = None
    n: int = 0
    n_planned: int = 0
    n_pass: int = 0
    n_fail: int = 0
    n_error: int = 0
    n_effective: float | None = None
    coverage: float | None = None
    worst: float | None = None
    best: float | None = None
    clean: float | None = None
    degraded: float | None = None
    threshold: float | None = None
    confidence: float = 0.95
    decision: Literal["go", "no-go", "undecided"] | None = None
    method: str = ""
    reason: str = ""
    flags: tuple[str, ...] = ()
