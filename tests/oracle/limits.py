"""At which stage a limit stopped a trial."""

from tests.oracle.finding import is_empty_need
from tests.oracle.graph import below, bridged_needs, counts_as_ran, demand_of, stage_named
from tests.oracle.model import LimitStop, Stage, Trial
from tests.oracle.reading import examinable, ran, ran_or_attempted, stage_events
from tests.oracle.taints import excusing_taint


def limit_stopped(trial: Trial) -> bool:
    """A limit stopped the trial."""
    return any(isinstance(event, LimitStop) for event in trial.trace.events)


def went_below(trial: Trial, name: str) -> bool:
    """A stage below this one ran or was attempted, at any time."""
    lower = below(trial.suite, name)
    return any(ran_or_attempted(stage_named(trial.suite, other), trial.trace) for other in lower)


def last_rows_fit(trial: Trial, stage: Stage) -> bool:
    """Say whether no row before the last two fits a stage.

    The rows before the last two do not fit: required, examinable, did not run, all of its bridged needs
    ran and returned something, and no taint excuses it (README, choice 19).
    """
    needs = bridged_needs(trial, stage)
    return (
        demand_of(trial.case, stage) == "required"
        and not ran(stage, trial.trace)
        and examinable(stage, trial.trace)
        and all(counts_as_ran(trial, name) for name in needs)
        and not any(is_empty_need(trial, name) for name in needs)
        and excusing_taint(trial.suite, trial.trace, stage.name) is None
    )


def stopped_stage(trial: Trial) -> str:
    """Name the stage at which a limit stopped the trial; empty when none could be it.

    Page: '... among the stages that the last two rows fit, the one of the last event of a stage that
    never ran; none: the first in the suite's order.' Empty when no stage is among them. A limit stops a
    trial once: what an earlier turn has told stands.
    """
    told = [event.at for event in trial.trace.events if isinstance(event, LimitStop) and event.at]
    if told:
        return told[0]
    among = [stage for stage in trial.suite.stages if last_rows_fit(trial, stage)]
    last = max((last_event(trial, stage) for stage in among), default=-1)
    if last >= 0:
        among = [stage for stage in among if last_event(trial, stage) == last]
    return among[0].name if among else ""


def last_event(trial: Trial, stage: Stage) -> int:
    """The position of the last event of a stage, or -1."""
    return max((event.position for event in stage_events(stage, trial.trace)), default=-1)
