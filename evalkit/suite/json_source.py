"""JSON text -> plain values, with doubled keys and numbers that are none refused.

What comes in: one line of a table, or one cell. What goes out: a value, or a `NotJson` that says why not.
"""

from __future__ import annotations

import json
import math
from typing import NoReturn

from evalkit.records.written import Json

_MAX_DIGITS = 300  # digits of an integer, as in YAML
_MAX_DEPTH = 64  # levels, as in YAML


class NotJson(ValueError):
    """A text is not the JSON that is taken here.

    Attributes:
        code: A key of `codes.CODES`.
        column: 1-based character; 1 where unknown.
        value: What was there.
        message: What is wrong.
        suggestion: What to write instead.
    """

    def __init__(
        self, code: str, message: str, *, column: int = 1, value: str = "", suggestion: str = ""
    ) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.code = code
        self.column = column
        self.value = value
        self.message = message
        self.suggestion = suggestion


def read_json(text: str) -> Json:
    """Return the value of a JSON text.

    Args:
        text: Standard JSON.

    Returns:
        The value.

    Raises:
        NotJson: syntax, duplicate-key, not-finite, encoding or too-deep.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        said = f"this is not JSON: {error.msg}"
        column = error.pos + 1
        raise NotJson(
            "syntax",
            said,
            column=column,
            value=text[error.pos : error.pos + 20].strip() or "the end",
            suggestion="mend it",
        ) from None
    except RecursionError:
        raise NotJson("too-deep", "nested too deep", value="...", suggestion="say it flatter") from None
    _check(value, 0)
    return value


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotJson(
            "duplicate-key",
            f"the key `{twice}` is there twice",
            value=twice,
            suggestion="leave one of them out",
        )
    return value


def _constant(text: str) -> NoReturn:
    raise NotJson("not-finite", "a number must be finite", value=text, suggestion="quote it if it is text")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        _constant(text)
    return value


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise NotJson("quote-it", "no number is that long", value=text[:20] + "…", suggestion="quote it")
    return int(text)


def _check(value: Json, depth: int) -> None:
    """Refuse what could not be stored: nesting without end, and halves of surrogate pairs."""
    if depth > _MAX_DEPTH:
        raise NotJson(
            "too-deep", f"nested more than {_MAX_DEPTH} levels deep", value="...", suggestion="say it flatter"
        )
    if isinstance(value, dict):
        for key, inner in value.items():
            _check(key, depth)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)
    elif (
        isinstance(value, str) and not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)
    ):
        said = "half a surrogate pair is no character"
        raise NotJson("encoding", said, value=ascii(value)[:40], suggestion="write the character itself")
