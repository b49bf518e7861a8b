"""Attribution records: what a failing trial leaves behind, and the clusters that they form.

What comes in: verdicts and facts, through `diagnose`. What goes out: lines of `blame.jsonl`, `Cluster`s.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.stage import StageState


class Attribution(Struct, frozen=True, kw_only=True):
    """Why one trial failed.

    Attributes:
        index: Plan index of the trial.
        case: Case id.
        arm: Arm.
        trial: Trial number.
        capability: tags.capability.
        phenomenon: What was seen: the failing metrics and stages in one sentence.
        process: `seq` of the first event that left the expected path, or None where nothing happened.
        process_text: That event in words.
        primary: Responsible stages that are roots.
        secondary: Further failing stages below them.
        states: Stage -> ok, soft, failed, not_examined.
        failed_by: Failed stage that did what it had to -> the metrics shown there that failed.
        reasons: Root stage -> why it failed (missing, empty, forbidden, out_of_order, or the metric's name).
        checks: Root stage -> the checks of the case of which one failed there; only in suites of one stage,
            whose failures would all look alike otherwise.
        owner: Who should look: agent, suite, environment, harness.
        suggestion: What to do.
        grade: How far the suggestion goes.
        passed: True for a passing trial with a process fault.
    """

    index: int
    case: str
    arm: str
    trial: int
    capability: str = ""
    phenomenon: str
    process: int | None = None
    process_text: str = ""
    primary: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    states: dict[str, StageState] = {}
    failed_by: dict[str, str] = {}
    reasons: dict[str, str] = {}
    checks: dict[str, str] = {}
    owner: Literal["agent", "suite", "environment", "harness"] = "agent"
    suggestion: str = ""
    grade: Literal["report", "ticket", "config", "patch"] = "report"
    passed: bool = False


class Cluster(Struct, frozen=True, kw_only=True):
    """Trials with the same roots and cause.

    Attributes:
        id: Stable id made of roots, reasons and capability.
        roots: Root stages.
        reasons: Root stage -> why.
        capability: tags.capability that they share, "" where they differ.
        cases: Case ids, sorted.
        trials: How many trials.
        example: Plan index of the first trial.
    """

    id: str
    roots: tuple[str, ...]
    reasons: dict[str, str] = {}
    capability: str = ""
    cases: tuple[str, ...] = ()
    trials: int = 0
    example: int = 0
