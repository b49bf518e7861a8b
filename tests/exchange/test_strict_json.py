"""JSON of strangers is taken entry by entry, and what readers do not agree about is a flaw with a place."""

import json

import pytest

from evalkit.exchange.strict_json import flaws, piece_at, pieces, value_of


@pytest.mark.parametrize("text", ["[]", " [ ]\n", "[1]", '[{"a": [1, 2]},\n  "]", null ]'])
def test_an_array_comes_piece_by_piece(text: str) -> None:
    """The pieces of an array are its entries, and each can be read again from where it starts."""
    found = list(pieces(text))
    assert json.loads(text) == [piece.value for piece in found]
    assert json.loads(text) == [piece_at(text, piece.start) for piece in found]
    assert list(range(len(found))) == [piece.number for piece in found]


def test_a_piece_knows_its_line() -> None:
    """Lines are counted from 1, also where an entry spans several."""
    assert [2, 4, 4] == [piece.line for piece in pieces('[\n{"a":\n1},\n2, 3]')]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("{}", 1, 1),
        ("[1,\n", 2, 1),
        ("[1,]", 1, 4),
        ("[1 2]", 1, 4),
        ("[1]\nx", 2, 1),
        ('["a', 1, 2),
        ("[1, " + "[" * 100_000, 1, 5),
    ],
)
def test_what_is_no_array_is_refused_where_it_ends(text: str, line: int, column: int) -> None:
    """The place is that of the first sign that cannot be read; nesting without end is no crash."""
    with pytest.raises(json.JSONDecodeError) as caught:
        list(pieces(text))
    assert (line, column) == (caught.value.lineno, caught.value.colno)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": {"b": 1, "b": 2}}', ".a"),
        ('{"a": [0, NaN]}', ".a[1]"),
        ('{"a": -Infinity}', ".a"),
        ('{"a": 1e999}', ".a"),
        ('{"a": ' + "9" * 301 + "}", ".a"),
        ("[" * 66 + "]" * 66, "[0]" * 65),
    ],
)
def test_a_flaw_is_named_by_its_place(text: str, place: str) -> None:
    """Doubled keys, numbers that are none, numbers without end and nesting without end are flaws."""
    assert [place] == [key for key, _ in flaws(next(pieces(f"[{text}]")).value)]


def test_large_integers_and_half_surrogates_are_no_flaws() -> None:
    """What the journal can keep is not refused."""
    value = next(pieces(f'[[{"9" * 300}, "\\ud83d"]]')).value
    assert [] == list(flaws(value))
    assert [int("9" * 300), "\ud83d"] == value


@pytest.mark.parametrize(
    "text", ["", "Transfer successful", "NaN", "1e999", '{"a": 1, "a": 2}', "[" * 90_000]
)
def test_a_text_that_is_no_json_stays_text(text: str) -> None:
    """Nothing is guessed: a text with a flaw is kept as it is."""
    assert text == value_of(text)


def test_a_text_that_is_json_is_its_value() -> None:
    """Objects, lists and numbers are read."""
    assert [{"a": []}, 23553.0, None] == [value_of(text) for text in ('{"a": []}', "23553.0", " null ")]
