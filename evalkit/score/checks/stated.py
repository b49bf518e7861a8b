"""What an agent states: a value in its reply, in a declared fact, or in a call that ran.

What comes in: a written place such as ``reply.amount``. What goes out: the value with the events that show
it, or why there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from evalkit.errors import SuiteBug
from evalkit.records.written import Json
from evalkit.score.checks.seen import (
    calls_of,
    cited,
    could_have_run,
    ending,
    ran,
    reached,
    replies_of,
    unobserved,
    unseen,
)
from evalkit.score.finding import CheckView, Finding


class Stated(Struct, frozen=True):
    """A value, or with ``[]`` in its place the list of values, and the events that show it."""

    value: Json
    cites: tuple[int, ...]


_Found = tuple[list[Json], tuple[int, ...]]


def stated(place: str, view: CheckView) -> Stated | Finding:
    """Return what the agent stated; a value that it never stated is a fail.

    Args:
        place: ``reply.x``, ``fact.name``, ``call.tool.args.x`` or ``call.tool.result.x``.
        view: What may be read.

    Raises:
        SuiteBug: There is no such place.
    """
    source, _, rest = place.partition(".")
    reader = _READERS.get(source)
    if reader is None:
        raise SuiteBug(f"{place!r} is neither in the reply nor a fact nor in a call")
    values, cites = reader(rest, view)
    if values:
        return Stated(values if "[]" in rest else values[0], cites)
    reason = f"the agent stated no {place}"
    nothing = Finding(held=False, reason=reason, cites=cites or ending(view), absent=True)
    return _unseen(source, rest, view) or nothing


def _from_reply(path: str, view: CheckView) -> _Found:
    replies = replies_of(view)
    if not replies:
        return [], ()
    last = replies[-1]
    if last.fields is None:
        return [] if path else [last.content], (last.seq,)
    return reached(last.fields, path), (last.seq,)


def _from_fact(rest: str, view: CheckView) -> _Found:
    name, path = _fact_in(rest)
    facts = [fact for fact in view.sheet.declared if fact.name == name and view.turn in (None, fact.turn)]
    return (reached(facts[-1].value, path), facts[-1].cites) if facts else ([], ())


def _fact_in(rest: str) -> tuple[str, str]:
    """Return the name of a fact and the path into its value: ``lines[].n`` is ``[].n`` of ``lines``."""
    name = _NAME.match(rest)
    found = name[0] if name else ""
    return found, rest[len(found) :].removeprefix(".")


_NAME = re.compile(r"[^.\[]*")


def _from_call(rest: str, view: CheckView) -> _Found:
    """Read the last call of the tool that ran."""
    tool, _, path = rest.partition(".")
    calls = [call for call in ran(calls_of(view)) if call.tool == tool]
    if not calls:
        return [], ()
    last = calls[-1]
    return reached({"args": last.args, "result": last.value}, path), cited([last])


_READERS: dict[str, Callable[[str, CheckView], _Found]] = {
    "reply": _from_reply,
    "fact": _from_fact,
    "call": _from_call,
}


def _unseen(source: str, rest: str, view: CheckView) -> Finding | None:
    """Return why nothing follows from a value that is not there."""
    name = rest.partition(".")[0]
    if source == "fact":
        name, _ = _fact_in(rest)
        fact = view.suite.facts.get(name)
        if fact is None:
            raise SuiteBug(f"the suite declares no fact {name!r}")
        source, name = fact.source, fact.tool or ""
    if source == "reply":
        return unobserved(view, "replies")
    return unseen(view, perhaps=any(call.tool == name for call in could_have_run(view)))
