"""Parses SQL and refuses what could reach beyond the trial's own database.

What comes in: SQL text of suites, cases and models. What goes out: parsed statements, or a `StatementError`.

All trials share one DuckDB instance, so a statement could name another trial's database or the template. Four
rules keep it out; each stands on what the engine itself says of the text (its parser and its tokeniser):

1. Only kinds of statement that work inside one database, see `ALLOWED_KINDS`.
2. The names of the databases never appear in the text, not even in a string: all begin with `RESERVED`.
3. No function that takes a name, or SQL, as data, and none that reaches the system, see `forbidden`.
4. No catalogue of the instance; `show tables` and `describe orders` stay inside the trial's own database.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from evalkit.world import forbidden, wandering
from evalkit.world.handle import StatementError

RESERVED = "evalkit_"
"""Every database of the instance has a name that begins so."""

ALLOWED_KINDS = frozenset(
    {
        "ALTER",
        "CREATE",
        "DELETE",
        "DROP",
        "EXPLAIN",
        "INSERT",
        "MERGE_INTO",
        "SELECT",
        "TRANSACTION",
        "UPDATE",
    }
)
"""Kinds of statement that a trial may run, by the parser's names."""

_STEADY_KINDS = ALLOWED_KINDS - {"EXPLAIN", "TRANSACTION"}  # those tell times, or what comes after them
_KEPT = 2048  # parsed texts; a suite has a few hundred, models may write any number


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One statement, ready to run on any trial's database.

    Attributes:
        statement: What the engine parsed.
        kind: One of `ALLOWED_KINDS`.
        names: The `$names` that it binds.
        sql: Its text.
        may_write: False only where nothing in its text could change anything.
        steady: True only where nothing in its text depends on clock, chance or the instance: it does the same
            on every database on which the same was done before.
    """

    statement: duckdb.Statement
    kind: str
    names: frozenset[str]
    sql: str
    may_write: bool
    steady: bool

    def bound(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the values that the statement names.

        Args:
            values: Values by name; more than needed is fine.

        Raises:
            StatementError: A name has no value.
        """
        absent = sorted(self.names - values.keys())
        if absent:
            known = ", ".join(f"${name}" for name in sorted(values)) or "none"
            raise StatementError(f"no value for ${', $'.join(absent)} (given: {known})", self.sql)
        return {name: values[name] for name in self.names}


class Statements:
    """Parses and screens SQL, and remembers what it has seen."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Parse with the engine behind `connection`; nothing is run."""
        self._connection = connection
        # Held by who parses or runs SQL: trials share the instance, this object and what is remembered of
        # answers, and a tool may ask from a thread.
        self.lock = threading.RLock()
        # Held by who asks SQL that an agent stated, which runs beside all that holds the lock.
        self.alone = asyncio.Lock()
        self._seen: dict[str, tuple[Parsed, ...]] = {}

    def parse(self, sql: str) -> tuple[Parsed, ...]:
        """Return the statements of a text.

        Args:
            sql: One or more statements.

        Raises:
            StatementError: The text is no SQL, is empty, or could reach beyond the trial's database.
        """
        parsed = self._seen.get(sql)
        if parsed is None:
            parsed = self._parsed(sql)
            if len(self._seen) >= _KEPT:
                self._seen.clear()
            self._seen[sql] = parsed
        return parsed

    def one(self, sql: str) -> Parsed:
        """Return the only statement of a text.

        Args:
            sql: One statement.

        Raises:
            StatementError: As `parse`, and for more than one statement.
        """
        parsed = self.parse(sql)
        if len(parsed) > 1:
            raise StatementError(f"takes one statement, got {len(parsed)}", sql)
        return parsed[0]

    def _parsed(self, sql: str) -> tuple[Parsed, ...]:
        if RESERVED in sql.lower():
            raise StatementError(f"names beginning with {RESERVED} belong to the harness", sql)
        if "\0" in sql:
            raise StatementError("holds a null character", sql)
        try:
            sql.encode()
            statements = self._connection.extract_statements(sql)
        except (UnicodeEncodeError, duckdb.Error) as error:
            raise StatementError(reason(error), sql) from error
        if not statements:
            raise StatementError("holds no statement", sql)
        words = _words(sql)
        _refuse(words, sql)
        bare = [word.removeprefix('"') for word in words]
        may_write = bool(forbidden.WRITING & set(bare))
        steady = not any(
            wandering.depends(word, after) for word, after in zip(bare, [*bare[1:], ""], strict=True)
        )
        return tuple(_checked(statement, may_write=may_write, steady=steady) for statement in statements)


def reason(error: Exception) -> str:
    """Return the first paragraph of what the engine says, on one line.

    Args:
        error: An error of the engine, or of a value on its way to it.
    """
    return " ".join(str(error).split("\n\n")[0].split())


def _checked(statement: duckdb.Statement, *, may_write: bool, steady: bool) -> Parsed:
    kind = _kind(statement)
    if kind not in ALLOWED_KINDS:
        allowed = ", ".join(sorted(ALLOWED_KINDS))
        raise StatementError(f"{kind} statements are not allowed here (allowed: {allowed})", statement.query)
    return Parsed(
        statement=statement,
        kind=kind,
        names=frozenset(statement.named_parameters),
        sql=statement.query,
        may_write=may_write or kind != "SELECT",
        steady=steady and kind in _STEADY_KINDS,
    )


def _kind(statement: duckdb.Statement) -> str:
    try:
        return statement.type.name
    except ValueError:  # the engine knows kinds that its Python names do not, such as `update extensions`
        return "unnamed"


def _words(sql: str) -> list[str]:
    """Return the tokens of a text without comments: words in lower case, quoted names as ``"name``.

    A plain string becomes ``'``, one whose text may mean something else (E'', $$) becomes ``'?``.
    """
    tokens = duckdb.tokenize(sql)
    data = sql.encode()
    ends = [start for start, _ in tokens[1:]] + [len(data)]
    return [
        _word(data[start:end].decode().strip(), kind)
        for (start, kind), end in zip(tokens, ends, strict=True)
        if kind is not duckdb.token_type.comment
    ]


def _word(text: str, kind: object) -> str:
    if kind is duckdb.token_type.string_const:
        return "'" if text.startswith("'") else "'?"
    if text.startswith('"'):
        return '"' + text[1:-1].replace('""', '"').lower()
    return text.lower()


def _refuse(words: list[str], sql: str) -> None:
    """Raise StatementError for the first word that reaches beyond the trial's database."""
    for at in range(len(words)):
        for rule in _RULES:
            problem = rule(words, at)
            if problem:
                raise StatementError(problem, sql)


def _catalogue(words: list[str], at: int) -> str:
    name = words[at].removeprefix('"')
    seen = name in forbidden.RELATIONS
    return f"{name} shows the whole instance; use `show tables` and `describe <table>`" if seen else ""


def _function(words: list[str], at: int) -> str:
    name, after = words[at].removeprefix('"'), words[at + 1 : at + 4]
    if after[:1] != ["("]:
        return ""
    if name in forbidden.FUNCTIONS:
        return f"the function {name} reaches beyond this database"
    if name in forbidden.SEQUENCE_FUNCTIONS and after != ["(", "'", ")"]:
        return f"{name} takes the name of a sequence as plain text"
    return ""


def _showing(words: list[str], at: int) -> str:
    word, after = words[at], words[at + 1 : at + 2]
    if word in forbidden.SHOWING and not _has_target(after):
        return f'`{word}` shows the whole instance here; name a table, or quote a column as "{word}"'
    if word == "desc" and not _descending(words, at):
        return "`desc` shows the whole instance here; write `describe <table>`"
    return ""


def _creating(words: list[str], at: int) -> str:
    taken = words[at] == "create" and forbidden.UNCREATABLE & set(words[at : at + 5])
    return "what is created here belongs to the instance" if taken else ""


def _has_target(after: list[str]) -> bool:
    """Tell whether `show` or `describe` is about one table, or the tables of this database."""
    target = after[0] if after else ""
    return target not in forbidden.SHOWN_WHOLE and (target[:1].isalpha() or target[:1] in {'"', "_"})


def _descending(words: list[str], at: int) -> bool:
    """Tell whether a `desc` is the direction of an `order by`, and not short for describe."""
    before = [";", ";", ";", *words[:at]][-3:]
    if before[1:] == ["by", "all"]:
        return before[0] == "order"
    united = before in (["union", "by", "name"], ["all", "by", "name"])
    starts = before[2] in forbidden.STARTS or "into" in before[1:] or united
    return "order" in words[:at] and not starts


_RULES = (_catalogue, _function, _showing, _creating)
