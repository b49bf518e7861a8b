"""Which metrics may be asked, and what they say when they may, before any roots are known."""

from collections.abc import Mapping, Sequence

from tests.oracle.finding import NOT_MEASURES, Finding, emptied_by
from tests.oracle.graph import demand_of, in_suite_order, stage_named
from tests.oracle.model import Metric, Raw, Trial
from tests.oracle.reading import ran, ran_or_attempted_by
from tests.oracle.taints import Taint, excuses, holds_for_all, taints

CAUSE_ORDER = ("upstream_failed", "unmeasured", "upstream_empty", "not_required", "upstream_refused")
"""'Of several unmet needs the cause is taken in this order'; the page does not place
`upstream_refused`, which comes last here (README, choice 21)."""


def ask(trial: Trial, metric: Metric, found: Mapping[str, Finding]) -> Finding:
    """Give the finding of a metric that the case feeds."""
    raw = trial.raw[metric.name]
    if is_never_blocked(metric):
        return never_blocked(raw, taint_over_the_outcome(trial, found), (trial,))
    return blocked(trial, metric, found) or judged(raw)


def is_never_blocked(metric: Metric) -> bool:
    """Say whether a metric is asked whatever ran: of scope outcome, or the deciding primary."""
    return metric.scope == "outcome" or metric.deciding


def judged(raw: Raw) -> Finding:
    """The metric's own check decides."""
    return Finding("error", cause="not_observed") if raw == "not_observed" else Finding(raw)


def never_blocked(raw: Raw, taint: Taint | None, turns: Sequence[Trial]) -> Finding:
    """Judge a metric of scope outcome, or the deciding primary.

    Page: 'Metrics of scope `outcome`, and the deciding primary whatever its scope, are never blocked
    ... They are errors only under a taint ..., or `not_observed`'; the taint is asked first (README,
    choice 22). `turns` are those up to the one that is judged; a trial of one table is one turn.
    """
    if taint is None:
        return judged(raw)
    if any(forbidden_before(trial, taint) for trial in turns):
        return Finding("fail")
    return Finding("error", cause=taint.cause, sub=taint.sub)


def taint_over_the_outcome(trial: Trial, found: Mapping[str, Finding]) -> Taint | None:
    """Give the earliest taint that makes an error of metrics that are never blocked.

    Page: '... under a taint that excused a required stage or holds for all (whether they would pass or
    fail)'; of several the earliest.
    """
    excused = excusing_the_required(trial, found)
    over = (t for t in taints(trial.trace) if holds_for_all(trial.suite, t) or t in excused)
    return next(over, None)


def excusing_the_required(trial: Trial, found: Mapping[str, Finding]) -> list[Taint | None]:
    """Find the taints that excused a required stage."""
    return [
        found[stage.name].taint
        for stage in trial.suite.stages
        if demand_of(trial.case, stage) == "required" and is_excused(trial, stage.name, found[stage.name])
    ]


def is_excused(trial: Trial, name: str, finding: Finding) -> bool:
    """Say whether the taint behind a stage's error excuses the stage itself (README, choice 3)."""
    return finding.taint is not None and excuses(trial.suite, trial.trace, finding.taint, name)


def forbidden_before(trial: Trial, taint: Taint) -> bool:
    """Say whether a forbidden stage was done, or tried, by the moment of a taint.

    Page: 'A forbidden stage that ran before the taint is a fail', of the metric too, and an attempt is
    as good as a run (README, choice 1).
    """
    forbidden = [stage for stage in trial.suite.stages if demand_of(trial.case, stage) == "forbidden"]
    return any(ran_or_attempted_by(stage, trial.trace, taint.position) for stage in forbidden)


def blocked(trial: Trial, metric: Metric, found: Mapping[str, Finding]) -> Finding | None:
    """Give the error of a metric of which some need cannot be judged, or None.

    Page: 'It is judged only when all that it needs can be.' The needs of a metric are not bridged.
    """
    needs = (metric.stage,) if metric.needs is None else metric.needs
    errors = [(name, barrier(trial, metric, name, found)) for name in in_suite_order(trial.suite, needs)]
    barred = [(name, error) for name, error in errors if error is not None]
    if not barred:
        return None
    first = min((error for _, error in barred), key=rank)  # min keeps the first: the suite's order
    if first.cause != "upstream_failed":
        return first
    failed = tuple(name for name, error in barred if error.cause == "upstream_failed")
    return Finding("error", cause="upstream_failed", blames=failed)


def rank(error: Finding) -> tuple[int, bool]:
    """The place of a cause in the order; of emptiness what is a fail first (README, choice 16)."""
    cause = error.cause if error.cause in NOT_MEASURES else "unmeasured"
    return CAUSE_ORDER.index(cause), not error.blames


def barrier(trial: Trial, metric: Metric, name: str, found: Mapping[str, Finding]) -> Finding | None:
    """The last column of the table for one need: the error it gives, or None where it may be judged."""
    finding = found_for_metric(trial, metric, name, found)
    if finding.row in (1, 3):
        return None
    if finding.row == 2 and finding.outcome != "error":  # else 'the same': README, choice 2
        return emptied_by(0, name, finding)
    if finding.row == 10:
        return Finding("error", cause="upstream_refused")
    if finding.row == 12:
        return Finding("error", cause="upstream_failed", blames=(name,))
    return same(name, finding)


def found_for_metric(trial: Trial, metric: Metric, name: str, found: Mapping[str, Finding]) -> Finding:
    """Find what a metric may take of a need: of this turn, or of the earlier ones in which the need ran.

    Page: 'What ran in an earlier turn counts as ran for needs.' Of a metric's needs this is so where the
    turn does not ask for the need and it did not run there, while the stage at which the metric is shown
    did (README, choice 29).
    """
    need, shown = stage_named(trial.suite, name), stage_named(trial.suite, metric.stage)
    left_out = demand_of(trial.case, need) == "optional" and not ran(need, trial.trace)
    if name in trial.earlier and left_out and name != metric.stage and ran(shown, trial.trace):
        return trial.earlier[name]
    return found[name]


def same(name: str, finding: Finding) -> Finding:
    """Give a metric the stage's own error, with the stage's own roots.

    Page: 'The same' error as the stage's own, with the stage's own roots.
    """
    blames = (name,) if finding.blames else ()
    return Finding("error", cause=finding.cause, sub=finding.sub, naming=finding.naming, blames=blames)
