"""Data that no production has: texts of one length, round amounts only, ids without a gap.

What comes in: a suite. What goes out: one warning per sign, with the figures. The signs are few and can be
counted; whether users write like these is for a person to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from statistics import fmean, pstdev

from evalkit.errors import Problem
from evalkit.records.case import Case
from evalkit.records.suite import Suite
from evalkit.suite.expected import expected_values
from evalkit.suite.situations import said
from evalkit.suite.warning import warning

LEAST = 10
"""Cases, amounts or ids below which nothing is said: three round amounts are chance."""

SPREAD = 0.1
"""Standard deviation of the lengths over their mean, below which texts are of one length."""

ROUND = 10
"""Amounts of at least this much are looked at; smaller ones are counts. Multiples of it are round."""

_ID = re.compile(r"(?<![\w-])([^\W\d_]{1,20}[-_#]?)(\d{1,12})(?![\w-])")


def too_tidy(suite: Suite) -> Iterator[Problem]:
    """Yield a warning for each sign that the whole suite shows, or else a capability of it.

    Args:
        suite: The suite.
    """
    groups = _groups(suite)
    for sign in (_lengths, _amounts, _ids):
        for name, cases in groups.items():
            told, advice = sign(cases)
            if told:
                key = f"cases of {name}" if name else "cases"
                yield warning("too-tidy", "suite.yaml", key, name or suite.suite, told, advice)
                break


def _groups(suite: Suite) -> dict[str, tuple[Case, ...]]:
    """Return the whole suite (under "") and its capabilities, where there are cases enough."""
    groups: dict[str, list[Case]] = {"": list(suite.cases)}
    for case in suite.cases:
        if "capability" in case.tags:
            groups.setdefault(str(case.tags["capability"]), []).append(case)
    return {name: tuple(cases) for name, cases in groups.items() if len(cases) >= LEAST}


def _lengths(cases: Sequence[Case]) -> tuple[str, str]:
    lengths = [len(said(case)) for case in cases]
    spread = pstdev(lengths) / (fmean(lengths) or 1.0)
    if spread >= SPREAD:
        return "", ""
    told = f"what users say is of one length in {len(lengths)} of {len(lengths)} cases: {min(lengths)} to"
    told += f" {max(lengths)} characters, coefficient of variation {spread:.2f}"
    return told, "add what users really write: three words, and a page"


def _amounts(cases: Sequence[Case]) -> tuple[str, str]:
    found = [amount for case in cases for amount in sorted(_expected_amounts(case))]
    if len(found) < LEAST or any(amount % ROUND for amount in found):
        return "", ""
    told = f"{len(found)} of {len(found)} expected amounts are multiples of {ROUND}"
    return told, "add amounts as they come: 87.35, 19.99"


def _expected_amounts(case: Case) -> set[float]:
    """Return the different amounts that a case expects, counts left out."""
    numbers = (value for value in expected_values(case) if not isinstance(value, str))
    return {abs(number) for number in numbers if abs(number) >= ROUND}


def _ids(cases: Sequence[Case]) -> tuple[str, str]:
    found: dict[str, set[int]] = {}
    for case in cases:
        for prefix, number in _ID.findall(said(case)):
            found.setdefault(prefix, set()).add(int(number))
    numbers = max(found.values(), key=len, default=set())
    if len(numbers) < LEAST or max(numbers) - min(numbers) + 1 > len(numbers):
        return "", ""
    prefix = next(name for name, those in found.items() if those is numbers)
    told = f"{len(numbers)} of {len(numbers)} ids are consecutive: {prefix}{min(numbers)}"
    told += f" to {prefix}{max(numbers)}"
    return told, "add ids as they come, with gaps"
