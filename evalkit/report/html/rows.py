"""The board of one arm for a page: what did not pass first, in full while it fits, then grouped and counted.

What comes in: a `Board`. What goes out: lines, and groups of cases whose cells are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evalkit.records.board import Board, BoardRow, Cell, Column
from evalkit.report.console import causes, count
from evalkit.report.html.signs import Sign, parts
from evalkit.report.html.text import NameRoom, Names

MOST_CELLS = 12_000
"""Cells that a page lays out in full; a browser takes about a second to open so many on a busy machine."""
_MOST_GROUPS = 300
_GREEN = 5  # the rank of a case that wholly passed

CellMarkup = Callable[[Sequence[tuple[Sign, int]], str, int], Markup]
"""(parts, causes, trials) -> a table cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One case, or cases whose cells are alike.

    Attributes:
        case: Case id; "" for a group.
        link: Id of the shown trial that stands for it; "" where none is shown.
        names: Of a group: its cases; None for one case.
        size: How many cases.
        trials: Planned trials of each case.
        outcome: Passed, failed and error trials of each case.
        cells: Table cells.
        tokens: What a filter finds: f (failed), u (not measured), d (degraded), p (wholly passed).
        waived: A waiver names the case.
    """

    case: str
    link: str
    names: Names | None
    size: int
    trials: int
    outcome: tuple[int, int, int]
    cells: Markup
    tokens: str
    waived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmBoard:
    """The board of one arm.

    Attributes:
        arm: The arm.
        columns: Stages, then metrics.
        lines: Cases in full.
        groups: Cases that are alike.
        cases: How many cases.
        tokens: Token of a filter -> how many cases carry it.
        left_out: What stands in no line, in a sentence; "".
    """

    arm: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    groups: tuple[Line, ...]
    cases: int
    tokens: dict[str, int]
    left_out: str


class BoardPrinter:
    """Lays out boards; cells that are alike are laid out once."""

    def __init__(self, board: Board, links: dict[tuple[str, str], str], cell: CellMarkup) -> None:
        """Begin.

        Args:
            board: The run.
            links: (arm, case) -> id of a trial that is shown.
            cell: Lays out a table cell.
        """
        self._board, self._links, self._cell = board, links, cell
        self._known: dict[tuple[object, ...], Markup] = {}
        self._room = NameRoom(1_200_000)

    def arm(self, arm: str) -> ArmBoard:
        """Return the board of one arm.

        Args:
            arm: The arm.
        """
        rows = sorted((row for row in self._board.rows if row.arm == arm), key=_rank)
        room = MOST_CELLS // max(1, len(self._board.columns) * len(self._board.counts))
        full = rows if len(rows) <= room else [row for row in rows[:room] if _rank(row) < _GREEN]
        groups = sorted(_alike(rows[len(full) :]), key=lambda group: (_rank(group[0]), -len(group)))
        tokens = [token for row in rows for token in _tokens(row).split()]
        return ArmBoard(
            arm=arm,
            columns=self._board.columns,
            lines=tuple(self._line(row) for row in full),
            groups=tuple(self._group(group) for group in groups[:_MOST_GROUPS]),
            cases=len(rows),
            tokens={token: tokens.count(token) for token in "fudp"},
            left_out=_left_out(groups[_MOST_GROUPS:], self._board.manifest.run),
        )

    def _line(self, row: BoardRow) -> Line:
        return Line(
            case=row.case,
            link=self._links.get((row.arm, row.case), ""),
            names=None,
            size=1,
            trials=row.trials,
            outcome=row.outcome,
            cells=self._cells(row),
            tokens=_tokens(row),
            waived=row.waived,
        )

    def _group(self, rows: Sequence[BoardRow]) -> Line:
        first = rows[0]
        return Line(
            case="",
            link="",
            names=self._room.take([row.case for row in rows]),
            size=len(rows),
            trials=first.trials,
            outcome=first.outcome,
            cells=self._cells(first),
            tokens=_tokens(first),
            waived=first.waived,
        )

    def _cells(self, row: BoardRow) -> Markup:
        return Markup("").join(self._one(cell, row.trials) for cell in row.cells)

    def _one(self, cell: Cell, trials: int) -> Markup:
        key = (*_key(cell), trials)
        if key not in self._known:
            self._known[key] = self._cell(tuple(parts(cell)), causes(cell.causes), trials)
        return self._known[key]


def _key(cell: Cell) -> tuple[object, ...]:
    return (
        cell.passed,
        cell.degraded,
        cell.roots,
        cell.below,
        cell.explained,
        cell.unmeasured,
        cell.not_asked,
        *cell.causes.items(),
    )


def _rank(row: BoardRow) -> int:
    """Return how early a row stands: failed, red, not measured, followed from something, degraded, passed."""
    if row.outcome[1]:
        return 0
    cells = row.cells
    if any(cell.roots for cell in cells):
        return 1
    if row.outcome[2] or any(cell.unmeasured for cell in cells):
        return 2
    if any(cell.below or cell.explained for cell in cells):
        return 3
    return 4 if any(cell.degraded for cell in cells) else _GREEN


def _tokens(row: BoardRow) -> str:
    """Return what a filter finds a row by."""
    found = [
        token
        for token, there in (
            ("f", row.outcome[1] or any(cell.roots or cell.below or cell.explained for cell in row.cells)),
            ("u", row.outcome[2] or any(cell.unmeasured for cell in row.cells)),
            ("d", any(cell.degraded for cell in row.cells)),
        )
        if there
    ]
    return " ".join(found or ["p"])


def _alike(rows: Iterable[BoardRow]) -> Iterator[list[BoardRow]]:
    """Yield cases whose cells, trials and waivers are alike, in the order of the first of each."""
    groups: dict[tuple[object, ...], list[BoardRow]] = {}
    for row in rows:
        key = (row.trials, row.outcome, row.waived, *(_key(cell) for cell in row.cells))
        groups.setdefault(key, []).append(row)
    yield from groups.values()


def _left_out(groups: Sequence[Sequence[BoardRow]], run: str) -> str:
    if not groups:
        return ""
    rows = [row for group in groups for row in group]
    failed = sum(bool(row.outcome[1]) for row in rows)
    errors = sum(bool(row.outcome[2]) for row in rows)
    there = f"{count(failed, 'case')} with fails, {count(errors, 'case')} with errors"
    more = count(len(rows), "more case")
    return f"{more} in no line of this table ({there}): evalkit report {run} -o r.json has them"
