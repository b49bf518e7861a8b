"""The facts that a suite declares: where they come from, and where they stand.

What comes in: the suite's `facts`, calls and replies. What goes out: `DeclaredFact`s in the order of the
events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evalkit.facts.texts import as_text
from evalkit.records.fact import CallFact, DeclaredFact, ReplyFact
from evalkit.records.paths import read
from evalkit.records.suite import FactSource, Suite
from evalkit.records.written import Json


def declared_facts(
    suite: Suite, calls: Sequence[CallFact], replies: Sequence[ReplyFact]
) -> tuple[DeclaredFact, ...]:
    """Return the declared facts that a trial shows, one for every value found.

    Args:
        suite: The suite, for its `facts`.
        calls: The calls of the trial; only those that returned without error can show a fact.
        replies: Its replies.

    Returns:
        Facts by the order of the events that show them, then by the suite's order.
    """
    found: list[DeclaredFact] = []
    for name, source in suite.facts.items():
        found += (
            _from_calls(name, source, calls)
            if source.source == "call"
            else _from_replies(name, source, replies)
        )
    return tuple(sorted(found, key=lambda fact: fact.cites[0]))


def _from_calls(name: str, source: FactSource, calls: Sequence[CallFact]) -> Iterator[DeclaredFact]:
    for call in calls:
        if call.status == "ok" and call.tool == source.tool:
            cites = (call.seq,) if call.returned in (None, call.seq) else (call.seq, call.returned)
            for value in call_values(call, source.path):
                yield DeclaredFact(name=name, value=value, cites=cites, turn=call.turn, tool=call.tool)


def call_values(call: CallFact, path: str) -> list[Json]:
    """Return what a path finds in a call.

    Args:
        call: The call.
        path: ``args.x`` or ``result.x``; "" is the whole result.
    """
    if not path:
        return [call.value]
    return read({"args": call.args, "result": call.value}, path)


def _from_replies(name: str, source: FactSource, replies: Sequence[ReplyFact]) -> Iterator[DeclaredFact]:
    for reply in replies:
        for value in _reply_values(reply, source):
            yield DeclaredFact(name=name, value=value, cites=(reply.seq,), turn=reply.turn)


def _reply_values(reply: ReplyFact, source: FactSource) -> list[Json]:
    """A path takes fields, a pattern takes text: of the fields where both are given, else of the reply."""
    values = read(reply.fields, source.path) if source.path and reply.fields is not None else []
    if source.matches is None:
        return values
    texts = [as_text(value) for value in values] if source.path else [reply.text]
    return [_matched(match) for text in texts for match in re.finditer(source.matches, text)]


def _matched(match: re.Match[str]) -> str:
    first = match[1] if match.re.groups else None
    return match[0] if first is None else first
