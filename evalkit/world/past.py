"""What was run on a trial's database, and what was answered the last time the same was run.

What comes in: statements with their values. What goes out: answers that need no engine.

Every trial starts from the same template, and a statement that asks neither clock nor chance nor the instance
answers the same, and leaves the same behind, wherever the same statements were run before it. Planning one
costs the engine a millisecond, copying the template ten; trials of one case mostly run the same statements.
So an answer is remembered under the past that it was got in, and a database is made only when a trial does
what none did before it; then it runs what it owes first.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from evalkit.records.written import Json
from evalkit.world.statements import Parsed

Answer: TypeAlias = tuple[tuple[str, ...], list[list[Json]]]
"""Names of the columns, and the rows."""

_Key: TypeAlias = tuple[int, str, str]  # past, SQL, values

_START = 0  # the past of a database on which nothing was run
_MOST_CHARACTERS = 65_536  # of one answer, as JSON
_MOST_ROWS = 1_000
_KEPT = 32_000_000  # characters of all that is kept; a suite of a few hundred cases needs some millions
_ENTRY = 500  # characters that an entry weighs besides its text
_VALUES, _ANSWERS = json.JSONEncoder(sort_keys=True), json.JSONEncoder(ensure_ascii=False)
_PLAIN = frozenset({str, int, float, bool, type(None)})  # values whose JSON tells one from the other


@dataclass(frozen=True, slots=True)
class Known:
    """What a statement came to.

    Attributes:
        answer: The answer as JSON text, which nobody can change.
        after: The past of the database after it.
    """

    answer: str
    after: int


class Memory:
    """What statements answered in the trials of one template; forgets everything when it is full."""

    def __init__(self) -> None:
        """Know nothing."""
        self._known: dict[_Key, Known] = {}
        self._pasts = itertools.count(_START + 1)
        self._size = 0

    def get(self, key: _Key) -> Known | None:
        """Return what is known of a statement in a past."""
        return self._known.get(key)

    def keep(self, key: _Key, answer: str, *, changes: bool) -> int:
        """Keep an answer and return the past after it; the first of equal ones stays.

        Args:
            key: Past, SQL and values.
            answer: JSON text.
            changes: The statement may have changed the database.
        """
        if key not in self._known:
            if self._size > _KEPT:
                self._known.clear()
                self._size = 0
            self._known[key] = Known(answer, next(self._pasts) if changes else key[0])
            self._size += len(answer) + len(key[1]) + len(key[2]) + _ENTRY
        return self._known[key].after


@dataclass(frozen=True, slots=True)
class Owed:
    """A statement that was answered from memory and that the database has not run.

    Attributes:
        parsed: The statement.
        bound: Its values.
        answer: What was answered, as JSON text.
    """

    parsed: Parsed
    bound: Mapping[str, object]
    answer: str


class Past:
    """What was run on one trial's database."""

    __slots__ = ("_at", "_memory", "owed")

    def __init__(self, memory: Memory | None) -> None:
        """Begin with the template as it is.

        Args:
            memory: Of the template; None where it asks clock or chance, so that nothing may be remembered.
        """
        self._memory = memory or Memory()
        self._at = _START if memory is not None else None
        self.owed: deque[Owed] = deque()

    def recall(self, parsed: Parsed, bound: Mapping[str, object]) -> Answer | None:
        """Return what a statement answers now; None where the database has to be asked.

        Args:
            parsed: The statement.
            bound: Its values.
        """
        key = self._key(parsed, bound)
        known = self._memory.get(key) if key is not None else None
        if known is None:
            return None
        if parsed.may_write:
            self._at = known.after
            self.owed.append(Owed(parsed, bound, known.answer))
        names, rows = json.loads(known.answer)
        return tuple(names), rows

    def ran(self, parsed: Parsed, bound: Mapping[str, object], answer: Answer | None) -> None:
        """Note what the database has run.

        Args:
            parsed: The statement.
            bound: Its values.
            answer: What it answered; None where it failed.
        """
        key = self._key(parsed, bound) if answer is not None and len(answer[1]) <= _MOST_ROWS else None
        text = as_text(answer) if key is not None and answer is not None else ""
        if key is not None and len(text) <= _MOST_CHARACTERS:
            self._at = self._memory.keep(key, text, changes=parsed.may_write)
        elif parsed.may_write:
            self._at = None  # from here on this database is like no other

    def _key(self, parsed: Parsed, bound: Mapping[str, object]) -> _Key | None:
        if self._at is None or not parsed.steady or not _PLAIN.issuperset(map(type, bound.values())):
            return None
        return self._at, parsed.sql, _VALUES.encode(bound) if bound else ""


def as_text(answer: Answer) -> str:
    """Return an answer as JSON text, equal for equal answers."""
    return _ANSWERS.encode(answer)
