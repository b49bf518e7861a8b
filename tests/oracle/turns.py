"""The last rule of section 3: tables per turn, and what the turns come to together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tests.oracle.finding import NOT_MEASURES, Finding
from tests.oracle.graph import demand_of, in_suite_order
from tests.oracle.limits import limit_stopped, stopped_stage
from tests.oracle.metrics import (
    ask,
    barrier,
    excusing_the_required,
    is_never_blocked,
    judged,
    never_blocked,
    rank,
    taint_over_the_outcome,
)
from tests.oracle.model import (
    Case,
    Demand,
    EarlierFault,
    Elsewhere,
    Event,
    LimitStop,
    Metric,
    Stage,
    Suite,
    Trace,
    Trial,
    Turn,
    UserSpoke,
)
from tests.oracle.reading import ran, ran_empty
from tests.oracle.stages import work_the_table
from tests.oracle.taints import Taint, holds_for_all, made_good, taints, undeclared_faults


@dataclass(frozen=True)
class Table:
    """One table: the trial, or the turn of it, that it was worked over, and what it found."""

    trial: Trial
    found: Mapping[str, Finding]


@dataclass(frozen=True)
class Answer:
    """A finding, its turn, and the (turn, stage) pairs whose roots are the roots of an error."""

    finding: Finding
    turn: int = 0
    blamed: tuple[tuple[int, str], ...] = ()


def answer(turn: int, finding: Finding) -> Answer:
    """Give the finding of one turn."""
    return Answer(finding, turn, tuple((turn, name) for name in finding.blames))


def tables_of(trial: Trial) -> tuple[Table, ...]:
    """Work one table over the trial, or one over each turn.

    Page: 'Where turns of a case carry their own `requires`, the table is worked once per turn over that
    turn's events.'
    """
    if not trial.case.turns:
        return (Table(trial, work_the_table(trial)),)
    tables: list[Table] = []
    for number in range(len(trial.case.turns)):
        turn = trial_of_turn(trial, number, tables)
        tables.append(Table(turn, work_the_table(turn)))
    return tuple(tables)


def trial_of_turn(trial: Trial, number: int, tables: list[Table]) -> Trial:
    """Cut one turn out of a trial."""
    raw = {name: trial.raw_in_turn.get((name, number), said) for name, said in trial.raw.items()}
    return Trial(
        suite=trial.suite,
        case=case_of_turn(trial.suite, trial.case, trial.case.turns[number]),
        trace=Trace(events_of_turn(trial, number, tables), trial.trace.observes),
        raw=raw,
        earlier=earlier_findings(tables),
    )


def case_of_turn(suite: Suite, case: Case, turn: Turn) -> Case:
    """Give what one turn asks; what may return nothing in the case may do so in every turn."""
    return replace(
        case,
        demands={stage.name: demand_in_turn(case, turn, stage) for stage in suite.stages},
        allow_empty=case.allow_empty | turn.allow_empty,
        turns=(),
    )


def demand_in_turn(case: Case, turn: Turn, stage: Stage) -> Demand:
    """Give what one turn asks of a stage.

    Page: 'Unnamed stages are optional there', but what case or suite forbid stays forbidden (README,
    choice 26).
    """
    unnamed: Demand = "forbidden" if demand_of(case, stage) == "forbidden" else "optional"
    return turn.demands.get(stage.name, unnamed)


def turn_at(trial: Trial, position: int) -> int:
    """Say in which turn an event stands; what follows the last turn of the case belongs to that one."""
    begun = sum(isinstance(event, UserSpoke) for event in trial.trace.events[: position + 1])
    return min(begun, len(trial.case.turns) - 1)


def was_begun(trial: Trial, number: int) -> bool:
    """The user had spoken so often."""
    return turn_at(trial, len(trial.trace.events)) >= number


def events_of_turn(trial: Trial, number: int, tables: list[Table]) -> tuple[Event, ...]:
    """Give the events of one turn at their positions, with what of earlier turns counts in it.

    Page: 'Over that turn's events'; 'a taint counts from its turn on'.
    """
    events = []
    for position, event in enumerate(trial.trace.events):
        at = turn_at(trial, position)
        events.append(event if at == number else seen_later(trial, position, number, tables))
    return tuple(events)


def seen_later(trial: Trial, position: int, number: int, tables: list[Table]) -> Event:
    """Say what an event of another turn is to this turn."""
    event, at = trial.trace.events[position], turn_at(trial, position)
    if at > number:
        return Elsewhere()
    if isinstance(event, LimitStop):
        return LimitStop(told_before(tables))
    fault = next((one for one in undeclared_faults(trial.trace) if one.position == position), None)
    if fault is None or made_good_by_then(trial, fault, number):
        return Elsewhere()
    return EarlierFault(fault.of, fault.tool, fault.cause, fault.sub)


def made_good_by_then(trial: Trial, fault: Taint, number: int) -> bool:
    """Say whether a fault was made good before a turn began (README, choice 27)."""
    events = trial.trace.events
    before = tuple(event for position, event in enumerate(events) if turn_at(trial, position) < number)
    return made_good(fault, Trace(before))


def told_before(tables: list[Table]) -> str:
    """Name the stage at which the limit stopped the trial, where an earlier turn has told (choice 28)."""
    stopped = (stopped_stage(table.trial) for table in tables if limit_stopped(table.trial))
    return next((name for name in stopped if name), "")


def earlier_findings(tables: list[Table]) -> dict[str, Finding]:
    """Give what earlier turns found of the stages that ran in them.

    Page: 'What ran in an earlier turn counts as ran for needs.' A stage that ran in them without ever
    returning anything is an empty need (README, choice 29).
    """
    found: dict[str, Finding] = {}
    for table in tables:
        for stage in table.trial.suite.stages:
            if ran(stage, table.trial.trace):
                found[stage.name] = better_need(found.get(stage.name), as_ran(table, stage))
    return found


def as_ran(table: Table, stage: Stage) -> Finding:
    """Give a stage that ran in a turn as a need of later turns: as ran, or as empty by the second row."""
    return table.found[stage.name] if is_second_row(table, stage) else Finding("pass", 1)


def is_second_row(table: Table, stage: Stage) -> bool:
    """The stage ran and returned nothing, and was not forbidden."""
    return ran_empty(stage, table.trial.trace) and demand_of(table.trial.case, stage) != "forbidden"


def better_need(one: Finding | None, other: Finding) -> Finding:
    """Output in any turn is output; of several emptinesses a fail goes first, then one after a fault."""
    if one is None or other.row == 1:
        return other
    if one.row == 1:
        return one
    return over_turns((answer(0, one), answer(0, other))).finding


def over_turns(answers: Iterable[Answer]) -> Answer:
    """Give what the answers of several turns come to.

    Page: 'Over turns: first fail, else first unmeasured, else first explained, else pass, else not
    asked'; of several passes one that is out of order shows the fact.
    """
    return min(answers, key=lambda one: place_in_order(one.finding))  # min keeps the first


def place_in_order(finding: Finding) -> int:
    """Give the place of a finding in the order over turns."""
    if finding.outcome == "fail":
        return 0
    if finding.outcome == "pass":
        return 3 if finding.out_of_order else 4
    if finding.cause not in NOT_MEASURES:
        return 1
    explained = finding.cause == "upstream_failed" or (finding.cause == "upstream_empty" and finding.blames)
    return 2 if explained else 5


def own_over_turns(tables: tuple[Table, ...], name: str) -> Answer:
    """Give a stage's own verdict over all tables."""
    return over_turns(answer(number, table.found[name]) for number, table in enumerate(tables))


def ask_over_turns(trial: Trial, tables: tuple[Table, ...], metric: Metric) -> Answer:
    """Give the finding of a metric that the case feeds."""
    if not trial.case.turns:
        return answer(0, ask(trial, metric, tables[0].found))
    if metric.scope == "turn":
        answers = (ask_in_turn(trial, tables, metric, number) for number in range(len(tables)))
        return over_turns(one for one in answers if one is not None)
    if is_never_blocked(metric):
        taint = taint_over_all_turns(trial, tables)
        turns = [table.trial for table in tables]
        return answer(0, never_blocked(trial.raw[metric.name], taint, turns))
    return blocked_over_turns(tables, metric) or answer(0, judged(trial.raw[metric.name]))


def ask_in_turn(trial: Trial, tables: tuple[Table, ...], metric: Metric, number: int) -> Answer | None:
    """Ask a metric of scope turn about one turn; None where there is nothing to ask.

    Page: 'A turn-scope metric gives one verdict per trial by the same order.' A turn that was never begun
    counts by what stands in the way there; the deciding primary is asked all the same (README, choice 30).
    """
    table = tables[number]
    if is_never_blocked(metric):
        taint = taint_over_the_outcome(table.trial, table.found)
        up_to_here = [one.trial for one in tables[: number + 1]]
        return answer(number, never_blocked(table.trial.raw[metric.name], taint, up_to_here))
    if not was_begun(trial, number) and not is_barred(table, metric):
        return None
    return answer(number, ask(table.trial, metric, table.found))


def is_barred(table: Table, metric: Metric) -> bool:
    """Something that the metric needs cannot be judged in this turn."""
    needs = (metric.stage,) if metric.needs is None else metric.needs
    return any(barrier(table.trial, metric, name, table.found) is not None for name in needs)


def taint_over_all_turns(trial: Trial, tables: tuple[Table, ...]) -> Taint | None:
    """Give the earliest taint of the trial that holds for all or excused a required stage in some turn.

    What was made good in a later turn is no taint of the trial (README, choice 27).
    """
    excused = [taint for table in tables for taint in excusing_the_required(table.trial, table.found)]
    over = (t for t in taints(trial.trace) if holds_for_all(trial.suite, t) or t in excused)
    return next(over, None)


def blocked_over_turns(tables: tuple[Table, ...], metric: Metric) -> Answer | None:
    """Give the error of a metric about the whole trial of which some need cannot be judged, or None.

    Each need is taken over the turns, in their order, and then the first cause of all needs, in its order
    (README, choice 30).
    """
    needs = (metric.stage,) if metric.needs is None else metric.needs
    bars = [need_over_turns(tables, metric, name) for name in in_suite_order(tables[0].trial.suite, needs)]
    barred = [one for one in bars if one.finding.outcome == "error"]
    if not barred:
        return None
    first = min(barred, key=lambda one: rank(one.finding))  # min keeps the first: the suite's order
    if first.finding.cause != "upstream_failed":
        return first
    failed = [one for one in barred if one.finding.cause == "upstream_failed"]
    return replace(first, blamed=tuple(pair for one in failed for pair in one.blamed))


def need_over_turns(tables: tuple[Table, ...], metric: Metric, name: str) -> Answer:
    """Give what a need of a metric comes to over the turns; a pass where it can be judged."""
    return over_turns(
        answer(number, barrier_in_turn(table, metric, name)) for number, table in enumerate(tables)
    )


def barrier_in_turn(table: Table, metric: Metric, name: str) -> Finding:
    """The last column of one turn's table for one need; a pass where it may be judged."""
    own = replace(table.trial, earlier={})
    return barrier(own, metric, name, table.found) or Finding("pass")
