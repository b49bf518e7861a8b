"""Decisions in words: why each require came to what it came to.

What comes in: requires held against slices. What goes out: sentences that begin with the choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.decide.figures import figure_of
from evalkit.decide.holding import Held
from evalkit.records.estimate import Estimate


def reason(held: Held, falls: Sequence[str] = ()) -> str:
    """Return why one require came to what it came to.

    Args:
        held: The require on its slice.
        falls: The roots at which its trials fall, in words.
    """
    head = f"{held.choice}: {about(held.estimate)}: "
    if held.choice == "undecided" and held.why:
        return head + held.why + _between(held.estimate)
    tail = f"; it falls at {', '.join(falls)}" if falls and held.choice != "go" else ""
    return f"{head}{_figure(held)}, {_bounds(held)}; asked {asked(held)}{tail}"


def about(figure: Estimate) -> str:
    """Return what a figure is about: metric, statistic, slice.

    Args:
        figure: The figure.
    """
    names = f"{figure.metric} {figure.statistic}"
    if figure.slice == "suite":
        return names
    kind, _, value = figure.slice.partition("=")
    plain = kind in ("capability", "case") and " and " not in value
    return f"{names}, {kind} {value}" if plain else f"{names} where {figure.slice}"


def asked(held: Held) -> str:
    """Return what was asked.

    Args:
        held: The require on its slice.
    """
    sign = "at least" if held.require.at_least is not None else "at most"
    return f"{sign} {figure_of(held.estimate.threshold)}"


def count(number: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "case"), count(2, "case")
    ('1 case', '2 cases')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def not_planned(cases: Sequence[str]) -> tuple[str, ...]:
    """Return in a sentence the cases that a real run leaves out; nothing where there is none.

    Args:
        cases: Their ids.
    """
    if not cases:
        return ()
    return (
        f"not planned in real mode, they declare faults: {count(len(cases), 'case')} ({', '.join(cases)})",
    )


def _figure(held: Held) -> str:
    figure = held.estimate
    unit = "case" if figure.estimand == "population" else "trial"
    return f"{figure_of(figure.value)} over {count(figure.n, unit)}"


def _bounds(held: Held) -> str:
    """Return the bound that decides, or both where neither does."""
    sure = f"{held.estimate.confidence:.4g}".removeprefix("0")
    if held.choice == "undecided":
        low, high = figure_of(held.lower), figure_of(held.upper)
        return f"at least {low} and at most {high}, each with confidence {sure}"
    low_decides = (held.choice == "no-go") == (held.require.at_least is None)
    return (
        f"{'at least' if low_decides else 'at most'} {figure_of(held.estimate.bound)} with confidence {sure}"
    )


def _between(figure: Estimate) -> str:
    """Return between what the figure lies, where trials are unmeasured."""
    if figure.worst is None or figure.best is None or figure.worst == figure.best:
        return ""
    low, high = sorted((figure.worst, figure.best))
    return f"; it lies between {figure_of(low)} and {figure_of(high)}, whatever the unmeasured were"
