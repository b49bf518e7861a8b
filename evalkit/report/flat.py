"""Verdicts as a table: the rows that CSV and Parquet share, and CSV itself.

What comes in: verdicts, streamed, and what the run is. What goes out: `VerdictRow`s; lines of CSV as RFC 4180
has it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from evalkit.records.board import Column
from evalkit.records.flat import VerdictRow
from evalkit.records.safe import legible
from evalkit.records.signature import Manifest
from evalkit.records.verdict import Verdict

COLUMNS: Final = VerdictRow.__struct_fields__
"""The header: names and order of the columns."""

# What makes a spreadsheet read a cell as a formula (OWASP, CSV injection), full-width forms included; and
# what the guard itself would make of such a cell: taking one apostrophe away gives back every cell.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def table_rows(
    manifest: Manifest, columns: Iterable[Column], verdicts: Iterable[Verdict]
) -> Iterator[VerdictRow]:
    """Yield one row for each verdict, its texts made legible.

    Args:
        manifest: What the run is.
        columns: Stages and metrics of the board.
        verdicts: Verdicts in plan order.
    """
    signature = manifest.signature
    run = {
        "run": legible(manifest.run),
        "suite": legible(manifest.suite),
        "suite_hash": signature.suite_hash,
        "scoring_version": signature.scoring_version,
        "mode": signature.mode,
    }
    places = {(one.of, one.name): one for one in columns}
    for verdict in verdicts:
        yield _row(run, places[verdict.of, verdict.name], verdict)


def _row(run: Mapping[str, object], column: Column, verdict: Verdict) -> VerdictRow:
    measure = verdict.measure
    return VerdictRow(
        **run,  # type: ignore[arg-type]  # the five fields of `table_rows`, of which each has its type
        index=verdict.index,
        case=legible(verdict.case),
        arm=legible(verdict.arm),
        trial=verdict.trial,
        attempt=verdict.attempt,
        of=verdict.of,
        name=legible(verdict.name),
        deciding=column.deciding,
        tier=column.tier,
        scope=column.scope,
        stage=legible(column.stage or column.name),
        outcome=verdict.outcome,
        cause=verdict.cause,
        cause_class=verdict.cause_class,
        sub=None if verdict.sub is None else legible(verdict.sub),
        reason=verdict.reason,
        message=legible(verdict.message),
        roots=tuple(legible(root) for root in verdict.roots),
        cites=verdict.cites,
        measure=measure.value if measure else None,
        unit=legible(measure.unit) if measure else None,
        measured_over=measure.n if measure else None,
        threshold=measure.threshold if measure else None,
        grade=verdict.grade,
        degraded=verdict.degraded,
        inherited=verdict.inherited,
        decided_by=verdict.decided_by,
        state=verdict.state,
        emptied_by=None if verdict.emptied_by is None else legible(verdict.emptied_by),
    )


class _Lines:
    """Takes what `csv` writes, and hands it on."""

    def __init__(self) -> None:
        """Start empty."""
        self._text: list[str] = []

    def write(self, text: str) -> int:
        """Keep a piece of a line."""
        self._text.append(text)
        return len(text)

    def taken(self) -> str:
        """Return what was written since, and forget it."""
        text = "".join(self._text)
        self._text.clear()
        return text


def csv_lines(rows: Iterable[VerdictRow]) -> Iterator[str]:
    r"""Yield a table as CSV: UTF-8, a comma, CRLF, quotes where they are needed, the header first.

    A text that a spreadsheet would read as a formula gets an apostrophe before it; numbers stay numbers.

    Args:
        rows: Rows of the table.

    Yields:
        Lines, each with its line end.
    """
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    yield lines.taken()
    for row in rows:
        writer.writerow([_cell(getattr(row, name)) for name in COLUMNS])
        yield lines.taken()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        value = ";".join(map(str, value))
    return guarded(value) if isinstance(value, str) else value


def guarded(text: str) -> str:
    """Return a text cell that no spreadsheet reads as a formula.

    >>> guarded("=1+1"), guarded("'=1"), guarded("'tis")
    ("'=1+1", "''=1", "'tis")
    """
    return f"'{text}" if _FORMULA.match(text) else text
