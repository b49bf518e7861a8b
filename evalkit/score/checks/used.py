"""What was used of one thing, held against a bound: at least, at most, and over how much.

What comes in: counts, and the times and tokens of single calls and replies. What goes out: `Used`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from msgspec import Struct

from evalkit.records.event import CallStatus, Usage
from evalkit.records.quantiles import Quantile
from evalkit.records.verdict import Measure
from evalkit.score.checks.seen import calls_of
from evalkit.score.finding import CheckView
from evalkit.stats.percentile import percentile

# How a call ended that never reached its tool: it took no time.
_GREATEST = 100
_NEVER_RAN: frozenset[CallStatus] = frozenset({"blocked", "invalid", "unknown", "missing"})


class Used(Struct, frozen=True):
    """What was used of one thing: at least, at most (None: unknown), and the bound."""

    name: str
    at_least: float
    at_most: float | None
    bound: float
    n: int = 1

    @property
    def share(self) -> float:
        """What was used as a share of the bound."""
        if self.bound:
            return self.at_least / self.bound
        return math.inf if self.at_least else 1.0

    @property
    def seen(self) -> Measure:
        """What was used at least."""
        return Measure(value=self.at_least, unit=self.name, n=self.n, threshold=self.bound)

    @property
    def measure(self) -> Measure | None:
        """The measured quantity; None where only its limits are known."""
        return self.seen if self.at_least == self.at_most else None


def is_quantity(part: float | None) -> bool:
    """Return whether a recorded number is one that can be summed: known, finite and not negative."""
    return part is not None and not isinstance(part, bool) and 0 <= part <= sys.float_info.max


def quantile(wanted: Quantile, view: CheckView) -> Used:
    """Return a quantile over the calls, or the replies of the model, of a trial or turn.

    It is that of the values that were measured, by linear interpolation: with one value every quantile is
    that one. Values that are not known may be anything from 0 on; of no value there is no quantile.

    Args:
        wanted: Which quantile of what.
        view: What may be read.
    """
    name = f"p{wanted.p:g} of {wanted.of}{f' of {wanted.tool}' if wanted.tool else ''}"
    values = list(_values(wanted, view))
    known = [float(value) for value in values if value is not None and is_quantity(value)]
    least = percentile([*known, *[0.0] * (len(values) - len(known))], wanted.p).value
    if least is None:
        none = "no call ran" if wanted.of == "tool_seconds" else "the model did not reply"
        return Used(f"{name} ({none})", 0.0, None, wanted.at_most, n=0)
    if not _shows(wanted, view):
        # What does not show may pull every quantile down, but for the greatest value, which stays.
        least, known = (least if wanted.p == _GREATEST else 0.0), []
    return Used(name, least, least if len(known) == len(values) else None, wanted.at_most, len(values))


def _values(wanted: Quantile, view: CheckView) -> Iterable[float | None]:
    if wanted.of == "tool_seconds":
        return _of_tools(wanted.tool, view)
    replies = [one for one in view.sheet.model if view.turn in (None, one.turn)]
    if wanted.of == "model_seconds":
        return [one.seconds for one in replies]
    if wanted.of == "reply_tokens":
        return [one.usage.output if one.usage is not None else None for one in replies]
    return [context_of(one.usage) for one in replies]


def _of_tools(tool: str | None, view: CheckView) -> list[float | None]:
    """Calls whose outcome the trace does not show may have run; where it shows outcomes, they did not."""
    skipped = _NEVER_RAN | ({"unanswered"} if "results" in view.sheet.observes else set())
    calls = (call for call in calls_of(view) if tool in (None, call.tool))
    return [call.seconds for call in calls if call.status not in skipped]


def _shows(wanted: Quantile, view: CheckView) -> bool:
    kinds = ("calls", "results") if wanted.of == "tool_seconds" else ("replies",)
    return all(kind in view.sheet.observes for kind in kinds)


def context_of(usage: Usage | None) -> int | None:
    """Return the tokens that the model read for one reply; None where a bucket is not known.

    Args:
        usage: Its usage row.
    """
    if usage is None or usage.input is None or usage.cache_read is None or usage.cache_write is None:
        return None
    return usage.input + usage.cache_read + usage.cache_write
