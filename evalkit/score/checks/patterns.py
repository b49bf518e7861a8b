"""The suite's regular expressions on text that an agent wrote.

What comes in: a pattern of the suite, hostile text of any length. What goes out: matches. Text is read in
windows, so that a pattern whose time grows with the square of the text is held to the square of a window, and
padding hides nothing. A pattern that takes no end of time within a window is the suite's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalkit.errors import SuiteBug

WINDOW = 100_000
"""Characters that are searched at once; text up to this length is searched as a whole."""

OVERLAP = 10_000
"""Characters that two windows share: in longer text a match of up to this length is found wherever it is."""


def occurrences(
    pattern: str, text: str, *, window: int = WINDOW, overlap: int = OVERLAP
) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern in a text, from the left, none inside another.

    Args:
        pattern: A regular expression of the suite.
        text: Hostile text.
        window: Characters that are searched at once.
        overlap: Characters that two windows share, fewer than a window.

    Raises:
        SuiteBug: The pattern is no regular expression.
    """
    compiled = _compiled(pattern)
    at, end = 0, len(text)
    while at <= end:
        last = at + window >= end
        found = compiled.search(text, at, at + window)
        if found is None:
            if last:
                return
            at += window - overlap
            continue
        # The end of a window is no end of the text: what begins here is matched against all that follows.
        whole = found if last else compiled.match(text, found.start())
        at = found.start() + 1
        if whole is not None:
            at = max(at, whole.end())
            yield whole


def is_found(pattern: str, text: str) -> bool:
    """Return whether a pattern is found in a text.

    Args:
        pattern: A regular expression of the suite.
        text: Hostile text.

    Raises:
        SuiteBug: The pattern is no regular expression.

    >>> is_found("refund(ed)?$", "it was refunded"), is_found("^refund", "it was refunded")
    (True, False)
    """
    return next(occurrences(pattern, text), None) is not None


def group_of(match: re.Match[str]) -> str:
    """Return the first group of a match, or the whole match where there is none or it took no part.

    >>> [group_of(match) for match in occurrences(r"doc-([0-9]+)|none", "doc-7, none")]
    ['7', 'none']
    """
    first = match[1] if match.re.groups else None
    return match[0] if first is None else first


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise SuiteBug(f"{pattern!r} is no regular expression: {error}") from error
