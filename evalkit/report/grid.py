"""The grid of a board: one row a case, one sign a stage or metric, as many side by side as fit.

What comes in: columns and rows. What goes out: lines, with what the numbers and the signs mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.board import BoardRow, Cell, Column
from evalkit.report.console import Look, Tone, cells, harmless, pad, wrap

_LEGEND = (
    "F failed here first; f follows from an F; - not reached because of an F; ? not measured; "
    "~ passed degraded; . passed; o not asked. A number says in how many trials; the worst is shown."
)
_WIDEST_NAME = 40  # cells; a longer case id goes on in the next line
_LEAST_NAME = 12


def grid(columns: Sequence[Column], rows: Sequence[BoardRow], look: Look) -> list[str]:
    """Return the grid.

    Args:
        columns: Stages, then metrics.
        rows: Cases of one arm.
        look: How it looks.
    """
    if not rows:
        return ["no case was run"]
    sign = 1 + max(
        [len(str(len(columns))), *(len(_sign(cell, row.trials)[0]) for row in rows for cell in row.cells)]
    )
    passed = 1 + max(4, *(len(_passed(row)) for row in rows))
    name = _name_width(rows, look.width - passed - 3 - sign * len(columns))
    block = max(1, (look.width - name - passed - 3) // sign)
    lines = []
    for start in range(0, max(1, len(columns)), block):
        layout = _Layout(name, passed, sign, range(start, min(start + block, len(columns))), columns)
        lines += [layout.head(look), *(line for row in rows for line in layout.row(row, look)), ""]
    return [*lines, *_meaning(columns, look)]


def _name_width(rows: Sequence[BoardRow], room: int) -> int:
    """Return the cells of the first column: what is left beside all signs, within reason."""
    widest = max(cells(harmless(_named(row))) for row in rows)
    return max(4, min(widest, max(room, _LEAST_NAME), _WIDEST_NAME))


def _named(row: BoardRow) -> str:
    return f"{row.case} (waived)" if row.waived else row.case


def _passed(row: BoardRow) -> str:
    return f"{row.outcome[0]}/{row.trials}"


class _Layout:
    """Where things stand in the lines of one block of columns."""

    def __init__(self, name: int, passed: int, sign: int, shown: range, columns: Sequence[Column]) -> None:
        self._name, self._passed, self._sign, self._shown = name, passed, sign, shown
        self._bar = next((at for at in shown if columns[at].of == "metric"), -1)

    def head(self, look: Look) -> str:
        """Return the head: the numbers of the columns."""
        numbers = "".join(self._at(at, pad(str(at + 1), self._sign)) for at in self._shown)
        return look.tone(f"{pad('case', self._name)} {pad('pass', self._passed)}{numbers}".rstrip(), "strong")

    def row(self, row: BoardRow, look: Look) -> Iterator[str]:
        """Yield one case; a long name goes on below."""
        first, *rest = wrap(_named(row), self._name)
        _, failed, errors = row.outcome
        tone: Tone = "bad" if failed else "warn" if errors else "good"
        signs = "".join(self._at(at, self._cell(row, at, look)) for at in self._shown)
        head = f"{pad(first, self._name)} {look.tone(pad(_passed(row), self._passed), tone)}"
        yield f"{head}{signs}".rstrip()
        yield from rest

    def _at(self, at: int, text: str) -> str:
        return f"| {text}" if at == self._bar and at != self._shown.start else text

    def _cell(self, row: BoardRow, at: int, look: Look) -> str:
        text, tone = _sign(row.cells[at], row.trials)
        return look.tone(text, tone) + " " * (self._sign - len(text))


def _sign(cell: Cell, trials: int) -> tuple[str, Tone]:
    """Return the worst that a cell holds, with how many trials where it is not all of them."""
    looks: tuple[tuple[int, str, Tone], ...] = (
        (cell.roots, "F", "bad"),
        (cell.unmeasured, "?", "warn"),
        (cell.below, "f", "dim"),
        (cell.explained, "-", "dim"),
        (cell.degraded, "~", "warn"),
        (cell.passed, ".", "good"),
        (cell.not_asked, "o", "dim"),
    )
    for number, sign, tone in looks:
        if number:
            return sign if number == trials else f"{sign}{number}", tone
    return "", "plain"


def _meaning(columns: Sequence[Column], look: Look) -> Iterator[str]:
    numbered = list(enumerate(columns, 1))
    yield from _numbers("stages", [one for one in numbered if one[1].of == "stage"], look)
    yield from _numbers("metrics", [one for one in numbered if one[1].of == "metric"], look)
    yield from wrap(_LEGEND, look.width, "signs   ", " " * 8)


def _numbers(title: str, numbered: Sequence[tuple[int, Column]], look: Look) -> Iterator[str]:
    words = ", ".join(f"{at} {one.name}{_mark(one)}" for at, one in numbered)
    if words:
        yield from wrap(words, look.width, f"{title:<8}", " " * 8)


def _mark(column: Column) -> str:
    if column.deciding:
        return " (decides)"
    return " (observed)" if column.tier == "observe" else ""
