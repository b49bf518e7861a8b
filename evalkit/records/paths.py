"""Paths into JSON values, and the two questions that are asked of what they reach.

What comes in: a JSON value and a path that a suite wrote. What goes out: the values found there. A path is a
chain of keys joined by dots; ``[n]`` takes one item of a list, from 0, and ``[]`` takes every item. "" is the
whole value.
"""

from __future__ import annotations

import re
from functools import lru_cache

from evalkit.records.written import Json

_KEY = r"[^.\[\]]+"
_ITEM = r"\[[0-9]{0,9}\]"
_WHOLE = re.compile(rf"(?:{_KEY}|{_ITEM})(?:\.{_KEY}|{_ITEM})*")
_STEP = re.compile(rf"({_KEY})|\[([0-9]*)\]")


@lru_cache(maxsize=1024)
def steps(path: str) -> tuple[str | int | None, ...]:
    """Return the steps of a path.

    Args:
        path: As written in a suite.

    Returns:
        A key (str), a position (int) or every item (None) for each step; () for "".

    Raises:
        ValueError: The text is no path.

    >>> steps("result.hits[].id")
    ('result', 'hits', None, 'id')
    >>> steps("a..b")
    Traceback (most recent call last):
    ...
    ValueError: 'a..b' is no path: write keys joined by dots, with [n] or [] for items of a list
    """
    if not path:
        return ()
    if not _WHOLE.fullmatch(path):
        raise ValueError(
            f"{path!r} is no path: write keys joined by dots, with [n] or [] for items of a list"
        )
    return tuple(key or (int(position) if position else None) for key, position in _STEP.findall(path))


def read(value: Json, path: str) -> list[Json]:
    """Return every value that a path reaches; what is absent is not there, and that is not null.

    Args:
        value: A JSON value.
        path: A path; "" reaches the value itself.

    Returns:
        The values in order: at most one unless the path says ``[]``.

    Raises:
        ValueError: The text is no path.

    >>> read({"hits": [{"id": "a"}, {"id": "b"}, {}]}, "hits[].id")
    ['a', 'b']
    >>> read({"hits": [{"id": "a"}]}, "hits[0].id")
    ['a']
    >>> read({"hits": None}, "hits"), read({}, "hits"), read(7, "")
    ([None], [], [7])
    """
    found = [value]
    for step in steps(path):
        found = [inner for outer in found for inner in _inside(outer, step)]
    return found


def same(left: Json, right: Json) -> bool:
    """Return whether two JSON values are equal: true is not 1, but 1 is 1.0.

    Args:
        left: A JSON value.
        right: A JSON value.

    >>> same(1, 1.0), same(True, 1), same({"a": [1, None]}, {"a": [1, None]}), same("1", 1)
    (True, False, True, False)
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


def is_nothing(value: Json) -> bool:
    """Return whether a JSON value holds nothing: null, "", [] or {}; 0 and false are something.

    >>> [is_nothing(value) for value in (None, "", [], {}, 0, False, " ", [None])]
    [True, True, True, True, False, False, False, False]
    """
    return value is None or (isinstance(value, str | list | dict) and not value)


def _inside(value: Json, step: str | int | None) -> list[Json]:
    if isinstance(step, str):
        return [value[step]] if isinstance(value, dict) and step in value else []
    if not isinstance(value, list):
        return []
    if step is None:
        return value
    return [value[step]] if step < len(value) else []
