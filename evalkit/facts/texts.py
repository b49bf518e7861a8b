"""Text and JSON of what an agent wrote: hostile, and read strictly.

What comes in: contents of messages. What goes out: text, and JSON values without NaN or infinities.
"""

from __future__ import annotations

import json
import re

import msgspec

from evalkit.records.written import Json

_FENCED = re.compile(r"```[A-Za-z]*[ \t]*\n(.*?)```", re.DOTALL)


def json_value(text: str) -> Json:
    """Return the JSON value that a text is, or None where it is none.

    Args:
        text: Hostile text.

    Returns:
        The value; NaN, infinities, numbers out of range and nesting beyond reason are no JSON.

    >>> json_value('{"a": 1}'), json_value("NaN"), json_value("[" * 100000)
    ({'a': 1}, None, None)
    """
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def as_text(content: Json) -> str:
    """Return a message's content as text; objects become JSON.

    >>> as_text("hi"), as_text({"a": 1}), as_text(None)
    ('hi', '{"a":1}', '')
    """
    if isinstance(content, str):
        return content
    return "" if content is None else json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def fields_of(content: Json) -> Json:
    """Return the object or list that a message is or carries.

    Args:
        content: Text or object, as sent.

    Returns:
        The content itself where it is an object or list; of a text the JSON that it is, else the first fenced
        block that is JSON, else what stands between its first and its last brace; None where there is none.

    >>> fields_of('Done: {"status": "refunded"}.'), fields_of("Done.")
    ({'status': 'refunded'}, None)
    """
    if isinstance(content, dict | list):
        return content
    if not isinstance(content, str) or not ("{" in content or "[" in content):
        return None
    candidates = [content, *_FENCED.findall(content), content[content.find("{") : content.rfind("}") + 1]]
    values = (json_value(candidate.strip()) for candidate in candidates if candidate)
    return next((value for value in values if isinstance(value, dict | list)), None)
