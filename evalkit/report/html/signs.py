"""How outcomes look: a glyph, a word and a pattern each, so that none is told by its colour alone.

What comes in: cells and verdicts. What goes out: signs; their colours and patterns are in `page.css`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalkit.records.board import Cell, Column
from evalkit.records.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """How one outcome looks.

    Attributes:
        code: Its class in the style sheet.
        glyph: What is seen.
        word: What is read.
        meaning: What the legend says.
    """

    code: str
    glyph: str
    word: str
    meaning: str


ROOT = Sign(code="r", glyph="✕", word="fail", meaning="failed here first: a root")
UNMEASURED = Sign(code="u", glyph="?", word="not measured", meaning="an error that nobody examined")
BELOW = Sign(code="b", glyph="↳", word="fail below", meaning="a fail that follows from a root, or is none")
EXPLAINED = Sign(code="e", glyph="–", word="not reached", meaning="an error that a root explains")
DEGRADED = Sign(code="d", glyph="◐", word="pass, degraded", meaning="passed by a fallback or after a fault")
PASSED = Sign(code="p", glyph="✓", word="pass", meaning="passed")
NOT_ASKED = Sign(code="o", glyph="○", word="not asked", meaning="an error where nothing was to be examined")

SIGNS = (ROOT, UNMEASURED, BELOW, EXPLAINED, DEGRADED, PASSED, NOT_ASKED)
"""All of them, the worst first."""


def parts(cell: Cell) -> Iterator[tuple[Sign, int]]:
    """Yield what the trials of a cell came to, the worst first; nothing where none was planned.

    Args:
        cell: One cell of the board.
    """
    numbers = (
        cell.roots,
        cell.unmeasured,
        cell.below,
        cell.explained,
        cell.degraded,
        cell.passed - cell.degraded,
        cell.not_asked,
    )
    return ((sign, number) for sign, number in zip(SIGNS, numbers, strict=True) if number > 0)


def of_verdicts(verdicts: Sequence[Verdict], columns: Sequence[Column]) -> tuple[Sign, ...]:
    """Return how every verdict of a trial looks; of the fails at one root the first is red, as on the board.

    Args:
        verdicts: Of one trial, stages first.
        columns: Of the board.
    """
    places = {(one.of, one.name): one for one in columns}
    taken: set[str] = set()
    signs = []
    for row in verdicts:
        place = places.get((row.of, row.name))
        stage = (place.stage if place is not None else "") or row.name
        observed = place is not None and place.tier == "observe"
        red = stage in row.roots and not observed and stage not in taken
        taken.update((stage,) if red and row.outcome == "fail" else ())
        signs.append(_sign(row, red=red))
    return tuple(signs)


def _sign(row: Verdict, *, red: bool) -> Sign:
    if row.outcome == "pass":
        return DEGRADED if row.degraded else PASSED
    if row.outcome == "fail":
        return ROOT if red else BELOW
    classes = {"explained": EXPLAINED, "not_asked": NOT_ASKED}
    return classes.get(row.cause_class or "", UNMEASURED)
