"""The table of section 3: what each stage's own verdict is, before any roots are known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.oracle.graph import below, bridged_needs, demand_of, stage_named, topological
from tests.oracle.model import LimitStop, Outcome, Reason, Stage, Trial
from tests.oracle.reading import (
    examinable,
    first_ran,
    ran,
    ran_empty,
    ran_or_attempted,
    ran_with_output,
    stage_events,
)
from tests.oracle.taints import Taint, excuses, excusing_taint, taint_at_last_call

NOT_MEASURES = ("", "upstream_failed", "upstream_empty", "upstream_refused", "not_required")
"""The causes that are explained or not asked; 'unmeasured: all others'."""


@dataclass(frozen=True)
class Finding:
    """A verdict whose roots are still to be worked out.

    Attributes:
        outcome: pass, fail or error.
        row: the row of the table that gave it; 0 for a metric.
        cause: of an error.
        sub: the sub-cause that came with it.
        reason: of a stage's fail.
        naming: of `upstream_empty`: the stage that ran and returned nothing.
        blames: the stages whose own roots are the roots of this error.
        out_of_order: the fact.
        excused_by: the taint whose cause this is, where the stage itself was excused.
    """

    outcome: Outcome
    row: int = 0
    cause: str = ""
    sub: str = ""
    reason: Reason = ""
    naming: str = ""
    blames: tuple[str, ...] = ()
    out_of_order: bool = False
    excused_by: Taint | None = None


@dataclass(frozen=True)
class Look:
    """One stage of one trial, and what was found of the stages before it in topological order."""

    trial: Trial
    stage: Stage
    found: Mapping[str, Finding]

    @property
    def forbidden(self) -> bool:
        """The case forbids the stage."""
        return demand_of(self.trial.case, self.stage) == "forbidden"

    @property
    def optional(self) -> bool:
        """The case does not ask for the stage."""
        return demand_of(self.trial.case, self.stage) == "optional"

    @property
    def needs(self) -> tuple[str, ...]:
        """The stage's needs, bridged, in the suite's order."""
        return bridged_needs(self.trial.suite, self.trial.case, self.trial.trace, self.stage)


def need_ran(look: Look, name: str) -> bool:
    """'A need that ran counts as ran whatever its verdict.'"""
    return ran(stage_named(look.trial.suite, name), look.trial.trace)


def is_missing_or_blocked(look: Look, name: str) -> bool:
    """A need that did not run and is 'missing (fail)' or 'blocked (`upstream_failed`)'."""
    finding = look.found[name]
    return not need_ran(look, name) and (finding.outcome == "fail" or finding.cause == "upstream_failed")


def is_unmeasured(look: Look, name: str) -> bool:
    """A need that did not run and whose error has a cause of the third class."""
    return not need_ran(look, name) and look.found[name].cause not in NOT_MEASURES


def is_empty_need(trial: Trial, name: str) -> bool:
    """A need that ran and returned nothing, by the second row: a forbidden stage that ran empty has
    run, no more (README, choice 8).
    """
    stage = stage_named(trial.suite, name)
    return ran_empty(stage, trial.trace) and demand_of(trial.case, stage) != "forbidden"


def is_empty_or_emptied(look: Look, name: str) -> bool:
    """'One is empty, or was emptied so.'"""
    return is_empty_need(look.trial, name) or look.found[name].cause == "upstream_empty"


def with_cause_of(taint: Taint, row: int, excused: bool) -> Finding:
    """'Error with the taint's cause.'"""
    return Finding("error", row, taint.cause, taint.sub, excused_by=taint if excused else None)


def row_1(look: Look) -> Finding | None:
    """'With output | required, optional | any: pass; fact `out_of_order` ... (`strict: true`: fail).'"""
    if look.forbidden or not ran_with_output(look.stage, look.trial.trace):
        return None
    late = is_out_of_order(look)
    if late and look.stage.strict:
        return Finding("fail", 1, reason="out_of_order", out_of_order=True)
    return Finding("pass", 1, out_of_order=late)


def is_out_of_order(look: Look) -> bool:
    """'... if a need is missing (fail), blocked (`upstream_failed`) or first ran later.'"""
    return any(is_missing_or_blocked(look, name) or first_ran_later(look, name) for name in look.needs)


def first_ran_later(look: Look, name: str) -> bool:
    """A need that ran, but for the first time only after this stage first ran."""
    need, trace = stage_named(look.trial.suite, name), look.trial.trace
    return need_ran(look, name) and first_ran(need, trace) > first_ran(look.stage, trace)


def row_2(look: Look) -> Finding | None:
    """'Empty | required, optional | any: pass if allowed; the taint's cause if a fault met its last
    call; else fail.'
    """
    if look.forbidden or not ran_empty(look.stage, look.trial.trace):
        return None
    if look.stage.name in look.trial.case.allow_empty:
        return Finding("pass", 2)
    taint = taint_at_last_call(look.stage, look.trial.trace)
    if taint is not None:
        return with_cause_of(taint, 2, excuses(look.trial.suite, look.trial.trace, taint, look.stage.name))
    return Finding("fail", 2, reason="empty")


def row_3(look: Look) -> Finding | None:
    """'Yes, or attempted | forbidden | any: fail.'"""
    if look.forbidden and ran_or_attempted(look.stage, look.trial.trace):
        return Finding("fail", 3, reason="forbidden")
    return None


def row_4(look: Look) -> Finding | None:
    """'Not examinable | any | any: error `not_observed`.'"""
    return None if examinable(look.stage, look.trial.trace) else Finding("error", 4, "not_observed")


def row_5(look: Look) -> Finding | None:
    """'No | optional | any: error `not_required`, or the taint's cause if it excuses the stage.'"""
    if not look.optional:
        return None
    taint = excusing_taint(look.trial.suite, look.trial.trace, look.stage.name)
    return with_cause_of(taint, 5, True) if taint is not None else Finding("error", 5, "not_required")


def row_6(look: Look) -> Finding | None:
    """'One is missing or blocked: error `upstream_failed`, `roots` = the roots of every unmet need
    that failed.'
    """
    failed = tuple(name for name in look.needs if is_missing_or_blocked(look, name))
    return Finding("error", 6, "upstream_failed", blames=failed) if failed else None


def row_7(look: Look) -> Finding | None:
    """'One is unmeasured: error with that cause'; of several the first in the suite's order."""
    first = next((name for name in look.needs if is_unmeasured(look, name)), None)
    if first is None:
        return None
    return Finding("error", 7, look.found[first].cause, look.found[first].sub)


def row_8(look: Look) -> Finding | None:
    """'One is empty, or was emptied so: error `upstream_empty`, naming the first (`roots` if its
    emptiness is a fail).'
    """
    first = next((name for name in look.needs if is_empty_or_emptied(look, name)), None)
    return None if first is None else emptied_by(8, origin_of_emptiness(look, first), look.found)


def origin_of_emptiness(look: Look, name: str) -> str:
    """The stage that ran and returned nothing, not the one that was emptied by it (README, choice 9)."""
    return name if is_empty_need(look.trial, name) else look.found[name].naming


def emptied_by(row: int, origin: str, found: Mapping[str, Finding]) -> Finding:
    """An `upstream_empty` that names a stage and blames it where its emptiness is a fail."""
    blames = (origin,) if found[origin].reason == "empty" else ()
    return Finding("error", row, "upstream_empty", naming=origin, blames=blames)


def row_9(look: Look) -> Finding | None:
    """'All ran, and a taint excuses the stage: error with the taint's cause.'"""
    taint = excusing_taint(look.trial.suite, look.trial.trace, look.stage.name)
    return None if taint is None else with_cause_of(taint, 9, True)


def row_10(look: Look) -> Finding | None:
    """'No | forbidden | all ran: pass: restraint counts only where the temptation was reached.'"""
    return Finding("pass", 10) if look.forbidden else None


def row_11(look: Look) -> Finding | None:
    """'... a limit stopped the trial, no stage below ran or was attempted, and this is not the stage
    that was stopped: error `upstream_failed`, roots = the stopped stage.'
    """
    trial, name = look.trial, look.stage.name
    if not limit_stopped(trial) or went_below(trial, name) or stopped_stage(trial) == name:
        return None
    return Finding("error", 11, "upstream_failed", blames=(stopped_stage(trial),))


def row_12(look: Look) -> Finding | None:
    """'No | required | all ran: fail (missing).'"""
    return Finding("fail", 12, reason="missing")


TABLE: tuple[Callable[[Look], Finding | None], ...] = (
    row_1, row_2, row_3, row_4, row_5, row_6, row_7, row_8, row_9, row_10, row_11, row_12,
)  # fmt: skip


def limit_stopped(trial: Trial) -> bool:
    """A limit stopped the trial."""
    return any(isinstance(event, LimitStop) for event in trial.trace.events)


def went_below(trial: Trial, name: str) -> bool:
    """A stage below this one ran or was attempted, at any time."""
    lower = below(trial.suite, name)
    return any(ran_or_attempted(stage_named(trial.suite, other), trial.trace) for other in lower)


def last_rows_fit(trial: Trial, stage: Stage) -> bool:
    """The rows before the last two do not fit: required, examinable, did not run, all of its bridged
    needs ran and returned something, and no taint excuses it (README, choice 10).
    """
    needs = bridged_needs(trial.suite, trial.case, trial.trace, stage)
    return (
        demand_of(trial.case, stage) == "required"
        and not ran(stage, trial.trace)
        and examinable(stage, trial.trace)
        and all(ran(stage_named(trial.suite, name), trial.trace) for name in needs)
        and not any(is_empty_need(trial, name) for name in needs)
        and excusing_taint(trial.suite, trial.trace, stage.name) is None
    )


def stopped_stage(trial: Trial) -> str:
    """'... among the stages that the last two rows fit, the one of the last event of a stage that never
    ran; none: the first in the suite's order.' Empty when no stage is among them.
    """
    among = [stage for stage in trial.suite.stages if last_rows_fit(trial, stage)]
    last = max((last_event(trial, stage) for stage in among), default=-1)
    if last >= 0:
        among = [stage for stage in among if last_event(trial, stage) == last]
    return among[0].name if among else ""


def last_event(trial: Trial, stage: Stage) -> int:
    """The position of the last event of a stage, or -1."""
    return max((event.position for event in stage_events(stage, trial.trace)), default=-1)


def work_the_table(trial: Trial) -> dict[str, Finding]:
    """'In topological order, the first row that fits.'"""
    found: dict[str, Finding] = {}
    for stage in topological(trial.suite):
        look = Look(trial, stage, found)
        rows = (row(look) for row in TABLE)
        found[stage.name] = next(finding for finding in rows if finding is not None)
    return found
