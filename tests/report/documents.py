"""Documents for the formats of a report: whole, hostile, and with rows that belong to them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from evalkit.records.board import Board, Column
from evalkit.records.decision import Counts, Decision
from evalkit.records.document import Document, Spread, StageNode
from evalkit.records.flat import FailingCase, TrialRows
from evalkit.records.verdict import Measure, Verdict
from evalkit.records.waivers import WaiverLine
from tests.report import building

EVERY = "".join(map(chr, range(0x10000)))
"""Every code point from U+0000 to U+FFFF, lone surrogates among them."""

CHINESE = "退款订单 👩\u200d💻👍🏽🇨🇳❤️"


def document(text: str, *, arms: tuple[str, ...] = ("a",), decided: bool = True) -> Document:
    """A document whose every foreign text is this one; `counts_of` tells its counts."""
    columns = (
        Column(name="look", of="stage"),
        Column(name="right", of="metric", tier="gate", scope="outcome", stage="look", deciding=True),
        Column(name="fine", of="metric", tier="observe", scope="turn", stage="look"),
    )
    board = Board(
        manifest=msgspec.structs.replace(building.manifest(suite="s"), complete=True, losses=(text,)),
        counts={arm: counts_of() for arm in arms},
        columns=columns,
        rows=tuple(building.row(f"c{at}", arm, ()) for arm in arms for at in range(6)),
        clusters={arm: (building.cluster(text, 8),) for arm in arms},
        estimates={arm: building.estimates(text) for arm in arms},
        notes=(text,),
    )
    return Document(
        board=board,
        decision=decision(text, arms[0]) if decided else None,
        ask="evalkit gate r1",
        stages=(StageNode(name="look"),),
        spreads={arm: (Spread(name="agent", unit="s", n=6, unknown=0, total=3.0),) for arm in arms},
        waivers=(WaiverLine(case="c2", reason=text, owner=text, until="2027-01-31", state="active"),),
        left_out=(text,),
    )


def incomplete(document: Document) -> Document:
    """Return the same of a run that has no end."""
    manifest = msgspec.structs.replace(document.board.manifest, complete=False)
    board = msgspec.structs.replace(document.board, manifest=manifest)
    return msgspec.structs.replace(document, board=board)


def decision(text: str, arm: str) -> Decision:
    """A no-go about an arm."""
    return msgspec.structs.replace(building.decision(text), arm=arm, run="r1")


def counts_of() -> Counts:
    """What `trials` come to: a pass, two fails, and one error of each class."""
    return Counts(
        planned=6,
        passed=1,
        failed=2,
        errors=3,
        causes={"upstream_failed": 1, "not_required": 1, "environment": 1},
        coverage=0.8,
        asked=5,
        unmeasured=1,
    )


def trials(text: str, arm: str = "a") -> Iterator[TrialRows]:
    """Yield six trials that end as `counts_of` says."""
    for number in range(6):
        rows = verdicts(text, arm, number)
        yield TrialRows(rows=rows, seconds=None if number == 5 else 0.5, place=f"cases/{number}.yaml:3")


def verdicts(text: str, arm: str, number: int) -> tuple[Verdict, ...]:
    """Return the verdicts of one trial: a stage, the deciding metric, another metric."""
    common = {"index": number, "case": f"c{number}", "arm": arm, "trial": 0}
    ends: tuple[dict[str, object], ...] = (
        {"outcome": "pass"},
        {"outcome": "fail", "reason": "check", "roots": (text,), "cites": (1, 2)},
        {"outcome": "fail", "reason": "check", "measure": Measure(value=-0.5, unit=text, threshold=1.0)},
        {"outcome": "error", "cause": "upstream_failed", "cause_class": "explained", "roots": (text,)},
        {"outcome": "error", "cause": "not_required", "cause_class": "not_asked"},
        {"outcome": "error", "cause": "environment", "cause_class": "unmeasured", "sub": text},
    )
    made = (
        {"of": "stage", "name": "look", "outcome": "fail" if number == 1 else "pass", "reason": None},
        {"of": "metric", "name": "right", "message": text, **ends[number]},
        {"of": "metric", "name": "fine", "outcome": "fail", "message": text},
    )
    return tuple(msgspec.convert({**common, **one}, Verdict) for one in made)


def failing(text: str, number: int = 3) -> tuple[FailingCase, ...]:
    """Return so many failing cases, one that was not measured, and one that is waived."""
    base = FailingCase(case="", arm="a", trials=2, message=text, place="golden/c.yaml:7")
    changed: list[dict[str, object]] = [
        {"case": f"c{at}", "failed": 1, "roots": (text,)} for at in range(number)
    ]
    lost = {"case": "lost", "unmeasured": 2, "cause": "environment", "message": "", "missing": text}
    changed.append(lost)
    changed.append({"case": "known", "failed": 2, "waived": True})
    return tuple(msgspec.structs.replace(base, **one) for one in changed)
