"""The JSON objects that verbs print, as types: what `evalkit schema` tells of them, and a test holds them to.

What comes in: nothing. What goes out: records from which JSON Schemas are generated; `pipeline.objects` makes
the objects themselves.
"""

from __future__ import annotations

from msgspec import Struct, field

from evalkit.errors import Problem
from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.board import BoardRow, Column, RunLine, TrialView
from evalkit.records.checkup import SuiteCheck
from evalkit.records.decision import Choice, Decision, RootSummary
from evalkit.records.document import Spread, StageNode
from evalkit.records.estimate import Estimate
from evalkit.records.reported import WrittenReport
from evalkit.records.signature import Manifest, Signature
from evalkit.records.spent import Spent
from evalkit.records.waivers import WaiverLine
from evalkit.records.written import Json


class Headline(Struct, frozen=True, kw_only=True):
    """What every object carries; null where an object is about no one run.

    Attributes:
        signature: What it was measured on.
        planned: Planned trials; pass, fail and error add up to it.
        passed: Trials that passed, by the deciding primary.
        failed: Trials that failed.
        errors: Trials that this run did not examine.
        causes: Cause of an error -> trials.
        coverage: 1 - unmeasured / (planned - not asked); null where nothing was asked.
    """

    signature: Signature | None
    planned: int | None
    passed: int | None = field(name="pass")
    failed: int | None = field(name="fail")
    errors: int | None = field(name="error")
    causes: dict[str, int]
    coverage: float | None


class ArmCounts(Struct, frozen=True, kw_only=True):
    """The trials of one arm.

    Attributes:
        planned: Planned trials.
        passed: Trials that passed, by the deciding primary.
        failed: Trials that failed.
        errors: Trials that this run did not examine.
        causes: Cause of an error -> trials.
        coverage: 1 - unmeasured / (planned - not asked); null where nothing was asked.
        degraded: Trials that ended by a fallback or after a recovered fault.
    """

    planned: int
    passed: int = field(name="pass")
    failed: int = field(name="fail")
    errors: int = field(name="error")
    causes: dict[str, int]
    coverage: float | None
    degraded: int


class SpentTotals(Spent, frozen=True, kw_only=True):
    """What the executions of a run spent, abandoned attempts included.

    Attributes:
        tokens: Tokens of all executions; null where those of one are unknown.
        usd: US dollars of all executions; null where the cost of one is unknown.
    """

    tokens: int | None
    usd: float | None


class RunObject(Headline, frozen=True, kw_only=True):
    """What `run`, `resume`, `retry`, `score`, `merge` and `import` print.

    Attributes:
        run: Name of the run.
        arms: The same counts for each arm.
        complete: Every planned trial has an end.
        measured: Everything planned was measured.
        notes: Cases that were not planned, the first trial that is broken, and metrics other than the
            deciding one of which something was not measured.
        losses: For imported runs: what the source could not tell.
        source: For imported runs: the authors' own figures.
        folder: Where the run lies.
        ended_by: The budget that ended it before its last trial, in words; null where none did.
        spent: What its executions spent; null where nothing is known of it.
        decision: What was decided about these trials; null where nothing was.
        next: The command to type next.
    """

    run: str
    arms: dict[str, ArmCounts]
    complete: bool
    measured: bool
    notes: list[str]
    losses: list[str]
    source: dict[str, Json]
    folder: str
    ended_by: str | None = None
    spent: SpentTotals | None = None
    decision: Choice | None = None
    next: str = ""


class GateObject(Headline, frozen=True, kw_only=True):
    """What `gate` prints.

    Attributes:
        decision: go, no-go or undecided.
        reasons: Sentences, the deciding ones first.
        changes: What would change the decision.
        estimates: Every figure that was asked for, then the figures shown beside them.
        roots: Root causes, most trials first.
        run: Name of the run.
        arm: Arm that was asked about.
        waived: Cases left out of case-level requires by a waiver.
        waivers: Every waiver of the suite as it stands, those that ended first.
        warnings: What a reader should know.
        policy: The policy, and flags that overrode it.
        next: The command to type next.
    """

    decision: Choice
    reasons: list[str]
    changes: list[str]
    estimates: list[Estimate]
    roots: list[RootSummary]
    run: str
    arm: str
    waived: list[str]
    waivers: list[WaiverLine]
    warnings: list[str]
    policy: dict[str, Json]
    next: str = ""


class ShowObject(Headline, frozen=True, kw_only=True):
    """What `show RUN` prints.

    Attributes:
        run: Name of the run.
        source: For imported runs: the authors' own figures.
        manifest: What the run is.
        counts: Trials of each arm.
        columns: Stages and metrics.
        rows: Cases.
        clusters: Root causes of each arm, most trials first.
        estimates: Figures of each arm.
        notes: What a reader should know.
        waivers: Every waiver of the suite as it stands.
        next: The command to type next.
    """

    run: str
    source: dict[str, Json]
    manifest: Manifest
    counts: dict[str, ArmCounts]
    columns: list[Column]
    rows: list[BoardRow]
    clusters: dict[str, list[Cluster]]
    estimates: dict[str, list[Estimate]]
    notes: list[str]
    waivers: list[WaiverLine]
    next: str = ""


class TrialsObject(Headline, frozen=True, kw_only=True):
    """What `show RUN CASE [TRIAL]` prints.

    Attributes:
        run: Name of the run.
        trials: Trials with all of their evidence.
    """

    run: str
    trials: list[TrialView]


class BlamedCluster(Struct, frozen=True, kw_only=True):
    """One root cause with an example.

    Attributes:
        arm: Arm.
        cluster: The trials that fail alike.
        example: The record of the first of them.
        passed: These trials passed all the same.
    """

    arm: str
    cluster: Cluster
    example: Attribution
    passed: bool


class BlameObject(Headline, frozen=True, kw_only=True):
    """What `blame` prints.

    Attributes:
        run: Name of the run.
        clusters: Root causes, those of passing trials last.
    """

    run: str
    clusters: list[BlamedCluster]


class ListObject(Headline, frozen=True, kw_only=True):
    """What `list` prints.

    Attributes:
        runs: Runs, latest first.
        total: How many runs there are, shown or not.
        total_size: Bytes of all of them.
    """

    runs: list[RunLine]
    total: int = 0
    total_size: int = 0


class CheckObject(Headline, frozen=True, kw_only=True):
    """What `check` prints.

    Attributes:
        suites: One for each suite that was named.
        problems: How many problems refuse a suite.
        warnings: How many do not.
    """

    suites: list[SuiteCheck]
    problems: int
    warnings: int


class InitObject(Struct, frozen=True, kw_only=True):
    """What `init` prints.

    Attributes:
        files: Files that were written.
        suite: Folder of the suite.
        next: The command to type next.
    """

    files: list[str]
    suite: str
    next: str


class ReportedObject(Headline, frozen=True, kw_only=True):
    """What `report` prints.

    Attributes:
        run: Name of the run.
        decision: What was decided last about these trials; null where nothing was.
        dropped: Why a decision that is stored is not shown; null where none is left out.
        complete: Every planned trial has an end.
        written: Files that are whole.
        problems: Why others could not be written.
    """

    run: str
    decision: Choice | None
    complete: bool
    written: list[WrittenReport]
    problems: list[str]
    dropped: str | None = None


class ErrorObject(Struct, frozen=True, kw_only=True):
    """What any verb prints with `--json` where it fails.

    Attributes:
        error: What went wrong.
        exit_code: The exit code.
        problems: Every problem of what a person wrote.
    """

    error: str
    exit_code: int
    problems: list[Problem]


class MachineReport(Headline, frozen=True, kw_only=True):
    """The report of a run as JSON.

    Attributes:
        run: Name of the run.
        decision: What was decided last about these trials; null where nothing was.
        dropped: Why a decision that is stored is not shown; null where none is left out.
        complete: Every planned trial has an end.
        arms: Trials of each arm.
        decided: The decision with reasons, estimates and roots.
        manifest: What the run is.
        estimates: Figures of each arm.
        clusters: Root causes of each arm, most trials first.
        spreads: Costs and latencies of each arm.
        stages: The execution dependency graph.
        waivers: Known failures, as they stand.
        notes: What a reader should know.
        left_out: What is not shown, and where to find it.
        columns: Stages and metrics.
        rows: One line for each case and arm; its cells stand in the order of the columns.
    """

    run: str
    decision: Choice | None
    complete: bool
    arms: dict[str, ArmCounts]
    decided: Decision | None
    manifest: Manifest
    estimates: dict[str, list[Estimate]]
    clusters: dict[str, list[Cluster]]
    spreads: dict[str, list[Spread]]
    stages: list[StageNode]
    waivers: list[WaiverLine]
    notes: list[str]
    left_out: list[str]
    columns: list[Column]
    rows: list[BoardRow]
    dropped: str | None = None
