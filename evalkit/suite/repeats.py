"""The warning of cases that are one situation written twice.

What comes in: a suite. What goes out: warnings, of the first such cases, and how many more there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evalkit.errors import Problem
from evalkit.records.suite import Suite
from evalkit.suite.doubles import Double, doubles
from evalkit.suite.warning import of_case

MOST_TOLD = 20
"""Pairs that are told; more are counted."""


def near_duplicates(suite: Suite) -> Iterator[Problem]:
    """Yield a warning for each case that is like an earlier one of another cluster.

    Args:
        suite: The suite.

    Yields:
        At most `MOST_TOLD` warnings; the last says how many cases more there are.
    """
    found = doubles(suite.cases)
    told = [_told(one) for one in found[:MOST_TOLD]]
    if len(found) > MOST_TOLD:
        left = f"; and {len(found) - MOST_TOLD} cases more are like an earlier one"
        told[-1] = replace(told[-1], message=told[-1].message + left)
    yield from told


def _told(one: Double) -> Problem:
    first = one.first.id
    advice = f"give this case and `{first}` the same `cluster`, or let it ask for something else"
    if one.same:
        said = f"the same input and start as `{first}`: the same case twice counts one situation as two"
        advice = f"give both the same `cluster`, or take one away: {first}"
        return of_case("near-duplicate", one.case, "input", f"{said}, intervals become too narrow", advice)
    said = f"the same as `{first}` but for case, figures, ids and names (likeness {one.likeness:.2f})"
    if one.likeness < 1:
        said = f"nearly the same words as `{first}` (likeness {one.likeness:.2f})"
    return of_case("near-duplicate", one.case, "input", f"{said}: one situation counts as two", advice)
