"""Tabs in the indentation of YAML: found before parsing, and replaced so that parsing goes on.

What comes in: text. What goes out: the lines that are indented by tabs, and text in which they are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LEADING = re.compile(r"[ \t]*")
_BLOCK_SCALAR = re.compile(r"(?:^|[:\-?]\s+)[|>][-+0-9]{0,2}\s*(?:#.*)?$")
_INDENTED = re.compile(r"( +)[^ \t#]")


def widths(lines: list[str]) -> tuple[int, ...]:
    r"""Return how many spaces a tab may stand for, the likeliest first.

    Where other lines are indented by spaces, a tab stands for their step; where none is, for four.

    Args:
        lines: The lines of a file.

    >>> widths(["a:", "  b: 1", "\tc: 2"]), widths(["a:", "\tb: 1"])
    ((2, 4, 8), (4, 8, 2))
    """
    steps = [len(found[1]) for line in lines if (found := _INDENTED.match(line))]
    likely = (min(steps), 2, 4, 8) if steps else (4, 8, 2)
    return tuple(dict.fromkeys(likely))


def tabbed_lines(lines: list[str]) -> tuple[int, ...]:
    r"""Return the numbers (from 0) of the lines that are indented by a tab.

    Tabs that are text are left alone: after the indentation of a block scalar, and on lines of nothing but
    space.

    Args:
        lines: The lines of a file.

    Returns:
        Line numbers in order.

    >>> tabbed_lines(["a:", "\tb: 1", "c: |", "  x", "  \ty", "", "\t"])
    (1,)
    """
    return tuple(_tabbed(lines))


def _tabbed(lines: list[str]) -> Iterator[int]:
    header = content = -1  # indentation of the line that opens a block scalar, and of the scalar's text
    for number, line in enumerate(lines):
        text = line.lstrip(" \t")
        if not text.strip():
            continue
        leading = line[: len(line) - len(text)]
        spaces = len(leading) - len(leading.lstrip(" "))
        if header >= 0 and content < 0 and spaces > header:
            content = spaces
        if header >= 0 and spaces >= content >= 0:
            continue
        if "\t" in leading:
            yield number
        header = spaces if _BLOCK_SCALAR.search(line) else -1
        content = -1


def without_tabs(lines: list[str], numbers: tuple[int, ...], width: int) -> str:
    """Return the text with each tab in the indentation of some lines written as spaces.

    Args:
        lines: The lines of a file.
        numbers: Lines to change, from 0.
        width: Spaces for one tab.
    """
    changed = set(numbers)
    return "\n".join(_spaced(line, width) if number in changed else line for number, line in enumerate(lines))


def _spaced(line: str, width: int) -> str:
    leading = _LEADING.match(line)
    end = leading.end() if leading else 0
    return line[:end].replace("\t", " " * width) + line[end:]


def shift_of(line: str, width: int) -> int:
    """Return by how many columns the text of a changed line has moved to the right."""
    leading = _LEADING.match(line)
    return (leading[0] if leading else "").count("\t") * (width - 1)
