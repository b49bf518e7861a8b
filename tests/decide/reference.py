"""A slow reading of the one-arm gate (semantics section 6, statistics sections 1.1, 1.2 and 6.2).

It is written from these pages alone, in exact fractions with scipy's quantiles, and knows nothing of
evalkit's own arithmetic. Two rules are evalkit's and are stated here again: a population bound is never
tighter than what the clusters would prove without a single fail (or hit), and unequal numbers of trials under
estimand `suite` weigh as C^2 / sum(1 / k_i) trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from scipy.stats import beta, t

from tests.decide.building import Drawn


@dataclass(frozen=True)
class Asked:
    """One require on one slice."""

    statistic: str
    threshold: float
    at_least: bool
    estimand: str
    confidence: float
    coverage: float


@dataclass(frozen=True)
class Numbers:
    """What counts for and against in one case, and what is not known."""

    hits: int
    misses: int
    unknown: int
    cluster: str


def choice(drawn: Sequence[Drawn], asked: Asked) -> str:
    """Return go, no-go or undecided."""
    numbers = [_numbers(one, asked.statistic) for one in drawn]
    every = sum(one.hits + one.misses + one.unknown for one in numbers)
    if not every:
        return "undecided"
    coverage = Fraction(sum(one.hits + one.misses for one in numbers), every)
    if coverage < Fraction(9, 10):
        return "undecided"
    said = _said(numbers, asked)
    if said == "undecided" or coverage >= Fraction(str(asked.coverage)):
        return said
    as_hits = [Numbers(one.hits + one.unknown, one.misses, 0, one.cluster) for one in numbers]
    as_misses = [Numbers(one.hits, one.misses + one.unknown, 0, one.cluster) for one in numbers]
    hits_help_go = asked.at_least
    worst_for_go, best_for_go = (as_misses, as_hits) if hits_help_go else (as_hits, as_misses)
    held = _said(worst_for_go if said == "go" else best_for_go, asked)
    return said if held == said else "undecided"


def together(choices: Sequence[str]) -> str:
    """Any no-go, else any undecided, else go."""
    for one in ("no-go", "undecided"):
        if one in choices:
            return one
    return "go"


def _numbers(one: Drawn, statistic: str) -> Numbers:
    measured = one.passed + one.failed + one.explained
    hits = one.degraded_passed + one.degraded_failed if statistic == "degraded" else one.passed
    return Numbers(hits, measured - hits, one.unmeasured, one.cluster or one.case)


def _said(numbers: Sequence[Numbers], asked: Asked) -> str:
    bounds = (
        _bounds_suite(numbers, asked) if asked.estimand == "suite" else _bounds_population(numbers, asked)
    )
    if bounds is None:
        return "undecided"
    low, high = bounds
    if asked.at_least:
        return "go" if low >= asked.threshold else "no-go" if high < asked.threshold else "undecided"
    return "go" if high <= asked.threshold else "no-go" if low > asked.threshold else "undecided"


def _bounds_suite(numbers: Sequence[Numbers], asked: Asked) -> tuple[float, float] | None:
    sizes = [(one.hits, one.hits + one.misses) for one in numbers if one.hits + one.misses]
    if not sizes:
        return None
    rate = _mean([Fraction(hits, size) for hits, size in sizes])
    n = Fraction(len(sizes) ** 2) / sum(Fraction(1, size) for _, size in sizes)
    return _low(rate, float(n), asked.confidence), _high(rate, float(n), asked.confidence)


def _bounds_population(numbers: Sequence[Numbers], asked: Asked) -> tuple[float, float] | None:
    ends = [found for found in (_ends(one, asked.statistic) for one in numbers) if found is not None]
    if not ends:
        return None
    clusters = [cluster for _, _, cluster in ends]
    least, most = [low for low, _, _ in ends], [high for _, high, _ in ends]
    n_low, n_high = (_worth(values, clusters, asked.confidence) for values in (least, most))
    if n_low is None or n_high is None:
        return None
    size = len(set(clusters))
    low = _low(_mean(least), n_low, asked.confidence)
    high = _high(_mean(most), n_high, asked.confidence)
    proven = (1 - asked.confidence) ** (1 / size)
    return min(low, proven), max(high, 1 - proven)


def _ends(one: Numbers, statistic: str) -> tuple[Fraction, Fraction, str] | None:
    """Return the least and the most that a case can be, and its cluster."""
    n = one.hits + one.misses
    if not statistic.startswith("pass^"):
        return (Fraction(one.hits, n), Fraction(one.hits, n), one.cluster) if n else None
    k = int(statistic.removeprefix("pass^"))
    if n >= k:
        exact = Fraction(comb(one.hits, k), comb(n, k))
        return exact, exact, one.cluster
    if n + one.unknown < k:
        return None
    whole = comb(n + one.unknown, k)
    return Fraction(comb(one.hits, k), whole), Fraction(comb(one.hits + one.unknown, k), whole), one.cluster


def _worth(values: Sequence[Fraction], clusters: Sequence[str], confidence: float) -> float | None:
    """Return n*: how many independent cases these are worth."""
    n, names = len(values), sorted(set(clusters))
    c, p = len(names), _mean(values)
    if p in (0, 1):
        return float(c)
    if c < 2:
        return None
    pairs = list(zip(values, clusters, strict=True))
    sums = [sum((value - p for value, own in pairs if own == name), Fraction(0)) for name in names]
    variance = Fraction(c, c - 1) * sum((one**2 for one in sums), Fraction(0)) / n**2
    worth = float(c)
    if variance:
        worth = min(float(n), float(Fraction(n, n - 1) * p * (1 - p) / variance))
    return worth if c == n else worth * float(t.ppf(confidence, n - 1) / t.ppf(confidence, c - 1)) ** 2


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _low(p: Fraction, n: float, confidence: float) -> float:
    return 0.0 if p == 0 else float(beta.ppf(1 - confidence, float(p) * n, n - float(p) * n + 1))


def _high(p: Fraction, n: float, confidence: float) -> float:
    return 1.0 if p == 1 else float(beta.ppf(confidence, float(p) * n + 1, n - float(p) * n))
