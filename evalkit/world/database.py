"""One DuckDB instance for a run: a template, and a copy of it for each trial.

What comes in: the SQL that builds a suite's world. What goes out: a `TrialDatabase` for each trial, isolated
from the others and from the template (`statements` says how), and whether the template is still what it was.
"""

from __future__ import annotations

import itertools
import re

import duckdb

from evalkit.errors import InputError, Problem, SuiteBug
from evalkit.records.ports import Clock
from evalkit.world.content import content_of
from evalkit.world.handle import StatementError
from evalkit.world.past import Memory, Past
from evalkit.world.statements import Statements, reason
from evalkit.world.trial_database import TEMPLATE, TrialDatabase
from evalkit.world.watchdog import Watchdog

# One thread per statement: trials run side by side, and a copy costs 1.9 ms instead of 3. No files, no net,
# no extensions, no Python variables as tables, no spilling to disk.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
    "memory_limit": "2GB",
}
# The zone of the machine must not change what a time stamp prints as. The template takes the place of the
# database that every instance starts with, so that there is no place that two trials could share.
_SET_UP = f"""
load icu;
set global TimeZone = 'UTC';
attach ':memory:' as {TEMPLATE};
use {TEMPLATE};
detach memory;
set global lock_configuration = true;
"""
# What stands before the first word of a statement; and the line of a text at which the parser gave up.
_BEFORE = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
_AT_LINE = re.compile(r"^LINE (\d+):", re.MULTILINE)
_SHOWN = 60  # characters of a line that a message shows

_BUILDING_SECONDS = (
    300.0  # for one statement of a template: a large world is built once, an endless one never
)


class Template:
    """The database that every trial of a run starts from."""

    def __init__(
        self, sql: str, clock: Clock, *, source: str = "world.sql", seconds: float = _BUILDING_SECONDS
    ) -> None:
        """Build the template.

        Args:
            sql: Statements that create and fill the tables.
            clock: Time, for statements that run too long.
            source: Where the SQL stands, for messages.
            seconds: How long one of its statements may take.

        Raises:
            InputError: The SQL cannot or may not be run, or does not end.
        """
        self._root = duckdb.connect(":memory:", config=_CONFIG)
        self._root.execute(_SET_UP)
        self._watchdog = Watchdog(clock)
        self._statements = Statements(self._root)
        self._numbers = itertools.count()
        self._memory: Memory | None = None
        try:
            self._build(sql, source, seconds)
        except InputError:
            self.close()
            raise
        self._content = content_of(self._root, TEMPLATE)

    def open(self) -> TrialDatabase:
        """Return a fresh copy for one trial."""
        name = f"t{next(self._numbers)}"
        past = Past(self._memory)
        return TrialDatabase(self._root.cursor(), name, self._statements, self._watchdog, past)

    def verify(self) -> None:
        """Check that no trial changed the template.

        Raises:
            SuiteBug: One did; every trial after it started from something else.
        """
        before, now = self._content, content_of(self._root, TEMPLATE)
        changed = sorted(name for name in before.keys() | now if before.get(name) != now.get(name))
        if changed:
            raise SuiteBug(f"a trial changed the template database: {', '.join(changed)}")

    def close(self) -> None:
        """Give the instance back."""
        self._watchdog.close()
        self._root.close()

    def _build(self, sql: str, source: str, seconds: float) -> None:
        at = 0
        try:
            every = self._statements.parse(sql) if sql.strip() else ()
            for parsed in every:
                at = max(at, sql.find(parsed.sql, at))
                with self._watchdog.guard(self._root, seconds):
                    self._root.execute(parsed.statement, parsed.bound({}))
                at += len(parsed.sql)
        except duckdb.InterruptException as error:
            late = StatementError(f"ran longer than {seconds:g} s and was stopped")
            raise InputError((_problem(late, sql, at, source),)) from error
        except (StatementError, duckdb.Error) as error:
            raise InputError((_problem(error, sql, at, source),)) from error
        # A default, a view or a macro that asks clock or chance works in statements that do not name them.
        self._memory = Memory() if all(parsed.steady for parsed in every) else None


def _problem(error: StatementError | duckdb.Error, sql: str, at: int, source: str) -> Problem:
    """Return what is wrong with the SQL of a template, with the line of the statement that begins at `at`."""
    before = _BEFORE.match(sql, at)
    first = sql.count("\n", 0, before.end() if before else at) + 1
    # What does not parse is parsed as a whole; then the engine's line is one of the text.
    told = _AT_LINE.search(f"{error.__cause__}")
    line = int(told[1]) if told else first
    return Problem(
        message=error.reason if isinstance(error, StatementError) else reason(error),
        file=source,
        line=line,
        column=1,
        value=" ".join(sql.split("\n")[line - 1].split())[:_SHOWN],
        suggestion="mend this statement; every trial starts from what the file builds",
        code="bad-sql",
    )
