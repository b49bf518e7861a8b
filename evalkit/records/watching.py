"""The arguments of two checks that ask the world in ways of their own: eventually, sql_equals.

What comes in: one mapping under a check's name. What goes out: typed arguments.
"""

from __future__ import annotations

from pydantic import Field

from evalkit.records.probe import Window
from evalkit.records.written import Json, Written


class Eventually(Written):
    """The world gives this answer within some seconds after the agent's work has ended.

    An answer that comes later, within as many seconds again, is the error `environment/late_effect`.
    """

    sql: str
    """One SELECT; `$name` binds from the case's vars."""
    equals: Json
    """The answer, in the shapes of `state`."""
    within: float = Field(gt=0, le=600)
    """Seconds in which it must come."""
    every: float = Field(default=1.0, gt=0, le=600)
    """Seconds between two looks."""
    ordered: bool = False
    """The order of rows counts."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference between numbers."""

    @property
    def window(self) -> Window:
        """What is waited for, and how long."""
        return Window(
            within=self.within,
            every=self.every,
            equals=self.equals,
            ordered=self.ordered,
            tolerance=self.tolerance,
        )


class SqlEquals(Written):
    """SQL that the agent states gives the rows of the gold SQL, both asked at the end of the trial.

    Rows count as often as they come and in any order; columns count by their place, not by their name. SQL
    that does not run is a fail.
    """

    value: str
    """Where the agent states its SQL: ``reply.x``, ``fact.name``, ``call.tool.args.x`` or
    ``call.tool.result.x`` (last call)."""
    gold: str
    """One SELECT that gives the right rows; `$name` binds from the case's vars."""
    ordered: bool = False
    """The order of rows counts."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference between numbers."""
    allow_empty: bool = False
    """No rows at all are a right answer; without it, gold SQL that gives none is refused."""
