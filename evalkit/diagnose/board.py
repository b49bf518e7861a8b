"""The board: case x (stages and metrics), one red for each root, what hangs below it grey.

What comes in: the verdicts of a run, streamed. What goes out: columns and rows for `Board`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from evalkit.records.board import BoardRow, Cell, Column
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict


@dataclass(slots=True)
class _Counted:
    """Counts of one cell while verdicts stream by."""

    looks: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)


def columns_of(suite: Suite) -> tuple[Column, ...]:
    """Return stages, then metrics, in the suite's order."""
    deciding = suite.deciding.name
    stages = tuple(Column(name=stage.name, of="stage") for stage in suite.stages)
    metrics = tuple(
        Column(
            name=metric.name,
            of="metric",
            tier=metric.tier,
            scope=metric.scope,
            stage=metric.stage,
            deciding=metric.name == deciding,
        )
        for metric in suite.metrics
    )
    return stages + metrics


def board_rows(suite: Suite, verdicts: Iterable[Verdict]) -> tuple[tuple[Column, ...], tuple[BoardRow, ...]]:
    """Count verdicts into cells.

    Args:
        suite: The loaded suite.
        verdicts: Verdicts of the last attempts, in plan order.

    Returns:
        Columns, and one row for each case and arm in plan order.
    """
    columns = columns_of(suite)
    position = {(column.of, column.name): at for at, column in enumerate(columns)}
    waived = {waiver.case for waiver in suite.known}
    deciding = suite.deciding.name
    cells: dict[tuple[str, str], list[_Counted]] = {}
    outcomes: dict[tuple[str, str], Counter[str]] = {}
    for row in verdicts:
        key = (row.case, row.arm)
        if key not in cells:
            cells[key] = [_Counted() for _ in columns]
            outcomes[key] = Counter()
        counted = cells[key][position[row.of, row.name]]
        counted.looks.update(_looks(row))
        if row.cause is not None:
            counted.causes[row.cause] += 1
        if row.of == "metric" and row.name == deciding:
            outcomes[key][row.outcome] += 1
    rows = tuple(
        _row(key, [_cell(one) for one in counts], outcomes[key], waived=key[0] in waived)
        for key, counts in cells.items()
    )
    return columns, rows


def _looks(row: Verdict) -> tuple[str, ...]:
    """Return the counters of a cell that a verdict feeds."""
    if row.outcome == "pass":
        return ("passed", "degraded") if row.degraded else ("passed",)
    if row.outcome == "fail":
        return ("below",) if row.inherited else ("roots",)
    return (row.cause_class or "unmeasured",)


def _cell(one: _Counted) -> Cell:
    looks = one.looks
    return Cell(
        passed=looks["passed"],
        degraded=looks["degraded"],
        roots=looks["roots"],
        below=looks["below"],
        explained=looks["explained"],
        unmeasured=looks["unmeasured"],
        not_asked=looks["not_asked"],
        causes=dict(one.causes),
    )


def _row(key: tuple[str, str], cells: list[Cell], outcome: Counter[str], *, waived: bool) -> BoardRow:
    return BoardRow(
        case=key[0],
        arm=key[1],
        trials=outcome.total(),
        cells=tuple(cells),
        outcome=(outcome["pass"], outcome["fail"], outcome["error"]),
        waived=waived,
    )
