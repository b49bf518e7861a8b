"""Probes: questions to the world, compiled by `plan`, asked by `run`, journalled as events.

What comes in: the SQL of `state`, `unchanged`, `reconcile` and claims. What goes out: `Probe`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.written import Json


class Probe(Struct, frozen=True, kw_only=True):
    """One question.

    Attributes:
        id: Stable id: ``probe_id(sql, when)``, so that checks find the answer by what they ask.
        sql: One SELECT; `$name` binds from `vars`.
        when: Asked before the first turn or after the last.
        vars: Values for `$name`, only those that the SQL names.
    """

    id: str
    sql: str
    when: Literal["start", "end"] = "end"
    vars: dict[str, Json] = {}


class ProbeAnswer(Struct, frozen=True, kw_only=True):
    """What the world said.

    Attributes:
        rows: Rows as lists, or None where there is no answer. Decimals come as numbers, dates as ISO text.
        cause: None, or why there is no answer (`broken_case` for SQL errors, `environment` ...).
        message: For people.
    """

    rows: list[list[Json]] | None = None
    cause: str | None = None
    message: str = ""


def probe_id(sql: str, when: Literal["start", "end"] = "end") -> str:
    """Return the id under which the answer to a question is journalled.

    Args:
        sql: The question as written.
        when: Asked at the start or the end.

    Returns:
        ``when:`` and the question with runs of space folded.
    """
    return f"{when}:{' '.join(sql.split())}"
