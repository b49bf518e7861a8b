"""Small suites, verdicts by the handful, and questions to the gate.

What comes in: how often each case passed, failed, or was not examined. What goes out: verdicts, tallies,
decisions.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalkit.decide.gate import GateQuestion, decide
from evalkit.decide.tally import Tallies, tally
from evalkit.records.case import Case, Turn
from evalkit.records.checks import Expectation
from evalkit.records.decision import Decision, RootSummary
from evalkit.records.metric import Metric
from evalkit.records.plan import PlanSummary
from evalkit.records.policy import GatePolicy, Mode, Require
from evalkit.records.signature import Manifest, Signature
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import Suite, Waiver
from evalkit.records.verdict import Cause, CauseClass, Verdict

TODAY = dt.date(2026, 11, 30)

_CAUSES: dict[CauseClass, Cause] = {
    "explained": "upstream_failed",
    "not_asked": "not_required",
    "unmeasured": "environment",
}


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """How the trials of one case came out for one metric; degraded trials are the first of their kind."""

    case: str = "c1"
    passed: int = 0
    failed: int = 0
    explained: int = 0
    not_asked: int = 0
    unmeasured: int = 0
    degraded_passed: int = 0
    degraded_failed: int = 0
    cluster: str | None = None
    capability: str | None = None
    tags: dict[str, Any] = field(default_factory=dict)

    @property
    def planned(self) -> int:
        """Every trial."""
        return self.passed + self.failed + self.explained + self.not_asked + self.unmeasured


STAGES = (
    Stage(name="retrieve", ran=Ran(called="search")),
    Stage(name="answer", needs=("retrieve",), ran=Ran(replied=True)),
)
METRICS = (
    Metric(name="solved", primary=True, stage="answer", needs=("answer",), check="state"),
    Metric(name="faithful", scope="trace", stage="answer", needs=("retrieve",), check="called"),
    Metric(name="polite", scope="turn", tier="observe", stage="answer", needs=("answer",), check="reply"),
)


def suite_of(drawn: Sequence[Drawn], *, waivers: tuple[Waiver, ...] = ()) -> Suite:
    """A suite of these cases, each of which feeds `solved` and `faithful`."""
    expect = (Expectation(kind="state", metric="solved"), Expectation(kind="called", metric="faithful"))
    cases = tuple(
        Case(
            id=one.case,
            turns=(Turn(user="go"),),
            expect=expect,
            cluster=one.cluster,
            tags={**({"capability": one.capability} if one.capability is not None else {}), **one.tags},
        )
        for one in drawn
    )
    return Suite(suite="s", stages=STAGES, metrics=METRICS, cases=cases, known=waivers)


def verdicts_of(
    drawn: Sequence[Drawn], metric: str = "solved", *, arm: str = "a", of: Any = "metric", **more: Any
) -> Iterator[Verdict]:
    """Yield the verdicts that were drawn, in plan order."""
    index = 0
    for one in drawn:
        for trial, looks in enumerate(_looks(one)):
            yield Verdict(
                index=index, case=one.case, arm=arm, trial=trial, of=of, name=metric, **looks, **more
            )
            index += 1


def _looks(one: Drawn) -> Iterator[dict[str, Any]]:
    for at in range(one.passed):
        yield {"outcome": "pass", "grade": "isolated", "degraded": at < one.degraded_passed}
    for at in range(one.failed):
        yield {"outcome": "fail", "roots": ("answer",), "degraded": at < one.degraded_failed}
    for kind, number in (
        ("explained", one.explained),
        ("not_asked", one.not_asked),
        ("unmeasured", one.unmeasured),
    ):
        found: CauseClass = kind  # type: ignore[assignment]
        for _ in range(number):
            roots = ("retrieve",) if kind == "explained" else ()
            yield {"outcome": "error", "cause": _CAUSES[found], "cause_class": found, "roots": roots}


def tallies_of(drawn: Sequence[Drawn], metric: str = "solved") -> Tallies:
    """The tallies of one arm, of one metric."""
    return tally(suite_of(drawn), verdicts_of(drawn, metric))["a"]


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What is asked of the gate beside the verdicts."""

    require: tuple[Require, ...] = (Require(metric="solved", at_least=0.5),)
    policy: dict[str, Any] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()
    roots: tuple[RootSummary, ...] = ()
    mode: Mode = "mock"
    complete: bool = True
    overrides: tuple[str, ...] = ()
    not_run: tuple[Drawn, ...] = ()
    trials: int | None = None


def question_of(
    drawn: Sequence[Drawn], asking: Asking, rows: Sequence[Verdict] | None = None
) -> GateQuestion:
    """A question about a run of these cases; cases that were `not_run` are in the suite only."""
    suite = suite_of((*drawn, *asking.not_run), waivers=asking.waivers)
    found = list(verdicts_of(drawn)) + list(verdicts_of(drawn, "faithful")) if rows is None else rows
    counted = tally(suite, found)
    planned = sum(one.planned for one in drawn)
    manifest = Manifest(
        run="r1",
        suite="s",
        arms={"a": {}},
        signature=Signature(suite_hash="0" * 64, mode=asking.mode),
        plan=PlanSummary(
            trials=asking.trials or max((one.planned for one in drawn), default=1),
            planned=planned,
            cases=len(drawn),
            left_out=len(asking.not_run),
        ),
        plan_hash="",
        started="2026-11-30T00:00:00.000Z",
    )
    return GateQuestion(
        suite=suite,
        policy=GatePolicy(require=asking.require, trials=1, **asking.policy),
        tallies=counted["a"] if counted else tally_of_nothing(suite),
        roots=asking.roots,
        manifest=manifest,
        arm="a",
        today=TODAY,
        complete=asking.complete,
        selects=lambda text, case: str(case.tags.get(text.partition("=")[0])) == text.partition("=")[2],
        overrides=asking.overrides,
    )


def tally_of_nothing(suite: Suite) -> Tallies:
    """The tallies of an arm without a verdict."""
    return Tallies(
        arm="a", metrics={m.name: () for m in suite.metrics}, stages={s.name: () for s in suite.stages}
    )


def decided(drawn: Sequence[Drawn], asking: Asking | None = None) -> Decision:
    """What the gate decides."""
    return decide(question_of(drawn, asking or Asking()))


def cases(number: int, **each: Any) -> tuple[Drawn, ...]:
    """So many cases that came out alike, named c1, c2, ..."""
    start = each.pop("start", 1)
    return tuple(Drawn(case=f"c{at}", **each) for at in range(start, start + number))
