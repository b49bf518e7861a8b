"""Random suites, cases and traces in the oracle's own model, for property tests.

Suites have one to seven stages in any written order; traces are walks through the graph with
mishaps, walks with their events shuffled, or loose events. Nothing here that a loader of suites
would refuse: graphs have no cycle, and a stage that always runs needs only such stages, is never
forbidden and never optional.
"""

from dataclasses import dataclass
from itertools import takewhile

from hypothesis import strategies as st

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
    Raw,
    Reply,
    Stage,
    Status,
    Suite,
    Trace,
    Trial,
)

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


@dataclass(frozen=True)
class Shape:
    """What the generated trials may contain, for a tester who wants a part of it only."""

    facts: bool = True
    partly_seen: bool = True
    limits: bool = True
    declared_faults: bool = True


EVERYTHING = Shape()


@st.composite
def rans(draw: st.DrawFn, shape: Shape, *, may_be_always: bool) -> Ran:
    """Draw how a stage shows that it ran."""
    kinds = ["called"] * 4 + ["replied"] + ["fact"] * shape.facts + ["always"] * may_be_always
    kind = draw(st.sampled_from(kinds))
    if kind == "always":
        return Ran("always")
    if kind == "replied":
        return Ran("replied")
    tool = draw(st.sampled_from(TOOLS))
    if kind == "called":
        return Ran("called", tool)
    source = draw(st.sampled_from((tool, "")))
    return Ran("fact", f"fact_of_{source or 'reply'}", source)


@st.composite
def stages(draw: st.DrawFn, name: str, earlier: tuple[Stage, ...], shape: Shape) -> Stage:
    """Draw a stage that needs some of the stages drawn before it."""
    needs = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=3)) if earlier else []
    ran = draw(rans(shape, may_be_always=all(need.ran.kind == "always" for need in needs)))
    demands: tuple[Demand, ...] = ("required", "required", "required", "optional", "forbidden")
    return Stage(
        name=name,
        ran=ran,
        needs=tuple(need.name for need in needs),
        demand="required" if ran.kind == "always" else draw(st.sampled_from(demands)),
        strict=draw(st.sampled_from((False, False, True))),
        fallback=draw(st.sampled_from((False, False, False, True))),
    )


@st.composite
def metrics(draw: st.DrawFn, names: tuple[str, ...]) -> tuple[Metric, ...]:
    """Draw a deciding primary and up to four other metrics over the stages of these names."""
    deciding = Metric(
        name="m0",
        stage=draw(st.sampled_from(names)),
        scope=draw(st.sampled_from(("outcome", "outcome", "trace"))),
        tier="gate",
        deciding=True,
    )
    needs = st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True).map(tuple)
    others = [
        Metric(
            name=f"m{number}",
            stage=draw(st.sampled_from(names)),
            scope=draw(st.sampled_from(("trace", "trace", "trace", "session", "outcome"))),
            tier=draw(st.sampled_from(("gate", "compare", "observe"))),
            needs=draw(st.none() | needs),
        )
        for number in range(1, 1 + draw(st.integers(0, 4)))
    ]
    return (deciding, *others)


@st.composite
def suites(draw: st.DrawFn, shape: Shape = EVERYTHING) -> Suite:
    """Draw a suite whose written order need not be topological."""
    drawn: tuple[Stage, ...] = ()
    for number in range(draw(st.integers(1, MAX_STAGES))):
        drawn = (*drawn, draw(stages(f"s{number}", drawn, shape)))
    written = tuple(draw(st.permutations(drawn)))
    return Suite(stages=written, metrics=draw(metrics(tuple(stage.name for stage in written))))


@st.composite
def cases(draw: st.DrawFn, suite: Suite, name: str = "case", shape: Shape = EVERYTHING) -> Case:
    """Draw what a case asks of a suite; every case feeds the deciding primary."""
    free = [stage.name for stage in suite.stages if stage.ran.kind != "always"]
    named = draw(st.lists(st.sampled_from(free), unique=True)) if free else []
    demands: list[Demand] = ["required", "required", "optional", "forbidden"]
    tools = st.frozensets(st.sampled_from(TOOLS), max_size=2 if shape.declared_faults else 0)
    fed = [metric.name for metric in suite.metrics if metric.deciding or draw(st.integers(0, 3))]
    return Case(
        name=name,
        demands={stage: draw(st.sampled_from(demands)) for stage in named},
        allow_empty=frozenset(stage.name for stage in suite.stages if not draw(st.integers(0, 4))),
        feeds=frozenset(fed),
        declared_faults=draw(tools),
    )


@st.composite
def calls(draw: st.DrawFn, suite: Suite, case: Case, tool: str) -> Call:
    """Draw a call of a tool, with the facts that cite it where it returned."""
    status = draw(st.sampled_from(STATUSES))
    if status != "fault":
        returned = status in ("ok", "ok_empty")
        return Call(tool, status, draw(facts(suite, tool, output=status == "ok")) if returned else ())
    cause, sub = draw(st.sampled_from(FAULT_CAUSES))
    declared = tool in case.declared_faults and cause == "environment" and draw(st.booleans())
    return Call(tool, "fault", cause=cause, sub=sub, declared=declared)


@st.composite
def facts(draw: st.DrawFn, suite: Suite, tool: str, *, output: bool) -> tuple[FactSeen, ...]:
    """Draw which of the suite's facts an event of a tool (or, without one, a reply) shows."""
    names = sorted({s.ran.name for s in suite.stages if s.ran.kind == "fact" and s.ran.tool == tool})
    return tuple(FactSeen(name, output) for name in names if draw(st.integers(0, 3)))


@st.composite
def replies(draw: st.DrawFn, suite: Suite) -> Reply:
    """Draw a reply, seldom an empty one."""
    output = bool(draw(st.integers(0, 4)))
    return Reply(output, draw(facts(suite, "", output=output)))


@st.composite
def events_of(draw: st.DrawFn, suite: Suite, case: Case, stage: Stage) -> tuple[Event, ...]:
    """Draw the events by which an agent does (or does not do) a stage: none, one or a few."""
    if stage.ran.kind == "always":
        return ()
    times = draw(st.sampled_from((0, 0, 1, 1, 1, 1, 2, 3)))
    tool = stage.ran.name if stage.ran.kind == "called" else stage.ran.tool
    one: st.SearchStrategy[Event] = calls(suite, case, tool) if tool else replies(suite)
    return tuple(draw(one) for _ in range(times))


@st.composite
def loose_events(draw: st.DrawFn, suite: Suite, case: Case) -> Event:
    """Draw an event that belongs to no walk: a fault, the model's answer, a call of any tool."""
    kind = draw(st.sampled_from(("model_ok", "model_fault", "world", "harness", "unnamed", "call", "reply")))
    if kind == "model_ok":
        return ModelOk()
    if kind == "model_fault":
        return Fault("model", "environment", draw(st.sampled_from(("rate", "no_reply", ""))))
    if kind == "world":
        return Fault("world", "environment")
    if kind == "harness":
        return Fault("harness", draw(st.sampled_from(("harness", "cancelled"))))
    if kind == "reply":
        return draw(replies(suite))
    return draw(calls(suite, case, UNNAMED_TOOL if kind == "unnamed" else draw(st.sampled_from(TOOLS))))


@st.composite
def event_lists(draw: st.DrawFn, suite: Suite, case: Case, shape: Shape) -> tuple[Event, ...]:
    """Draw a walk in topological order that may break off, shuffled or mixed with loose events."""
    walk: list[Event] = []
    for stage in topological(suite):
        walk.extend(draw(events_of(suite, case, stage)))
    walk = walk[: draw(st.sampled_from((len(walk), len(walk), len(walk) // 2, len(walk) // 3)))]
    if not draw(st.integers(0, 3)):
        walk = list(draw(st.permutations(walk)))
    for event in draw(st.one_of(st.just([]), st.just([]), st.lists(loose_events(suite, case), max_size=4))):
        walk.insert(draw(st.integers(0, len(walk))), event)
    walk = up_to_a_missing_fixture(walk)
    stopped = shape.limits and draw(st.integers(0, 2)) == 0
    return (*walk, LimitStop()) if stopped else tuple(walk)


def up_to_a_missing_fixture(events: list[Event]) -> list[Event]:
    """Cut the events where the trial stops for want of a fixture.

    Page: 'Nothing pinned answers; the trial stops there.'
    """
    before = list(takewhile(lambda event: not _is_missing_fixture(event), events))
    return events[: len(before) + 1]


def _is_missing_fixture(event: Event) -> bool:
    return isinstance(event, Call) and event.cause == "fixture_missing"


@st.composite
def observations(draw: st.DrawFn, suite: Suite, shape: Shape) -> Observes:
    """Draw what a trace observes: most often everything."""
    if not shape.partly_seen or draw(st.integers(0, 3)):
        return Observes()
    named = sorted({stage.ran.name for stage in suite.stages if stage.ran.kind == "fact"})
    return Observes(
        calls=bool(draw(st.integers(0, 3))),
        replies=bool(draw(st.integers(0, 3))),
        unseen_tools=draw(st.frozensets(st.sampled_from(TOOLS), max_size=2)),
        unseen_facts=draw(st.frozensets(st.sampled_from(named))) if named else frozenset(),
    )


@st.composite
def trials_of(draw: st.DrawFn, suite: Suite, case: Case, shape: Shape = EVERYTHING) -> Trial:
    """Draw one trial of a case, with what each metric's own check would say."""
    trace = Trace(draw(event_lists(suite, case, shape)), draw(observations(suite, shape)))
    raw = {metric.name: draw(st.sampled_from(RAWS)) for metric in suite.metrics}
    return Trial(suite, case, trace, raw)


@st.composite
def trials(draw: st.DrawFn, shape: Shape = EVERYTHING) -> Trial:
    """Draw a suite, a case and one trial of it."""
    suite = draw(suites(shape))
    return draw(trials_of(suite, draw(cases(suite, shape=shape)), shape))
