"""What real and pinned worlds share: tools, the template, and how a session is made from them.

What comes in: tools, the SQL of the template, clock and budget. What goes out: sessions with a start state.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from evalkit.errors import SuiteBug
from evalkit.records.case import Case
from evalkit.records.ports import Budget, Clock
from evalkit.records.suite import ToolSpec
from evalkit.world.calling import Calling
from evalkit.world.database import Template
from evalkit.world.effects import Effects, Places
from evalkit.world.fixtures import Answers
from evalkit.world.handle import StatementError
from evalkit.world.patience import Patience
from evalkit.world.session import Equipment, TrialSession
from evalkit.world.tools import Tool
from evalkit.world.trial_database import TrialDatabase


class Ground:
    """The tools and the template database of one run."""

    def __init__(
        self, tools: Mapping[str, Tool], template: Template | None, clock: Clock, budget: Budget
    ) -> None:
        """Take what all trials share.

        Args:
            tools: Name -> tool.
            template: What each trial's database is copied from, or None.
            clock: Time.
            budget: Seconds that all trials of the run may wait together for broken dependencies.
        """
        self.tools = tools
        self.template = template
        self.clock = clock
        self._budget = budget

    def session(
        self,
        case: Case,
        answers: Answers,
        *,
        stands: bool,
        pinned: Mapping[str, ToolSpec],
        sleep: Callable[[float], Awaitable[None]],
    ) -> TrialSession:
        """Return a fresh session with the case's start state.

        Args:
            case: The case.
            answers: Who answers a call.
            stands: Whether tools can answer for themselves.
            pinned: Tools that have no function, only fixtures.
            sleep: How time passes.

        Raises:
            SuiteBug: The start state cannot be made.
        """
        database = self._started(case)
        calling = partial(Calling, self.clock, Patience(self.clock, self._budget))
        places = Places(
            here=calling(database),
            on=calling,
            copied=partial(_copy, database),
            started=partial(self._again, case),
        )
        equipment = Equipment(
            tools=self.tools,
            pinned=pinned,
            stands=stands,
            answers=answers,
            effects=Effects(places=places, sleep=sleep),
            database=database,
        )
        return TrialSession(equipment)

    def close(self) -> None:
        """Give the instance back.

        Raises:
            SuiteBug: A trial touched the template.
        """
        template, self.template = self.template, None
        if template is not None:
            try:
                template.verify()
            finally:
                template.close()

    def _again(self, case: Case) -> TrialDatabase:
        """Return one more database in a case's start state."""
        return _sure(self._started(case))

    def _started(self, case: Case) -> TrialDatabase | None:
        statements = case.start.statements
        if self.template is None:
            if statements:
                raise SuiteBug(
                    f"case {case.id} has a start state, and the suite no database (world.database)"
                )
            return None
        database = self.template.open()
        try:
            database.start(statements, case.vars)
        except StatementError as error:
            database.close()
            raise SuiteBug(f"the start state of case {case.id} cannot be made: {error.reason}") from error
        return database


def _copy(database: TrialDatabase | None) -> TrialDatabase:
    return _sure(database).copy()


def _sure(database: TrialDatabase | None) -> TrialDatabase:
    if database is None:
        raise SuiteBug("a fault of the effect needs a database that tools can change (world.database)")
    return database
