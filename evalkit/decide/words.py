"""Decisions in words: why, and what would change them.

What comes in: requires held against slices, root causes. What goes out: sentences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from evalkit.decide.holding import Held
from evalkit.records.decision import RootSummary
from evalkit.stats.power import most_fails, provable_at_least, units_needed


def reason(held: Held) -> str:
    """Return why one require came to what it came to.

    Args:
        held: The require on its slice.
    """
    figure = held.estimate
    asked = f"{figure.metric} {figure.statistic}"
    where = "" if figure.slice == "suite" else f" [{figure.slice}]"
    if held.choice == "undecided" and held.why:
        return f"undecided: {asked}{where}: {held.why}"
    limit = f"{figure.confidence:.0%} bound {_number(figure.bound)}"
    return f"{held.choice}: {asked}{where} = {_number(figure.value)}, {limit}, asked {_sign(held)}"


def changes(held: Sequence[Held], roots: Sequence[RootSummary]) -> tuple[str, ...]:
    """Return what would change the decision.

    Args:
        held: All requires on all slices.
        roots: Root causes, most trials first.
    """
    return tuple(dict.fromkeys([*_mending(held, roots), *_proving(held)]))


def _mending(held: Sequence[Held], roots: Sequence[RootSummary]) -> Iterator[str]:
    if any(one.choice != "go" for one in held):
        for root in roots:
            where = f"{root.trials} trials of {len(root.cases)} cases fail there"
            yield f"mend {root.stage} ({root.cause}): {where}"


def _proving(held: Sequence[Held]) -> Iterator[str]:
    """Yield what the sample would have to be, where it is too small or too little was measured."""
    for one in held:
        asked, threshold = one.require, one.estimate.threshold
        if one.choice != "undecided" or threshold is None:
            continue
        if one.why.startswith("coverage") and one.estimate.n_error:
            yield "measure what was not measured: evalkit retry RUN --errors"
        elif asked.at_least is not None:
            yield _sample(one, asked.at_least)


def _sample(one: Held, at_least: float) -> str:
    where = one.estimate.slice
    units, confidence = math.floor(one.units), one.estimate.confidence
    allowed = most_fails(units, at_least, confidence)
    if allowed is None:
        proves = provable_at_least(units, confidence)
        needed = units_needed(at_least, 0, confidence)
        return f"{where}: {units} units without a fail prove {proves:.3f}; {at_least} needs {needed}"
    return f"{where}: more cases, or at most {allowed} fails in {units} units"


def _sign(held: Held) -> str:
    require = held.require
    return f">= {require.at_least}" if require.at_least is not None else f"<= {require.at_most}"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
