"""The table of verdicts, and CSV: RFC 4180, no formula, numbers as numbers, everything can be read back."""

from __future__ import annotations

import csv
import io
import re

from hypothesis import example, given
from hypothesis import strategies as st

from evalkit.records.flat import VerdictRow
from evalkit.records.safe import as_written
from evalkit.report.flat import COLUMNS, csv_lines, guarded, table_rows
from tests.report.documents import CHINESE, EVERY, document, verdicts

ANYTHING = st.text(st.characters(exclude_categories=()) | st.sampled_from("=+-@\t\r\n'\",;"), max_size=30)


def rows(text: str) -> list[VerdictRow]:
    """Return the table of six trials whose every text is this one."""
    board = document(text).board
    found = (row for number in range(6) for row in verdicts(text, "a", number))
    return list(table_rows(board.manifest, board.columns, found))


def parsed(text: str) -> list[dict[str, str]]:
    """Return the lines of the CSV by column."""
    written = "".join(csv_lines(rows(text))).encode("utf-8").decode("utf-8")
    return list(csv.DictReader(io.StringIO(written, newline=""), strict=True))


def unguarded(cell: str) -> str:
    """Return what the guard and the escapes were given."""
    return as_written(cell[1:] if re.match("'+[=+\\-@\t\r\n＝＋－＠]", cell) else cell)


@given(ANYTHING)
@example("=cmd|' /C calc'!A0")
@example("'=1")
def test_every_text_comes_back(text: str) -> None:
    """Whatever a message holds: the rows are there, and the text is read back to the letter."""
    found = parsed(text)
    assert 18 == len(found)
    assert {text} == {unguarded(row["message"]) for row in found if row["name"] == "fine"}


def test_every_code_point_comes_back() -> None:
    """Every code point up to U+FFFF and lone surrogates, in one cell."""
    assert EVERY == unguarded(parsed(EVERY)[1]["message"])


@given(ANYTHING)
def test_no_text_is_a_formula(text: str) -> None:
    """No text cell begins with what a spreadsheet calculates."""
    assert guarded(text)[:1] not in tuple("=+-@\t\r\n＝＋－＠")


def test_numbers_stay_numbers() -> None:
    """A negative measure is no formula; what is undefined is empty, truth is true or false."""
    row = next(row for row in parsed("x") if row["measure"])
    assert ("-0.5", "1.0", "1") == (row["measure"], row["threshold"], row["measured_over"])
    assert ("", "false", "true") == (row["cause"], row["degraded"], row["deciding"])


def test_the_form_is_rfc_4180() -> None:
    """CRLF ends every line, the header is first and as wide as every row; letters of any script stay."""
    lines = list(csv_lines(rows(CHINESE)))
    assert lines[0] == ",".join(COLUMNS) + "\r\n"
    assert all(line.endswith("\r\n") and not line.endswith("\n\r\n") for line in lines)
    assert CHINESE in lines[2]
    assert 19 == len(lines)


def test_the_header_is_stable() -> None:
    """Names and order of the columns are what others' scripts rely on."""
    assert COLUMNS == (
        *(
            "run",
            "suite",
            "suite_hash",
            "scoring_version",
            "mode",
            "index",
            "case",
            "arm",
            "trial",
            "attempt",
        ),
        *("of", "name", "deciding", "tier", "scope", "stage", "outcome", "cause", "cause_class", "sub"),
        *("reason", "message", "roots", "cites", "measure", "unit", "measured_over", "threshold", "grade"),
        *("degraded", "inherited", "decided_by", "state", "emptied_by"),
    )


def test_lists_are_joined() -> None:
    """Roots and cited events stand in one cell each."""
    row = parsed("look")[4]
    assert ("right", "look", "1;2") == (row["name"], row["roots"], row["cites"])
