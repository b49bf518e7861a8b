"""What people look at: the case x metric board of a run, and one trial with its evidence.

What comes in: verdicts and attributions, through `diagnose`. What goes out: `Board` and `TrialView`, which
`report`
only lays out.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.decision import Counts
from evalkit.records.estimate import Estimate
from evalkit.records.event import Trace
from evalkit.records.fact import FactSheet
from evalkit.records.metric import Scope, Tier
from evalkit.records.signature import Manifest
from evalkit.records.spent import Spent
from evalkit.records.verdict import Verdict
from evalkit.records.waivers import WaiverLine


class Column(Struct, frozen=True, kw_only=True):
    """One stage or metric of the board, in the suite's order, stages first.

    Attributes:
        name: Stage or metric.
        of: Which of the two.
        tier: For metrics.
        scope: For metrics.
        stage: For metrics: where it is shown.
        deciding: It decides whether a trial passed.
    """

    name: str
    of: Literal["stage", "metric"]
    tier: Tier | None = None
    scope: Scope | None = None
    stage: str = ""
    deciding: bool = False


class Cell(Struct, frozen=True, kw_only=True):
    """What the trials of one case came to on one column; all zero where the case is not planned for it.

    Attributes:
        passed: Passes.
        degraded: Passes that were degraded (part of `passed`).
        roots: Fails that are roots: red.
        below: Fails that are inherited, and fails that are not roots: grey.
        explained: Errors explained by a root above: grey.
        unmeasured: Errors that nobody examined: yellow.
        not_asked: Errors where nothing was to be examined.
        causes: Cause -> count, of all errors.
    """

    passed: int = 0
    degraded: int = 0
    roots: int = 0
    below: int = 0
    explained: int = 0
    unmeasured: int = 0
    not_asked: int = 0
    causes: dict[str, int] = {}


class BoardRow(Struct, frozen=True, kw_only=True):
    """One case of one arm.

    Attributes:
        case: Case id.
        arm: Arm.
        trials: Planned trials.
        cells: One for each column.
        outcome: Counts by the deciding primary: passed, failed, errors.
        waived: A waiver names the case.
    """

    case: str
    arm: str
    trials: int
    cells: tuple[Cell, ...]
    outcome: tuple[int, int, int]
    waived: bool = False


class Board(Struct, frozen=True, kw_only=True):
    """A run at a glance.

    Attributes:
        manifest: What the run is.
        counts: Trials by the deciding primary, for each arm.
        columns: Stages and metrics.
        rows: Cases.
        clusters: Root causes, most trials first, for each arm.
        estimates: Figures, for each arm: rate, conditional, pass^1 .. pass^k of the deciding primary.
        notes: What a reader should know (false completion not examined, losses ...).
        waivers: Every waiver of the suite as it stands.
        next: The command to type next.
    """

    manifest: Manifest
    counts: dict[str, Counts]
    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    clusters: dict[str, tuple[Cluster, ...]] = {}
    estimates: dict[str, tuple[Estimate, ...]] = {}
    notes: tuple[str, ...] = ()
    waivers: tuple[WaiverLine, ...] = ()
    next: str = ""


class TrialView(Struct, frozen=True, kw_only=True):
    """One trial with all of its evidence.

    Attributes:
        index: Plan index.
        case: Case id.
        arm: Arm.
        trial: Trial number.
        attempts: How many attempts were closed.
        verdicts: Stages, then metrics.
        sheet: Facts; None where it was never closed.
        trace: Events; None where it was never closed.
        attribution: Why it failed, where it did.
        run: Name of the run.
        notes: What its facts lack although what they come from was there.
    """

    index: int
    case: str
    arm: str
    trial: int
    attempts: int
    verdicts: tuple[Verdict, ...]
    sheet: FactSheet | None = None
    trace: Trace | None = None
    attribution: Attribution | None = None
    run: str = ""
    notes: tuple[str, ...] = ()


class RunLine(Struct, frozen=True, kw_only=True):
    """One run in the list.

    Attributes:
        name: Its name.
        suite: Its suite.
        arms: Its arms.
        mode: Its mode.
        planned: Planned trials.
        complete: Every planned trial has a closing line.
        started: ISO time, UTC.
        decision: What was decided, "" where nothing was.
        stale: The verdicts have changed since it was decided.
        size: Bytes on disk.
        problem: Why it cannot be read, "" where it can.
        part: Which part of a plan it is, or from how many parts it was merged; "" for a run of its own.
    """

    name: str
    suite: str = ""
    arms: tuple[str, ...] = ()
    mode: str = ""
    planned: int = 0
    complete: bool = False
    started: str = ""
    decision: str = ""
    stale: bool = False
    size: int = 0
    problem: str = ""
    part: str = ""


class Ending(Struct, frozen=True, kw_only=True):
    """What is told of a run beside its counts when a verb that measures is done.

    Attributes:
        called: What names the run on the command line, "" for its name.
        spent: What its executions spent; None where nothing is known of it.
        ended_by: The budget that ended it before its last trial, in words; "" where none did.
        flags: The flags of that budget, to go on with.
        decision: What was decided about it, "" where nothing was.
        arm: The arm that this was about.
        is_current: The trials are still those that were decided about.
        has_policy: A gate policy is at hand.
        failing: A case that failed, to be looked at; "" where there is none or nobody looked for one.
        broken: The first trial that only a change of the suite gets rid of, as it is typed behind the run.
    """

    called: str = ""
    spent: Spent | None = None
    ended_by: str = ""
    flags: str = ""
    decision: str = ""
    arm: str = ""
    is_current: bool = False
    has_policy: bool = False
    failing: str = ""
    broken: str = ""


class Blamed(Struct, frozen=True, kw_only=True):
    """One root cause with an example.

    Attributes:
        arm: Arm.
        cluster: The trials that fail alike.
        example: The record of the first of them.
    """

    arm: str
    cluster: Cluster
    example: Attribution
