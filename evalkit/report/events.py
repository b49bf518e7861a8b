"""Events in words: who did what, on as few lines as it takes.

What comes in: `Event`s of a trace. What goes out: a word for who, and a text; `--json` has every field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evalkit.records.event import (
    Body,
    Closed,
    Event,
    Faulted,
    Limited,
    ModelReply,
    Opened,
    Probed,
    Replied,
    ToolCalled,
    ToolReturned,
    UserTurn,
)
from evalkit.records.written import Json
from evalkit.report.console import Look, pad, wrap

_LONGEST = 4000  # characters of one event that are laid out; the journal has the rest
_LINES = 3  # lines of an event that no fail cites
_LONGEST_QUESTION = 90  # characters of a probe's question, so that there is room for the answer
_CITED_LINES = 16  # lines of an event that one does


def trace_lines(events: Sequence[Event], cited: frozenset[int], look: Look) -> Iterator[str]:
    """Yield the events of a trace.

    Args:
        events: In order.
        cited: `seq` of the events that a fail cites.
        look: How it looks.
    """
    timed = has_times(events)
    for event in events:
        yield from _event(event, look, cited=event.seq in cited, timed=timed)


def has_times(events: Sequence[Event]) -> bool:
    """Return whether times were recorded: an imported trace may have none, and 0 is not one."""
    imported = any(isinstance(event.body, Opened) and event.body.mode == "imported" for event in events)
    return not imported or any(event.at for event in events)


def _event(event: Event, look: Look, *, cited: bool, timed: bool) -> Iterator[str]:
    """Yield one event; a reply is what the user was told, and is never cut."""
    who, text = in_words(event)
    at = f"{event.at:8.3f}s" if timed else f"{'-':>9}"
    head = f"{'>' if cited else ' '}{event.seq:>4} {at} {pad(who, 7)} "
    if isinstance(event.body, Replied):
        text_shown, most = text, len(text) + 1
    else:
        text_shown, most = text[:_LONGEST], _CITED_LINES if cited else _LINES
    lines = wrap(text_shown, look.width, head, " " * 24)
    if len(lines) > most or len(text) > len(text_shown):
        lines = [*lines[:most], " " * 24 + "... (--json)"]
    yield from (look.tone(line, "bad" if cited else "plain") for line in lines)


def in_words(event: Event) -> tuple[str, str]:
    """Return who did something, and what.

    Args:
        event: Any event.
    """
    who, words = _WORDS[type(event.body)]
    return who, words(event.body)


def content(value: Json) -> str:
    """Return text as it stands, and anything else as JSON.

    >>> content("hi"), content({"a": 1})
    ('hi', '{"a": 1}')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _opened(one: Opened) -> str:
    return f"opened: {one.case} #{one.trial} of {one.arm}, mode {one.mode}, attempt {one.attempt}"


def _model(one: ModelReply) -> str:
    """Return what a model asked for or said; a reply that ends its turn is shown as the reply that it is."""
    asks = f"asks for {', '.join(call.tool for call in one.calls)}" if one.calls else ""
    said = one.text or (content(one.data) if one.data is not None else "")
    odd = one.stop not in ("stop", "tool_use")
    ended = f"stopped: {one.stop} {one.message}".rstrip() if odd else ""
    parts = [said if one.calls or odd else "answers", asks, ended]
    return "; ".join(part for part in parts if part)


def _called(one: ToolCalled) -> str:
    return f"{one.tool} {content(one.args) if one.args is not None else one.raw}"


def _returned(one: ToolReturned) -> str:
    fault = f", {'declared ' if one.declared else ''}fault {one.fault}" if one.fault else ""
    if one.status == "ok":
        return f"{one.tool}{fault}: {content(one.value)}"
    cause = f" ({one.cause})" if one.cause else ""
    return f"{one.tool} {one.status}{cause}{fault}: {one.message}"


def _probed(one: Probed) -> str:
    said = content(one.rows) if one.rows is not None else f"no answer ({one.cause}): {one.message}"
    asked = one.id if len(one.id) <= _LONGEST_QUESTION else f"{one.id[: _LONGEST_QUESTION - 1]}…"
    after = f" after {one.waited:g} s" if one.waited else ""
    return f"{asked} ->{after} {said}"


def _faulted(one: Faulted) -> str:
    cause = f"{one.cause}/{one.sub}" if one.sub else one.cause
    return f"{'declared ' if one.declared else ''}fault of the {one.where}: {cause} {one.message}".rstrip()


def _limited(one: Limited) -> str:
    return f"{one.limit}: {one.reached:g} reached, {one.allowed:g} allowed"


def _closed(one: Closed) -> str:
    cause = f" ({one.cause})" if one.cause else ""
    return f"closed: {ended(one.end, one.message)}{cause}"


def ended(end: str, message: str) -> str:
    """Return how a trial ended, without saying the same twice.

    >>> ended("limit", "limit seconds: 10 of 10"), ended("crash", "out of context"), ended("done", "")
    ('limit seconds: 10 of 10', 'crash: out of context', 'done')
    """
    if not message or message == end:
        return end
    return message if message.startswith(f"{end} ") else f"{end}: {message}"


# Kind of event -> who did it, and its words. A function takes the body that it stands beside.
_WORDS: dict[type[Body], tuple[str, Callable[[Any], str]]] = {
    Opened: ("trial", _opened),
    UserTurn: ("user", lambda one: content(one.content)),
    ModelReply: ("model", _model),
    ToolCalled: ("call", _called),
    ToolReturned: ("result", _returned),
    Replied: ("reply", lambda one: content(one.content)),
    Probed: ("probe", _probed),
    Faulted: ("fault", _faulted),
    Limited: ("limit", _limited),
    Closed: ("trial", _closed),
}
