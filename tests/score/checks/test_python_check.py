"""`python`: a function of the suite, whatever it does."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalkit.records.fact import FactSheet
from evalkit.score.finding import Finding
from tests.score.checks.views import END, made, said, view_of
from tests.score.checks.views import ask as ask_view

NAME = "checks.py:mine"


def ask(function: Callable[..., object], **args: Any) -> Finding:
    """What is found where the suite has this function."""
    view = view_of(made("pay"), said("done"), functions={NAME: function})
    return ask_view("python", view, function=NAME, args=args)


def answers(value: object) -> Finding:
    """What is found where the function answers this."""
    return ask(lambda _sheet: value)


def test_python_passes_where_the_function_says_yes() -> None:
    """It gets the facts and its arguments, by name."""
    found = ask(lambda sheet, tool, n: len([c for c in sheet.calls if c.tool == tool]) == n, tool="pay", n=1)
    assert (True, f"{NAME} says yes") == (found.held, found.reason)


def test_python_passes_with_reason_events_and_measure() -> None:
    """All that a finding holds."""
    measure = {"value": 2, "unit": "calls", "n": 3, "threshold": 2.5}
    found = answers({"passed": True, "reason": "two", "cites": [2, 3, 4, END], "measure": measure})
    assert (True, "two", (2, 3, 4, END)) == (found.held, found.reason, found.cites)
    assert found.measure is not None
    assert (2.0, "calls", 3, 2.5) == (
        found.measure.value,
        found.measure.unit,
        found.measure.n,
        found.measure.threshold,
    )


def test_a_measure_is_of_one_thing_and_held_against_nothing_unless_it_says_so() -> None:
    """The defaults of a measure."""
    measure = answers({"passed": True, "measure": {"value": 0, "unit": "calls"}}).measure
    assert measure is not None
    assert (0.0, 1, None) == (measure.value, measure.n, measure.threshold)


def test_python_fails_where_the_function_says_no() -> None:
    """A bool or a dict; without a reason the function's name stands in."""
    assert False is answers(False).held
    found = answers({"passed": False})
    assert (False, f"{NAME} says no", (END,)) == (found.held, found.reason, found.cites)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        1,
        0,
        "yes",
        math.nan,
        np.True_,
        [True],
        {},
        {"passed": 1},
        {"passed": None},
        {"passed": np.True_},
        {"passed": True, "score": 1},
        {"passed": True, 7: 1},
        {"passed": True, "reason": 5},
        {"passed": True, "cites": None},
        {"passed": True, "cites": "12"},
        {"passed": True, "cites": [2.0]},
        {"passed": True, "cites": [True]},
        {"passed": True, "cites": [-1]},
        {"passed": True, "cites": [5000]},
        {"passed": True, "cites": [1]},
        {"passed": True, "measure": 3},
        {"passed": True, "measure": {"value": 3}},
        {"passed": True, "measure": {"value": math.nan, "unit": "x"}},
        {"passed": True, "measure": {"value": math.inf, "unit": "x"}},
        {"passed": True, "measure": {"value": 10**400, "unit": "x"}},
        {"passed": True, "measure": {"value": True, "unit": "x"}},
        {"passed": True, "measure": {"value": 1, "unit": 2}},
        {"passed": True, "measure": {"value": 1, "unit": "x", "n": 1.5}},
        {"passed": True, "measure": {"value": 1, "unit": "x", "n": -1}},
        {"passed": True, "measure": {"value": 1, "unit": "x", "threshold": math.nan}},
        {"passed": True, "measure": {"value": 1, "unit": "x", "scale": 1}},
    ],
    ids=repr,
)
def test_python_cannot_be_examined_where_the_answer_is_neither_yes_nor_no(answer: object) -> None:
    """An answer in another form is the suite's bug: neither a pass nor the agent's failure."""
    found = answers(answer)
    assert (None, "broken_case") == (found.held, found.cause)
    assert found.reason.startswith(f"{NAME} answered ")


class _Hostile(Exception):
    """An error that cannot even be printed."""

    def __str__(self) -> str:
        """Raise."""
        raise _Hostile


class _Unprintable:
    """A value that cannot be shown."""

    def __repr__(self) -> str:
        """Leave."""
        sys.exit(3)


@pytest.mark.parametrize(
    "error",
    [ValueError("x" * 5000), SystemExit(0), GeneratorExit(), AssertionError(), RecursionError(), _Hostile()],
)
def test_python_cannot_be_examined_where_the_function_raises(error: BaseException) -> None:
    """Whatever it raises, and it says what and where."""

    def fails(_sheet: FactSheet) -> bool:
        raise error

    found = ask(fails)
    assert (None, "broken_case") == (found.held, found.cause)
    assert found.reason.startswith(f"{NAME} raised ")
    assert type(error).__name__ in found.reason
    place = f"(test_python_check.py:{fails.__code__.co_firstlineno + 1})"
    assert place in found.reason or isinstance(error, ValueError)
    assert len(found.reason) <= 500


def test_only_the_operator_interrupts() -> None:
    """Ctrl-C is no answer of the function."""

    def interrupted(_sheet: FactSheet) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(interrupted)


def test_python_cannot_be_examined_where_the_call_does_not_fit_or_nothing_is_there() -> None:
    """Unknown arguments, a function that is not loaded, an async one, an answer that cannot be shown."""

    async def later(_sheet: FactSheet) -> bool:
        return True

    for found in (
        ask(lambda _sheet: True, colour="red"),
        ask_view("python", view_of(), function=NAME),
        ask(later),
        answers(_Unprintable()),
    ):
        assert (None, "broken_case") == (found.held, found.cause)


def test_a_long_reason_is_cut() -> None:
    """A verdict is one sentence."""
    assert 500 == len(answers({"passed": True, "reason": "x" * 10**6}).reason)


def test_a_function_keeps_nothing_in_its_arguments() -> None:
    """What it does to them is gone in the next trial."""

    def greedy(_sheet: FactSheet, seen: list[int]) -> bool:
        seen.append(1)
        return len(seen) == 1

    view = view_of(functions={NAME: greedy})
    args: dict[str, Any] = {"function": NAME, "args": {"seen": []}}
    assert [True, True] == [ask_view("python", view, **args).held for _ in range(2)]
    assert [] == args["args"]["seen"]
