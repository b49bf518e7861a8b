"""The first event that left the expected path, and events in words.

What comes in: the facts of a trial, its accusing fails. What goes out: the `seq` of one event, and a phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalkit.records.fact import CallFact, FactSheet
from evalkit.records.verdict import Verdict


def left_the_path(sheet: FactSheet | None, evidence: Sequence[Sequence[Verdict]]) -> int | None:
    """Return the event at which a trial left the expected path.

    Args:
        sheet: The facts of the trial; None where it was never closed.
        evidence: Groups of verdicts, the most telling first.

    Returns:
        `seq` of the first event that the first group with events cites; the world's answers to probes come
        after the trial and do not count. Else the limit that stopped it, the last reply, a probe; None where
        nothing happened.
    """
    if sheet is None:
        return None
    probes = {probe.seq for probe in sheet.probes.values()}
    for group in evidence:
        found = _first((row.cites for row in group), without=probes)
        if found is not None:
            return found
    if sheet.stop is not None and sheet.stop.limit is not None:
        return sheet.stop.seq
    if sheet.replies:
        return sheet.replies[-1].seq
    return _first((row.cites for group in evidence for row in group), without=frozenset())


def _first(cited: Iterable[tuple[int, ...]], without: Iterable[int]) -> int | None:
    barred = set(without)
    return min((seq for cites in cited for seq in cites if seq not in barred), default=None)


def event_in_words(sheet: FactSheet | None, seq: int | None) -> str:
    """Return an event in words.

    Args:
        sheet: The facts of the trial; None where it was never closed.
        seq: The event, or None.
    """
    if sheet is None or seq is None:
        return "nothing happened that would show it"
    call = next((call for call in sheet.calls if seq in (call.seq, call.returned)), None)
    if call is not None:
        return _call(call)
    if any(reply.seq == seq for reply in sheet.replies):
        return "the reply to the user"
    if sheet.stop is not None and seq == sheet.stop.seq:
        return f"stopped by the limit on {sheet.stop.limit}" if sheet.stop.limit else "the end of the trial"
    probe = next((probe for probe in sheet.probes.values() if probe.seq == seq), None)
    return f"what the world answered to {probe.id.partition(':')[2]}" if probe is not None else "an event"


def attempt_in_words(sheet: FactSheet | None, tools: Sequence[str]) -> str:
    """Return the last call of some tools that did not return, and what followed it; "" without one.

    Args:
        sheet: The facts of the trial; None where it was never closed.
        tools: Tool names.
    """
    tried = [call for call in sheet.calls if call.tool in tools and call.status != "ok"] if sheet else []
    if sheet is None or not tried:
        return ""
    last = tried[-1]
    seq = last.seq if last.returned is None else last.returned
    later = [call.seq for call in sheet.calls if call.seq > seq]
    later += [reply.seq for reply in sheet.replies if reply.seq > seq]
    later += [sheet.stop.seq] if sheet.stop is not None else []
    then = f"; then came {event_in_words(sheet, min(later))} (event {min(later)})" if later else ""
    return f"{_call(last)} ({_ending(last)}, event {seq}){then}"


def _ending(call: CallFact) -> str:
    """Return how a call ended: its status, and the fault where there was one."""
    cause = "/".join(part for part in (call.cause, call.sub) if part)
    parts = [call.status, call.fault or "", cause if cause != call.status else ""]
    return " ".join(dict.fromkeys(part for part in parts if part))


def _call(call: CallFact) -> str:
    ends = {
        "ok": "which returned",
        "refused": "which the world refused",
        "blocked": "which a gate of the harness blocked",
        "invalid": "whose arguments do not fit",
        "unknown": "a tool that does not exist",
        "unanswered": "which was never answered",
    }
    return f"the call of {call.tool}, {ends.get(call.status, 'which met a fault')}"
