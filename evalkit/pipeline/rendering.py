"""A stored run in every format: which rows each format reads, and how its file is made.

What comes in: a run and its `Document`. What goes out: files at paths that are not there yet. Rows are
streamed from the folder once for each format; nothing is decided here that the run does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec

from evalkit.facts.totals import timing_of
from evalkit.pipeline.failing import failing_cases
from evalkit.pipeline.objects import machine_report
from evalkit.pipeline.scoring import verdict_rows
from evalkit.records.document import Document
from evalkit.records.flat import FailingCase, TrialRows, VerdictRow
from evalkit.records.verdict import Verdict
from evalkit.report.flat import csv_lines, table_rows
from evalkit.report.html.page import html_page
from evalkit.report.junit import junit_xml
from evalkit.report.markdown import markdown
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal
from evalkit.store.parquet import write_parquet


class Source:
    """A run as the formats read it."""

    def __init__(self, folder: RunFolder, document: Document) -> None:
        """Prepare; nothing is read.

        Args:
            folder: The run.
            document: What a report of it shows.
        """
        self.document = document
        self._folder = folder

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts of the arms that are shown, in plan order."""
        return (row for row in verdict_rows(self._folder) if row.arm in self.document.board.counts)

    def table(self) -> Iterator[VerdictRow]:
        """Yield the rows of the table."""
        board = self.document.board
        return table_rows(board.manifest, board.columns, self.verdicts())

    def trials(self, arm: str) -> Iterator[TrialRows]:
        """Yield the trials of an arm, in plan order.

        Args:
            arm: An arm that is shown.
        """
        rows = (row for row in verdict_rows(self._folder) if row.arm == arm)
        for _, group in groupby(rows, key=lambda row: row.index):
            found = tuple(group)
            place = self._places.get(found[0].case, "")
            yield TrialRows(rows=found, seconds=self._seconds(found[0]), place=place)

    @cached_property
    def failing(self) -> tuple[FailingCase, ...]:
        """The cases that failed or were not measured, in plan order."""
        return failing_cases(self.document, self.verdicts(), self._places)

    @cached_property
    def _places(self) -> dict[str, str]:
        return {case.id: case.place for case in self._folder.suite().cases}

    @cached_property
    def _journal(self) -> Journal:
        return Journal(self._folder.path)

    def _seconds(self, row: Verdict) -> float | None:
        """Return what the agent took, model and tools together; None where the trace does not tell."""
        execution = self._journal.last((row.arm, row.case, row.trial))
        timing = timing_of(self._journal.trace(execution)) if execution is not None else None
        return timing.model + timing.tool if timing is not None else None


def _html(source: Source, path: Path) -> None:
    _write(path, html_page(source.document))


def _markdown(source: Source, path: Path) -> None:
    _write(path, markdown(source.document, source.failing))


def _junit(source: Source, path: Path) -> None:
    _write(path, junit_xml(source.document, source.trials))


def _csv(source: Source, path: Path) -> None:
    _write(path, csv_lines(source.table()))


def _json(source: Source, path: Path) -> None:
    _write(path, machine_report(source.document))


def _parquet(source: Source, path: Path) -> None:
    signature = msgspec.json.encode(source.document.board.manifest.signature).decode()
    write_parquet(path, VerdictRow, source.table(), {"evalkit.signature": signature})


FORMATS: Final[Mapping[str, Callable[[Source, Path], None]]] = {
    ".html": _html,
    ".md": _markdown,
    ".xml": _junit,
    ".json": _json,
    ".csv": _csv,
    ".parquet": _parquet,
}
"""Extension -> what makes the file."""


def _write(path: Path, pieces: Iterable[str]) -> None:
    """Write text as UTF-8; line ends stay as they are."""
    with path.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(pieces)
