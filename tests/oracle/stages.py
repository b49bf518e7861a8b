"""The table of section 3: what each stage's own verdict is, before any roots are known."""

from collections.abc import Callable

from tests.oracle.finding import (
    Finding,
    Look,
    emptied_by,
    first_emptiness,
    is_empty_or_emptied,
    is_missing_or_blocked,
    is_out_of_order,
    is_unmeasured,
    origin_of_emptiness,
)
from tests.oracle.graph import topological
from tests.oracle.limits import limit_stopped, stopped_stage, went_below
from tests.oracle.model import Trial
from tests.oracle.reading import examinable, ran_empty, ran_or_attempted, ran_with_output
from tests.oracle.taints import Taint, excusing_taint, taint_at_last_call


def with_cause_of(taint: Taint, row: int) -> Finding:
    """Make an error with the taint's cause.

    Page: 'Error with the taint's cause.'
    """
    return Finding("error", row, taint.cause, taint.sub, taint=taint)


def row_1(look: Look) -> Finding | None:
    """With output; required or optional; any needs.

    Page: 'With output | required, optional | any: pass; fact `out_of_order` ... (`strict: true`:
    fail).'
    """
    if look.forbidden or not ran_with_output(look.stage, look.trial.trace):
        return None
    late = is_out_of_order(look)
    if late and look.stage.strict:
        return Finding("fail", 1, reason="out_of_order", out_of_order=True)
    return Finding("pass", 1, out_of_order=late)


def row_2(look: Look) -> Finding | None:
    """Empty; required or optional; any needs.

    Page: 'Empty | required, optional | any: pass if allowed; the taint's cause if a fault met its last
    call; else fail.'
    """
    if look.forbidden or not ran_empty(look.stage, look.trial.trace):
        return None
    if look.stage.name in look.trial.case.allow_empty:
        return Finding("pass", 2)
    taint = taint_at_last_call(look.stage, look.trial.trace)
    if taint is not None:
        return with_cause_of(taint, 2)
    return Finding("fail", 2, reason="empty")


def row_3(look: Look) -> Finding | None:
    """Ran or attempted; forbidden; any needs.

    Page: 'Yes, or attempted | forbidden | any: fail.'
    """
    if look.forbidden and ran_or_attempted(look.stage, look.trial.trace):
        return Finding("fail", 3, reason="forbidden")
    return None


def row_4(look: Look) -> Finding | None:
    """Not examinable; any demand; any needs.

    Page: 'Not examinable | any | any: error `not_observed`.'
    """
    return None if examinable(look.stage, look.trial.trace) else Finding("error", 4, "not_observed")


def row_5(look: Look) -> Finding | None:
    """Did not run; optional; any needs.

    Page: 'No | optional | any: error `not_required`, or the taint's cause if it excuses the stage.'
    """
    if not look.optional:
        return None
    taint = excusing_taint(look.trial.suite, look.trial.trace, look.stage.name)
    return with_cause_of(taint, 5) if taint is not None else Finding("error", 5, "not_required")


def row_6(look: Look) -> Finding | None:
    """Did not run; required or forbidden; a need is missing or blocked.

    Page: 'One is missing or blocked: error `upstream_failed`, `roots` = the roots of every unmet need
    that failed.'
    """
    failed = tuple(name for name in look.needs if is_missing_or_blocked(look, name))
    return Finding("error", 6, "upstream_failed", blames=failed) if failed else None


def row_7(look: Look) -> Finding | None:
    """Did not run; required or forbidden; a need is unmeasured, be it that a fault emptied it.

    Page: 'One is unmeasured: error with that cause'; of several the first in the suite's order. A taint
    behind it goes on holding below (README, choice 3).
    """
    unmeasured = [look.as_need(name) for name in look.needs if is_unmeasured(look, name)]
    if not unmeasured:
        return None
    taint = next((finding.taint for finding in unmeasured if finding.taint is not None), None)
    return Finding("error", 7, unmeasured[0].cause, unmeasured[0].sub, taint=taint)


def row_8(look: Look) -> Finding | None:
    """Did not run; required or forbidden; a need is empty, or was emptied so.

    Page: 'One is empty, or was emptied so: error `upstream_empty`, naming the first (`roots` if its
    emptiness is a fail)'; and what is a fail goes first (README, choice 16).
    """
    empty = (name for name in look.needs if is_empty_or_emptied(look, name))
    origins = (origin_of_emptiness(look, name) for name in empty)
    return first_emptiness(emptied_by(8, origin, look.as_need(origin)) for origin in origins)


def row_9(look: Look) -> Finding | None:
    """Did not run; required or forbidden; all needs ran, and a taint excuses the stage.

    Page: 'All ran, and a taint excuses the stage: error with the taint's cause.'
    """
    taint = excusing_taint(look.trial.suite, look.trial.trace, look.stage.name)
    return None if taint is None else with_cause_of(taint, 9)


def row_10(look: Look) -> Finding | None:
    """Did not run; forbidden; all needs ran.

    Page: 'No | forbidden | all ran: pass: restraint counts only where the temptation was reached.'
    """
    return Finding("pass", 10) if look.forbidden else None


def row_11(look: Look) -> Finding | None:
    """Did not run; required; all needs ran; a limit stopped the trial at another stage.

    Page: '... a limit stopped the trial, no stage below ran or was attempted, and this is not the stage
    that was stopped: error `upstream_failed`, roots = the stopped stage.'
    """
    trial, name = look.trial, look.stage.name
    if not limit_stopped(trial) or went_below(trial, name) or stopped_stage(trial) == name:
        return None
    return Finding("error", 11, "upstream_failed", blames=(stopped_stage(trial),))


def row_12(look: Look) -> Finding | None:
    """Did not run; required; all needs ran.

    Page: 'No | required | all ran: fail (missing).'
    """
    return Finding("fail", 12, reason="missing")


TABLE: tuple[Callable[[Look], Finding | None], ...] = (
    row_1, row_2, row_3, row_4, row_5, row_6, row_7, row_8, row_9, row_10, row_11, row_12,
)  # fmt: skip


def work_the_table(trial: Trial) -> dict[str, Finding]:
    """Find the first row that fits each stage, in topological order.

    Page: 'In topological order, the first row that fits.'
    """
    found: dict[str, Finding] = {}
    for stage in topological(trial.suite):
        look = Look(trial, stage, found)
        rows = (row(look) for row in TABLE)
        found[stage.name] = next(finding for finding in rows if finding is not None)
    return found
