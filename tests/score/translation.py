"""The oracle's trials as records: the same suite, case and trace in both vocabularies.

What comes in: a trial of the oracle's model. What goes out: a `Suite`, a `Trace`, a `PlannedTrial` and a fake
check catalogue that says of every metric what the trial says. The records know kinds of event that a trace
observes, not single tools and facts, so trials are first brought down to that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from itertools import accumulate

from evalkit.facts.derive import derive
from evalkit.records.case import Case, Turn
from evalkit.records.checks import Expectation
from evalkit.records.event import (
    EVERYTHING,
    Body,
    CallStatus,
    Closed,
    Event,
    Faulted,
    Limited,
    ModelReply,
    Observable,
    Opened,
    Replied,
    ToolCalled,
    ToolReturned,
    Trace,
    UserTurn,
)
from evalkit.records.metric import Metric
from evalkit.records.plan import PlannedTrial
from evalkit.records.stage import Empty, EmptyReturn, Ran, Stage
from evalkit.records.suite import FactSource, Suite
from evalkit.records.verdict import Verdict
from evalkit.records.written import Json
from evalkit.score.finding import CheckView, Finding
from evalkit.score.scorer import Scorer
from tests.oracle import model
from tests.oracle.turns import demand_in_turn

_STATUSES: dict[str, CallStatus] = {
    "refused": "refused",
    "blocked": "blocked",
    "invalid": "invalid",
    "environment": "fault",
    "fixture_missing": "missing",
    "broken_case": "broken",
}
_WITH_OUTPUT = 1
_WITHOUT_OUTPUT = 0


def representable(trial: model.Trial) -> model.Trial:
    """Return the trial without what records cannot say: which single tools and facts are unseen."""
    seen = dataclasses.replace(
        trial.trace.observes, unseen_tools=frozenset[str](), unseen_facts=frozenset[str]()
    )
    return dataclasses.replace(trial, trace=dataclasses.replace(trial.trace, observes=seen))


def verdicts_of(trial: model.Trial) -> tuple[Verdict, ...]:
    """Judge a trial of the oracle's with evalkit: facts from its events, then the scorer."""
    suite = suite_of(trial)
    trace = trace_of(trial)
    planned = PlannedTrial(index=0, case=trial.case.name, arm="a", mode="mock", trial=0, seed=0)
    sheet = derive(suite, suite.cases[0], trace)
    return Scorer(suite, {}, examine_by(trial))(planned, sheet)


def examine_by(trial: model.Trial) -> Callable[[Expectation, CheckView], Finding]:
    """Return a check catalogue that says of every metric what the trial says."""
    held = {"pass": True, "fail": False, "not_observed": None}

    def examine(entry: Expectation, view: CheckView) -> Finding:
        turn = min(view.turn or 0, max(len(trial.case.turns), 1) - 1)
        raw = trial.raw[entry.metric]
        if view.turn is not None:
            raw = trial.raw_in_turn.get((entry.metric, turn), raw)
        return Finding(held=held[raw], cause="not_observed" if raw == "not_observed" else None)

    return examine


def suite_of(trial: model.Trial) -> Suite:
    """Return the suite with its one case."""
    return Suite(
        suite="drawn",
        facts={
            stage.ran.name: _source(stage.ran) for stage in trial.suite.stages if stage.ran.kind == "fact"
        },
        stages=tuple(_stage(stage) for stage in trial.suite.stages),
        metrics=tuple(_metric(metric) for metric in trial.suite.metrics),
        deciding_scope=next(metric.scope for metric in trial.suite.metrics if metric.deciding),
        cases=(_case(trial),),
    )


def _source(ran: model.Ran) -> FactSource:
    if ran.tool:
        return FactSource(source="call", tool=ran.tool, path=f"result.{ran.name}")
    # Blank text is an empty reply; what follows the leading blank is the fact.
    return FactSource(source="reply", matches=r"^ (\w*)")


def _stage(stage: model.Stage) -> Stage:
    ran = stage.ran
    shows = {
        "always": Ran(always=True),
        "replied": Ran(replied=True),
        "called": Ran(called=ran.name),
        "fact": Ran(fact=ran.name),
    }[ran.kind]
    nothing = EmptyReturn(tool=ran.name, path="n", equals=_WITHOUT_OUTPUT)
    return Stage(
        name=stage.name,
        needs=stage.needs,
        ran=shows,
        empty=Empty(returned=nothing) if ran.kind == "called" else None,
        demand=stage.demand,
        strict=stage.strict,
        fallback=stage.fallback,
    )


def _metric(metric: model.Metric) -> Metric:
    return Metric(
        name=metric.name,
        scope=metric.scope,
        tier=metric.tier,
        primary=metric.deciding,
        stage=metric.stage,
        needs=metric.needs if metric.needs is not None else (metric.stage,),
        check="called",
    )


def _case(trial: model.Trial) -> Case:
    fed = [metric.name for metric in trial.suite.metrics if metric.name in trial.case.feeds]
    return Case(
        id=trial.case.name,
        turns=tuple(_turn(trial, turn) for turn in trial.case.turns) or (Turn(user="go"),),
        demand={stage.name: trial.case.demands.get(stage.name, stage.demand) for stage in trial.suite.stages},
        allow_empty=tuple(trial.case.allow_empty),
        expect=tuple(Expectation(kind="called", metric=name) for name in fed),
    )


def _turn(trial: model.Trial, turn: model.Turn) -> Turn:
    demand = {stage.name: demand_in_turn(trial.case, turn, stage) for stage in trial.suite.stages}
    return Turn(user="go", demand=demand, allow_empty=tuple(turn.allow_empty))


def trace_of(trial: model.Trial) -> Trace:
    """Return the events of the trial."""
    limited = any(isinstance(event, model.LimitStop) for event in trial.trace.events)
    opened = Opened(case=trial.case.name, arm="a", mode="mock", trial=0, observes=_observes(trial))
    closed = Closed(end="limit" if limited else "done")
    bodies = [opened, UserTurn(content="go"), *_bodies(trial), closed]
    turns = accumulate(isinstance(body, UserTurn) for body in bodies)
    events = tuple(
        Event(execution="e", seq=seq, turn=max(begun - 1, 0), body=body)
        for seq, (body, begun) in enumerate(zip(bodies, turns, strict=True))
    )
    return Trace(opened=opened, events=events, closed=closed)


def _observes(trial: model.Trial) -> tuple[Observable, ...]:
    seen = trial.trace.observes
    unseen = (set[str]() if seen.calls else {"calls", "results"}) | (
        set[str]() if seen.replies else {"replies"}
    )
    return tuple(kind for kind in EVERYTHING if kind not in unseen)


def _bodies(trial: model.Trial) -> Iterator[Body]:
    for number, event in enumerate(trial.trace.events):
        if isinstance(event, model.Call):
            yield from _call(f"c{number}", event)
        elif isinstance(event, model.Reply):
            yield Replied(content=_said(event))
        elif isinstance(event, model.ModelOk):
            yield ModelReply(text="...")
        elif isinstance(event, model.Fault):
            yield Faulted(where=event.of, cause=event.cause, sub=event.sub or None)
        elif isinstance(event, model.UserSpoke):
            yield UserTurn(content="go on")
        else:
            yield Limited(limit="turns", reached=1.0, allowed=1.0)


def _said(reply: model.Reply) -> str:
    shown = " " if reply.facts else ""
    return f"{shown}{'word' if reply.output else ''}"


def _call(name: str, call: model.Call) -> Iterator[Body]:
    yield ToolCalled(id=name, tool=call.tool, args={})
    if call.status == "unanswered":
        return
    if call.status in ("ok", "ok_empty"):
        yield ToolReturned(id=name, tool=call.tool, status="ok", value=_result(call))
        return
    status = _STATUSES[call.cause if call.status == "fault" else call.status]
    yield ToolReturned(
        id=name,
        tool=call.tool,
        status=status,
        cause=call.cause or None,
        sub=call.sub or None,
        declared=call.declared,
    )


def _result(call: model.Call) -> Json:
    result: dict[str, Json] = {"n": _WITH_OUTPUT if call.status == "ok" else _WITHOUT_OUTPUT}
    return result | {fact.name: "value" if fact.output else None for fact in call.facts}
