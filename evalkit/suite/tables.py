"""Tables of cases: .jsonl and .csv -> one document per row, with the row and the column of everything.

What comes in: the text of a table. What goes out: documents as from YAML, and problems.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from evalkit.errors import Problem
from evalkit.records.written import Json
from evalkit.suite.cells import cell_value, column_path, nested, placed
from evalkit.suite.document import Document, KeyPath, Mark, short
from evalkit.suite.forms import CaseFile
from evalkit.suite.json_source import NotJson, read_json
from evalkit.suite.schemas import known_keys, types_at
from evalkit.suite.words import suggest
from evalkit.suite.yaml_source import read_yaml

if TYPE_CHECKING:
    from _csv import Reader

Rows = tuple[list[Document], list[Problem]]
"""One document per row that could be read, and problems."""


def read_jsonl(text: str, file: str) -> Rows:
    """Return the cases of a table of JSON objects, one a line.

    Args:
        text: The table; empty lines are passed over.
        file: Its name, for the problems.
    """
    documents, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = read_json(line)
        except NotJson as error:
            problems.append(_not_json(error, file, number))
            continue
        documents.append(
            Document(file=file, value=value, line=number, marks=partial(_line_mark, line, number))
        )
    return documents, problems


def _not_json(error: NotJson, file: str, line: int) -> Problem:
    return Problem(
        file=file,
        line=line,
        column=error.column,
        value=short(error.value),
        message=error.message,
        suggestion=error.suggestion,
        code=error.code,
    )


def _line_mark(line: str, number: int) -> Mark:
    """Return the marks of one line; JSON is YAML, so that the same reader can place it."""
    document, _ = read_yaml(line, "")
    if document.unreadable:
        return Mark(number, 1)
    _move(document.mark, number - 1)
    return document.mark


def _move(mark: Mark, lines: int) -> None:
    """Move marks down by some lines."""
    mark.line += lines
    mark.keys = {key: (line + lines, column) for key, (line, column) in (mark.keys or {}).items()}
    for inner in mark.all_below():
        _move(inner, lines)


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of a CSV table.

    Attributes:
        number: From 1.
        name: As in the header.
        path: Where its cells belong in a case.
    """

    number: int
    name: str
    path: KeyPath


def read_csv(text: str, file: str) -> Rows:
    """Return the cases of a CSV table with a header; names of columns are dotted (``expect.reply.contains``).

    Args:
        text: The table, separated by commas.
        file: Its name, for the problems.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = _rows(reader)
    documents: list[Document] = []
    problems: list[Problem] = []
    try:
        _, header = next(rows, (1, []))
        if not header:
            said = "the table has no header"
            return [], [_Cell(file).problem("empty-file", said, "name the columns: id,input")]
        columns, problems = _columns(header, file)
        for line, cells in rows:
            if len(cells) != len(header):
                problems.append(_ragged(file, line, len(cells), len(header)))
                continue
            document, found = _document(columns, cells, line, file)
            documents.append(document)
            problems += found
    except csv.Error as error:
        advice = "close the quotes, double those inside, or use .jsonl for long texts"
        problem = _Cell(file, reader.line_num).problem("syntax", "this is not CSV", advice, str(error))
        problems.append(problem)
    return documents, problems


def _rows(reader: Reader) -> Iterator[tuple[int, list[str]]]:
    """Yield the line (from 1) at which a row begins, and its cells; empty lines are passed over."""
    line = 1
    for cells in reader:
        if cells:
            yield line, cells
        line = reader.line_num + 1


def _columns(header: list[str], file: str) -> tuple[list[_Column], list[Problem]]:
    columns: list[_Column] = []
    problems = []
    seen: dict[str, int] = {}
    for number, written in enumerate(header, 1):
        name = written.strip()
        path = column_path(name)
        if name in seen:
            said = f"the column `{short(name)}` is there twice; the first is column {seen[name]}"
            here = _Cell(file, 1, number, name)
            problems.append(here.problem("duplicate-column", said, "leave one of them out", name))
        elif not types_at(CaseFile, path) or not name:
            problems.append(_unknown_column(name, number, path, file))
        else:
            columns.append(_Column(number, name, path))
        seen.setdefault(name, number)
    return columns, problems


def _unknown_column(name: str, number: int, path: KeyPath, file: str) -> Problem:
    depth = next((size for size in range(len(path)) if not types_at(CaseFile, path[: size + 1])), 0)
    advice = suggest(str(path[depth]) if path else "", known_keys(CaseFile, path[:depth]))
    if ";" in name or "\t" in name:
        advice = "separate the columns by commas"
    said = f"the column `{short(name)}` is not known"
    return _Cell(file, 1, number, name).problem("unknown-key", said, advice, name)


def _ragged(file: str, line: int, cells: int, columns: int) -> Problem:
    said = f"the row has {cells} fields, and the header {columns}"
    advice = "add the missing fields, empty ones too" if cells < columns else "quote fields that hold a comma"
    return _Cell(file, line, min(cells, columns)).problem("ragged-row", said, advice, str(cells))


def _document(
    columns: list[_Column], cells: list[str], line: int, file: str
) -> tuple[Document, list[Problem]]:
    filled = [column for column in columns if cells[column.number - 1]]
    paths = placed([column.path for column in filled])
    values: list[tuple[KeyPath, Json]] = []
    problems = []
    for column, path in zip(filled, paths, strict=True):
        cell = cells[column.number - 1]
        try:
            values.append((path, cell_value(cell, types_at(CaseFile, column.path))))
            nested(values)
        except NotJson as error:
            here = _Cell(file, line, column.number, column.name)
            problems.append(here.problem(error.code, error.message, error.suggestion, cell))
            values = [(other, value) for other, value in values if other != path]
    row = {
        path: (column.number, cells[column.number - 1]) for column, path in zip(filled, paths, strict=True)
    }
    return Document(file=file, value=nested(values), line=line, marks=partial(_row_mark, row, line)), problems


def _row_mark(row: dict[KeyPath, tuple[int, str]], line: int) -> Mark:
    """Return marks for one row: the column of every path, and of all that it runs through."""
    root = Mark(line, 1)
    for path, (number, cell) in row.items():
        mark = root
        for part in path:
            mark = _inner(mark, part, line, number)
        mark.text = cell
    return root


def _inner(mark: Mark, part: str | int, line: int, number: int) -> Mark:
    """Return the mark below another one, made where it is not there."""
    if isinstance(part, str):
        mark.keys = {**(mark.keys or {}), part: (line, number)}
    below = mark.below(part)
    if below is not None:
        return below
    new = Mark(line, number)
    if isinstance(part, str):
        mark.inner = {**(mark.inner if isinstance(mark.inner, Mapping) else {}), part: new}
    else:
        mark.inner = [*mark.all_below(), new]
    return new


@dataclass(frozen=True, slots=True)
class _Cell:
    """A place in a table.

    Attributes:
        file: The table.
        line: 1-based line of the file.
        column: 1-based column of the table.
        key: Name of the column, where it is known.
    """

    file: str
    line: int = 1
    column: int = 1
    key: str = ""

    def problem(self, code: str, message: str, suggestion: str, value: str = "") -> Problem:
        """Return a problem at this place."""
        return Problem(
            file=self.file,
            line=self.line,
            column=self.column,
            key=self.key,
            value=short(value),
            message=message,
            suggestion=suggestion,
            code=code,
        )
