"""The database of one trial: a copy of the template, gone when the trial closes.

What comes in: a cursor of the instance, start SQL, probes, the SQL of tools. What goes out: JSON rows. The
copy is made when the first statement comes whose answer is not known already (`past` says why that is safe).

A statement holds the lock of the instance while it runs, but for one: SQL that an agent states as its answer.
It may take seconds, and other trials must not be late for it meanwhile: that time would count as theirs.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import duckdb

from evalkit.errors import DependencyError
from evalkit.records.probe import REFUSED, Probe, ProbeAnswer
from evalkit.records.written import Json
from evalkit.world.handle import Database, Row, StatementError, StatementTimeout
from evalkit.world.past import Answer, Past, as_text
from evalkit.world.statements import RESERVED, Parsed, Statements, reason
from evalkit.world.values import json_value, parsed_json
from evalkit.world.watchdog import Watchdog

TEMPLATE = f"{RESERVED}template"
"""Name of the database that every trial is copied from."""

_MOST_ROWS = 100_000  # rows of one answer; a model's SQL must not fill the memory
_MOST_PROBED = 10_000  # rows of one probe; all of them are journalled
_LOOKS = 0.02  # seconds between two looks at whether a statement that was stopped has ended
_SECONDS = 30.0  # for one statement of a probe or a start state
_NOTHING: Answer = ((), [])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limits:
    """What one probe may take.

    Attributes:
        seconds: For its statement.
        characters: Of its answer as JSON, which goes into the journal; None: any number.
    """

    seconds: float
    characters: int | None

    def check(self, rows: list[list[Json]], probe: Probe) -> None:
        """Refuse an answer that is too long."""
        most = self.characters
        if most is not None and len(as_text(((), rows))) > most:
            raise StatementError(f"returns more than {most} characters", probe.sql)


_WRITTEN = _Limits(seconds=_SECONDS, characters=None)  # the suite's own questions
_STATED = _Limits(seconds=5.0, characters=1_000_000)  # those of an agent, which nobody has read before


class TrialDatabase:
    """One trial's own database."""

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        name: str,
        statements: Statements,
        watchdog: Watchdog,
        past: Past,
        source: str = TEMPLATE,
    ) -> None:
        """Stand for a copy of the template.

        Args:
            cursor: A cursor that nobody else uses; closed with this object.
            name: A name that no open trial has.
            statements: Parses and screens all SQL.
            watchdog: Stops what runs too long.
            past: On which nothing was run.
            source: Name of the database that it is copied from.
        """
        self._cursor: duckdb.DuckDBPyConnection | None = cursor
        self._name = RESERVED + name
        self._statements = statements
        self._watchdog = watchdog
        self._past = past
        self._source = source
        self._copies = 0
        self._lock = statements.lock
        self._filled = False
        self._in_transaction = False
        self._asking = threading.Lock()  # held while SQL that an agent stated runs
        self._calls = 0
        self._running = self._late = ""

    @property
    def alone(self) -> asyncio.Lock:
        """Held by who asks what an agent stated: one at a time, since all share the engine's memory."""
        return self._statements.alone

    def handle(self, seconds: float) -> Database:
        """Return what a tool reads and writes through, from any thread, until `end_call`.

        Args:
            seconds: How long one statement may take.
        """
        return Database(partial(self._lent, self._calls, seconds))

    def copy(self) -> TrialDatabase:
        """Return a database that holds now what this one holds, and that the caller closes.

        Raises:
            DependencyError: The instance cannot make it.
        """
        with self._lock:
            cursor = self._brought_up(_SECONDS).cursor()
            self._copies += 1
            name = f"{self._name.removeprefix(RESERVED)}_{self._copies}"
            made = TrialDatabase(cursor, name, self._statements, self._watchdog, Past(None), self._name)
            made._fill(cursor)
        return made

    def end_call(self) -> str:
        """Make every handle useless, stop what still runs, and roll back what was begun and not ended.

        Returns:
            The SQL whose time was over; "" where none ran.
        """
        self._calls += 1
        stopped, self._late = self._running or self._late, ""
        while not self._lock.acquire(timeout=_LOOKS):
            if self._running and self._cursor is not None:
                self._cursor.interrupt()
        try:
            self.settle()
        finally:
            self._lock.release()
        return stopped

    def start(self, texts: Iterable[str], values: Mapping[str, object]) -> None:
        """Make the case's start state.

        Args:
            texts: SQL, each text one or more statements.
            values: The case's vars; `$name` binds from them.

        Raises:
            StatementError: A statement cannot or may not be run.
        """
        with self._lock:
            for text in texts:
                self._ask(_SECONDS, text, values, single=False)
            self.settle()

    def probe(self, probe: Probe) -> ProbeAnswer:
        """Answer a question, changing nothing.

        Args:
            probe: One SELECT and its values; one that an agent stated is asked from a thread, under `alone`.

        Returns:
            The rows, or cause `broken_case` and what is wrong with the question; `REFUSED` where the agent
            stated it.
        """
        limits = _STATED if probe.stated else _WRITTEN
        answer = self._answer_aside if probe.stated else self._answer
        try:
            _, rows = answer(probe, limits.seconds)
            limits.check(rows, probe)
        except StatementError as error:
            return ProbeAnswer(cause=REFUSED if probe.stated else "broken_case", message=error.reason)
        return ProbeAnswer(rows=rows)

    def settle(self) -> None:
        """Roll back a transaction that was begun and not ended."""
        if self._in_transaction and self._cursor is not None:
            self._in_transaction = False
            try:
                self._cursor.rollback()
            except duckdb.TransactionException:
                return  # it was ended after all

    def close(self) -> None:
        """Drop the database; closing twice is harmless."""
        if self._cursor is None:
            return
        if self._asking.locked():
            self._cursor.interrupt()
        with self._asking:
            self.end_call()
        with self._lock:
            if self._filled:
                self._cursor.execute(f"use {TEMPLATE}; detach {self._name}")
            self._cursor.close()
            self._cursor = None

    def _lent(
        self,
        call: int,
        seconds: float,
        sql: str,
        values: Mapping[str, object],
        single: bool,  # noqa: FBT001 - the shape of `handle.Ask`
    ) -> list[Row]:
        with self._lock:
            self._open()
            if call != self._calls:
                raise StatementError("the call is over, and the database is out of its reach", sql)
            self._running = sql
            try:
                return self._ask(seconds, sql, values, single)
            except StatementTimeout:
                self._late = sql
                raise
            finally:
                self._running = ""

    def _ask(self, seconds: float, sql: str, values: Mapping[str, object], single: bool) -> list[Row]:  # noqa: FBT001 - the shape of `handle.Ask`
        every = (self._statements.one(sql),) if single else self._statements.parse(sql)
        names, rows = _NOTHING
        for parsed in every:
            names, rows = self._run(parsed, parsed.bound(values), seconds, _MOST_ROWS)
        if len(set(names)) < len(names):
            raise StatementError(f"columns need different names, got {', '.join(names)}", sql)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _answer(self, probe: Probe, seconds: float) -> Answer:
        with self._lock:
            parsed, bound = self._select(probe)
            if not parsed.may_write:
                return self._run(parsed, bound, seconds, _MOST_PROBED)
            return self._reading(self._brought_up(_SECONDS), parsed, bound, seconds)

    def _answer_aside(self, probe: Probe, seconds: float) -> Answer:
        """Answer what an agent stated; while the engine works, the other trials go on."""
        with self._asking:
            with self._lock:
                parsed, bound = self._select(probe)
                known = None if parsed.may_write else self._past.recall(parsed, bound)
                if known is not None:
                    return known
                cursor = self._brought_up(_SECONDS)
            answer = self._reading(cursor, parsed, bound, seconds)
            if not parsed.may_write:
                with self._lock:
                    self._past.ran(parsed, bound, answer)
            return answer

    def _select(self, probe: Probe) -> tuple[Parsed, dict[str, object]]:
        parsed = self._statements.one(probe.sql)
        if parsed.kind != "SELECT":
            raise StatementError(f"a probe is one SELECT, not {parsed.kind}", probe.sql)
        return parsed, parsed.bound(probe.vars)

    def _reading(
        self, cursor: duckdb.DuckDBPyConnection, parsed: Parsed, bound: Mapping[str, object], seconds: float
    ) -> Answer:
        """Run a SELECT whose text could write (a CTE, nextval): the engine itself holds it to reading.

        It is never answered from what is remembered of the same text where it was free to write.
        """
        cursor.execute("begin transaction read only")
        try:
            return self._engine(cursor, parsed, bound, seconds, _MOST_PROBED)
        finally:
            cursor.rollback()

    def _run(self, parsed: Parsed, bound: Mapping[str, object], seconds: float, most: int) -> Answer:
        self._open()
        known = self._past.recall(parsed, bound)
        if known is not None:
            return known
        cursor = self._brought_up(seconds)
        self._in_transaction = self._in_transaction or parsed.kind == "TRANSACTION"
        answer: Answer | None = None
        try:
            answer = self._engine(cursor, parsed, bound, seconds, most)
        finally:
            self._past.ran(parsed, bound, answer)
        return answer

    def _engine(
        self,
        cursor: duckdb.DuckDBPyConnection,
        parsed: Parsed,
        bound: Mapping[str, object],
        seconds: float,
        most: int,
    ) -> Answer:
        try:
            with self._watchdog.guard(cursor, seconds):
                cursor.execute(parsed.statement, bound)
                found = cursor.fetchmany(most + 1)
        except duckdb.InterruptException as error:
            raise StatementTimeout(f"ran longer than {seconds:g} s and was stopped", parsed.sql) from error
        except (duckdb.Error, UnicodeEncodeError) as error:
            if isinstance(error, duckdb.OutOfMemoryException) and self._besides():
                said = "the SQL that another trial's agent stated takes the memory of the database"
                raise DependencyError(message=said) from error
            raise StatementError(reason(error), parsed.sql) from error
        if len(found) > most:
            raise StatementError(f"returns more than {most} rows", parsed.sql)
        return _as_json(cursor, found, parsed.sql)

    def _besides(self) -> bool:
        """Whether SQL that the agent of another trial stated is at work, which no trial answers for."""
        return self._statements.alone.locked() and not self._asking.locked()

    def _brought_up(self, seconds: float) -> duckdb.DuckDBPyConnection:
        """Return the cursor on a database that holds all that was answered so far.

        Raises:
            DependencyError: The instance cannot make it: neither the suite's fault nor the agent's.
        """
        cursor = self._open()
        if not self._filled:
            self._fill(cursor)
        while self._past.owed:
            owed = self._past.owed[0]
            try:
                again = self._engine(cursor, owed.parsed, owed.bound, seconds, _MOST_ROWS)
            except StatementError as error:
                raise DependencyError(message=f"the trial's database cannot be made: {error}") from error
            if as_text(again) != owed.answer:
                raise DependencyError(message=f"{owed.parsed.sql} does not answer the same twice")
            self._past.owed.popleft()
        return cursor

    def _fill(self, cursor: duckdb.DuckDBPyConnection) -> None:
        try:
            cursor.execute(f"attach ':memory:' as {self._name}")
            cursor.execute(f"copy from database {self._source} to {self._name}; use {self._name}")
        except duckdb.Error as error:
            cursor.execute(f"detach database if exists {self._name}")
            said = f"the trial's database cannot be made: {reason(error)}"
            raise DependencyError(message=said) from error
        self._filled = True

    def _open(self) -> duckdb.DuckDBPyConnection:
        if self._cursor is None:
            raise StatementError("the trial is over, and its database is gone")
        return self._cursor


def _as_json(cursor: duckdb.DuckDBPyConnection, found: list[tuple[object, ...]], sql: str) -> Answer:
    columns = cursor.description or []
    names = tuple(str(column[0]) for column in columns)
    texts = [at for at, column in enumerate(columns) if str(column[1]) == "JSON"]
    try:
        rows = [[json_value(value) for value in row] for row in found]
        for row in rows:
            for at in texts:
                row[at] = None if row[at] is None else parsed_json(row[at])
    except ValueError as error:
        raise StatementError(f"returns what has no JSON form: {error}", sql) from error
    return names, rows
