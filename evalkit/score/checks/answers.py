"""What the world answered: the answer to a question, and whether it is the one that was written down.

What comes in: probes of the fact sheet, expected answers in any of the shapes in which people write them.
What goes out: rows, and whether they are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evalkit.records.fact import FactSheet, ProbeFact
from evalkit.records.verdict import ACTIONS, Cause
from evalkit.records.written import Json
from evalkit.score.checks.matching import largest_matching
from evalkit.score.checks.values import fingerprint, near, shown
from evalkit.score.finding import Finding

Rows = list[list[Json]]
"""An answer: rows of one length."""


def answer(sheet: FactSheet, probe: str) -> tuple[ProbeFact, Rows] | Finding:
    """Return the world's answer to a question, or why there is none.

    Args:
        sheet: The facts.
        probe: See `probe.probe_id`.
    """
    found = sheet.probes.get(probe)
    if found is None:
        return Finding(held=None, cause="not_observed", reason=f"the world was not asked: {shown(probe)}")
    if found.rows is None:
        cause: Cause = found.cause if found.cause in ACTIONS else "environment"
        reason = shown(found.message) or "the world gave no answer"
        return Finding(held=None, cause=cause, reason=reason, cites=(found.seq,))
    return found, found.rows


def simplest(rows: Rows) -> Json:
    """Return rows in the shape in which people write them.

    >>> simplest([[7]]), simplest([[1], [2]]), simplest([[1, 2]]), simplest([])
    (7, [1, 2], [[1, 2]], [])
    """
    if not all(len(row) == 1 for row in rows):
        return rows
    column = [row[0] for row in rows]
    return column[0] if len(column) == 1 else column


def answers(expected: Json, rows: Rows, tolerance: float = 0.0, *, ordered: bool = False) -> bool:
    """Return whether rows are the expected answer, in one of the shapes in which it may be written.

    Args:
        expected: A value for one row of one column, a list for a column or for one row, or a list of rows.
        rows: What the world said.
        tolerance: Largest absolute difference between numbers.
        ordered: The order of rows counts.

    >>> answers(7, [[7]]), answers([7], [[7]]), answers([1, 2], [[2], [1]]), answers([[1, 2]], [[1, 2]])
    (True, True, True, True)
    >>> answers([1, 2], [[2], [1]], ordered=True), answers(None, []), answers(None, [[None]])
    (False, False, True)
    """
    if len(rows) == 1 and len(rows[0]) == 1 and near(expected, rows[0][0], tolerance):
        return True
    if not isinstance(expected, list):
        return False
    return any(same_rows(reading, rows, tolerance, ordered=ordered) for reading in _readings(expected))


def _readings(expected: list[Json]) -> Iterator[Rows]:
    """Yield the rows that a list may mean; a question has one number of columns, so that one reading fits."""
    yield [[one] for one in expected]
    yield [expected]
    if all(isinstance(one, list) for one in expected):
        yield expected


def same_rows(expected: Rows, actual: Rows, tolerance: float = 0.0, *, ordered: bool = False) -> bool:
    """Return whether two answers hold the same rows, each as often as in the other.

    Under a tolerance a row may be near several others; then a largest matching decides, because taking the
    first that is near can leave a row without its partner.

    Args:
        expected: Rows.
        actual: Rows.
        tolerance: Largest absolute difference between numbers.
        ordered: The order of rows counts.

    >>> same_rows([[1.0], [1.5]], [[1.4], [0.6]], 0.5)
    True
    """
    if len(expected) != len(actual):
        return False
    if near(expected, actual, tolerance):
        return True
    if ordered or len(expected) == 1:
        return False
    if not tolerance:
        return Counter(map(fingerprint, expected)) == Counter(map(fingerprint, actual))
    edges = [[at for at, row in enumerate(actual) if near(one, row, tolerance)] for one in expected]
    return len(largest_matching(edges)) == len(expected)
