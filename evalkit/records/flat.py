"""Verdicts as formats for machines take them: the row of a table, the trial of a build server's report.

What comes in: verdicts of a run in plan order, through `pipeline`. What goes out: `VerdictRow`, whose fields
are the columns of CSV and Parquet, and `TrialRows`, from which JUnit's test cases are made.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.metric import Grade, Scope, Tier
from evalkit.records.policy import Mode
from evalkit.records.stage import StageState
from evalkit.records.verdict import Cause, CauseClass, FailReason, Outcome, Verdict


class VerdictRow(Struct, frozen=True, kw_only=True):
    """One verdict of one trial; what is undefined is empty, and never 0.

    Attributes:
        run: Name of the run.
        suite: Suite.
        suite_hash: sha256 of the loaded suite and its code; rows that differ in it are not comparable.
        scoring_version: Version of the scoring; the same holds.
        mode: Real, mock or imported; the same holds.
        index: Plan index of the trial.
        case: Case id.
        arm: Arm.
        trial: Trial number.
        attempt: Attempt that counts.
        of: Whether `name` is a stage or a metric.
        name: Stage or metric.
        deciding: The metric decides whether the trial passed.
        tier: Of a metric: gate, compare or observe.
        scope: Of a metric: turn, session, trace or outcome.
        stage: Where it is shown.
        outcome: pass, fail or error.
        cause: Of an error: why.
        cause_class: Of an error: explained, not_asked or unmeasured.
        sub: Sub-cause.
        reason: Of a fail: missing, empty, forbidden, out_of_order or check.
        message: One sentence for people.
        roots: Root stages; in CSV joined by `;`.
        cites: `seq` of the events that show it; in CSV joined by `;`.
        measure: The quantity that the verdict was read from.
        unit: Its unit.
        measured_over: Over how many things it was taken.
        threshold: What it was held against.
        grade: Strength of the evidence.
        degraded: The trial ended by a fallback or after a recovered fault.
        inherited: A fail below a failing ancestor.
        decided_by: Which step decided.
        state: Of a stage: what attribution says of it.
        emptied_by: Of `upstream_empty`: the stage that returned nothing.
    """

    run: str
    suite: str
    suite_hash: str
    scoring_version: int
    mode: Mode
    index: int
    case: str
    arm: str
    trial: int
    attempt: int
    of: Literal["stage", "metric"]
    name: str
    deciding: bool
    tier: Tier | None
    scope: Scope | None
    stage: str
    outcome: Outcome
    cause: Cause | None
    cause_class: CauseClass | None
    sub: str | None
    reason: FailReason | None
    message: str
    roots: tuple[str, ...]
    cites: tuple[int, ...]
    measure: float | None
    unit: str | None
    measured_over: int | None
    threshold: float | None
    grade: Grade | None
    degraded: bool
    inherited: bool
    decided_by: Literal["graph", "check", "rule", "judge", "person"]
    state: StageState | None
    emptied_by: str | None


class TrialRows(Struct, frozen=True, kw_only=True):
    """One trial with its verdicts.

    Attributes:
        rows: Stages, then metrics, in the suite's order.
        seconds: What the agent took, model and tools together; None where it is unknown.
        place: file:line where the case stands, "" where it is unknown.
    """

    rows: tuple[Verdict, ...]
    seconds: float | None = None
    place: str = ""


class FailingCase(Struct, frozen=True, kw_only=True):
    """A case of one arm of which trials failed or were not measured, by the deciding primary.

    Attributes:
        case: Case id.
        arm: Arm.
        place: file:line where the case stands, "" where it is unknown.
        trials: Planned trials.
        failed: Fails, and errors that are explained by a fail above.
        unmeasured: Errors that nobody examined.
        message: What the first failed trial says, "" where none failed.
        roots: Root stages of that trial.
        root_says: What the verdicts of these stages say, each once; what they say is of themselves, and
            `message` is of the metric.
        cause: Cause of the first unmeasured trial, None where all were measured.
        missing: What that trial says.
        waived: A waiver of the suite names the case today.
    """

    case: str
    arm: str
    place: str = ""
    trials: int = 0
    failed: int = 0
    unmeasured: int = 0
    message: str = ""
    roots: tuple[str, ...] = ()
    root_says: tuple[str, ...] = ()
    cause: Cause | None = None
    missing: str = ""
    waived: bool = False

    @property
    def said(self) -> tuple[str, ...]:
        """What the first failed trial says, each thing once: its roots of themselves, then the metric."""
        return tuple(dict.fromkeys(text for text in (*self.root_says, self.message) if text))
