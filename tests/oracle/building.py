"""Short ways to write a trial by hand in the tests of the oracle."""

from collections.abc import Mapping

from tests.oracle.model import (
    Call,
    Case,
    Event,
    Metric,
    Observes,
    Ran,
    Raw,
    Stage,
    Suite,
    Trace,
    Trial,
    TrialResult,
    Verdict,
)
from tests.oracle.trial import judge_trial

ENVIRONMENT = "environment"
BOTH_SEEN = Observes()


def tool_stage(name: str, *needs: str, strict: bool = False, fallback: bool = False) -> Stage:
    """Make a stage that runs when the tool of the same name is called."""
    return Stage(name, Ran("called", name), needs, strict=strict, fallback=fallback)


def reply_stage(name: str, *needs: str) -> Stage:
    """Make a stage that runs when the agent replies."""
    return Stage(name, Ran("replied"), needs)


def fault(tool: str, cause: str = ENVIRONMENT, *, declared: bool = False) -> Call:
    """Make a call that met a fault."""
    return Call(tool, "fault", cause=cause, declared=declared)


def judge(
    stages: tuple[Stage, ...],
    events: tuple[Event, ...],
    case: Case | None = None,
    metrics: Mapping[Metric, Raw] | None = None,
    observes: Observes = BOTH_SEEN,
) -> TrialResult:
    """Judge a trial whose case feeds all the metrics given, each with what its own check would say."""
    asked = case or Case()
    checks = metrics or {}
    fed = Case(asked.name, asked.demands, asked.allow_empty, frozenset(m.name for m in checks))
    raw = {metric.name: said for metric, said in checks.items()}
    return judge_trial(Trial(Suite(stages, tuple(checks)), fed, Trace(events, observes), raw))


A, B, C = tool_stage("a"), tool_stage("b", "a"), tool_stage("c", "b")
CHAIN = (A, B, C)
EMPTY_A = Call("a", "ok_empty")


def own(result: TrialResult, stage: str) -> Verdict:
    """Give a stage's own verdict."""
    return result.stages[stage].verdict


def rows(result: TrialResult) -> dict[str, int]:
    """Give the row of the table that fitted each stage."""
    return {name: stage.row for name, stage in result.stages.items()}


def failed_at(*roots: str) -> Verdict:
    """Make the error of what a failure upstream kept from running."""
    return Verdict("error", "upstream_failed", cause_class="explained", roots=roots)


def unmeasured(cause: str = "environment") -> Verdict:
    """Make an error with a cause of the third class."""
    return Verdict("error", cause, cause_class="unmeasured")


def emptied(naming: str, *roots: str) -> Verdict:
    """Make the error of what emptiness upstream kept from running; without roots it was allowed."""
    if not roots:
        return Verdict("error", "upstream_empty", cause_class="not_asked", naming=naming)
    return Verdict("error", "upstream_empty", cause_class="explained", naming=naming, roots=roots)


def not_asked(cause: str) -> Verdict:
    """Make an error of which nothing was to be examined."""
    return Verdict("error", cause, cause_class="not_asked")
