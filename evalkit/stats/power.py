"""What a sample of a given size can prove at all, before anything is run.

Numbers of independent units in, thresholds and counts out. The unit is the cluster (the case, where none are
declared) for a claim about the population of cases, and the trial for a claim about one case or about exactly
these cases; a cluster counts as failed here when it does not pass whole. A gate whose threshold is beyond
``provable_at_least`` can never say `go`.
"""

from collections.abc import Callable

from evalkit.stats.interval import lower_bound, upper_bound

_LARGEST = 10_000_000  # units: beyond this no suite is run, and a threshold so near to 1 is a misprint


def provable_at_least(units: int, confidence: float = 0.95) -> float:
    """Return the largest threshold of an `at_least` gate that a sample without a fail passes.

    Args:
        units: Independent units, >= 0.
        confidence: One-sided confidence in (0, 1).

    Returns:
        (1 - confidence) ** (1 / units), and 0 without a unit.

    Raises:
        ValueError: If an argument is out of range.

    Source: Clopper and Pearson 1934, at x = n.

    >>> [round(provable_at_least(units), 3) for units in (0, 5, 40)]
    [0.0, 0.549, 0.928]
    """
    return lower_bound(units, units, confidence)


def provable_at_most(units: int, confidence: float = 0.95) -> float:
    """Return the smallest threshold of an `at_most` gate that a sample without a single hit passes.

    Args:
        units: Independent units, >= 0.
        confidence: One-sided confidence in (0, 1).

    Returns:
        1 - (1 - confidence) ** (1 / units), and 1 without a unit.

    Raises:
        ValueError: If an argument is out of range.

    Source: Clopper and Pearson 1934, at x = 0.

    >>> [round(provable_at_most(units), 4) for units in (0, 5, 50)]
    [1.0, 0.4507, 0.0582]
    """
    return upper_bound(0, units, confidence)


def most_fails(units: int, at_least: float, confidence: float = 0.95) -> int | None:
    """Return the most fails with which the lower bound still reaches the threshold.

    Args:
        units: Independent units, >= 0.
        at_least: Threshold in [0, 1].
        confidence: One-sided confidence in (0, 1).

    Returns:
        The number of fails, 0 <= fails <= units; None where even a sample without a fail proves too little.

    Raises:
        ValueError: If an argument is out of range.

    Source: Clopper and Pearson 1934, solved for x.

    >>> most_fails(8, 0.5), most_fails(5, 0.5), most_fails(5, 0.55)
    (1, 0, None)
    """
    _check_threshold(at_least)
    short = _first(lambda x: lower_bound(units - x, units, confidence) < at_least, 0, units + 1)
    return short - 1 if short else None


def most_hits(units: int, at_most: float, confidence: float = 0.95) -> int | None:
    """Return the most hits with which the upper bound of an `at_most` gate still keeps to the threshold.

    Args:
        units: Independent units, >= 0.
        at_most: Threshold in [0, 1].
        confidence: One-sided confidence in (0, 1).

    Returns:
        The number of hits, 0 <= hits <= units; None where even a sample without a hit proves too little.

    Raises:
        ValueError: If an argument is out of range.

    Source: Clopper and Pearson 1934, solved for x.

    >>> most_hits(29, 0.10), most_hits(28, 0.10)
    (0, None)
    """
    _check_threshold(at_most)
    over = _first(lambda x: upper_bound(x, units, confidence) > at_most, 0, units + 1)
    return over - 1 if over else None


def units_needed(at_least: float, fails: int = 0, confidence: float = 0.95) -> int | None:
    """Return the fewest units with which the threshold is proven in spite of so many fails.

    Args:
        at_least: Threshold in [0, 1].
        fails: Fails to be afforded, >= 0.
        confidence: One-sided confidence in (0, 1).

    Returns:
        The number of units, at least 1; None where no sample of at most ten million units is enough.

    Raises:
        ValueError: If an argument is out of range.

    Source: Clopper and Pearson 1934, solved for n; without a fail ceil(log(1 - confidence) / log(at_least)).

    >>> [units_needed(threshold) for threshold in (0.80, 0.85, 0.90, 0.95, 0.99)]
    [14, 19, 29, 59, 299]
    """
    _check_threshold(at_least)
    if fails < 0:
        raise ValueError(f"fails cannot be negative: {fails!r}")
    fewest = max(fails, 1)
    found = _first(lambda n: lower_bound(n - fails, n, confidence) >= at_least, fewest, _LARGEST + 1)
    return found if found <= _LARGEST else None


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number in low..high-1 from which on the condition holds, or high: halving the gap."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _check_threshold(threshold: float) -> None:
    """Refuse a threshold that no proportion can meet or miss, a percentage for instance."""
    if not 0 <= threshold <= 1:
        raise ValueError(f"a threshold lies in [0, 1], not {threshold!r}")
