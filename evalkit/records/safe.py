"""Pure redaction and escaping: what must happen to a value before it is stored or shown.

What comes in: values that hostile parties may have written. What goes out: values that can be encoded,
stored and
printed. Non-finite numbers are refused, lone surrogates escaped reversibly, big integers kept.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable

from evalkit.records.written import Json

# U+E000..: a private-use character marks an escaped surrogate, and itself is escaped by doubling, so that
# `restore(escape(x)) == x` for every str.
_MARK = "\ue0ff"
_NEEDS_ESCAPE = re.compile("[\ud800-\udfff\ue0ff]")
_ESCAPED = re.compile("\ue0ff(\ue0ff|[0-9a-f]{4})")
_MIN_SECRET = 6  # characters; shorter values would redact ordinary words


def escape_surrogates(text: str) -> str:
    r"""Return text that UTF-8 can hold; lone surrogates become a mark and four hex digits.

    >>> restore_surrogates(escape_surrogates("a\ud800b")) == "a\ud800b"
    True
    """
    if text.isascii() or not _NEEDS_ESCAPE.search(text):
        return text
    return _NEEDS_ESCAPE.sub(lambda m: _MARK + (_MARK if m[0] == _MARK else f"{ord(m[0]):04x}"), text)


def restore_surrogates(text: str) -> str:
    """Return what `escape_surrogates` was given."""
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda m: _MARK if m[1] == _MARK else chr(int(m[1], 16)), text)


def storable(value: Json, text: Callable[[str], str] = escape_surrogates) -> Json:
    """Return a JSON value that can be encoded without loss.

    Args:
        value: None, bool, int, float, str, list, tuple or dict, nested.
        text: Applied to every string and key.

    Returns:
        The value with tuples as lists and strings escaped.

    Raises:
        ValueError: A number is not finite.
        TypeError: A key is not text, or a type is not JSON.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a number that can be stored")
        return value
    if isinstance(value, list | tuple):
        return [storable(item, text) for item in value]
    if isinstance(value, dict):
        return {_key(key, text): storable(item, text) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} is not a JSON type")


def _key(key: object, text: Callable[[str], str]) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{key!r} is not a text key")
    return text(key)


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Return a function that replaces every secret value by ``[redacted]``, wherever it stands in a text.

    Args:
        secrets: Values, not names; values under six characters are left alone.

    Returns:
        Text -> text. Longer secrets are replaced first; one is also known within JSON, and JSON within that.
    """
    long = (secret for secret in secrets if len(secret) >= _MIN_SECRET)
    known = sorted({text for secret in long for text in spellings(secret)}, key=len, reverse=True)
    if not known:
        return lambda text: text
    pattern = re.compile("|".join(re.escape(secret) for secret in known))
    return lambda text: pattern.sub("[redacted]", text)


def spellings(secret: str) -> set[str]:
    r"""Return how a text may be written: as it is, and within JSON up to two deep, in ASCII and not.

    Args:
        secret: Any text.

    >>> sorted(spellings("key")), sorted(spellings('a"b'))[:2]
    (['key'], ['a"b', 'a\\"b'])
    """
    found = {secret}
    for _ in range(2):
        found |= {json.dumps(text, ensure_ascii=pure)[1:-1] for text in found for pure in (True, False)}
    return found


def printable(text: str) -> str:
    r"""Return text without what a terminal would obey.

    Control, format and surrogate characters become visible; newlines and tabs become spaces.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char in "\n\t\r":
        return " "
    if char.isprintable() or char == "\u3000":
        return char
    code = ord(char)
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# What XML 1.0 cannot hold (section 2.2: most of C0, surrogates, U+FFFE and U+FFFF), and what a reader of a
# file would obey or not see: C1, DEL, and the characters that turn the direction of what follows.
_UNSEEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
)
_ILLEGIBLE = re.compile(f"[{_UNSEEN}]|\\\\(?=u[0-9a-f]{{4}})")
_LONE = re.compile("[\ud800-\udfff]|\\\\(?=u[0-9a-f]{4})")
_SPELLED = re.compile(r"\\u([0-9a-f]{4})")


def legible(text: str) -> str:
    r"""Return text that any format for machines can hold, every character visible, reversibly.

    Control, direction and surrogate characters, U+FFFE and U+FFFF become a backslash, `u` and four hex
    digits; so does a backslash before what would be read as such an escape. Tabs and line ends stay.

    >>> legible("a\x00\ud800b"), legible(r"C:\temp \u0041")
    ('a\\u0000\\ud800b', 'C:\\temp \\u005cu0041')
    """
    if text.isascii() and text.isprintable() and "\\u" not in text:
        return text
    return _ILLEGIBLE.sub(_spelled, text)


def encodable(text: str) -> str:
    """Return text that UTF-8 can hold: like `legible`, but only surrogates become visible."""
    if text.isascii() and "\\u" not in text:
        return text
    return _LONE.sub(_spelled, text)


def as_written(text: str) -> str:
    """Return what `legible` or `encodable` was given."""
    return _SPELLED.sub(lambda match: chr(int(match[1], 16)), text)


def _spelled(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
