"""The check that closes sums: identity, in exact arithmetic.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites every event that a
number was read from, and measures the difference.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

from evalkit.records.sums import Identity, Side, Term
from evalkit.records.verdict import Measure
from evalkit.score.checks.stated import Stated, stated
from evalkit.score.checks.values import is_number, shown
from evalkit.score.finding import CheckView, Finding

_SHOWN = Context(prec=15)  # digits of a number in a reason
_LARGEST = 10**300  # a difference beyond it is told, and not measured


def identity(wanted: Identity, view: CheckView) -> Finding:
    """Both sides of a sum agree, as far as the tolerance allows.

    A value that the agent never stated is a fail, and so is one that is no number; one that the trace does
    not show is not observed.

    Args:
        wanted: The two sides.
        view: What may be read.
    """
    read = {place: stated(place, view) for _, place in wanted.places}
    missing = [found for found in read.values() if isinstance(found, Finding)]
    if missing:
        return min(missing, key=lambda found: found.held is not False)
    known = {place: found for place, found in read.items() if isinstance(found, Stated)}
    cites = tuple(sorted({seq for found in known.values() for seq in found.cites}))
    values = {place: found.value if "[]" in place else [found.value] for place, found in known.items()}
    odd = [(place, one) for place, found in values.items() for one in found if not is_number(one)]
    if odd:
        reason = f"{odd[0][0]} is no number: {shown(odd[0][1])}"
        return Finding(held=False, reason=reason, cites=cites)
    numbers = {place: sum(map(_exact, found), Fraction()) for place, found in values.items()}
    return _compared(wanted, numbers, cites)


def _exact(number: float) -> Fraction:
    """Return a number as it is written: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def _compared(wanted: Identity, numbers: dict[str, Fraction], cites: tuple[int, ...]) -> Finding:
    left, right = _worked(wanted.left, numbers), _worked(wanted.equals, numbers)
    apart = abs(left - right)
    held = apart <= _exact(wanted.tolerance)
    reason = f"{_told(wanted.left, numbers)} = {_number(left)}"
    reason += " agrees with " if held else ", and not "
    reason += f"{_told(wanted.equals, numbers)} = {_number(right)}"
    if not held:
        reason += f": {_number(apart)} apart"
    measure = None
    if apart < _LARGEST:
        measure = Measure(value=float(apart), unit="difference", threshold=wanted.tolerance)
    return Finding(held=held, reason=reason, cites=cites, measure=measure)


def _worked(side: Side, numbers: dict[str, Fraction]) -> Fraction:
    if isinstance(side, str):
        return numbers[side]
    if not isinstance(side, Term):
        return _exact(side)
    parts = [_worked(part, numbers) for part in side.parts]
    if side.name == "product":
        return math.prod(parts, start=Fraction(1))
    return sum(parts, Fraction()) if side.name == "sum" else parts[0] - parts[1]


_SIGNS = {"sum": " + ", "product": " x ", "difference": " - "}


def _told(side: Side, numbers: dict[str, Fraction], *, inner: bool = False) -> str:
    """Return a side in words, each place with the number that was read there."""
    if isinstance(side, Term):
        text = _SIGNS[side.name].join(_told(part, numbers, inner=True) for part in side.parts)
        return f"({text})" if inner and len(side.parts) > 1 else text
    if isinstance(side, str):
        return f"{side} ({_number(numbers[side])})" if inner else side
    return _number(_exact(side))


def _number(number: Fraction) -> str:
    shortened = _SHOWN.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{shortened.normalize(_SHOWN):f}" if -6 < shortened.adjusted() < 15 else f"{shortened}"
