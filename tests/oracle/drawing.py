"""Makes suites, cases and traces out of any source of choices, in the oracle's own model.

Suites have one to seven stages in any written order; traces are walks through the graph with mishaps, some
of them shuffled, some with loose events between. Nothing here that a loader of suites would refuse: graphs
have no cycle, and a stage that always runs needs only such stages and is required.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeVar

from tests.oracle.graph import topological
from tests.oracle.model import (
    Call,
    Case,
    Demand,
    Event,
    FactSeen,
    Fault,
    LimitStop,
    Metric,
    ModelOk,
    Observes,
    Ran,
    RanKind,
    Raw,
    Reply,
    Stage,
    Status,
    Suite,
    Trace,
    Trial,
    Turn,
    UserSpoke,
)

T = TypeVar("T")

TOOLS = ("t0", "t1", "t2", "t3")
"""Fewer than there may be stages, so that some stages share a tool."""
UNNAMED_TOOL = "elsewhere"
"""A tool that no stage names."""
MAX_STAGES = 7
FAULT_CAUSES = (
    ("environment", "rate"),
    ("environment", "no_reply"),
    ("environment", ""),
    ("fixture_missing", ""),
    ("broken_case", ""),
)
STATUSES: tuple[Status, ...] = (
    *("ok", "ok", "ok", "ok", "ok", "ok", "ok_empty", "ok_empty", "fault", "fault", "fault"),
    *("refused", "blocked", "invalid", "unanswered"),
)
RAWS: tuple[Raw, ...] = ("pass", "fail", "not_observed")
CASE_DEMANDS: tuple[Demand, ...] = ("required", "required", "required", "optional", "forbidden")
DEFAULT_DEMANDS: tuple[Demand, ...] = (*CASE_DEMANDS, "required")


@dataclass(frozen=True)
class Shape:
    """What the trials may contain, for a tester who wants a part of it only."""

    facts: bool = True
    partly_seen: bool = True
    limits: bool = True
    declared_faults: bool = True
    turns: bool = False


EVERYTHING = Shape()


@dataclass(frozen=True)
class Chance:
    """A source of choices: `below(n)` gives an integer from 0 to n - 1."""

    below: Callable[[int], int]

    def one_in(self, number: int) -> bool:
        """Choose no most often, and yes once in so many times."""
        return self.below(number) == number - 1

    def pick(self, options: Sequence[T]) -> T:
        """Choose one of the options."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], most: int) -> tuple[T, ...]:
        """Choose up to so many different options, in any order."""
        shuffled = self.shuffle(options)
        return shuffled[: self.below(min(most, len(options)) + 1)]

    def shuffle(self, options: Sequence[T]) -> tuple[T, ...]:
        """Choose an order."""
        left, order = list(options), []
        while left:
            order.append(left.pop(self.below(len(left))))
        return tuple(order)


def make_trial(chance: Chance, shape: Shape = EVERYTHING) -> Trial:
    """Make a suite, a case and one trial of it."""
    suite = make_suite(chance, shape)
    case = make_case(chance, suite, shape=shape)
    return make_trial_of(chance, suite, with_turns(chance, suite, case) if shape.turns else case, shape)


def make_trial_of(chance: Chance, suite: Suite, case: Case, shape: Shape = EVERYTHING) -> Trial:
    """Make one trial of a case, with what each metric's own check would say."""
    trace = Trace(make_events(chance, suite, case, shape), make_observes(chance, suite, shape))
    raw = {metric.name: chance.pick(RAWS) for metric in suite.metrics}
    asked = [(name, number) for name in raw for number in range(len(case.turns))]
    return Trial(suite, case, trace, raw, {place: chance.pick(RAWS) for place in asked})


def make_suite(chance: Chance, shape: Shape = EVERYTHING) -> Suite:
    """Make a suite whose written order need not be topological."""
    made: tuple[Stage, ...] = ()
    for number in range(1 + chance.below(MAX_STAGES)):
        made = (*made, make_stage(chance, f"s{number}", made, shape))
    written = chance.shuffle(made)
    return Suite(written, make_metrics(chance, tuple(stage.name for stage in written)))


def make_stage(chance: Chance, name: str, earlier: tuple[Stage, ...], shape: Shape) -> Stage:
    """Make a stage that needs some of the stages made before it."""
    needs = chance.some(earlier, most=3)
    ran = make_ran(chance, shape, may_be_always=all(need.ran.kind == "always" for need in needs))
    return Stage(
        name=name,
        ran=ran,
        needs=tuple(need.name for need in needs),
        demand="required" if ran.kind == "always" else chance.pick(DEFAULT_DEMANDS),
        strict=chance.one_in(3),
        fallback=chance.one_in(4),
    )


def make_ran(chance: Chance, shape: Shape, *, may_be_always: bool) -> Ran:
    """Choose how a stage shows that it ran."""
    kinds: list[RanKind] = ["called", "called", "called", "called", "replied"]
    kinds += ["fact"] if shape.facts else []
    kinds += ["always"] if may_be_always else []
    kind = chance.pick(kinds)
    if kind == "called":
        return Ran("called", chance.pick(TOOLS))
    if kind == "fact":
        source = chance.pick((*TOOLS, ""))
        return Ran("fact", f"fact_of_{source or 'reply'}", source)
    return Ran(kind)


def make_metrics(chance: Chance, names: tuple[str, ...]) -> tuple[Metric, ...]:
    """Make a deciding primary and up to four other metrics over the stages of these names."""
    deciding = Metric(
        name="m0",
        stage=chance.pick(names),
        scope="trace" if chance.one_in(3) else "outcome",
        tier="gate",
        deciding=True,
    )
    others = (make_metric(chance, f"m{number}", names) for number in range(1, 1 + chance.below(5)))
    return (deciding, *others)


def make_metric(chance: Chance, name: str, names: tuple[str, ...]) -> Metric:
    """Make a metric that does not decide."""
    return Metric(
        name=name,
        stage=chance.pick(names),
        scope=chance.pick(("trace", "trace", "turn", "session", "outcome")),
        tier=chance.pick(("gate", "compare", "observe")),
        needs=(chance.some(names, most=3) or None) if chance.below(2) else None,
    )


def make_case(chance: Chance, suite: Suite, name: str = "case", shape: Shape = EVERYTHING) -> Case:
    """Make what a case asks of a suite; every case feeds the deciding primary."""
    free = [stage.name for stage in suite.stages if stage.ran.kind != "always"]
    fed = [metric.name for metric in suite.metrics if metric.deciding or not chance.one_in(4)]
    faulty = chance.some(TOOLS, most=2) if shape.declared_faults and chance.below(2) else ()
    return Case(
        name=name,
        demands={stage: chance.pick(CASE_DEMANDS) for stage in chance.some(free, most=len(free))},
        allow_empty=frozenset(stage.name for stage in suite.stages if chance.one_in(3)),
        feeds=frozenset(fed),
        declared_faults=frozenset(faulty),
    )


def with_turns(chance: Chance, suite: Suite, case: Case) -> Case:
    """Give a case one to three turns that ask of their own; of its demands only what it forbids is left."""
    forbidden = {name: demand for name, demand in case.demands.items() if demand == "forbidden"}
    free = [s.name for s in suite.stages if s.ran.kind != "always" and s.name not in forbidden]
    turns = tuple(
        Turn(
            demands={stage: chance.pick(CASE_DEMANDS) for stage in chance.some(free, most=len(free))},
            allow_empty=frozenset(stage.name for stage in suite.stages if chance.one_in(5)),
        )
        for _ in range(1 + chance.below(3))
    )
    return replace(case, demands=forbidden, allow_empty=frozenset(chance.some(free, most=1)), turns=turns)


def make_call(chance: Chance, suite: Suite, case: Case, tool: str) -> Call:
    """Make a call of a tool, with the facts that cite it where it returned."""
    status = chance.pick(STATUSES)
    if status in ("ok", "ok_empty"):
        return Call(tool, status, make_facts(chance, suite, tool, output=status == "ok"))
    return make_fault(chance, case, tool) if status == "fault" else Call(tool, status)


def make_fault(chance: Chance, case: Case, tool: str) -> Call:
    """Make a call that met a fault, which the case may have declared."""
    cause, sub = chance.pick(FAULT_CAUSES)
    declared = tool in case.declared_faults and cause == "environment" and not chance.one_in(3)
    return Call(tool, "fault", cause=cause, sub=sub, declared=declared)


def make_facts(chance: Chance, suite: Suite, tool: str, *, output: bool) -> tuple[FactSeen, ...]:
    """Choose which of the suite's facts an event of a tool (or, without one, a reply) shows."""
    names = sorted({s.ran.name for s in suite.stages if s.ran.kind == "fact" and s.ran.tool == tool})
    return tuple(FactSeen(name, output) for name in names if not chance.one_in(4))


def make_reply(chance: Chance, suite: Suite) -> Reply:
    """Make a reply, seldom an empty one."""
    output = not chance.one_in(5)
    return Reply(output, make_facts(chance, suite, "", output=output))


def make_stage_events(chance: Chance, suite: Suite, case: Case, stage: Stage) -> tuple[Event, ...]:
    """Make the events by which an agent does (or does not do) a stage: none, one or a few."""
    if stage.ran.kind == "always":
        return ()
    times = chance.pick((1, 1, 1, 1, 0, 0, 2, 3))
    tool = stage.ran.name if stage.ran.kind == "called" else stage.ran.tool
    if not tool:
        return tuple(make_reply(chance, suite) for _ in range(times))
    if chance.one_in(4):
        return make_starved_calls(chance, suite, case, tool)
    return tuple(make_call(chance, suite, case, tool) for _ in range(times))


def make_starved_calls(chance: Chance, suite: Suite, case: Case, tool: str) -> tuple[Call, ...]:
    """Make calls of a tool that returned nothing, of which a fault may meet the last."""
    empty = Call(tool, "ok_empty", make_facts(chance, suite, tool, output=False))
    return (empty, make_fault(chance, case, tool)) if chance.one_in(3) else (empty,)


def make_loose_event(chance: Chance, suite: Suite, case: Case) -> Event:
    """Make an event that belongs to no walk: a fault, the model's answer, a reply, a call of any tool."""
    sub = chance.pick(("rate", "no_reply", ""))
    plain: tuple[Event, ...] = (
        ModelOk(),
        ModelOk(),
        Fault("model", "environment", sub),
        Fault("world", "environment"),
        Fault("harness", "harness"),
        Fault("harness", "cancelled"),
    )
    choice = chance.below(len(plain) + 3)
    if choice < len(plain):
        return plain[choice]
    if choice == len(plain):
        return make_reply(chance, suite)
    return make_call(chance, suite, case, chance.pick((*TOOLS, *([UNNAMED_TOOL] * len(TOOLS)))))


def make_events(chance: Chance, suite: Suite, case: Case, shape: Shape) -> tuple[Event, ...]:
    """Make a walk in topological order that may break off, shuffled or mixed with loose events."""
    walk = make_walk(chance, suite, case)
    for turn in case.turns[1:]:
        walk += [UserSpoke(), *make_walk(chance, suite, case, turn)]
    if case.turns and chance.one_in(5):
        walk.append(UserSpoke())
    stopped = shape.limits and chance.one_in(3)
    if stopped or chance.one_in(3):
        walk = walk[: chance.below(len(walk) + 1)]
    if chance.one_in(4):
        walk = list(chance.shuffle(walk))
    for _ in range(chance.pick((0, 0, 0, 1, 1, 3))):
        walk.insert(chance.below(len(walk) + 1), make_loose_event(chance, suite, case))
    walk = up_to_a_missing_fixture(walk)
    return (*walk, LimitStop()) if stopped else tuple(walk)


def make_walk(chance: Chance, suite: Suite, case: Case, turn: Turn | None = None) -> list[Event]:
    """Make what an agent does in one go; in a later turn mostly what that turn names."""
    walk: list[Event] = []
    for stage in topological(suite):
        if turn is None or stage.name in turn.demands or chance.one_in(4):
            walk.extend(make_stage_events(chance, suite, case, stage))
    return walk


def up_to_a_missing_fixture(events: list[Event]) -> list[Event]:
    """Cut the events where the trial stops for want of a fixture.

    Page: 'Nothing pinned answers; the trial stops there.'
    """
    before = list(takewhile(lambda event: not _is_missing_fixture(event), events))
    return events[: len(before) + 1]


def _is_missing_fixture(event: Event) -> bool:
    return isinstance(event, Call) and event.cause == "fixture_missing"


def make_observes(chance: Chance, suite: Suite, shape: Shape) -> Observes:
    """Choose what a trace observes: most often everything."""
    if not shape.partly_seen or chance.below(4) < 3:
        return Observes()
    named = sorted({stage.ran.name for stage in suite.stages if stage.ran.kind == "fact"})
    return Observes(
        calls=not chance.one_in(4),
        replies=not chance.one_in(4),
        unseen_tools=frozenset(chance.some(TOOLS, most=2)),
        unseen_facts=frozenset(chance.some(named, most=len(named))),
    )
