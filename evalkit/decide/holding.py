"""One require held against one slice: the bound decides, coverage decides whether it may.

What comes in: tallies, what is asked, the threshold. What goes out: `Held`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from evalkit.decide.estimates import Asked, bounds_of, counted, estimate
from evalkit.records.decision import Choice
from evalkit.records.estimate import CaseTally, Estimate
from evalkit.records.policy import Require
from evalkit.stats.bounds import DecisionBounds
from evalkit.stats.tally import CaseTally as Tally
from evalkit.stats.tally import completed

LEAST_COVERAGE = 0.90
"""Below it nothing is decided. Source: semantics, section 6."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What one require came to on one slice.

    Attributes:
        estimate: The figure, with threshold, bound and decision filled in.
        require: What was asked.
        choice: go, no-go or undecided.
        why: Why it is undecided although a bound exists; "" otherwise.
        units: Independent units that the bound rests on; 0 where undefined.
    """

    estimate: Estimate
    require: Require
    choice: Choice
    why: str = ""
    units: float = 0.0


def hold(tallies: Sequence[CaseTally], asked: Asked, require: Require, least: float) -> Held:
    """Hold a require against one slice.

    Args:
        tallies: Tallies of the slice.
        asked: What is estimated.
        require: The threshold.
        least: Coverage below which a go must hold with the unmeasured as fails, in [.9, 1].
    """
    numbers = counted(tallies, asked.statistic)
    bounds = bounds_of(numbers, asked)
    figure = estimate(tallies, asked)
    choice, why = _choice(numbers, require, bounds)
    if choice != "undecided":
        choice, why = _covered(numbers, asked, require, (choice, figure.coverage, least))
    bound = bounds.lower if require.at_least is not None else bounds.upper
    decided = msgspec.structs.replace(
        figure,
        bound=bound,
        n_effective=bounds.n_effective,
        threshold=require.at_least if require.at_least is not None else require.at_most,
        decision=choice,
        method=f"{figure.method}; {bounds.method}",
        reason=why or figure.reason,
        flags=(*figure.flags, *(("few_clusters",) if bounds.few_clusters else ())),
    )
    return Held(estimate=decided, require=require, choice=choice, why=why, units=bounds.n_effective or 0.0)


def _choice(numbers: Sequence[Tally], require: Require, bounds: DecisionBounds) -> tuple[Choice, str]:
    """Return what the bounds of the measured trials say."""
    if not any(one.n_asked for one in numbers):
        return "undecided", "nothing was asked"
    if bounds.lower is None or bounds.upper is None:
        return "undecided", bounds.reason or "no bound can be given"
    return _against(bounds, require), ""


def _against(bounds: DecisionBounds, require: Require) -> Choice:
    lower, upper = bounds.lower, bounds.upper
    if lower is None or upper is None:
        return "undecided"
    if require.at_least is not None:
        return "go" if lower >= require.at_least else "no-go" if upper < require.at_least else "undecided"
    at_most = require.at_most or 0.0
    return "go" if upper <= at_most else "no-go" if lower > at_most else "undecided"


def _covered(
    numbers: Sequence[Tally], asked: Asked, require: Require, found: tuple[Choice, float | None, float]
) -> tuple[Choice, str]:
    """Return the choice if it survives what was not measured.

    A go must survive the unmeasured as what speaks against it, a no-go as what speaks for it.
    """
    choice, coverage, least = found
    if coverage is None or coverage < LEAST_COVERAGE:
        return "undecided", f"coverage {coverage or 0:.3f} is below {LEAST_COVERAGE}"
    if coverage >= least:
        return choice, ""
    good: Literal["pass", "fail"] = "pass" if require.at_least is not None else "fail"
    bad: Literal["pass", "fail"] = "fail" if require.at_least is not None else "pass"
    filled = completed(numbers, bad if choice == "go" else good)
    if _against(bounds_of(filled, asked), require) == choice:
        return choice, ""
    counted_as = "fails" if choice == "go" else "passes"
    return "undecided", f"coverage {coverage:.3f}: {choice} does not hold with the unmeasured as {counted_as}"
