"""Foreign text for a page: visible instead of obeyed, cut with a told count, isolated from its neighbours.

What comes in: texts that hostile parties may have written. What goes out: texts that a template escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from markupsafe import Markup, escape

from evalkit.report.console import count, harmless

T = TypeVar("T")

_LONGEST = 3000  # characters of one text; a sentence of evalkit never comes near


def clean(text: str) -> str:
    r"""Return foreign text whose control, format and surrogate characters are visible; newlines stay.

    >>> clean("a\x00b\r\n\u202ec")
    'a\\x00b\n\\u202ec'
    """
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(harmless(line) for line in lines)


def brief(text: str, most: int = _LONGEST) -> str:
    """Return a text cut to so many characters, with the number of those that are left out.

    >>> brief("abcdef", 4)
    'abcd… (2 more characters)'
    """
    left = len(text) - most
    return text if left <= 0 else f"{text[:most]}… ({count(left, 'more character')})"


def shown(value: object) -> object:
    """Return what a template may print: every text made harmless, whoever wrote it.

    Args:
        value: Markup, text, or a number.

    Raises:
        TypeError: It is neither; a page never says None.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return clean(brief(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise TypeError(f"a page cannot show {type(value).__name__}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(Generic[T]):
    """The beginning of a long list.

    Attributes:
        first: Shown at once.
        more: Shown on demand.
        left: How many are not in the page.
    """

    first: Sequence[T]
    more: Sequence[T]
    left: int


def listed(items: Iterable[T], first: int = 12, most: int = 200) -> Listed[T]:
    """Return a list of which so many stand in the page.

    Args:
        items: All of them.
        first: How many are shown at once.
        most: How many are in the page at all.
    """
    found = list(items)
    return Listed(first=found[:first], more=found[first:most], left=max(0, len(found) - most))


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A long text: its beginning, what is shown on demand, and how much is left out.

    Attributes:
        head: Shown at once, escaped.
        rest: Shown on demand, escaped.
        left: Characters that are not in the page.
        size: Bytes of both in the page.
    """

    head: Markup
    rest: Markup
    left: int
    size: int


def passage(text: str, first: int, most: int) -> Passage:
    """Return a text of which so many characters stand in the page.

    Args:
        text: Foreign text.
        first: Characters that are shown at once.
        most: Characters that are in the page at all.
    """
    head, rest = escape(clean(text[:first])), escape(clean(text[first : max(first, most)]))
    size = len(head.encode()) + len(rest.encode())
    return Passage(head=head, rest=rest, left=max(0, len(text) - max(first, most)), size=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """A long row of names, one a line, so that none can disturb its neighbour.

    Attributes:
        lines: The names, escaped.
        count: How many are in the page.
        left: How many are not.
    """

    lines: Markup
    count: int
    left: int


class NameRoom:
    """How many bytes of names a page still has room for."""

    def __init__(self, size: int) -> None:
        """Begin with so many bytes."""
        self._left = size

    def take(self, names: Sequence[str], longest: int = 80) -> Names:
        """Return as many names as there is room for.

        Args:
            names: Foreign texts.
            longest: Characters of one name.
        """
        kept: list[Markup] = []
        for name in names:
            line = escape(clean(brief(name, longest)).replace("\n", " "))
            self._left -= len(line.encode()) + 1
            if self._left < 0:
                break
            kept.append(line)
        return Names(lines=Markup("\n").join(kept), count=len(kept), left=len(names) - len(kept))
