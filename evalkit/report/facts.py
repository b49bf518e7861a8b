"""The facts of a trial on a terminal: what it came to, what it claimed, what broke, what it used.

What comes in: a `FactSheet`. What goes out: lines; calls, replies and probes stand in the trace.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.event import EVERYTHING
from evalkit.records.fact import FactSheet, FaultFact
from evalkit.report.console import Look, count, wrap
from evalkit.report.events import content, ended


def fact_lines(sheet: FactSheet, look: Look) -> list[str]:
    """Return the facts of a trial.

    Args:
        sheet: Its facts.
        look: How it looks.
    """
    return [line for text in facts_in_words(sheet) for line in wrap(text, look.width, "  ", "    ")]


def facts_in_words(sheet: FactSheet) -> Iterator[str]:
    """Yield the facts of a trial, a sentence each.

    Args:
        sheet: Its facts.
    """
    ran = sum(call.status == "ok" for call in sheet.calls)
    counted = [count(sheet.turns, "user turn"), f"{sheet.model_replies} model replies"]
    counted += [f"{count(len(sheet.calls), 'call')}, {ran} of them returned"]
    yield ", ".join(counted)
    for fact in sheet.declared:
        cites = ", ".join(str(seq) for seq in fact.cites)
        yield f"fact {fact.name} = {content(fact.value)} (event {cites})"
    for claim in sheet.claims:
        yield f"claims {claim.name} (event {claim.seq})"
    for fault in sheet.faults:
        yield _fault(fault)
    if sheet.stop is not None:
        cause = f" ({sheet.stop.cause})" if sheet.stop.cause else ""
        yield f"ended: {ended(sheet.stop.end, sheet.stop.message)}{cause}"
    yield from _used(sheet)
    hidden = [kind for kind in EVERYTHING if kind not in sheet.observes]
    if hidden:
        yield f"not observed: {', '.join(hidden)}"


def _fault(fault: FaultFact) -> str:
    what = f"tool {fault.tool}" if fault.tool else fault.where
    declared = "declared " if fault.declared else ""
    cause = f"{fault.cause}/{fault.sub}" if fault.sub else fault.cause
    ended = f"recovered at event {fault.recovered}" if fault.recovered is not None else "never recovered"
    return f"{declared}fault of the {what}: {cause} (event {fault.seq}), {ended}"


def _used(sheet: FactSheet) -> Iterator[str]:
    """Yield tokens, money and time; what is unknown is said to be unknown."""
    if sheet.usage is not None:
        buckets = ("input", "cache_read", "cache_write", "output")
        counts = [(name, getattr(sheet.usage, name)) for name in buckets]
        known = ", ".join(f"{name} {number}" for name, number in counts if number is not None)
        unknown = ", ".join(name for name, number in counts if number is None)
        tokens = [part for part in (known, f"unknown are {unknown}" if unknown else "") if part]
        cost = "unknown" if sheet.usage.cost_usd is None else f"{sheet.usage.cost_usd:.4f} USD"
        yield f"tokens: {'; '.join(tokens) if known else 'unknown'}; cost {cost}"
    if sheet.timing is not None:
        timing = sheet.timing
        yield f"seconds: model {timing.model:.3f}, tools {timing.tool:.3f}, waiting {timing.queue:.3f}"
