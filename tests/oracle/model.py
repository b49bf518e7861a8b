"""What the oracle takes and what it returns, as plain frozen records without any behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from tests.oracle.finding import Finding

Demand = Literal["required", "optional", "forbidden"]
Outcome = Literal["pass", "fail", "error"]
RanKind = Literal["always", "called", "fact", "replied"]
Status = Literal["ok", "ok_empty", "refused", "blocked", "invalid", "unanswered", "fault"]
Raw = Literal["pass", "fail", "not_observed"]
Reason = Literal["", "missing", "empty", "forbidden", "out_of_order"]
State = Literal["ok", "soft", "failed", "not examined"]
CauseClass = Literal["", "explained", "not_asked", "unmeasured"]
Mode = Literal["real", "mock"]


@dataclass(frozen=True)
class Ran:
    """How a trace shows that a stage ran.

    Attributes:
        kind: the sort of event.
        name: the tool of `called`, the fact of `fact`, otherwise empty.
        tool: for `fact` alone: the tool whose calls show the fact; empty when the reply shows it.
    """

    kind: RanKind
    name: str = ""
    tool: str = ""


@dataclass(frozen=True)
class Stage:
    """A node of the declared graph; `demand` is the suite's default for it."""

    name: str
    ran: Ran
    needs: tuple[str, ...] = ()
    demand: Demand = "required"
    strict: bool = False
    fallback: bool = False


@dataclass(frozen=True)
class Metric:
    """A named question; `needs` of None means the stage at which it is shown."""

    name: str
    stage: str
    scope: Literal["turn", "session", "trace", "outcome"] = "trace"
    tier: Literal["gate", "compare", "observe"] = "compare"
    needs: tuple[str, ...] | None = None
    deciding: bool = False


@dataclass(frozen=True)
class Suite:
    """Stages in the order in which the suite writes them (any order), and metrics."""

    stages: tuple[Stage, ...]
    metrics: tuple[Metric, ...] = ()


@dataclass(frozen=True)
class Turn:
    """What one user turn asks of its own: stage name to demand, and stages that may return nothing."""

    demands: Mapping[str, Demand] = field(default_factory=dict)
    allow_empty: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Case:
    """What one case asks.

    Attributes:
        name: the case.
        demands: stage name to demand; a stage left out has the suite's default.
        allow_empty: stages that may return nothing.
        feeds: names of the metrics for which the case has an expectation.
        declared_faults: tools for which the case's mock declares a fault.
        turns: what the user turns ask of their own; empty where one table is worked over the whole trial.
    """

    name: str = "case"
    demands: Mapping[str, Demand] = field(default_factory=dict)
    allow_empty: frozenset[str] = frozenset()
    feeds: frozenset[str] = frozenset()
    declared_faults: frozenset[str] = frozenset()
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class FactSeen:
    """A fact that cites the event which carries it; `output` is False for one that holds nothing."""

    name: str
    output: bool = True


@dataclass(frozen=True)
class Call:
    """A tool call and what came of it.

    Attributes:
        tool: the tool called.
        status: `ok` and `ok_empty` returned without error; all others did not.
        facts: the facts that cite this call; they count only where it returned without error.
        cause: for `fault` alone: environment, fixture_missing, broken_case or harness.
        sub: the sub-cause of an environment fault, or empty.
        declared: for `fault` alone: the case's mock declares it.
    """

    tool: str
    status: Status = "ok"
    facts: tuple[FactSeen, ...] = ()
    cause: str = ""
    sub: str = ""
    declared: bool = False


@dataclass(frozen=True)
class Reply:
    """The agent's reply to the user; `output` is False for one that holds nothing."""

    output: bool = True
    facts: tuple[FactSeen, ...] = ()


@dataclass(frozen=True)
class ModelOk:
    """The model answered."""


@dataclass(frozen=True)
class Fault:
    """A fault that no tool call met."""

    of: Literal["model", "world", "harness"]
    cause: str
    sub: str = ""


@dataclass(frozen=True)
class LimitStop:
    """A limit stopped the trial; `at` is the stage that it stopped, where an earlier turn has told."""

    at: str = ""


@dataclass(frozen=True)
class UserSpoke:
    """The user speaks again, and so the next turn begins; the first begins with the trial."""


@dataclass(frozen=True)
class Elsewhere:
    """Stands for an event of another turn, in the trace of one turn."""


@dataclass(frozen=True)
class EarlierFault:
    """Stands for a fault of an earlier turn that nothing had made good when this turn began."""

    of: Literal["tool", "model", "world", "harness"]
    tool: str
    cause: str
    sub: str


Event: TypeAlias = Call | Reply | ModelOk | Fault | LimitStop | UserSpoke | Elsewhere | EarlierFault


@dataclass(frozen=True)
class Observes:
    """Which kinds of event the trace would have recorded, had they happened."""

    calls: bool = True
    replies: bool = True
    unseen_tools: frozenset[str] = frozenset()
    unseen_facts: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Trace:
    """Events in order; the position of an event is its index."""

    events: tuple[Event, ...] = ()
    observes: Observes = Observes()


@dataclass(frozen=True)
class Trial:
    """Everything that one trial, or one turn of it, is judged on.

    Attributes:
        suite: the suite.
        case: what is asked.
        trace: what happened.
        raw: what each metric's own check would say.
        raw_in_turn: metric and turn to what the check would say of that turn; else `raw`.
        earlier: of one turn: what earlier turns found of the stages that ran in them.
    """

    suite: Suite
    case: Case
    trace: Trace
    raw: Mapping[str, Raw] = field(default_factory=dict)
    raw_in_turn: Mapping[tuple[str, int], Raw] = field(default_factory=dict)
    earlier: Mapping[str, Finding] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """What the page says of one stage or one metric in one trial.

    Attributes:
        outcome: pass, fail or error.
        cause: of an error, from the closed list; otherwise empty.
        sub: the sub-cause that came with the cause, or empty.
        cause_class: of an error; otherwise empty.
        reason: of a stage's fail; otherwise empty.
        naming: of `upstream_empty`: the stage that ran and returned nothing.
        roots: of a fail or an explained error, in the suite's order.
        inherited: a fail that stands below a failing ancestor.
    """

    outcome: Outcome
    cause: str = ""
    sub: str = ""
    cause_class: CauseClass = ""
    reason: Reason = ""
    naming: str = ""
    roots: tuple[str, ...] = ()
    inherited: bool = False


@dataclass(frozen=True)
class StageResult:
    """A stage's own verdict, the row of the table (1..12) and the turn that gave it, its state and facts."""

    verdict: Verdict
    row: int
    state: State
    turn: int = 0
    out_of_order: bool = False
    recovered: bool = False


@dataclass(frozen=True)
class TrialResult:
    """All verdicts of one trial; `metrics` holds those that the case feeds."""

    stages: Mapping[str, StageResult]
    metrics: Mapping[str, Verdict]
    root_stages: tuple[str, ...]
    degraded: bool
