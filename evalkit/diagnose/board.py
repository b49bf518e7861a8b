"""The board: case x (stages and metrics), one red for each root, what hangs below it grey.

What comes in: the verdicts of a run, streamed. What goes out: columns and rows for `Board`.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from evalkit.records.board import BoardRow, Cell, Column
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict


@dataclass(slots=True)
class _Counted:
    """Counts of one cell while verdicts stream by; of very many, so that they are plain."""

    looks: dict[str, int] = field(default_factory=dict)
    causes: dict[str, int] = field(default_factory=dict)

    def count(self, looks: tuple[str, ...], cause: str | None) -> None:
        """Take one verdict in."""
        for look in looks:
            self.looks[look] = self.looks.get(look, 0) + 1
        if cause is not None:
            self.causes[cause] = self.causes.get(cause, 0) + 1


@dataclass(slots=True)
class _Gathered:
    """What is known of one case of one arm while verdicts stream by."""

    cells: list[_Counted]
    outcome: Counter[str] = field(default_factory=Counter)


def columns_of(suite: Suite) -> tuple[Column, ...]:
    """Return stages, then metrics, in the suite's order.

    Args:
        suite: The loaded suite.
    """
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


def board_rows(
    suite: Suite, verdicts: Iterable[Verdict], today: dt.date | None = None
) -> tuple[tuple[Column, ...], tuple[BoardRow, ...]]:
    """Count verdicts into cells.

    Args:
        suite: The loaded suite.
        verdicts: Verdicts of the last attempts, in plan order: stages before metrics within a trial.
        today: For waivers that have ended; None takes all waivers for valid.

    Returns:
        Columns, and one row for each case and arm in plan order.
    """
    columns = columns_of(suite)
    position = {(column.of, column.name): at for at, column in enumerate(columns)}
    waived = {waiver.case for waiver in suite.known if today is None or waiver.until >= today}
    reds = _Reds()
    gathered: dict[tuple[str, str], _Gathered] = {}
    for row in verdicts:
        key = (row.case, row.arm)
        if key not in gathered:
            gathered[key] = _Gathered([_Counted() for _ in columns])
        at = position[row.of, row.name]
        column = columns[at]
        gathered[key].cells[at].count(_looks(row, red=reds.takes(row, column)), row.cause)
        if column.deciding:
            gathered[key].outcome[row.outcome] += 1
    return columns, tuple(_row(key, one, waived=key[0] in waived) for key, one in gathered.items())


class _Reds:
    """Which fails of a trial are red: the first at each of its roots; memory of one trial at a time."""

    def __init__(self) -> None:
        self._trial: tuple[str, int] | None = None
        self._taken: set[str] = set()

    def takes(self, row: Verdict, column: Column) -> bool:
        """Return whether a verdict is the red of its root; what is only observed never is."""
        if (row.arm, row.index) != self._trial:
            self._trial, self._taken = (row.arm, row.index), set()
        stage = column.stage or column.name
        if row.outcome != "fail" or column.tier == "observe" or stage not in row.roots:
            return False
        first = stage not in self._taken
        self._taken.add(stage)
        return first


def _looks(row: Verdict, *, red: bool) -> tuple[str, ...]:
    """Return the counters of a cell that a verdict feeds."""
    if row.outcome == "pass":
        return ("passed", "degraded") if row.degraded else ("passed",)
    if row.outcome == "fail":
        return ("roots",) if red else ("below",)
    return (row.cause_class or "unmeasured",)


def _cell(one: _Counted) -> Cell:
    looks = one.looks.get
    return Cell(
        passed=looks("passed", 0),
        degraded=looks("degraded", 0),
        roots=looks("roots", 0),
        below=looks("below", 0),
        explained=looks("explained", 0),
        unmeasured=looks("unmeasured", 0),
        not_asked=looks("not_asked", 0),
        causes=dict(sorted(one.causes.items())),
    )


def _row(key: tuple[str, str], one: _Gathered, *, waived: bool) -> BoardRow:
    outcome = one.outcome
    return BoardRow(
        case=key[0],
        arm=key[1],
        trials=outcome.total(),
        cells=tuple(_cell(cell) for cell in one.cells),
        outcome=(outcome["pass"], outcome["fail"], outcome["error"]),
        waived=waived,
    )
