"""Text for a terminal: width in cells, colour only where asked, foreign text made harmless.

What comes in: words. What goes out: words that fit, wide characters counted as two cells.
"""

from __future__ import annotations

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

# Marks on one character; a taller stack would be drawn over the lines above and below.
_MOST_MARKS = 3
# They ask for another drawing of the character before them, and terminals differ on how wide that is.
_SELECTORS = frozenset([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])


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


def harmless(text: str) -> str:
    r"""Return foreign text that a terminal shows and does not obey, whose width can be told.

    Control and format characters become visible, newlines and tabs spaces; selectors of another drawing are
    left out, and of marks piled on one character those above the third are shown by their number.

    >>> harmless("a\x1b[31mb"), harmless("e" + "\u0301" * 4)
    ('a\\x1b[31mb', 'e\u0301\u0301\u0301\\u0301')
    """
    clean = printable(text)
    if clean.isascii():
        return clean
    kept, marks = [], 0
    for char in clean:
        if ord(char) in _SELECTORS:
            continue
        marks = marks + 1 if wcwidth(char) == 0 else 0
        kept.append(char if marks <= _MOST_MARKS else f"\\u{ord(char):04x}")
    return "".join(kept)


def cells(text: str) -> int:
    """Return how many cells a harmless text takes.

    >>> cells("退款 ok")
    7
    """
    return len(text) if text.isascii() else max(0, wcswidth(text))


def cut(text: str, width: int) -> str:
    """Return foreign text made harmless and no wider than so many cells; what is cut off shows as `…`.

    >>> cut("退款退款", 5), cut("ok", 5)
    ('退款…', 'ok')
    """
    clean = harmless(text)
    if cells(clean) <= width:
        return clean
    return _start(clean, width - 1) + "…" if width > 0 else ""


def _start(clean: str, width: int) -> str:
    """Return the longest beginning of a harmless text that is no wider than so many cells."""
    kept = ""
    for char in clean:
        if cells(kept + char) > width:
            break
        kept += char
    return kept


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return foreign text cut or filled up to exactly so many cells.

    >>> pad("退款", 6) + "|", pad("7", 3, right=True)
    ('退款  |', '  7')
    """
    short = cut(text, width)
    space = " " * (width - cells(short))
    return space + short if right else short + space


def wrap(text: str, width: int, indent: str = "", hang: str | None = None) -> list[str]:
    """Return foreign text broken into lines at spaces, or anywhere in words that are wider than a line.

    Args:
        text: Foreign text.
        width: Cells in a line, indent included; at least two more than the indent.
        indent: What the first line begins with.
        hang: What further lines begin with; None means the indent.
    """
    rest = indent if hang is None else hang
    rooms = [max(2, width - cells(begin)) for begin in (indent, rest)]
    lines = [""]
    for word in harmless(text).split(" "):
        _append(lines, word, rooms)
    return [f"{rest if at else indent}{one}".rstrip(" ") for at, one in enumerate(lines)]


def _append(lines: list[str], word: str, rooms: list[int]) -> None:
    """Put a harmless word behind the last line, or below it; what is wider than a line is broken."""
    while word:
        room = rooms[min(len(lines), 2) - 1]
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if len(joined) <= room * (_MOST_MARKS + 1) and cells(joined) <= room:
            lines[-1] = joined
            return
        if lines[-1]:
            lines.append("")
            continue
        # No beginning has more characters than cells and marks; to look further ahead would cost time.
        piece = _start(word[: room * (_MOST_MARKS + 1)], room) or word[0]
        lines[-1], word = piece, word[len(piece) :]
        lines += [""] if word else []


def number(value: float | None) -> str:
    """Return a figure for people; what is undefined is a dash, never 0.

    >>> number(0.66667), number(None), number(1.0)
    ('.667', '-', '1.000')
    """
    return "-" if value is None else f"{value:.3f}".removeprefix("0")


def count(of: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "case"), count(2, "case")
    ('1 case', '2 cases')
    """
    return f"{of} {noun}{'' if of == 1 else 's'}"


def causes(found: dict[str, int]) -> str:
    """Return causes with their counts, most frequent first."""
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number} {cause}" for cause, number in ordered)
