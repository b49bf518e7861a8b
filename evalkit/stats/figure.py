"""What the functions of this room return: numbers that say how they came about, or why there is none.

Three shapes. A ``Figure`` is a number with a confidence interval. A ``CaseFigure`` and a ``SuiteFigure``
are numbers of which trials may be unmeasured: they say what the number is known to lie in, and what it
would be had every unmeasured trial failed, or passed.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from evalkit.errors import InvalidFigure

Estimand = Literal["realised", "suite", "population"]
"""What a number is about: exactly these trials (E1), these cases with new trials (E2), new cases too (E3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number with its confidence interval, or None with the reason.

    Attributes:
        value: The estimate, or None where it is undefined.
        low: Lower confidence limit, or None where no interval can be given.
        high: Upper confidence limit, or None where no interval can be given.
        n: Number of units that the figure rests on (effective ones may be fractional), >= 0.
        method: How value and interval were worked out.
        estimand: What the number is about.
        reason: Why value or interval is None; None where both are there.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: float
    method: str
    estimand: Estimand
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse non-finite numbers, crossed limits, and a None without its reason."""
        check_numbers(self.value, self.low, self.high, self.n)
        check_order(self.low, self.high)
        check_reason(self.reason, self.value, self.low, self.high)

    def known(self) -> float:
        """Return the value.

        Returns:
            The value, where it is defined.

        Raises:
            InvalidFigure: If the value is None.
        """
        return known(self.value, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartlyMeasured:
    """A number some trials of which may be unmeasured: what is known of it.

    Attributes:
        value: The number if it is known, else None.
        least: The least that it can be, given what was measured; equal to `value` where that is known.
        most: The most that it can be; equal to `value` where that is known.
        worst: The number with every unmeasured trial counted as a fail.
        best: The number with every unmeasured trial counted as a pass.
        method: How it was worked out.
        reason: Why `value` is None; None where it is known.
    """

    value: float | None
    least: float | None
    most: float | None
    worst: float | None
    best: float | None
    method: str
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse non-finite numbers, crossed bounds, and a None without its reason."""
        check_numbers(self.value, self.least, self.most, self.worst, self.best)
        check_order(self.least, self.most)
        check_order(self.worst, self.best)
        check_reason(self.reason, self.value)

    def known(self) -> float:
        """Return the value.

        Returns:
            The value, where it is known.

        Raises:
            InvalidFigure: If the value is None.
        """
        return known(self.value, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFigure(PartlyMeasured):
    """A number of one case.

    Attributes:
        n: Measured trials, >= 0.
    """

    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFigure(PartlyMeasured):
    """A number averaged over cases with equal weight.

    Attributes:
        n_cases: Cases that were averaged.
        cases_below_k: Cases left out because fewer than k of their trials were asked (pass^k and pass@k).
        cases_unmeasured: Cases whose asked trials are all unmeasured. They enter `worst` and `best`; a rate
            leaves them out of `value`, for pass^k and pass@k they are an interval.
        cases_not_asked: Cases left out because nothing was asked of them.
    """

    n_cases: int
    cases_below_k: int = 0
    cases_unmeasured: int = 0
    cases_not_asked: int = 0


def known(value: float | None, reason: str | None = None) -> float:
    """Return a number that must be there.

    Args:
        value: The number or None.
        reason: Why it is None, for the message.

    Returns:
        The value.

    Raises:
        InvalidFigure: If the value is None.
    """
    if value is None:
        raise InvalidFigure(f"an undefined figure was used as a number: {reason or 'no reason given'}")
    return value


def average(values: Iterable[float | None]) -> float:
    """Return the unweighted mean, the same to the last bit in whatever order the values come.

    Args:
        values: Finite numbers, at least one. None is accepted by the type only to be refused by name.

    Returns:
        The mean.

    Raises:
        InvalidFigure: If a value is None or there is no value.

    >>> average([0.5, 0.25, 0.0])
    0.25
    """
    numbers = [known(value, "a None among the values to average") for value in values]
    if not numbers:
        raise InvalidFigure("the mean of no values is undefined")
    return math.fsum(numbers) / len(numbers)


def check_numbers(*numbers: float | None) -> None:
    """Refuse numbers that are not finite.

    Args:
        *numbers: Numbers, or None for what is undefined.

    Raises:
        ValueError: If one is NaN or infinite.
    """
    for number in numbers:
        if number is not None and not math.isfinite(number):
            raise ValueError(f"a figure holds finite numbers or None, not {number!r}")


def check_order(low: float | None, high: float | None) -> None:
    """Refuse an interval with one end, or with its ends crossed.

    Args:
        low: Lower end or None.
        high: Upper end or None.

    Raises:
        ValueError: If one end is None and the other is not, or low > high.
    """
    if (low is None) != (high is None):
        raise ValueError("an interval has both ends or none")
    if low is not None and high is not None and low > high:
        raise ValueError(f"crossed interval: {low!r} > {high!r}")


def check_reason(reason: str | None, *numbers: float | None) -> None:
    """Hold the rule that a reason is given exactly where a number is missing.

    Args:
        reason: The reason or None.
        *numbers: The numbers that may be missing.

    Raises:
        ValueError: If a number is None without a reason, or a reason is given although none is.
    """
    if any(number is None for number in numbers) != bool(reason):
        raise ValueError(f"a missing number and its reason go together: {numbers!r}, reason {reason!r}")
