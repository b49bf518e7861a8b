"""Expressions that select cases."""

import pytest

from evalkit.errors import InputError
from evalkit.records.case import Case, Source, Turn
from evalkit.suite.where import parse_where

CASE = Case(
    id="win-3",
    tags={
        "capability": "refund",
        "adjacent": ["exchange", "return"],
        "difficulty": 3,
        "vip": True,
        "note": "a b",
    },
    source=Source(origin="written"),
    split="golden",
    turns=(Turn(user="x"),),
)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("", True),
        ("capability=refund", True),
        ("capability=refund,other", True),
        ("capability=other", False),
        ("capability!=other", True),
        ("capability!=refund,other", False),
        ("tags.capability=refund", True),
        ("adjacent=return", True),
        ("adjacent!=return", False),
        ("difficulty=3", True),
        ("vip=true", True),
        ('note="a b"', True),
        ("id~win-*", True),
        ("id~lose-*,win-?", True),
        ("id~win", False),
        ("split=golden and origin=written", True),
        ("split=golden and origin=mutated", False),
        ("cluster=win-3", True),
        ("risk!=high", True),
        ("risk=high", False),
        ("signal=capability", False),
    ],
)
def test_an_expression_fits_or_not(text: str, *, fits: bool) -> None:
    """Tags and fields are compared as text; a tag that is not there equals nothing."""
    assert fits == parse_where(text).matches(CASE)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("capability", 1),
        ("=x", 1),
        ("a=1 b=2", 5),
        ("a=1 and ", 9),
        ("a=1 or b=2", 5),
        ("a=,b", 1),
        ("a==b", 1),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(text: str, column: int) -> None:
    """The place at which it stops being an expression is named, with the grammar."""
    with pytest.raises(InputError) as refused:
        parse_where(text)
    (problem,) = refused.value.problems
    assert ("bad-expression", column) == (problem.code, problem.column)
    assert "key=value" in problem.suggestion


def test_a_key_that_no_case_has_is_known_as_such() -> None:
    """A misspelt tag selects nothing without a word, unless somebody asks which keys are unknown."""
    where = parse_where("capabilty=refund and id=x and vip=true")
    assert (("capabilty", "did you mean `capability`?"),) == where.unknown_keys([CASE])


def test_a_value_that_no_case_has_is_known_as_such() -> None:
    """What `=` asks for and no case has is told with the nearest value; unknown keys are not told again."""
    where = parse_where("capability=refnd,refund and nope=x and id!=zzz")
    assert (("capability=refnd", "did you mean `refund`?"),) == where.unknown_values([CASE])
