"""The columns and cells of a CSV table of cases: where a column belongs, and what a cell says.

What comes in: the name of a column, the text of a cell. What goes out: a key path, a value. Text stays text
wherever text is allowed alone; in free fields a cell is a number or JSON only where it is written exactly as
JSON writes it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from evalkit.records.written import Json
from evalkit.suite.document import KeyPath
from evalkit.suite.json_source import NotJson, read_json

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}


def column_path(name: str) -> KeyPath:
    """Return where the cells of a column belong in a case.

    Args:
        name: Dotted; `expect.KIND...` is one entry per kind.

    Returns:
        The path; entries of `expect` are at position 0.

    >>> column_path("tags.risk"), column_path("expect.reply.contains")
    (('tags', 'risk'), ('expect', 0, 'reply', 'contains'))
    """
    parts = name.split(".")
    if parts[0] == "expect" and len(parts) > 1:
        return ("expect", 0, *parts[1:])
    return tuple(parts)


def placed(paths: list[KeyPath]) -> list[KeyPath]:
    """Return paths with the entries of `expect` numbered: one entry per kind, in the order of the columns.

    >>> placed([("expect", 0, "state", "sql"), ("id",), ("expect", 0, "reply", "contains")])
    [('expect', 0, 'state', 'sql'), ('id',), ('expect', 1, 'reply', 'contains')]
    """
    kinds = list(dict.fromkeys(path[2] for path in paths if _is_entry(path)))
    return [("expect", kinds.index(path[2]), *path[2:]) if _is_entry(path) else path for path in paths]


def _is_entry(path: KeyPath) -> bool:
    return len(path) > 2 and path[:2] == ("expect", 0)


def nested(values: list[tuple[KeyPath, Json]]) -> dict[str, Json]:
    """Return a mapping with every value at its path; positions of lists come in order.

    >>> nested([(("expect", 0, "reply", "contains"), "x"), (("id",), "a")])
    {'expect': [{'reply': {'contains': 'x'}}], 'id': 'a'}

    Raises:
        NotJson: A path runs through a value.
    """
    root: dict[str, Json] = {}
    for path, value in values:
        holder: Json = root
        for part, following in pairwise(path):
            holder = _step(holder, part, [] if isinstance(following, int) else {})
        _step(holder, path[-1], value)
    return root


def _step(holder: Json, part: str | int, new: Json) -> Json:
    """Return what lies under a key or at the next position, made where it is not there."""
    if isinstance(holder, list) and isinstance(part, int):
        if part == len(holder):
            holder.append(new)
        return holder[part]
    if isinstance(holder, dict):
        return holder.setdefault(part, new)
    raise NotJson(
        "wrong-type", "another column gives the whole of this", suggestion="leave one of the columns out"
    )


def cell_value(cell: str, types: frozenset[str]) -> Json:
    """Return what a cell says.

    Args:
        cell: Its text, not empty.
        types: What the field takes, see `schemas.types_at`.

    Returns:
        A number, boolean, list, mapping or text.

    Raises:
        NotJson: A list or mapping is wanted and is not JSON.

    >>> (
    ...     cell_value("010", frozenset({"any"})),
    ...     cell_value("87.5", frozenset({"any"})),
    ...     cell_value("5", frozenset({"string"})),
    ... )
    ('010', 87.5, '5')
    """
    free = "any" in types
    if cell in _WORDS and (free or "boolean" in types):
        return _WORDS[cell]
    if _NUMBER.fullmatch(cell) and (free or types & {"integer", "number"}):
        return read_json(cell)
    if cell[0] in "[{" and (free or types & {"array", "object"}):
        return read_json(cell)
    if types & {"array"} and "string" not in types and not free:
        return [cell]
    return cell
