"""Parquet: typed columns, every row and text, nothing left beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from evalkit.records.flat import VerdictRow
from evalkit.records.safe import as_written, legible
from evalkit.store.parquet import column_types, write_parquet


class Row(Struct, frozen=True, kw_only=True):
    """A row with a field of every type."""

    text: str
    word: Literal["a", "b"] | None = None
    number: int = 0
    measure: float | None = None
    truth: bool = False
    names: tuple[str, ...] = ()
    cites: tuple[int, ...] = ()


def read(path: Path, what: str = "*") -> list[tuple[Any, ...]]:
    """Return the rows of a file."""
    with duckdb.connect() as connection:
        return connection.execute(f"select {what} from read_parquet($path)", {"path": str(path)}).fetchall()


def test_columns_have_types(tmp_path: Path) -> None:
    """Text, closed words, whole numbers, numbers, truth and lists each have their type, in order."""
    write_parquet(tmp_path / "t.parquet", Row, [Row(text="x")], {})
    with duckdb.connect() as connection:
        said = connection.execute(
            "describe from read_parquet($path)", {"path": str(tmp_path / "t.parquet")}
        ).fetchall()
    expected = {"text": "VARCHAR", "word": "VARCHAR", "number": "BIGINT", "measure": "DOUBLE"}
    expected |= {"truth": "BOOLEAN", "names": "VARCHAR[]", "cites": "BIGINT[]"}
    assert expected == {name: kind for name, kind, *_ in said} == column_types(Row)


def test_the_table_of_verdicts_can_be_written() -> None:
    """Every field of the table has a type that Parquet knows."""
    assert list(VerdictRow.__struct_fields__) == list(column_types(VerdictRow))


def test_values_come_back(tmp_path: Path) -> None:
    """Rows keep their order and values; None is null and not 0, and no rows are still a table."""
    rows = [Row(text="a'b", word="a", number=2**53, measure=-0.5, truth=True, names=("x",), cites=(1, 2))]
    write_parquet(tmp_path / "t.parquet", Row, [*rows, Row(text="")], {"evalkit.signature": "{'it''s': 1}"})
    assert read(tmp_path / "t.parquet") == [
        ("a'b", "a", 2**53, -0.5, True, ["x"], [1, 2]),
        ("", None, 0, None, False, [], []),
    ]
    write_parquet(tmp_path / "none.parquet", Row, [], {})
    assert [] == read(tmp_path / "none.parquet")


@settings(max_examples=25)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=20), max_size=5))
def test_every_text_comes_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """Whatever a text holds, it is read back to the letter."""
    path = tmp_path_factory.mktemp("p") / "t.parquet"
    write_parquet(path, Row, [Row(text=legible(text)) for text in texts], {})
    assert texts == [as_written(text) for (text,) in read(path, "text")]


@pytest.mark.parametrize("name", ["it's.parquet", "[a]*?.parquet", "退款 $x.parquet", "-.parquet"])
def test_a_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    """Quotes, brackets, stars and dollars in a path are no SQL and no pattern."""
    write_parquet(tmp_path / name, Row, [Row(text="x")], {})
    assert [name] == [path.name for path in tmp_path.iterdir()]
    (tmp_path / name).rename(tmp_path / "t")
    assert [("x",)] == read(tmp_path / "t", "text")


def test_what_is_kept_with_the_file(tmp_path: Path) -> None:
    """The signature stands in the file's own metadata."""
    write_parquet(tmp_path / "t.parquet", Row, [], {"evalkit.signature": '{"a": "it\'s"}'})
    with duckdb.connect() as connection:
        said = connection.execute(
            "select key, value from parquet_kv_metadata($path)", {"path": str(tmp_path / "t.parquet")}
        ).fetchall()
    assert (b"evalkit.signature", b'{"a": "it\'s"}') in said


def test_nothing_is_left_beside(tmp_path: Path) -> None:
    """Where the file cannot be made the spool is removed, too."""
    (tmp_path / "t.parquet").mkdir()
    with pytest.raises(OSError, match=r"."):
        write_parquet(tmp_path / "t.parquet", Row, [Row(text="x")], {})
    assert ["t.parquet"] == [path.name for path in tmp_path.iterdir()]


def test_a_number_that_no_column_holds_is_an_output_error(tmp_path: Path) -> None:
    """A citation beyond 64 bits cannot be written, and that is said; nothing is left behind."""
    with pytest.raises(OSError, match=r".+"):
        write_parquet(tmp_path / "t.parquet", Row, [Row(text="x", cites=(10**30,))], {})
    assert [] == [path.name for path in tmp_path.iterdir() if path.suffix == ".parquet"]
