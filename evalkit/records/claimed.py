"""What a trial claimed, as the measure that a verdict carries: how many claims, and which.

What comes in: names of claims. What goes out: a `Measure`, and from a `Measure` the names again. Writer and
reader stand side by side, so that a tally can count claims from verdicts alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.verdict import Measure

_UNITS = ("claim made", "claims made")


def claims_measure(names: Sequence[str]) -> Measure:
    """Return the measure of what a trial claimed.

    Args:
        names: Name of each claim that was made, in order; a claim made twice stands twice.

    >>> claims_measure(["booked", "booked"]).unit, claims_measure([]).value
    ('claims made: booked', 0.0)
    """
    unit = _UNITS[len(names) != 1]
    which = ", ".join(dict.fromkeys(names))
    return Measure(value=float(len(names)), unit=f"{unit}: {which}" if which else unit)


def claims_in(measure: Measure | None) -> tuple[str, ...] | None:
    """Return the claims that a trial made, None where a measure says nothing of claims.

    Args:
        measure: Of a verdict.

    >>> claims_in(claims_measure(["booked", "paid"])), claims_in(claims_measure([])), claims_in(None)
    (('booked', 'paid'), (), None)
    """
    unit, _, names = measure.unit.partition(": ") if measure is not None else ("", "", "")
    if unit not in _UNITS:
        return None
    return tuple(names.split(", ")) if names else ()
