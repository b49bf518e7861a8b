"""Rows of a record as a Parquet file, written by DuckDB.

What comes in: records of one type, streamed. What goes out: a file with typed columns. The rows are spooled
as JSON lines beside the target and read by DuckDB at once; row by row it would take minutes. DuckDB runs in
memory, loads no extension and reads nothing but the spool.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import duckdb
import msgspec
from msgspec import Struct

_TYPES: Final[Mapping[object, str]] = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN"}
_BATCH = 1000  # rows that are encoded and written at once
# No file of DuckDB's own beside the caller's, nothing fetched, no more than a report should take.
_CONFIG: Final[Mapping[str, str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
    "threads": "2",
}


def write_parquet(target: Path, kind: type[Struct], rows: Iterable[Struct], about: Mapping[str, str]) -> None:
    """Write rows as Parquet.

    Args:
        target: File to be made; its folder has room for the spool, too.
        kind: The type of every row, with fields of text, numbers, truth values, or tuples of these.
        rows: In the order of the file.
        about: Words kept with the file, by key.

    Raises:
        OSError: The file, or the spool, cannot be written.
    """
    spool = target.with_name(f"{target.name}.rows")
    try:
        _spool(spool, rows)
        _copy(spool, target, column_types(kind), about)
    finally:
        with contextlib.suppress(OSError):
            spool.unlink()


def column_types(kind: type[Struct]) -> dict[str, str]:
    """Return the columns of a record with DuckDB's types.

    Args:
        kind: A record of flat fields.
    """
    hints = get_type_hints(kind)
    return {name: _type(hints[name]) for name in kind.__struct_fields__}


def _type(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is Literal:
        return "VARCHAR"
    if get_origin(hint) is tuple:
        return f"{_type(get_args(hint)[0])}[]"
    return _TYPES[hint]


def _spool(path: Path, rows: Iterable[Struct]) -> None:
    encoder, lines = msgspec.json.Encoder(), bytearray()
    with path.open("xb") as file:
        for number, row in enumerate(rows, start=1):
            lines += encoder.encode(row) + b"\n"
            if number % _BATCH == 0:
                file.write(lines)
                lines.clear()
        file.write(lines)


def _copy(spool: Path, target: Path, types: Mapping[str, str], about: Mapping[str, str]) -> None:
    columns = ", ".join(f"{_text(name)}: {_text(kind)}" for name, kind in types.items())
    kept = ", ".join(f"{_text(name)}: {_text(value)}" for name, value in about.items())
    with duckdb.connect(config=dict(_CONFIG)) as connection:
        try:
            connection.execute(
                f"COPY (FROM read_json({_text(str(spool))}, format='newline_delimited',"
                f" compression='none', columns={{{columns}}}))"
                f" TO {_text(str(target))} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{kept}}})"
            )
        except duckdb.Error as error:  # the disk, or a value that no column can hold
            told = str(error).partition("\n")[0].rpartition(": ")[2]
            raise OSError(errno.EIO, told) from error


def _text(value: str) -> str:
    """Return a text as a literal of SQL, in which nothing but the quote has a meaning."""
    return "'" + value.replace("'", "''") + "'"
