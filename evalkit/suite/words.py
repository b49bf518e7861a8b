"""The nearest known word, and lists of known words as people read them.

What comes in: a word and the words that are known. What goes out: text for the `suggestion` of a problem.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LISTED = 12  # known words that a message lists


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that a misspelt one is nearest to, or "".

    >>> nearest("conatins", ["contains", "matches"]), nearest("x", ["contains"])
    ('contains', '')
    """
    by_lower = {str(name).lower(): str(name) for name in known}
    close = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else ""


def suggest(word: str, known: Iterable[str], *, none: str = "") -> str:
    """Return `did you mean ...?`, or what is known, or `none` where nothing is.

    >>> suggest("identfy", ["identify", "act"]), suggest("zzz", ["identify", "act"])
    ('did you mean `identify`?', 'known: act, identify')
    """
    names = sorted({str(name) for name in known})
    close = nearest(word, names)
    if close:
        return f"did you mean `{close}`?"
    if not names:
        return none
    names = [name for name in names if name.removeprefix("not_") == name]  # negations go without saying
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"known: {', '.join(names[:_LISTED])}{more}"
