"""Documents of any size and any text, made from code alone; the same arguments make the same document."""

from __future__ import annotations

from typing import Any, Final

from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.board import Board, BoardRow, Cell, Column, TrialView
from evalkit.records.decision import Choice, Counts, Decision, RootSummary
from evalkit.records.document import Document, ShownTrial, Spread, StageNode
from evalkit.records.estimate import Estimate
from evalkit.records.event import (
    Body,
    Closed,
    Event,
    ModelReply,
    Opened,
    Probed,
    Replied,
    ToolCalled,
    ToolReturned,
    Trace,
    UserTurn,
)
from evalkit.records.fact import DeclaredFact, FactSheet, ProbeFact, StopFact
from evalkit.records.plan import PlanSummary
from evalkit.records.signature import Manifest, Signature
from evalkit.records.verdict import Verdict
from evalkit.records.waivers import WaiverLine

STAGES: Final = ("identify", "lookup", "decide", "act", "reply")
METRICS: Final = ("refunded", "no_false_claim", "right_order", "told", "clean_words")
ARM: Final = "challenger"

_KINDS = ("passed", "degraded", "root", "unmeasured", "not_asked")


def kind_of(at: int) -> str:
    """Return what becomes of a case: four in ten thousand fail, some are odd, most pass."""
    if at % 97 == 3:
        return "root"
    if at % 211 == 5:
        return "unmeasured"
    if at % 53 == 7:
        return "degraded"
    return "not_asked" if at % 31 == 9 else "passed"


def cells(kind: str, trials: int, at: int) -> tuple[Cell, ...]:
    """Return the cells of a case, one for each stage and metric."""
    some = 1 + at % trials
    good, grey = (
        Cell(passed=trials),
        Cell(passed=trials - some, explained=some, causes={"upstream_failed": some}),
    )
    row = [good] * (len(STAGES) + len(METRICS))
    if kind == "root":
        row[1] = Cell(passed=trials - some, roots=some)
        row[2] = row[3] = grey
        row[5] = Cell(passed=trials - some, below=some)
    elif kind == "unmeasured":
        row[5] = row[6] = Cell(passed=trials - some, unmeasured=some, causes={"environment": some})
    elif kind == "degraded":
        row[5] = Cell(passed=trials, degraded=some)
    elif kind == "not_asked":
        row[7] = Cell(not_asked=trials, causes={"not_required": trials})
        row[8] = Cell()
    return tuple(row)


def outcome(row: tuple[Cell, ...]) -> tuple[int, int, int]:
    """Return passed, failed and error trials of a row by its deciding column."""
    one = row[len(STAGES)]
    return one.passed, one.roots + one.below, one.unmeasured + one.explained + one.not_asked


def rows(cases: int, trials: int, word: str = "case", arm: str = ARM) -> tuple[BoardRow, ...]:
    """Return so many rows of a board; a case id begins with a word."""
    made = []
    for at in range(cases):
        row = cells(kind_of(at), trials, at)
        made.append(
            BoardRow(
                case=f"{word}-{at:05d}",
                arm=arm,
                trials=trials,
                cells=row,
                outcome=outcome(row),
                waived=at % 997 == 3,
            )
        )
    return tuple(made)


def columns() -> tuple[Column, ...]:
    """Return five stages and five metrics."""
    stages = tuple(Column(name=name, of="stage") for name in STAGES)
    metrics = tuple(
        Column(
            name=name,
            of="metric",
            tier="observe" if at > 2 else "gate",
            scope="outcome",
            stage="act" if not at else "reply",
            deciding=not at,
        )
        for at, name in enumerate(METRICS)
    )
    return stages + metrics


def counts(board: tuple[BoardRow, ...]) -> Counts:
    """Return the counts of some rows."""
    passed, failed, errors = (sum(row.outcome[at] for row in board) for at in range(3))
    planned = passed + failed + errors
    return Counts(
        planned=planned,
        passed=passed,
        failed=failed,
        errors=errors,
        causes={"environment": errors} if errors else {},
        coverage=1 - errors / planned if planned else None,
        asked=planned,
        unmeasured=errors,
        degraded=sum(cell.degraded for row in board for cell in row.cells),
    )


def estimates(word: str = "refunded", trials: int = 5) -> tuple[Estimate, ...]:
    """Return a rate, pass^1 to pass^k, and a figure that is undefined."""
    common: dict[str, Any] = {
        "metric": word,
        "n": 40,
        "worst": 0.8,
        "best": 0.9,
        "clean": 0.7,
        "degraded": 0.1,
    }
    return (
        Estimate(value=0.85, low=0.75, high=0.93, **common),
        *(
            Estimate(statistic=f"pass^{k}", value=0.9**k, low=0.85**k, high=min(1.0, 0.95**k), **common)
            for k in range(1, trials + 1)
        ),
        Estimate(metric=word, statistic="conditional", reason="nothing got there"),
    )


def asked(word: str, choice: Choice, at_least: float = 0.8) -> Estimate:
    """Return a figure that something was asked of."""
    return Estimate(
        metric="refunded",
        slice=f"capability={word}",
        value=0.85,
        low=0.75,
        high=0.93,
        bound=0.76,
        n=40,
        worst=0.8,
        best=0.9,
        threshold=at_least,
        decision=choice,
        flags=("at_least", "grade=isolated"),
        method="a method",
    )


def events(word: str, more: int = 0) -> tuple[Event, ...]:
    """Return the events of one trial, with so many further calls in the middle."""
    bodies: list[Body] = [
        Opened(case=word, arm=ARM, mode="mock", trial=0),
        UserTurn(content=f"{word}\nsecond line"),
        ModelReply(text=word),
        *(ToolCalled(id=str(at), tool=word, args={"text": word}) for at in range(1 + more)),
        ToolReturned(id="0", tool=word, status="ok", value={"text": word}),
        Replied(content=word),
        Probed(id=word, rows=[[word]]),
        Closed(message=word),
    ]
    return tuple(Event(execution="e", seq=at, at=at / 8, body=body) for at, body in enumerate(bodies))


def trial(word: str, index: int = 0, *, why: str = "failed", cluster: str = "", more: int = 0) -> ShownTrial:
    """Return a shown trial whose every foreign text is this word."""
    common: dict[str, Any] = {"index": index, "case": word, "arm": ARM, "trial": 0}
    stages = tuple(_stage(name, word, common) for name in STAGES)
    metrics = (
        Verdict(
            of="metric",
            name="refunded",
            outcome="fail",
            message=word,
            roots=("lookup",),
            cites=(4,),
            **common,
        ),
        Verdict(of="metric", name="told", outcome="pass", degraded=True, cites=(5,), **common),
        Verdict(
            of="metric",
            name="right_order",
            outcome="error",
            cause="environment",
            cause_class="unmeasured",
            sub="no_reply",
            message=word,
            **common,
        ),
    )
    happened = events(word, more)
    opened, closed = happened[0].body, happened[-1].body
    assert isinstance(opened, Opened)
    assert isinstance(closed, Closed)
    view = TrialView(
        attempts=2,
        verdicts=stages + metrics,
        sheet=_sheet(word),
        trace=Trace(opened=opened, events=happened, closed=closed),
        attribution=_attribution(word, common) if why == "failed" else None,
        run=word,
        notes=(word,),
        **common,
    )
    shown: dict[str, Any] = {"why": why}
    return ShownTrial(view=view, cluster=cluster, **shown)


def _stage(name: str, word: str, common: dict[str, Any]) -> Verdict:
    if name == "lookup":
        more: dict[str, Any] = {"outcome": "fail", "reason": "missing", "roots": ("lookup",), "message": word}
        return Verdict(of="stage", name=name, cites=(3, 99), **more, **common)
    if name == "decide":
        more = {
            "outcome": "error",
            "cause": "upstream_failed",
            "cause_class": "explained",
            "roots": ("lookup",),
        }
        return Verdict(of="stage", name=name, **more, **common)
    return Verdict(of="stage", name=name, outcome="pass", cites=(1,), **common)


def _sheet(word: str) -> FactSheet:
    return FactSheet(
        case=word,
        observes=("calls",),
        declared=(DeclaredFact(name=word, value={word: word}, cites=(3,)),),
        probes={word: ProbeFact(id=word, seq=6, rows=[[word]])},
        stop=StopFact(end="done", seq=7, message=word),
    )


def _attribution(word: str, common: dict[str, Any]) -> Attribution:
    return Attribution(
        phenomenon=word,
        process=3,
        process_text=word,
        primary=("lookup",),
        secondary=("act",),
        states={name: "failed" if name == "lookup" else "ok" for name in STAGES},
        reasons={"lookup": "missing"},
        suggestion=f"mend the lookup of {word}",
        grade="ticket",
        **common,
    )


def nodes(word: str = "") -> tuple[StageNode, ...]:
    """Return the stages as a chain with one that passes the others by."""
    needs = {
        "lookup": ("identify",),
        "decide": ("lookup",),
        "act": ("decide",),
        "reply": ("decide", "identify"),
    }
    return tuple(
        StageNode(
            name=name + word, needs=tuple(need + word for need in needs.get(name, ())), fallback=name == "act"
        )
        for name in STAGES
    )


def decision(word: str, of: Counts, choice: Choice = "no-go") -> Decision:
    """Return a decision whose every foreign text is this word."""
    return Decision(
        decision=choice,
        reasons=(f"{choice}: {word}",),
        changes=(word,),
        estimates=(
            asked(word, "go"),
            asked(f"{word}2", "undecided"),
            asked(f"{word}3", choice),
            *estimates(word),
        ),
        roots=(
            RootSummary(stage="lookup", cause="missing", cases=(word,), tags={"layer": [word]}, trials=2),
        ),
        counts=of,
        signature=signature(word),
        run=word,
        arm=ARM,
        waived=(word,),
        warnings=(word,),
        policy={"purpose": word, "require": [], "defaults": []},
    )


def signature(word: str) -> Signature:
    """Return a signature with a text for limits."""
    return Signature(suite_hash="0" * 64, mode="mock", limits={word: word}, evalkit="0.0", host=word)


def manifest(cases: int, trials: int, word: str) -> Manifest:
    """Return what a run is."""
    return Manifest(
        run=word,
        suite=word,
        arms={ARM: {}},
        signature=signature(word),
        plan=PlanSummary(trials=trials, planned=cases * trials, cases=cases),
        plan_hash="",
        started="2026-11-30T10:00:00.000Z",
        ended="2026-11-30T10:00:01.500Z",
        complete=True,
        losses=(word,),
        source={word: word},
    )


def document(cases: int = 20, trials: int = 5, *, word: str = "case", shown: int = 3) -> Document:
    """Return a document of so many cases whose every foreign text is, or begins with, this word."""
    board_rows = rows(cases, trials, word)
    of = counts(board_rows)
    cluster = Cluster(
        id="c1",
        roots=("lookup",),
        reasons={"lookup": "missing"},
        capability=word,
        cases=tuple(row.case for row in board_rows if row.outcome[1]) or (word,),
        trials=max(1, of.failed),
    )
    board = Board(
        manifest=manifest(cases, trials, word),
        counts={ARM: of},
        columns=columns(),
        rows=board_rows,
        clusters={ARM: (cluster,)},
        estimates={ARM: estimates(word, trials)},
        notes=(word,),
    )
    return Document(
        board=board,
        decision=decision(word, of),
        stages=nodes(),
        spreads={ARM: spreads()},
        waivers=(
            WaiverLine(case=word, reason=word, owner=word, until="2027-01-31", state="expired", failed=1),
        ),
        trials=tuple(_shown(word, at, shown) for at in range(shown)),
        left_out=(word,),
    )


def _shown(word: str, at: int, shown: int) -> ShownTrial:
    """Return the trial at a place among so many: the failed first, then the unmeasured, then the passed."""
    why = ("failed", "error", "passing")[at * 3 // shown]
    return trial(word, at, why=why, cluster="c1" if why == "failed" else "")


def spreads() -> tuple[Spread, ...]:
    """Return a spread that is known, and one of which nothing is."""
    return (
        Spread(name="agent", unit="s", n=99, unknown=1, total=120.5, p50=1.25, p90=2.5, p99=7.0),
        Spread(name="cost", unit="USD", n=0, unknown=100),
    )
