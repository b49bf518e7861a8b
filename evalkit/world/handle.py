"""The handle through which a tool reads and writes its trial's own database.

What comes in: SQL and named values from suite code. What goes out: rows as dicts of JSON values.
DuckDB itself is not imported here, so that suites without a database never load it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evalkit.errors import SuiteFault
from evalkit.records.written import Json

Row = dict[str, Json]
"""One row: column name -> JSON value."""

Ask = Callable[[str, Mapping[str, object], bool], list[Row]]
"""Run SQL with named values; the flag asks for exactly one statement. Returns the rows of the last one."""


class StatementError(SuiteFault):
    """SQL that the database cannot or may not run; a tool that runs a model's own SQL may catch it.

    Attributes:
        reason: What is wrong, for people and models.
        sql: The SQL.
    """

    def __init__(self, reason: str, sql: str = "") -> None:
        """Keep the reason and the SQL."""
        super().__init__(reason)
        self.reason = reason
        self.sql = sql


class StatementTimeout(StatementError):
    """SQL that ran longer than its tool may take, and was stopped."""


class Database:
    """One trial's own database, as tools see it.

    A transaction that a tool opens with `begin` and does not end is rolled back when the call returns.
    """

    __slots__ = ("_ask",)

    def __init__(self, ask: Ask) -> None:
        """Ask through `ask`."""
        self._ask = ask

    def rows(self, sql: str, /, **values: object) -> list[Row]:
        """Return the rows of one statement.

        Args:
            sql: One statement; `$name` binds from `values`.
            values: Values by name.

        Raises:
            StatementError: The SQL cannot or may not be run.
        """
        return self._ask(sql, values, True)

    def row(self, sql: str, /, **values: object) -> Row | None:
        """Return the first row of one statement, or None where there is none.

        Args:
            sql: One statement; `$name` binds from `values`.
            values: Values by name.

        Raises:
            StatementError: The SQL cannot or may not be run.
        """
        rows = self._ask(sql, values, True)
        return rows[0] if rows else None

    def value(self, sql: str, /, **values: object) -> Json:
        """Return the first column of the first row, or None where there is no row.

        Args:
            sql: One statement; `$name` binds from `values`.
            values: Values by name.

        Raises:
            StatementError: The SQL cannot or may not be run.
        """
        rows = self._ask(sql, values, True)
        return next(iter(rows[0].values())) if rows else None

    def run(self, sql: str, /, **values: object) -> None:
        """Run one or more statements for their effect.

        Args:
            sql: Statements; `$name` binds from `values`.
            values: Values by name.

        Raises:
            StatementError: The SQL cannot or may not be run.
        """
        self._ask(sql, values, False)
