"""Foreign text in GitHub's Markdown: shown as it is, obeyed nowhere.

What comes in: words that anybody may have written. What goes out: Markdown in which these words make no
markup, no HTML, no link, no mention and no reference. Harmless words stay plain, all others stand in code
spans, where nothing has a meaning (GitHub Flavored Markdown, sections 6.1 and 4.10).
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final

from evalkit.records.safe import printable

# A word of letters, digits and the punctuation of prose: nothing in it can begin markup. Whatever is no ASCII
# is no markup either.
_LETTER = r"A-Za-z0-9\u0080-\U0010ffff"
_PLAIN = re.compile(
    rf"""[("']?(?:\.(?=\d))?[{_LETTER}](?:[{_LETTER}.,%/'()=+;-]*[{_LETTER}%])?["')]?[.,;:!?)]*"""
)
# What looks plain and is turned into a link or a reference: addresses, issues, commits; and emphasis.
_TAKEN = re.compile(r"(?i)\bwww\.|//|\bgh-\d|_|\b[0-9a-f]{7,40}\b|\b[a-z]+-\d+\b")
_SIGNS: Final = {">=": "&gt;=", "<=": "&lt;=", ">": "&gt;", "<": "&lt;", "=": "\\=", "+": "\\+", "-": "\\-"}
_NUMBERED = re.compile(r"\d+[.)]")  # at the start of a line it would begin a list
_RUNS = re.compile("`+")


def code(text: str, most: int = 300) -> str:
    """Return foreign text as a code span.

    >>> code("a|b"), code("``"), code("")
    ('`a|b`', '``` `` ```', '` `')
    """
    clean = short(text, most) or " "
    fence = "`" * (1 + max((len(run) for run in _RUNS.findall(clean)), default=0))
    edge = " " if clean.strip(" ") and (clean[0] in "` " or clean[-1] in "` ") else ""
    return f"{fence}{edge}{clean}{edge}{fence}"


def cell(text: str, most: int = 300) -> str:
    r"""Return foreign text as a code span in a cell of a table, where a bar would end the cell.

    Renderers differ on a bar behind a backslash; a space between the two leaves no doubt.

    >>> cell("a|b")
    '`a\\|b`'
    """
    return code(text, most).replace("\\|", "\\ |").replace("|", "\\|")


def prose(text: str, most: int = 600) -> str:
    """Return foreign text as prose; of its words those that could mean something stand in code spans.

    >>> prose("settled is .7 >= .5, says @you")
    'settled is .7 &gt;= .5, says `@you`'
    """
    words = [word for word in short(text, most).split(" ") if word]
    shown = [(_plain(word, first=at == 0), word) for at, word in enumerate(words)]
    parts = []
    for bare, group in groupby(shown, key=lambda one: one[0] is not None):
        found = list(group)
        if bare:
            parts += [plain or "" for plain, _ in found]
        else:
            parts.append(_span(" ".join(word for _, word in found), most))
    return " ".join(parts)


def _span(text: str, most: int) -> str:
    """Return words as a code span, the punctuation of the sentence behind it."""
    last = text.rpartition(" ")[2]
    bare = text.rstrip(".,;:") if ":" not in last[:-1] else text
    return f"{code(bare, most)}{text[len(bare) :]}" if bare else code(text, most)


def _plain(word: str, *, first: bool) -> str | None:
    """Return a word as Markdown, or None where it may mean something there."""
    if word in _SIGNS:
        return _SIGNS[word]
    if not _PLAIN.fullmatch(word) or _TAKEN.search(word) or (first and _NUMBERED.fullmatch(word)):
        return None
    return word


def short(text: str, most: int) -> str:
    """Return foreign text on one line, made harmless, of at most so many characters.

    Args:
        text: Foreign text.
        most: Characters; what is cut off shows as `…`.
    """
    clean = printable(text[: most + 1])
    return clean if len(text) <= most and len(clean) <= most else f"{clean[: most - 1]}…"
