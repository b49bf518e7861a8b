"""Probes: questions to the world, compiled by `plan`, asked by `run`, journalled as events.

What comes in: the SQL of `state`, `unchanged`, `reconcile`, `eventually`, `sql_equals` and claims. What goes
out: `Probe`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from evalkit.records.written import Json

REFUSED = "refused"
"""What a probe says, instead of a cause, of SQL that the agent stated and that does not run or may not."""


class Window(Struct, frozen=True, kw_only=True):
    """How long an answer is waited for, from the end of the agent's work on, and which one it is.

    Attributes:
        within: Seconds in which the answer must come. The world is watched as long again after that, so that
            an answer that came late can be told from one that never came.
        every: Seconds between two looks.
        equals: The expected answer, see `checks.State`.
        ordered: The order of rows counts.
        tolerance: Largest absolute difference between numbers.
    """

    within: float
    every: float
    equals: Json = None
    ordered: bool = False
    tolerance: float = 0.0

    @property
    def moments(self) -> tuple[float, ...]:
        """Seconds after the end at which the world is looked at, ascending: the last in time is `within`.

        >>> Window(within=2.0, every=0.8).moments
        (0.0, 0.8, 1.6, 2.0, 2.8, 3.6, 4.0)
        """
        steps = [number * self.every for number in range(int(self.within / self.every) + 1)]
        first = [moment for moment in steps if moment < self.within] + [self.within]
        return (*first, *(self.within + moment for moment in first if moment > 0.0))


class Probe(Struct, frozen=True, kw_only=True):
    """One question.

    Attributes:
        id: Stable id: `probe_id`, `window_id` or `stated_id`; checks find the answer by what they ask.
        sql: One SELECT; `$name` binds from `vars`. "" where the agent states it.
        when: Asked before the first turn or after the last.
        vars: Values for `$name`, only those that the SQL names.
        window: The question is asked again and again until this holds or closes; None: once.
        stated: Where the agent states the SQL (``reply.sql``, see `checks.SqlEquals`); "" for the suite's.
        turn: User turn in which the agent states it; None is the whole trial.
    """

    id: str
    sql: str
    when: Literal["start", "end"] = "end"
    vars: dict[str, Json] = {}
    window: Window | None = None
    stated: str = ""
    turn: int | None = None


class ProbeAnswer(Struct, frozen=True, kw_only=True):
    """What the world said.

    Attributes:
        rows: Rows as lists, or None where there is no answer. Decimals come as numbers, dates as ISO text.
        cause: None, or why there is no answer: `broken_case` for SQL of the suite that does not run,
            `REFUSED` for SQL of the agent, `environment` ...
        message: For people.
    """

    rows: list[list[Json]] | None = None
    cause: str | None = None
    message: str = ""


@lru_cache(maxsize=4096)
def probe_id(sql: str, when: Literal["start", "end"] = "end") -> str:
    """Return the id under which the answer to a question is journalled.

    Args:
        sql: The question as written.
        when: Asked at the start or the end.

    Returns:
        ``when:`` and the question with runs of space folded.
    """
    return f"{when}:{' '.join(sql.split())}"


def window_id(sql: str, window: Window) -> str:
    """Return the id of a question that is asked until an answer comes.

    Args:
        sql: The question as written.
        window: What is waited for, and how long.

    >>> window_id("select 1", Window(within=5.0, every=0.5, equals=["a"]))
    'end:select 1 -- until ["a"] within 5 s, every 0.5 s'
    """
    how = " in order" * window.ordered + f" +-{window.tolerance:g}" * (window.tolerance > 0)
    wanted = json.dumps(window.equals, ensure_ascii=False, sort_keys=True)
    return f"{probe_id(sql)} -- until {wanted}{how} within {window.within:g} s, every {window.every:g} s"


def stated_id(place: str, turn: int | None = None) -> str:
    """Return the id of a question that the agent states.

    Args:
        place: Where it states it.
        turn: In which user turn; None is the whole trial.

    >>> stated_id("reply.sql"), stated_id("reply.sql", 1)
    ('end:the SQL of reply.sql', 'end:the SQL of reply.sql in turn 1')
    """
    return f"end:the SQL of {place}" + (f" in turn {turn}" if turn is not None else "")
