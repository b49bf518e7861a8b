"""Whether a trial is degraded."""

from tests.oracle.model import Call, Stage, Trial
from tests.oracle.reading import first_ran, ran
from tests.oracle.taints import made_good, undeclared_faults


def is_degraded(trial: Trial) -> bool:
    """Say whether a trial went by a fallback or recovered from a fault.

    Page: 'A trial that reached its end by a declared fallback or after a recovered fault is
    `degraded`.'
    """
    return after_a_recovered_fault(trial) or any(by_fallback(trial, stage) for stage in trial.suite.stages)


def after_a_recovered_fault(trial: Trial) -> bool:
    """A fault that the case did not declare, after which the same tool or model succeeded again."""
    return any(made_good(fault, trial.trace) for fault in undeclared_faults(trial.trace))


def by_fallback(trial: Trial, stage: Stage) -> bool:
    """Say whether a fallback stage ran for want of anything but a declared fault.

    Page: A stage that says `fallback: true` ran, unless what came before it was a declared fault and no
    other: 'a fault that the case itself declares does not degrade it' (README, choice 4).
    """
    if not stage.fallback or not ran(stage, trial.trace):
        return False
    start = first_ran(stage, trial.trace)
    undeclared = [fault for fault in undeclared_faults(trial.trace) if fault.position < start]
    return bool(undeclared) or not declared_fault_before(trial, start)


def declared_fault_before(trial: Trial, position: int) -> bool:
    """A fault that the case declares met a call before this position."""
    return any(
        isinstance(event, Call) and event.status == "fault" and event.declared
        for event in trial.trace.events[: max(position, 0)]
    )
