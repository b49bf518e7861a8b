"""Checks on replies: reply, cites. No reply is a fail wherever replies are observed.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the reply.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from evalkit.records.checks import Cites, Reply
from evalkit.records.fact import ReplyFact
from evalkit.records.verdict import Measure
from evalkit.records.written import Json
from evalkit.score.checks.patterns import group_of, is_found, occurrences
from evalkit.score.checks.seen import cited, ending, ran, reached, replies_of, shown_at, unobserved
from evalkit.score.checks.shapes import misfits
from evalkit.score.checks.values import as_text, leaves, near, shown
from evalkit.score.checks.wording import language, numbers
from evalkit.score.finding import CheckView, Finding


def reply(wanted: Reply, view: CheckView) -> Finding:
    """The last reply (of the turn) says everything that is asked.

    Args:
        wanted: What it must say.
        view: What may be read.
    """
    last = _last_reply(view)
    if isinstance(last, Finding):
        return last
    missing = list(_missing(wanted, last))
    reason = f"the reply {'; '.join(missing)}" if missing else f"the reply says so: {shown(last.text)}"
    return Finding(held=not missing, reason=reason, cites=(last.seq,))


def _last_reply(view: CheckView) -> ReplyFact | Finding:
    replies = replies_of(view)
    if replies:
        return replies[-1]
    nothing = Finding(held=False, reason="there was no reply", cites=ending(view))
    return unobserved(view, "replies") or nothing


def _missing(wanted: Reply, last: ReplyFact) -> Iterator[str]:
    folded = last.text.casefold()
    texts = (wanted.contains,) if isinstance(wanted.contains, str) else wanted.contains or ()
    lacking = [repr(shown(part)) for part in texts if part.casefold() not in folded]
    if lacking:
        yield f"does not contain {', '.join(lacking)}: {shown(last.text)}"
    if wanted.matches is not None and not is_found(wanted.matches, last.text):
        yield f"does not match {wanted.matches!r}: {shown(last.text)}"
    if "equals" in wanted.model_fields_set and not _equals(wanted.equals, last):
        yield f"is {shown(last.content)}, not {shown(wanted.equals)}"
    for path, value in (wanted.fields or {}).items():
        found = reached(last.fields, path)
        if not any(near(value, one) for one in found):
            yield f"says {path}: {shown(found[0]) if found else 'nothing'}, not {shown(value)}"
    yield from _misfits(wanted, last)
    yield from _missing_numbers(wanted, last)
    if wanted.language is not None:
        tongue = language("\n".join(one for one in spoken(last) if isinstance(one, str)))
        if tongue != wanted.language:
            yield f"is in {tongue or 'another language'}, not {wanted.language}"


def _misfits(wanted: Reply, last: ReplyFact) -> Iterator[str]:
    if wanted.json_schema is None:
        return
    values = [last.fields] if last.fields is not None else _whole(last)
    if not values:
        yield f"holds no JSON: {shown(last.text)}"
    elif said := misfits(values[0], wanted.schema_text):
        yield f"does not fit the schema: {said}"


def _missing_numbers(wanted: Reply, last: ReplyFact) -> Iterator[str]:
    found = numbers("\n".join(map(as_text, spoken(last)))) if wanted.numbers else []
    for value in wanted.numbers or ():
        if not any(near(value, one, wanted.tolerance) for one in found):
            stated = ", ".join(f"{number:.15g}" for number in found[:8])
            yield f"does not state {value:.15g} (it states {stated or 'no number'})"


def _equals(expected: Json, last: ReplyFact) -> bool:
    if isinstance(expected, str):
        return last.text.strip() == expected.strip()
    return any(near(expected, one) for one in _whole(last))


def _whole(last: ReplyFact) -> list[Json]:
    """Return the value that the whole reply is: the object, or the JSON of a text that is nothing else."""
    if not isinstance(last.content, str):
        return [last.content]
    text = last.content.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text.removesuffix("```").partition("\n")[2]
    try:
        return [msgspec.json.decode(text)]
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return []


def spoken(last: ReplyFact) -> list[Json]:
    """Return what a reply says to its reader: of an object the values in it, for its keys are no words.

    Args:
        last: A reply.
    """
    whole = _whole(last) if last.fields is not None else []
    return list(leaves(whole)) if whole else [last.text]


def cites(wanted: Cites, view: CheckView) -> Finding:
    """Everything that the reply cites was returned by the tool before it, and it cites enough.

    Args:
        wanted: Tool, path to the citable ids, pattern of a citation.
        view: What may be read.
    """
    last = _last_reply(view)
    if isinstance(last, Finding):
        return last
    named = {group_of(match) for match in occurrences(wanted.pattern, last.text)}
    calls = (call for call in ran(view.sheet.calls) if call.tool == wanted.tool)
    sources = [call for call in calls if shown_at(call) < last.seq]
    citable = {as_text(value) for call in sources for value in reached(call.value, wanted.path)}
    seqs = (last.seq, *cited(sources))
    measure = Measure(value=float(len(named)), unit="citations", threshold=float(wanted.at_least))
    invented = sorted(named - citable)
    if invented:
        reason = f"cites what was never returned: {shown(', '.join(invented))}"
        found = Finding(held=False, reason=reason, cites=seqs, measure=measure)
        return unobserved(view, "results") or found
    reason = f"cites {len(named)} of {len(citable)} ids, at least {wanted.at_least} asked"
    return Finding(held=len(named) >= wanted.at_least, reason=reason, cites=seqs, measure=measure)
