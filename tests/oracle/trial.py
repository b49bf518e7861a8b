"""All verdicts of one trial: the table, the metrics, and then the roots of every red."""

from collections.abc import Mapping, Sequence

from tests.oracle.degraded import is_degraded
from tests.oracle.finding import NOT_MEASURES, Finding
from tests.oracle.graph import ancestors, in_suite_order, stage_named, topological
from tests.oracle.model import CauseClass, Metric, StageResult, State, Suite, Trial, TrialResult, Verdict
from tests.oracle.reading import recovered
from tests.oracle.turns import Answer, ask_over_turns, own_over_turns, tables_of


def judge_trial(trial: Trial) -> TrialResult:
    """Judge every stage, and every metric that the case feeds."""
    tables = tables_of(trial)
    own = {stage.name: own_over_turns(tables, stage.name) for stage in trial.suite.stages}
    metrics = [metric for metric in trial.suite.metrics if metric.name in trial.case.feeds]
    asked = {metric.name: ask_over_turns(trial, tables, metric) for metric in metrics}
    failing = failing_stages(trial.suite, own, asked)
    roots = tuple(roots_of_stages(trial.suite, table.found, failing) for table in tables)
    reds = in_suite_order(trial.suite, failing)
    return TrialResult(
        stages={name: _stage(trial, name, found, failing, roots) for name, found in own.items()},
        metrics={m.name: _metric(trial.suite, m, asked[m.name], failing, roots) for m in metrics},
        root_stages=tuple(name for name in reds if is_root(trial.suite, name, failing)),
        degraded=is_degraded(trial),
    )


def failing_stages(suite: Suite, own: Mapping[str, Answer], asked: Mapping[str, Answer]) -> frozenset[str]:
    """Find the stages with a fail, of their own or of a gate or compare metric.

    Page: 'Stages with a fail (their own verdict, or a metric of tier gate or compare; never observe).'
    """
    by_themselves = {name for name, found in own.items() if found.finding.outcome == "fail"}
    shown = {
        metric.stage
        for metric in suite.metrics
        if metric.tier != "observe" and metric.name in asked and asked[metric.name].finding.outcome == "fail"
    }
    return frozenset(by_themselves | shown)


def is_root(suite: Suite, name: str, failing: frozenset[str]) -> bool:
    """Say whether a stage is a root: failing, and no ancestor is.

    Page: 'Root stages = stages with a fail none of whose ancestors has such a fail.'
    """
    return name in failing and not is_inherited(suite, name, failing)


def is_inherited(suite: Suite, name: str, failing: frozenset[str]) -> bool:
    """Say whether a fail at a stage stands below a failing ancestor.

    Page: 'A fail below a failing ancestor stays a fail, marked `inherited`.'
    """
    return bool(ancestors(suite, name) & failing)


def roots_of_fail(suite: Suite, name: str, failing: frozenset[str]) -> tuple[str, ...]:
    """Give the roots of a fail at a stage.

    Page: 'The `roots` of any fail are itself if it is a root, else its failing ancestors that are
    roots.'
    """
    if is_root(suite, name, failing):
        return (name,)
    return in_suite_order(suite, {up for up in ancestors(suite, name) if is_root(suite, up, failing)})


def roots_of_stages(
    suite: Suite, found: Mapping[str, Finding], failing: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    """Work out the roots of every stage in one table, each after all that it can blame."""
    roots: dict[str, tuple[str, ...]] = {}
    for stage in topological(suite):
        finding = found[stage.name]
        if finding.outcome == "fail":
            roots[stage.name] = roots_of_fail(suite, stage.name, failing)
        elif finding.row == 11:
            roots[stage.name] = finding.blames  # 'roots = the stopped stage' (README, choice 20)
        else:
            blamed = (roots_of_blamed(suite, name, roots, failing) for name in finding.blames)
            roots[stage.name] = in_suite_order(suite, {root for one in blamed for root in one})
    return roots


def roots_of_blamed(
    suite: Suite, name: str, roots: Mapping[str, tuple[str, ...]], failing: frozenset[str]
) -> tuple[str, ...]:
    """Give the roots of a stage that an error blames.

    Page: 'The roots of every unmet need that failed', or of the stage whose emptiness is a fail. That may
    have been in an earlier turn than the one of these roots, and then it is a fail like any other.
    """
    return roots[name] or roots_of_fail(suite, name, failing)


def class_of(cause: str, roots: tuple[str, ...]) -> CauseClass:
    """Give the class of a cause.

    Page: '*Explained* ... *Not asked* ... *Unmeasured*: all others'; `upstream_empty` is 'explained
    where emptiness is a fail there, else not asked', and only there has it roots.
    """
    if not cause:
        return ""
    if cause not in NOT_MEASURES:
        return "unmeasured"
    return "explained" if roots else "not_asked"


def state_of(finding: Finding, *, failed: bool, made_good: bool) -> State:
    """A stage's state; a fail of a metric that is shown there makes it failed (README, choice 23)."""
    if failed:
        return "failed"
    if finding.outcome == "error":
        return "not examined"
    return "soft" if made_good else "ok"


def _verdict(finding: Finding, roots: tuple[str, ...], *, inherited: bool = False) -> Verdict:
    return Verdict(
        outcome=finding.outcome,
        cause=finding.cause,
        sub=finding.sub,
        cause_class=class_of(finding.cause, roots),
        reason=finding.reason,
        naming=finding.naming,
        roots=roots,
        inherited=inherited,
    )


def _stage(
    trial: Trial,
    name: str,
    found: Answer,
    failing: frozenset[str],
    roots: Sequence[Mapping[str, tuple[str, ...]]],
) -> StageResult:
    finding = found.finding
    inherited = finding.outcome == "fail" and is_inherited(trial.suite, name, failing)
    made_good = recovered(stage_named(trial.suite, name), trial.trace)
    return StageResult(
        verdict=_verdict(finding, roots[found.turn][name], inherited=inherited),
        row=finding.row,
        turn=found.turn,
        state=state_of(finding, failed=name in failing, made_good=made_good),
        out_of_order=finding.out_of_order,
        recovered=made_good,
    )


def _metric(
    suite: Suite,
    metric: Metric,
    asked: Answer,
    failing: frozenset[str],
    roots: Sequence[Mapping[str, tuple[str, ...]]],
) -> Verdict:
    finding = asked.finding
    if finding.outcome != "fail":
        blamed = (roots_of_blamed(suite, name, roots[turn], failing) for turn, name in asked.blamed)
        return _verdict(finding, in_suite_order(suite, {root for found in blamed for root in found}))
    inherited = is_inherited(suite, metric.stage, failing)
    return _verdict(finding, roots_of_fail(suite, metric.stage, failing), inherited=inherited)
