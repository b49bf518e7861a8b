"""What a plain scalar is under the core schema of YAML 1.2, and whether people may have meant something else.

What comes in: the text of a plain scalar. What goes out: its value, and a doubt where another reader of YAML,
or a person, would read it differently.

Source: YAML 1.2.2, section 10.3.2 (core schema); YAML 1.1 types bool, int, float and timestamp for the
    doubts.
"""

from __future__ import annotations

import math
import re

from evalkit.records.written import Json

NOT_FINITE = "not-finite"
"""The doubt that is refused everywhere: the value is no finite number."""

# A scalar that begins with none of these is text, whatever follows.
_STARTS = frozenset("-+.0123456789tTfFnNyYoO~")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_OLD_BOOLEAN = re.compile(r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF")
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?")
_UNDERSCORE = re.compile(r"[-+]?(0[xob])?[0-9a-fA-F]*[0-9]_[0-9_]*(\.[0-9_]*)?|[-+]?0b[01]+")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")
_SURE_START = re.compile(r"-?(0|[1-9][0-9]*)?(\.|[eE]|$)")  # no plus, no leading zero
_MAX_DIGITS = 300  # digits of an integer; nobody writes more, and Python refuses to print 4,300
_DOUBLE_DIGITS = 17  # decimal digits that a double keeps


def resolve(text: str) -> tuple[Json, str]:
    """Return the value of a plain scalar and the kind of doubt about it.

    Args:
        text: The scalar without surrounding space.

    Returns:
        Value and "", or value and one of boolean, number, date, underscore, sexagesimal and `NOT_FINITE`.

    >>> resolve("87.5"), resolve("true"), resolve("A-17"), resolve("")
    ((87.5, ''), (True, ''), ('A-17', ''), (None, ''))
    >>> resolve("010"), resolve("no"), resolve("2026-10-02"), resolve("1_000"), resolve("12:30:45")
    ((10, 'number'), ('no', 'boolean'), ('2026-10-02', 'date'), ('1_000', 'underscore'), ('12:30:45',
    'sexagesimal'))
    """
    if text and text[0] not in _STARTS:
        return text, ""
    if text in _WORDS:
        return _WORDS[text], ""
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _float(text)
    return text, _doubt(text)


def _integer(text: str) -> tuple[Json, str]:
    if len(text) > _MAX_DIGITS:
        return text, "number"
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    value = int(text[2:] if base != 10 else text, base)
    return value, "" if str(value) == text else "number"


def _float(text: str) -> tuple[Json, str]:
    value = float(text)
    if not math.isfinite(value):
        return None, NOT_FINITE
    digits = sum(char.isdigit() for char in re.split("[eE]", text)[0].lstrip("-+0."))
    sure = _SURE_START.match(text) is not None and digits <= _DOUBLE_DIGITS
    return value, "" if sure else "number"


def _doubt(text: str) -> str:
    if _NO_NUMBER.fullmatch(text):
        return NOT_FINITE
    if _OLD_BOOLEAN.fullmatch(text):
        return "boolean"
    if _DATE.fullmatch(text):
        return "date"
    if _SEXAGESIMAL.fullmatch(text):
        return "sexagesimal"
    return "underscore" if _UNDERSCORE.fullmatch(text) else ""
