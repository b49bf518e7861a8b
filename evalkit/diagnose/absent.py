"""Declared facts that a trial does not show although what they come from was there.

What comes in: the suite's `facts` and the facts of a trial. What goes out: sentences, each with what is there
instead: a path that is mistyped looks like an agent that never did its work.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.fact import FactSheet
from evalkit.records.paths import read
from evalkit.records.suite import FactSource, Suite
from evalkit.records.written import Json

_MOST = 8  # keys that are named


def absent_facts(suite: Suite, sheet: FactSheet) -> tuple[str, ...]:
    """Return the facts that were looked for in a result or a reply and not found in any.

    Args:
        suite: The loaded suite.
        sheet: The facts of the trial.
    """
    found = {fact.name for fact in sheet.declared}
    return tuple(
        told
        for name, source in suite.facts.items()
        if name not in found
        for told in _absent(name, source, sheet)
    )


def _absent(name: str, source: FactSource, sheet: FactSheet) -> Iterator[str]:
    """Yield one sentence, about the last place where the fact was looked for."""
    if source.source == "call":
        calls = [call for call in sheet.calls if call.tool == source.tool and call.status == "ok"]
        if calls:
            last = calls[-1]
            seq = last.seq if last.returned is None else last.returned
            value: Json = {"args": last.args, "result": last.value}
            yield f"fact {name}: {source.tool} returned (event {seq}) and has no {_lack(value, source.path)}"
    elif sheet.replies:
        reply = sheet.replies[-1]
        if source.path:
            yield f"fact {name}: the reply (event {reply.seq}) has no {_lack(reply.fields, source.path)}"
        else:
            yield f"fact {name}: nothing in the reply (event {reply.seq}) matches {source.matches!r}"


def _lack(value: Json, path: str) -> str:
    """Return what a path does not find, and what is there where it ends."""
    parts = path.replace("[", ".[").split(".")
    for length in range(len(parts) - 1, -1, -1):
        start = ".".join(parts[:length]).replace(".[", "[")
        there = read(value, start)
        if there:
            where = f" in `{start}`" if start not in ("", "args", "result") else ""
            return f"`{parts[length]}`{where}; {_has(there[0])}"
    return f"`{path}`"


def _has(value: Json) -> str:
    if isinstance(value, dict) and value:
        more = " ..." if len(value) > _MOST else ""
        return f"it has: {', '.join(list(value)[:_MOST])}{more}"
    if isinstance(value, list):
        return f"it is a list of {len(value)}"
    return "it is empty" if value is None or value == {} else "it is a plain value"
