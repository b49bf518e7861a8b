"""Hostile texts, and records that are full of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from evalkit.errors import Problem
from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.board import Blamed, Board, BoardRow, Cell, Column, RunLine, TrialView
from evalkit.records.checkup import Proof, SuiteCheck
from evalkit.records.decision import Counts, Decision, RootSummary
from evalkit.records.estimate import Estimate
from evalkit.records.event import (
    Body,
    CallRequest,
    Closed,
    Event,
    Faulted,
    Limited,
    ModelReply,
    Opened,
    Probed,
    Replied,
    ToolCalled,
    ToolReturned,
    Trace,
    UserTurn,
)
from evalkit.records.fact import ClaimFact, DeclaredFact, FactSheet, FaultFact, StopFact
from evalkit.records.plan import PlanSummary
from evalkit.records.signature import Manifest, Signature
from evalkit.records.verdict import Verdict
from evalkit.records.waivers import WaiverLine

_NASTY = (
    "退款订单一二三四五六七八九十",
    "👩‍💻👍🏽🇨🇳❤️",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\u202eright to left\u202c",
    "\u2066isolate\u2069",
    "line\nline\r\nline\ttab",
    "\u0085\u2028\u2029",
    "e" + "\u0301" * 40,
    "\ud800",
    "\x9b2J",
    "\u200b\ufeff",
    "a" * 120,
    "  spaces  in  between  ",
    "ｗｉｄｅ　ｔｅｘｔ",
    "\u1160\u1160",
    "",
)


def nasty() -> st.SearchStrategy[str]:
    """Texts that a hostile party may have written: wide, combining, controlling, long, empty."""
    anything = st.text(alphabet=st.characters(), max_size=30)
    return st.lists(st.sampled_from(_NASTY) | anything, max_size=4).map(" ".join)


def counts(**more: int) -> Counts:
    """Counts that add up."""
    passed, failed, errors = more.get("passed", 3), more.get("failed", 2), more.get("errors", 1)
    return Counts(
        planned=passed + failed + errors,
        passed=passed,
        failed=failed,
        errors=errors,
        causes={"environment": errors} if errors else {},
        coverage=1 - errors / (passed + failed + errors),
        unmeasured=errors,
        degraded=more.get("degraded", 0),
    )


def manifest(name: str = "r1", suite: str = "s") -> Manifest:
    """What a run is."""
    return Manifest(
        run=name,
        suite=suite,
        arms={name: {}},
        signature=Signature(suite_hash="0" * 64, mode="mock"),
        plan=PlanSummary(trials=2, planned=6, cases=3),
        plan_hash="",
        started="2026-11-30T10:00:00.000Z",
        ended="2026-11-30T10:00:01.500Z",
        losses=(name,),
        source={name: [0.5, None]},
    )


def cluster(text: str, number: int = 1) -> Cluster:
    """A cluster of so many cases."""
    return Cluster(
        id=text,
        roots=(text,),
        reasons={text: text},
        capability=text,
        cases=tuple(f"{text}{at}" for at in range(number)),
        trials=number,
    )


def attribution(text: str) -> Attribution:
    """A record whose every text is this one."""
    return Attribution(
        index=0,
        case=text,
        arm=text,
        trial=0,
        phenomenon=text,
        process=3,
        process_text=text,
        primary=(text,),
        secondary=(text,),
        states={text: "failed"},
        reasons={text: text},
        suggestion=text,
    )


def estimates(text: str) -> tuple[Estimate, ...]:
    """Figures that were asked for, and figures beside them."""
    asked: dict[str, Any] = {"threshold": 0.5, "bound": 0.4, "value": 0.7, "worst": 0.6, "best": 0.8, "n": 12}
    return (
        Estimate(metric=text, slice=f"capability={text}", decision="no-go", flags=("at_least",), **asked),
        Estimate(metric=text, slice="capability=x", decision="go", flags=("at_most", "grade=rule"), **asked),
        Estimate(
            metric=text, value=0.5, low=0.25, high=0.75, n=4, worst=0.4, best=0.6, degraded=0.1, clean=0.4
        ),
        Estimate(metric=text, statistic="conditional", value=0.95),
        Estimate(metric=text, statistic="ran", value=0.6),
        Estimate(metric=text, reason=text),
    )


def decision(text: str) -> Decision:
    """A decision whose every text is this one."""
    return Decision(
        decision="no-go",
        reasons=(f"no-go: {text}", text),
        changes=(text,) * 14,
        estimates=estimates(text),
        roots=(RootSummary(stage=text, cause=text, cases=(text,), tags={text: [text]}, trials=2),),
        counts=counts(),
        signature=Signature(suite_hash="0" * 64, mode="mock", limits={text: text}),
        run=text,
        arm=text,
        waived=(text,),
        warnings=(text,),
        policy={
            "purpose": text,
            "require": [{"metric": text, "statistic": "rate", "where": text, "at_least": 0.5}],
            "defaults": ["mode", "require[0].per"],
        },
    )


def row(case: str, arm: str, cells: tuple[Cell, ...], *, trials: int = 2, waived: bool = False) -> BoardRow:
    """A row of a board."""
    return BoardRow(case=case, arm=arm, trials=trials, cells=cells, outcome=(1, trials - 1, 0), waived=waived)


def columns(names: tuple[str, ...]) -> tuple[Column, ...]:
    """A stage first, then metrics."""
    return tuple(
        Column(name=name, of="metric" if at else "stage", tier="observe" if at else None, deciding=at == 1)
        for at, name in enumerate(names)
    )


def board(text: str, *, number: int = 3, width: int = 4, arms: tuple[str, ...] = ("a",)) -> Board:
    """A board of so many cases and so many columns, full of a text."""
    cells = tuple(Cell(roots=1 + at % 2, passed=1, causes={text: 1}) for at in range(width))
    rows = tuple(row(f"{text}{at}", arm, cells, waived=at == 0) for arm in arms for at in range(number))
    return Board(
        manifest=manifest(text, text),
        counts={arm: counts() for arm in arms},
        columns=columns(tuple(f"{text}{at}" for at in range(width))),
        rows=rows,
        clusters={arm: (cluster(text, 8),) for arm in arms},
        estimates={arm: estimates(text)[2:] for arm in arms},
        notes=(text,),
        waivers=(WaiverLine(case=text, reason=text, owner=text, until="2027-01-31", state="active"),),
    )


def bodies(text: str) -> tuple[Body, ...]:
    """One event of every kind."""
    return (
        Opened(case=text, arm=text, mode="mock", trial=0),
        UserTurn(content=text),
        ModelReply(text=text, calls=(CallRequest(id="1", tool=text),)),
        ModelReply(data={text: text}, stop="length", message=text),
        ToolCalled(id="1", tool=text, args={text: [text]}),
        ToolCalled(id="2", tool=text, raw=text),
        ToolReturned(id="1", tool=text, status="ok", value=text),
        ToolReturned(id="2", tool=text, status="fault", message=text, cause="environment", fault="http_500"),
        Replied(content={text: text}),
        Probed(id=text, rows=[[text]]),
        Probed(id=text, cause="broken_case", message=text),
        Faulted(where="model", cause="environment", sub="rate", message=text, declared=True),
        Limited(limit="turns", reached=3, allowed=2),
        Closed(end="fault", cause="environment", message=text),
    )


def trace(text: str) -> Trace:
    """A trace of one event of every kind."""
    said = bodies(text)
    events = tuple(Event(execution="e", seq=at, at=float(at), body=body) for at, body in enumerate(said))
    opened, closed = said[0], said[-1]
    assert isinstance(opened, Opened)
    assert isinstance(closed, Closed)
    return Trace(opened=opened, events=events, closed=closed)


def sheet(text: str) -> FactSheet:
    """A fact sheet with one fact of every kind."""
    return FactSheet(
        case=text,
        observes=("calls",),
        declared=(DeclaredFact(name=text, value={text: text}, cites=(1, 2)),),
        claims=(ClaimFact(name=text, seq=3),),
        faults=(FaultFact(seq=1, started=1, where="tool", tool=text, cause="environment", sub="rate"),),
        stop=StopFact(end="limit", seq=9, limit="turns", message=text),
    )


def view(text: str, *, arm: str = "a", trial: int = 0, closed: bool = True) -> TrialView:
    """A trial with every kind of verdict."""
    common: dict[str, Any] = {"index": 0, "case": text, "arm": arm, "trial": trial}
    verdicts = (
        Verdict(of="stage", name=text, outcome="pass", degraded=True, **common),
        Verdict(
            of="stage",
            name=text,
            outcome="fail",
            message=text,
            roots=(text,),
            cites=tuple(range(12)),
            **common,
        ),
        Verdict(
            of="metric", name=text, outcome="fail", message=text, inherited=True, roots=(text,), **common
        ),
        Verdict(
            of="metric",
            name=text,
            outcome="error",
            cause="environment",
            cause_class="unmeasured",
            sub="no_reply",
            message=text,
            **common,
        ),
    )
    return TrialView(
        index=0,
        case=text,
        arm=arm,
        trial=trial,
        attempts=1,
        verdicts=verdicts,
        sheet=sheet(text) if closed else None,
        trace=trace(text) if closed else None,
        attribution=attribution(text),
    )


def blamed(text: str) -> tuple[Blamed, ...]:
    """One root cause with its example."""
    return (Blamed(arm=text, cluster=cluster(text), example=attribution(text)),)


def run_lines(text: str) -> tuple[RunLine, ...]:
    """A run that can be read, and one that cannot."""
    return (
        RunLine(
            name=text, suite=text, arms=(text, "b"), mode="mock", planned=6, complete=True, decision="go"
        ),
        RunLine(name=text, problem=text, size=1234),
    )


def suite_checks(text: str) -> tuple[SuiteCheck, ...]:
    """A suite with problems, and one that can prove something."""
    problem = Problem(
        message=text, file=text, line=3, column=1, key=text, value=text, suggestion=text, code=text
    )
    proofs = tuple(
        Proof(metric=text, slice=name, asked=text, units=8, provable=0.688, fails=fails)
        for name, fails in ((text, 1), ("x", None))
    )
    return (
        SuiteCheck(path=text, problems=(problem,)),
        SuiteCheck(path=text, suite=text, cases=3, proofs=proofs),
    )
