"""What every check asks first: which calls and replies are meant, and whether the trace shows such things.

What comes in: a `CheckView`. What goes out: calls and replies of the turn, or a finding that says why not.
What was observed counts in any case; what is missing counts only where the trace would have shown it.
"""

from __future__ import annotations

from collections.abc import Iterable

from evalkit.errors import SuiteBug
from evalkit.records.event import Observable
from evalkit.records.fact import CallFact, ReplyFact
from evalkit.records.paths import read
from evalkit.records.written import Json
from evalkit.score.checks.values import shown
from evalkit.score.finding import CheckView, Finding

_MOST_CITED = 20  # events that one finding cites


def calls_of(view: CheckView) -> tuple[CallFact, ...]:
    """Return the calls of the turn that is asked about, or all."""
    calls, turn = view.sheet.calls, view.turn
    return calls if turn is None else tuple(call for call in calls if call.turn == turn)


def replies_of(view: CheckView) -> tuple[ReplyFact, ...]:
    """Return the replies of the turn that is asked about, or all."""
    replies, turn = view.sheet.replies, view.turn
    return replies if turn is None else tuple(reply for reply in replies if reply.turn == turn)


def ran(calls: Iterable[CallFact]) -> tuple[CallFact, ...]:
    """Return the calls that were executed and returned without error."""
    return tuple(call for call in calls if call.status == "ok")


def could_have_run(view: CheckView) -> tuple[CallFact, ...]:
    """Return the calls that ran, and those of which the trace does not show how they ended."""
    if "results" in view.sheet.observes:
        return ran(calls_of(view))
    return tuple(call for call in calls_of(view) if call.status in ("ok", "unanswered"))


def unobserved(view: CheckView, *kinds: Observable) -> Finding | None:
    """Return why a check cannot be examined: the trace does not show such events; None where it does.

    Args:
        view: What the check may read.
        kinds: Kinds of event that it needs.
    """
    missing = [kind for kind in kinds if kind not in view.sheet.observes]
    if not missing:
        return None
    reason = f"the trace does not show {' and '.join(missing)}"
    return Finding(held=None, cause="not_observed", reason=reason)


def unseen(view: CheckView, *, perhaps: bool) -> Finding | None:
    """Return why nothing follows from calls that are not there; None where the trace would show them.

    Args:
        view: What the check may read.
        perhaps: The answer would change if calls whose results the trace does not show had ended one way or
            the other; where it would not, the calls alone are enough.
    """
    return unobserved(view, "calls") or (unobserved(view, "results") if perhaps else None)


def ending(view: CheckView) -> tuple[int, ...]:
    """Return the event that shows that something never happened: the end of the trial; none for a turn."""
    stop = view.sheet.stop
    return (stop.seq,) if stop is not None and view.turn is None else ()


def shown_at(call: CallFact) -> int:
    """Return the event that shows a call: its outcome where there is one."""
    return call.seq if call.returned is None else call.returned


def cited(calls: Iterable[CallFact]) -> tuple[int, ...]:
    """Return the events that show calls, the first of them where there are many."""
    return tuple(sorted(set(map(shown_at, calls)))[:_MOST_CITED])


def told(calls: Iterable[CallFact]) -> str:
    """Return calls in words, for a reason."""
    return shown(", ".join(f"{call.tool}: {call.status}" for call in calls))


def reached(value: Json, path: str) -> list[Json]:
    """Return every value that a path of the suite reaches.

    Args:
        value: A JSON value.
        path: See `records.paths`.

    Raises:
        SuiteBug: The text is no path.
    """
    try:
        return read(value, path)
    except ValueError as error:
        raise SuiteBug(str(error)) from error
