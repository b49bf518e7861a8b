"""What trials cost and how long they took: the spread of each measured quantity over the trials of an arm.

What comes in: timing and usage of closed trials, one at a time. What goes out: `Spread`s. Eight bytes a trial
and quantity are held; what a trace does not tell is counted as unknown, and never 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Final

from evalkit.records.document import Spread
from evalkit.records.event import Timing, Usage
from evalkit.stats.percentile import percentile

_UNITS: Final[Mapping[str, str]] = {
    "agent": "s",
    "model": "s",
    "tools": "s",
    "queue": "s",
    "tokens": "tokens",
    "cost": "USD",
}
"""Quantity -> unit, in the order of the report; `agent` is model and tools together."""

_OF_TIMING: Final[Mapping[str, Callable[[Timing], float]]] = {
    "agent": lambda timing: timing.model + timing.tool,
    "model": lambda timing: timing.model,
    "tools": lambda timing: timing.tool,
    "queue": lambda timing: timing.queue,
}

_PERCENTS: Final = (50, 90, 99)


class Spending:
    """Gathers what the trials of one arm used."""

    def __init__(self) -> None:
        """Start with no trial."""
        self._known = {name: array("d") for name in _UNITS}
        self._trials = 0

    def add(self, timing: Timing | None, usage: Usage | None) -> None:
        """Note one closed trial.

        Args:
            timing: How its seconds were spent; None where it is unknown.
            usage: What it used; a bucket that is None is unknown.
        """
        self._trials += 1
        if timing is not None:
            for name, seconds in _OF_TIMING.items():
                self._known[name].append(seconds(timing))
        tokens = _tokens(usage)
        if tokens is not None:
            self._known["tokens"].append(tokens)
        if usage is not None and usage.cost_usd is not None:
            self._known["cost"].append(usage.cost_usd)

    def spreads(self) -> tuple[Spread, ...]:
        """Return one spread for each quantity, also where nothing is known of it."""
        return tuple(self._spread(name, unit) for name, unit in _UNITS.items())

    def _spread(self, name: str, unit: str) -> Spread:
        values = self._known[name]
        p50, p90, p99 = (percentile(values, percent).value for percent in _PERCENTS)
        return Spread(
            name=name,
            unit=unit,
            n=len(values),
            unknown=self._trials - len(values),
            total=sum(values) if values else None,
            p50=p50,
            p90=p90,
            p99=p99,
        )


def _tokens(usage: Usage | None) -> int | None:
    """Return the sum of the four buckets; unknown where one of them is."""
    if usage is None:
        return None
    buckets = (usage.input, usage.cache_read, usage.cache_write, usage.output)
    known = [bucket for bucket in buckets if bucket is not None]
    return sum(known) if len(known) == len(buckets) else None
