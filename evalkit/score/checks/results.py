"""The check on results: returned.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the result.
"""

from __future__ import annotations

from evalkit.records.checks import Returned
from evalkit.records.written import Json
from evalkit.score.checks.patterns import is_found
from evalkit.score.checks.seen import calls_of, cited, could_have_run, ending, ran, reached, unseen
from evalkit.score.checks.values import as_text, near, shown
from evalkit.score.finding import CheckView, Finding


def returned(wanted: Returned, view: CheckView) -> Finding:
    """A tool returned the value, in one of its successful calls.

    Args:
        wanted: Tool, path and value.
        view: What may be read.
    """
    calls = [call for call in ran(calls_of(view)) if call.tool == wanted.tool]
    values: list[Json] = []
    for call in calls:
        for value in reached(call.value, wanted.path):
            if _fits(wanted, value):
                reason = f"{wanted.tool} returned {shown(value)}"
                return Finding(held=True, reason=reason, cites=cited([call]))
            values.append(value)
    could = [call for call in could_have_run(view) if call.tool == wanted.tool]
    blind = unseen(view, perhaps=len(could) > len(calls))
    if blind is not None:
        return blind
    had = f"returned {shown(values)}" if calls else "never returned"
    return Finding(held=False, reason=f"{wanted.tool} {had}", cites=cited(calls) or ending(view))


def _fits(wanted: Returned, value: Json) -> bool:
    """Return whether all that is asked of the value holds; what is no text is read as its JSON."""
    if "equals" in wanted.model_fields_set and not near(wanted.equals, value):
        return False
    if wanted.contains is not None and wanted.contains not in as_text(value):
        return False
    return wanted.matches is None or is_found(wanted.matches, as_text(value))
