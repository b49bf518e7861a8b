"""Text for a terminal: width in cells, colour only where asked, foreign text made harmless.

What comes in: words. What goes out: words that fit, wide characters counted as two cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wcwidth import wcswidth, wcwidth

from evalkit.records.safe import printable

Tone = Literal["good", "bad", "warn", "dim", "strong", "plain"]
"""What a colour says; the words say it too."""

_CODES: dict[Tone, str] = {
    "good": "\x1b[32m",
    "bad": "\x1b[1;31m",
    "warn": "\x1b[33m",
    "dim": "\x1b[90m",
    "strong": "\x1b[1m",
    "plain": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a page looks.

    Attributes:
        width: Cells in a line, at least 40.
        colour: Whether tones are coloured.
    """

    width: int = 80
    colour: bool = False

    def tone(self, text: str, tone: Tone) -> str:
        """Return text in a tone.

        Args:
            text: Text that is already harmless.
            tone: What the colour says.
        """
        code = _CODES[tone]
        return f"{code}{text}\x1b[0m" if self.colour and code and text else text


def cells(text: str) -> int:
    """Return how many cells a harmless text takes.

    >>> cells("退款 ok")
    7
    """
    return max(0, wcswidth(text))


def cut(text: str, width: int) -> str:
    """Return foreign text made harmless and no wider than so many cells; what is cut off shows as `…`.

    >>> cut("退款退款", 5), cut("ok", 5)
    ('退款…', 'ok')
    """
    clean = printable(text)
    if cells(clean) <= width:
        return clean
    kept, used = [], 0
    for char in clean:
        size = max(0, wcwidth(char))
        if used + size > width - 1:
            break
        kept.append(char)
        used += size
    return "".join(kept) + ("…" if width > 0 else "")


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return foreign text cut or filled up to exactly so many cells.

    >>> pad("退款", 6) + "|", pad("7", 3, right=True)
    ('退款  |', '  7')
    """
    short = cut(text, width)
    space = " " * (width - cells(short))
    return space + short if right else short + space


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Return foreign text broken into lines at spaces, or anywhere in text without spaces.

    Args:
        text: Foreign text.
        width: Cells in a line, indent included.
        indent: What every line begins with.
    """
    room = max(10, width - cells(indent))
    lines, line = [], ""
    for word in printable(text).split(" "):
        for piece in _pieces(word, room):
            if line and cells(line) + 1 + cells(piece) > room:
                lines.append(line)
                line = piece
            else:
                line = f"{line} {piece}" if line else piece
    return [indent + one for one in [*lines, line]]


def _pieces(word: str, room: int) -> list[str]:
    """Break a word that is wider than a line."""
    pieces, piece, used = [], "", 0
    for char in word:
        size = max(0, wcwidth(char))
        if used + size > room:
            pieces.append(piece)
            piece, used = "", 0
        piece, used = piece + char, used + size
    return [*pieces, piece]


def columns(rows: Sequence[Sequence[str]], look: Look, *, right: frozenset[int] = frozenset()) -> list[str]:
    """Return rows as aligned columns; the widest column gives way where a line is too long.

    Args:
        rows: Foreign texts, every row as long as the first.
        look: For the width.
        right: Positions that are aligned to the right.
    """
    if not rows:
        return []
    widths = [max(cells(printable(row[at])) for row in rows) for at in range(len(rows[0]))]
    while sum(widths) + 2 * (len(widths) - 1) > look.width and max(widths) > 8:
        widths[widths.index(max(widths))] -= 1
    return [
        "  ".join(
            pad(text, width, right=at in right)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def number(value: float | None) -> str:
    """Return a figure for people; what is undefined is a dash, never 0.

    >>> number(0.66667), number(None), number(1.0)
    ('.667', '-', '1.000')
    """
    if value is None:
        return "-"
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0.") else text


def causes(found: dict[str, int]) -> str:
    """Return causes with their counts, most frequent first."""
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {cause}" for cause, count in ordered)
