"""The check on results: returned.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the result.
"""

from __future__ import annotations

import re

from evalkit.records.checks import Returned
from evalkit.records.paths import read, same
from evalkit.records.written import Json
from evalkit.score.checks.seen import calls_of, shown, unobserved
from evalkit.score.finding import CheckView, Finding


def returned(wanted: Returned, view: CheckView) -> Finding:
    """A tool returned the value, in one of its successful calls.

    Args:
        wanted: Tool, path and value.
        view: What may be read.
    """
    ran = [call for call in calls_of(view) if call.tool == wanted.tool and call.status == "ok"]
    values = [(call, value) for call in ran for value in read(call.value, wanted.path)]
    for call, value in values:
        if _fits(wanted, value):
            seq = call.returned if call.returned is not None else call.seq
            return Finding(held=True, reason=f"{wanted.tool} returned {shown(value)}", cites=(seq,))
    blind = unobserved(view, "calls", "results")
    if blind is not None:
        return blind
    cited = tuple(call.returned for call in ran if call.returned is not None)[:20]
    had = f"returned {shown([value for _, value in values])}" if ran else "never returned"
    return Finding(held=False, reason=f"{wanted.tool} {had}", cites=cited)


def _fits(wanted: Returned, value: Json) -> bool:
    """Return whether all that is asked of the value holds; with nothing asked, being there is enough."""
    text = value if isinstance(value, str) else shown(value)
    if "equals" in wanted.model_fields_set and not same(wanted.equals, value):
        return False
    if wanted.contains is not None and wanted.contains.casefold() not in text.casefold():
        return False
    return wanted.matches is None or re.search(wanted.matches, text) is not None
