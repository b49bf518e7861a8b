"""Tables on a terminal: columns that line up, and words that are broken rather than cut.

What comes in: rows of foreign texts. What goes out: lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from evalkit.report.console import cells, harmless, pad, wrap

_GAP = "  "
_LEAST = 8  # cells that a column of words keeps while another can still give


def table(rows: Sequence[Sequence[str]], width: int, *, right: frozenset[int] = frozenset()) -> list[str]:
    """Return rows as aligned columns; a text that is too wide for its column goes on in the next line.

    Args:
        rows: Foreign texts, every row as long as the first, which is the head.
        width: Cells in a line, at least 40.
        right: Positions of figures: aligned to the right, and the last to give way.
    """
    return [line for lines in blocks(rows, width, right=right) for line in lines]


def blocks(
    rows: Sequence[Sequence[str]],
    width: int,
    *,
    right: frozenset[int] = frozenset(),
    whole: frozenset[int] = frozenset(),
) -> list[list[str]]:
    """Return the lines of every row of a table.

    Args:
        rows: Foreign texts, every row as long as the first, which is the head.
        width: Cells in a line, at least 40.
        right: Positions of figures: aligned to the right.
        whole: Positions of what is to be copied, e.g. names: the last to be broken.
    """
    if not rows:
        return []
    widths = _widths(rows, width, right, whole)
    return [_lines(row, widths, right) for row in rows]


def _widths(
    rows: Sequence[Sequence[str]], width: int, right: frozenset[int], whole: frozenset[int]
) -> list[int]:
    """Return the columns' widths: each as wide as its widest text, the widest words giving way first."""
    widths = [max(cells(harmless(row[at])) for row in rows) for at in range(len(rows[0]))]
    room = width - len(_GAP) * (len(widths) - 1)
    longest = [
        max(cells(word) for row in rows for word in harmless(row[at]).split(" ")) for at in range(len(widths))
    ]
    while sum(widths) > room and max(widths) > 2:
        words = [at for at, one in enumerate(widths) if at not in right | whole and one > _LEAST]
        words = [at for at in words if widths[at] > longest[at]] or words
        others = [at for at, one in enumerate(widths) if at not in whole and one > 2]
        giving = max(words or others or range(len(widths)), key=lambda at: widths[at])
        widths[giving] -= 1
    return widths


def _lines(row: Sequence[str], widths: Sequence[int], right: frozenset[int]) -> list[str]:
    """Return one row, on as many lines as its longest text takes."""
    columns = [wrap(text, width) if width else [""] for text, width in zip(row, widths, strict=True)]
    return [
        _GAP.join(
            pad(text, width, right=at in right)
            for at, (text, width) in enumerate(zip(texts, widths, strict=True))
        ).rstrip()
        for texts in zip_longest(*columns, fillvalue="")
    ]
