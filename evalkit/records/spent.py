"""What executions spent: tokens, money and time, over all attempts of a run.

What comes in: closing lines. What goes out: `Spent`, summed; a sum with an unknown part is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Spent(Struct, frozen=True, kw_only=True):
    """Sums over closed executions, abandoned attempts included.

    Attributes:
        executions: How many closed.
        known_tokens: Tokens of those of which all buckets are known.
        uncounted: Executions with a bucket that is unknown.
        known_usd: US dollars of those whose cost is known.
        unpriced: Executions whose cost is unknown.
        seconds: Their lengths, added up; several run at once.
    """

    executions: int = 0
    known_tokens: int = 0
    uncounted: int = 0
    known_usd: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int | None:
        """Tokens of all executions; None where those of one are unknown, or there is none."""
        return self.known_tokens if self.executions and not self.uncounted else None

    @property
    def usd(self) -> float | None:
        """US dollars of all executions; None where the cost of one is unknown, or there is none."""
        return self.known_usd if self.executions and not self.unpriced else None


def together(parts: Iterable[Spent]) -> Spent:
    """Return several sums as one.

    Args:
        parts: Sums over different executions.

    >>> together([Spent(executions=1, known_usd=0.5), Spent(executions=2, known_usd=0.25)]).usd
    0.75
    >>> together([Spent(executions=1, known_usd=0.5), Spent(executions=2, unpriced=1)]).usd is None
    True
    """
    kept = tuple(parts)
    return Spent(
        executions=sum(part.executions for part in kept),
        known_tokens=sum(part.known_tokens for part in kept),
        uncounted=sum(part.uncounted for part in kept),
        known_usd=sum(part.known_usd for part in kept),
        unpriced=sum(part.unpriced for part in kept),
        seconds=sum(part.seconds for part in kept),
    )


def dollars(value: float) -> str:
    """Return money for people; cents, and more decimals where cents would say little.

    >>> dollars(12.345), dollars(0.03), dollars(0.0312), dollars(0.0)
    ('12.35 USD', '0.03 USD', '0.0312 USD', '0.00 USD')
    """
    fine = 0 < value < 0.1 and round(value, 2) != round(value, 4)
    return f"{value:.4f} USD" if fine else f"{value:.2f} USD"


def lasting(seconds: float) -> str:
    """Return a length of time for people.

    >>> lasting(3.26), lasting(90), lasting(7 * 60), lasting(3 * 3600)
    ('3.3 s', '90 s', '7 min', '3.0 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
