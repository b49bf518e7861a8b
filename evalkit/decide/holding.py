"""One require held against one slice: the bound decides, coverage and grade decide whether it may.

What comes in: a slice, what is asked of it. What goes out: `Held`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from evalkit.decide.counts import coverage
from evalkit.decide.figures import Asked, bounds_of, counted, estimate, figure_of
from evalkit.decide.question import Slice
from evalkit.decide.tally import GRADES
from evalkit.records.decision import Choice
from evalkit.records.estimate import Estimate
from evalkit.records.policy import GatePolicy, Require
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
        cases: The cases of the slice.
        lower: With the confidence that is asked for the figure is at least that; None where undefined.
        upper: With that confidence it is at most that; None where undefined.
        why: Why it is undecided whatever the bounds say; "" otherwise.
        units: Independent units that there are: clusters of cases, or measured trials; 0 where undefined.
        against: How many of them speak against what is asked: a fail in them, or a hit of `at_most`.
    """

    estimate: Estimate
    require: Require
    choice: Choice
    cases: frozenset[str] = frozenset()
    lower: float | None = None
    upper: float | None = None
    why: str = ""
    units: int = 0
    against: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighing:
    """A slice in the numbers that decide; a missing case is one whose trials are all unmeasured."""

    slice: Slice
    asked: Asked
    require: Require
    policy: GatePolicy
    numbers: tuple[Tally, ...]
    missing: tuple[Tally, ...]
    bounds: DecisionBounds

    @property
    def coverage(self) -> float | None:
        """The share of what was asked that was measured, cases that the run lacks counted as asked."""
        both = (*self.numbers, *self.missing)
        return coverage(sum(one.n_asked for one in both), sum(one.n_unmeasured for one in both))


def hold(part: Slice, require: Require, policy: GatePolicy, trials: int) -> Held:
    """Hold a require against one slice.

    Args:
        part: The slice.
        require: What is asked of it.
        policy: The policy, for the coverage below which a decision must hold in the worst case, and for the
            weakest evidence that may decide.
        trials: Trials per case that the run planned, for cases that it lacks.
    """
    weighed = _weighing(part, require, policy, trials)
    figure, bounds = estimate(part.tallies, weighed.asked), weighed.bounds
    choice, why = _choice(weighed)
    low_decides = (choice == "no-go") == (require.at_least is None)
    threshold = require.at_least if require.at_least is not None else require.at_most
    few = ("few_clusters",) if bounds.few_clusters and bounds.n_cases else ()
    decided = msgspec.structs.replace(
        figure,
        bound=bounds.lower if low_decides else bounds.upper,
        n_effective=bounds.n_effective,
        threshold=threshold,
        decision=choice,
        method=f"{figure.method}; bound: {bounds.method}, confidence {bounds.confidence}",
        reason=why or figure.reason,
        flags=(*figure.flags, *few),
    )
    return Held(
        estimate=decided,
        require=require,
        choice=choice,
        cases=frozenset(one.case for one in part.tallies),
        lower=bounds.lower,
        upper=bounds.upper,
        why=why,
        units=_units(weighed),
        against=_against_it(weighed),
    )


def _units(one: _Weighing) -> int:
    """Return the independent units as they would be if none spoke against: a fail makes clusters uneven."""
    if one.asked.estimand == "population":
        return one.bounds.n_clusters if one.bounds.n_effective is not None else 0
    return round(one.bounds.n_effective or 0.0)


def _against_it(one: _Weighing) -> int:
    """Return how many independent units speak against what is asked."""
    fails = one.require.at_least is not None
    against = [(tally.cluster, tally.n_fail if fails else tally.n_pass) for tally in one.numbers]
    if one.asked.estimand == "population":
        return len({cluster for cluster, number in against if number})
    return sum(number for _, number in against)


def _weighing(part: Slice, require: Require, policy: GatePolicy, trials: int) -> _Weighing:
    sign = "at_least" if require.at_least is not None else "at_most"
    asked = Asked(
        metric=require.metric,
        slice=part.name,
        statistic=require.statistic,
        estimand=estimand_of(require),
        confidence=require.confidence,
        flags=(sign, f"grade={part.grade}") if part.grade is not None else (sign,),
    )
    numbers = counted(part.tallies, asked.statistic)
    lacking = [
        Tally(n_pass=0, n_fail=0, n_unmeasured=trials, cluster=case.cluster_name) for case in part.missing
    ]
    return _Weighing(
        slice=part,
        asked=asked,
        require=require,
        policy=policy,
        numbers=numbers,
        missing=tuple(lacking),
        bounds=bounds_of(numbers, asked),
    )


def estimand_of(require: Require) -> Literal["population", "suite"]:
    """Return what a require is about: cases like these, or these very cases.

    Args:
        require: An entry of a policy.

    Returns:
        What it says; else `suite` per case and `population` otherwise. pass^k takes `population` only.
    """
    if require.statistic.startswith("pass^"):
        return "population"
    return require.estimand or ("suite" if require.per == "case" else "population")


def _choice(one: _Weighing) -> tuple[Choice, str]:
    """Return the choice, and why it is undecided whatever the bounds say."""
    barred = _barred(one)
    if barred:
        return "undecided", barred
    choice = _against(one.bounds, one.require)
    if choice == "undecided" or _survives(one, choice):
        return choice, ""
    taken_for = "passes" if _filler(one.require, choice) == "pass" else "fails"
    if one.require.statistic == "degraded":
        taken_for = "degraded" if taken_for == "passes" else "not degraded"
    return "undecided", f"{_short(one)}: {choice} does not hold with the unmeasured taken for {taken_for}"


def _barred(one: _Weighing) -> str:
    """Return what forbids any decision: nothing asked, too little measured, evidence too weak, no bound."""
    found = one.coverage
    if found is None:
        return "nothing was asked"
    if found < LEAST_COVERAGE:
        return f"{_short(one)} is below {figure_of(LEAST_COVERAGE)}"
    least, grade = one.policy.min_grade, one.slice.grade
    if least is not None and grade is not None and GRADES.index(grade) < GRADES.index(least):
        return f"rests on {grade} evidence, and the policy asks for {least}"
    if one.bounds.lower is None or one.bounds.upper is None:
        return one.bounds.reason or "no bound can be given"
    return ""


def _short(one: _Weighing) -> str:
    """Return how much was measured, in words."""
    lacking = len(one.slice.missing)
    of = len(one.slice.tallies) + lacking
    text = f"coverage {figure_of(one.coverage)}"
    cases = "case is" if of == 1 else "cases are"
    return f"{text} ({lacking} of {of} {cases} not in this run)" if lacking else text


def _against(bounds: DecisionBounds, require: Require) -> Choice:
    """Return what two bounds say of a threshold; `at_most` mirrors `at_least`."""
    lower, upper = bounds.lower, bounds.upper
    if lower is None or upper is None:
        return "undecided"
    if require.at_least is not None:
        return "go" if lower >= require.at_least else "no-go" if upper < require.at_least else "undecided"
    at_most = require.at_most or 0.0
    return "go" if upper <= at_most else "no-go" if lower > at_most else "undecided"


def _survives(one: _Weighing, choice: Choice) -> bool:
    """Return whether a choice also holds with the unmeasured as what speaks against it.

    Asked beside the bounds of what was measured, never instead of them: with clusters, a fail more can raise
    a lower bound.
    """
    found = one.coverage
    if found is not None and found >= one.policy.coverage:
        return True
    filled = completed((*one.numbers, *one.missing), _filler(one.require, choice))
    return _against(bounds_of(filled, one.asked), one.require) == choice


def _filler(require: Require, choice: Choice) -> Literal["pass", "fail"]:
    """Return what the unmeasured are taken for, so that they speak against the choice."""
    passes_help = (require.at_least is not None) == (choice == "no-go")
    return "pass" if passes_help else "fail"
