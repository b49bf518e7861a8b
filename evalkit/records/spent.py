"""What executions spent: tokens, money and time, over all attempts of a run.

What comes in: closing lines. What goes out: `Spent`, summed; a sum with an unknown part is unknown.
"""

from __future__ import annotations

from msgspec import Struct


class Spent(Struct, frozen=True, kw_only=True):
    """Sums over closed executions, abandoned attempts included.

    Attributes:
        executions: How many closed.
        tokens: Tokens of all buckets; None where a bucket of one of them is unknown.
        cost_usd: US dollars; None where the cost of one of them is unknown.
        seconds: Their lengths, added up; several run at once.
    """

    executions: int = 0
    tokens: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0


def together(parts: tuple[Spent, ...]) -> Spent:
    """Return several sums as one.

    Args:
        parts: Sums over different executions.

    >>> together((Spent(executions=1, cost_usd=0.5), Spent(executions=2, cost_usd=0.25))).cost_usd
    0.75
    >>> together((Spent(executions=1, cost_usd=0.5), Spent(executions=2))).cost_usd is None
    True
    """
    tokens = [part.tokens for part in parts if part.tokens is not None]
    costs = [part.cost_usd for part in parts if part.cost_usd is not None]
    return Spent(
        executions=sum(part.executions for part in parts),
        tokens=sum(tokens) if parts and len(tokens) == len(parts) else None,
        cost_usd=sum(costs) if parts and len(costs) == len(parts) else None,
        seconds=sum(part.seconds for part in parts),
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
