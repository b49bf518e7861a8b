"""Reading the arguments of a tool call: the text that a model wrote -> one JSON object.

What comes in: raw text, from a hostile party. What goes out: `Arguments`, or a reason why there are none.
Known malformed forms are repaired, always in the same way; the raw text stays in the trace, so every
repair can be seen.
"""

from __future__ import annotations

import json
import re
from typing import Final

import msgspec
from msgspec import Struct

from evalkit.records.written import Json
from evalkit.world.values import DEEPEST, parsed_json

_FENCE = re.compile(r"\s*```[\w-]*\s*\n?(.*?)\n?\s*```\s*", re.DOTALL)
# A string is matched whole, so that a comma inside one is never taken for a trailing comma.
_STRING_OR_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
# Most arguments are short, and an object without a fault. Text this short holds nothing that is nested too
# deep or too wide to be stored, and the decoder refuses all else that the longer way refuses or mends.
_SHORT = 2 * DEEPEST
_OBJECT: Final = msgspec.json.Decoder(dict[str, Json])
_SHOWN = 200  # characters of the offending text that a message quotes


class Arguments(Struct, frozen=True, kw_only=True):
    """What could be read out of the arguments of a call.

    Attributes:
        value: The arguments; None where they could not be read.
        problem: What is wrong with them; "" where nothing is.
    """

    value: dict[str, Json] | None = None
    problem: str = ""


def read_arguments(raw: str) -> Arguments:
    r"""Read the arguments of a call, repairing the malformed forms that models are known to write.

    The repairs, in this order: a code fence around the object is taken off; no text at all is no
    arguments; a comma before a closing bracket is dropped; an object written into a JSON string is read a
    second time; a list that holds nothing but one object is that object.

    Args:
        raw: Argument text as the model wrote it.

    Returns:
        The arguments, or what is wrong with them.

    >>> read_arguments('"{\\"order_id\\": \\"A-17\\",}"').value
    {'order_id': 'A-17'}
    >>> read_arguments("[1]").problem
    'they are a list, not one JSON object'
    """
    if raw == "{}":
        return Arguments(value={})
    plain = _plain(raw) if len(raw) <= _SHORT else None
    if plain is not None:
        return Arguments(value=plain)
    try:
        value = _unwrapped(_parsed(raw))
    except json.JSONDecodeError as error:
        return Arguments(problem=f"they are not JSON ({error.msg} at character {error.pos}): {raw[:_SHOWN]}")
    except ValueError as error:
        return Arguments(problem=f"they hold a value that cannot be read ({error})")
    if isinstance(value, dict):
        return Arguments(value=value)
    return Arguments(problem=f"they are {_KINDS.get(type(value), 'a number')}, not one JSON object")


_KINDS: dict[type, str] = {list: "a list", str: "a text", bool: "a truth value"}


def _plain(raw: str) -> dict[str, Json] | None:
    """Return an object without a fault, the fast way."""
    try:
        return _OBJECT.decode(raw)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None


def _parsed(text: str) -> Json:
    fenced = _FENCE.fullmatch(text)
    bare = (fenced[1] if fenced else text).strip()
    if bare in {"", "null"}:
        return {}
    try:
        return parsed_json(bare)
    except json.JSONDecodeError:
        mended = _STRING_OR_TRAILING_COMMA.sub(lambda found: found[1] or "", bare)
        if mended == bare:
            raise
        return parsed_json(mended)


def _unwrapped(value: Json) -> Json:
    if isinstance(value, str) and value.strip().startswith(("{", "[", "```")):
        value = _parsed(value)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return value[0]
    return value
