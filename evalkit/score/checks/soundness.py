"""The check on characters: encoding.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that names code point and place.
Values are hostile, and no depth of nesting stops the search.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain, islice

from msgspec import Struct

from evalkit.records.safe import printable
from evalkit.records.verdict import Measure
from evalkit.records.wording import Encoding
from evalkit.records.written import Json
from evalkit.score.checks.seen import calls_of, ending, replies_of, unobserved
from evalkit.score.finding import CheckView, Finding

_AROUND = 20  # characters shown on either side
_LISTED = 3  # places that one reason names

# Control characters but tab and newline (a carriage return belongs to one only before it), surrogates, the
# replacement character, and the code points that Unicode keeps from ever being characters (section 23.7).
_NEVER = (
    "[\ufffd\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]|\r(?!\n)"
)
# A byte 80 to BF as Windows-1252 shows it.
_BYTE = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
# UTF-8 read as Windows-1252: Latin-1 letters (not inside a word in capitals, which may end in Ã), marks of
# U+20xx, emoji, U+FFFD itself, and two three-byte letters in a row, as Chinese gives them. One alone may well
# be "é”—" of a French sentence. And U+FFFD twice, read as GBK.
_MOJIBAKE = f"(?<![A-ZÀ-ÖØ-Þ])[ÂÃ][\u0080-\u00bf]|â€|ðŸ|ï¿½|(?:[ã-é]{_BYTE}{{2}}){{2}}|锟斤拷"
_UNSOUND = re.compile(_NEVER)
_UNSOUND_OR_MOJIBAKE = re.compile(f"{_NEVER}|{_MOJIBAKE}")

_Trail = tuple["_Trail", str | int] | None
"""The way to a value, from the innermost part outwards; written out only where something is found."""


class _Text(Struct, frozen=True):
    """One text that the agent wrote, and where."""

    where: str
    trail: _Trail
    text: str
    seq: int


class _Place(Struct, frozen=True):
    """Something in a text that should not be there."""

    text: _Text
    start: int
    found: str


def encoding(wanted: Encoding, view: CheckView) -> Finding:
    """Every reply (of the turn) holds nothing but sound characters; arguments of calls too, where asked.

    Args:
        wanted: What is looked at, and for what.
        view: What may be read.
    """
    texts = list(_texts(wanted, view))
    pattern = _UNSOUND_OR_MOJIBAKE if wanted.mojibake else _UNSOUND
    unsound = [one for one in texts if pattern.search(one.text)]
    count = sum(sum(1 for _ in pattern.finditer(one.text)) for one in unsound)
    measure = Measure(value=float(count), unit="unsound characters", n=len(texts), threshold=0.0)
    if unsound:
        told = "; ".join(map(_told, islice(_places(unsound, pattern), _LISTED)))
        more = f" and {count - _LISTED} more" if count > _LISTED else ""
        cites = tuple(sorted({one.seq for one in unsound}))
        return Finding(held=False, reason=f"{told}{more}", cites=cites, measure=measure)
    blind = unobserved(view, "replies", *(("calls",) if wanted.arguments else ()))
    return blind or _sound(view, texts, measure)


def _places(texts: list[_Text], pattern: re.Pattern[str]) -> Iterator[_Place]:
    return (_Place(one, match.start(), match[0]) for one in texts for match in pattern.finditer(one.text))


def _sound(view: CheckView, texts: list[_Text], measure: Measure) -> Finding:
    if not replies_of(view):
        return Finding(held=False, reason="there was no reply", cites=ending(view))
    cites = tuple(sorted({one.seq for one in texts}))
    return Finding(held=True, reason="every character is sound", cites=cites, measure=measure)


def _texts(wanted: Encoding, view: CheckView) -> Iterator[_Text]:
    for reply in replies_of(view):
        yield from (_Text("the reply", trail, text, reply.seq) for trail, text in _walk(reply.content))
    if wanted.arguments:
        for call in calls_of(view):
            where = f"an argument of {printable(call.tool)}"
            yield from (_Text(where, trail, text, call.seq) for trail, text in _walk(call.args))


def _walk(value: Json) -> Iterator[tuple[_Trail, str]]:
    """Yield every text in a value, keys included, in order."""
    waiting: list[tuple[_Trail, Json]] = [(None, value)]
    while waiting:
        trail, one = waiting.pop()
        if isinstance(one, str):
            yield trail, one
        elif isinstance(one, dict):
            pairs = ((((trail, key), key), ((trail, key), item)) for key, item in one.items())
            waiting.extend(reversed(list(chain.from_iterable(pairs))))
        elif isinstance(one, list):
            waiting.extend(reversed([((trail, at), item) for at, item in enumerate(one)]))


def _told(place: _Place) -> str:
    text = place.text.text
    around = printable(text[max(0, place.start - _AROUND) : place.start + len(place.found) + _AROUND])
    at = _path(place.text.trail)
    where = f"{place.text.where}{f' at {at}' if at else ''}"
    return f"{_named(place.found)} at character {place.start + 1} of {where}: {around!r}"


def _named(found: str) -> str:
    if len(found) > 1:
        return f"{found!r} ({' '.join(f'U+{ord(char):04X}' for char in found)}), text in a wrong encoding,"
    return f"U+{ord(found):04X} ({_name(found)})"


def _name(char: str) -> str:
    category = unicodedata.category(char)
    known = {"Cc": "a control character", "Cs": "a lone surrogate", "Cn": "no character"}
    return known.get(category) or unicodedata.name(char, "no name").lower()


def _path(trail: _Trail) -> str:
    """Return the last parts of a way as people write it."""
    parts: list[str] = []
    while trail is not None and len(parts) < _LISTED:
        trail, part = trail
        parts.append(f"[{part}]" if isinstance(part, int) else f".{printable(part)}")
    deeper = "..." if trail is not None else ""
    return deeper + "".join(reversed(parts)).removeprefix("." if not deeper else "")
