"""Small suites, and a check catalogue that says what a test tells it to.

What comes in: stages, metrics, events. What goes out: the verdicts of one trial by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalkit.facts.derive import derive
from evalkit.records.case import Case, Turn
from evalkit.records.checks import Expectation
from evalkit.records.event import EVERYTHING, Body, Closed, Observable
from evalkit.records.metric import Metric
from evalkit.records.plan import PlannedTrial
from evalkit.records.policy import Mode
from evalkit.records.stage import Demand, Ran, Stage
from evalkit.records.suite import FactSource, Suite
from evalkit.records.verdict import Verdict
from evalkit.score.finding import CheckView, Finding
from evalkit.score.scorer import Examine, Scorer
from tests.facts.events import trace_of

Said = bool | Finding | Exception | object
"""What a fake check does: hold or not, return this, or raise this."""


@dataclass
class Checks:
    """A check catalogue by metric name, or `metric:kind`; what it is not told about holds."""

    says: Mapping[str, Said] = field(default_factory=dict)
    asked: list[tuple[str, int | None]] = field(default_factory=list)

    def __call__(self, entry: Expectation, view: CheckView) -> Finding:
        """Note that the entry was asked, and say what was told."""
        self.asked.append((entry.metric, view.turn))
        said = self.says.get(f"{entry.metric}:{entry.kind}", self.says.get(entry.metric, True))
        if isinstance(said, Exception):
            raise said
        if isinstance(said, bool):
            return Finding(held=said, reason=f"{entry.kind} said so")
        return said  # type: ignore[return-value]


def stage(name: str, *needs: str, **more: Any) -> Stage:
    """A stage that is shown by a call of the tool of its own name, unless `ran` says otherwise."""
    return Stage(name=name, needs=needs, ran=more.pop("ran", Ran(called=name)), **more)


def metric(name: str, shown_at: str, **more: Any) -> Metric:
    """A metric of scope trace that needs the stage where it is shown; fed by checks of kind `called`."""
    kind = {} if more.keys() & {"rule", "judge"} else {"check": "called"}
    given: dict[str, Any] = {"scope": "trace", "tier": "compare", "needs": (shown_at,), **kind, **more}
    return Metric(name=name, stage=shown_at, **given)


def outcome(shown_at: str, **more: Any) -> Metric:
    """The deciding primary, named `outcome`."""
    return metric("outcome", shown_at, **{"scope": "outcome", "tier": "gate", "primary": True, **more})


def entry(name: str, kind: Any = "called", **more: Any) -> Expectation:
    """An entry that feeds a metric."""
    return Expectation(kind=kind, metric=name, **more)


def suite_of(
    stages: tuple[Stage, ...],
    metrics: tuple[Metric, ...],
    *,
    expect: tuple[Expectation, ...] | None = None,
    demand: Mapping[str, Demand] | None = None,
    facts: dict[str, FactSource] | None = None,
    **more: Any,
) -> Suite:
    """A suite of one case, which feeds every metric once unless `expect` says otherwise."""
    fed = expect if expect is not None else tuple(entry(m.name) for m in metrics if not m.from_suite)
    demands = {s.name: s.demand for s in stages} | dict(demand or {})
    case = Case(id="case", turns=(Turn(user="go"),), demand=demands, expect=fed, **more)
    deciding = next(m.scope for m in metrics if m.primary)
    return Suite(
        suite="s", stages=stages, metrics=metrics, facts=facts or {}, cases=(case,), deciding_scope=deciding
    )


def planned(mode: Mode = "mock") -> PlannedTrial:
    """The one trial of the one case."""
    return PlannedTrial(index=0, case="case", arm="a", mode=mode, trial=0, seed=0)


def judge(
    suite: Suite,
    *bodies: Body,
    checks: Examine | None = None,
    mode: Mode = "mock",
    closed: Closed | None = None,
    observes: tuple[Observable, ...] = EVERYTHING,
) -> dict[str, Verdict]:
    """Judge one trial of these events; verdicts by name, in order."""
    sheet = derive(suite, suite.cases[0], trace_of(*bodies, closed=closed, observes=observes))
    verdicts = Scorer(suite, {}, checks or Checks())(planned(mode), sheet)
    return {verdict.name: verdict for verdict in verdicts}


def told(verdicts: Mapping[str, Verdict]) -> dict[str, str]:
    """Outcome, and the cause or reason, by name."""
    return {
        name: " ".join(filter(None, (v.outcome, v.cause, v.reason if v.reason != "check" else None)))
        for name, v in verdicts.items()
    }
