"""Checks on replies: reply, cites. No reply is a fail wherever replies are observed.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the reply.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from evalkit.records.checks import Cites, Reply
from evalkit.records.fact import ReplyFact
from evalkit.records.paths import read, same
from evalkit.records.verdict import Measure
from evalkit.score.checks.matching import near
from evalkit.score.checks.seen import calls_of, replies_of, shown, unobserved
from evalkit.score.finding import CheckView, Finding

_LONGEST = 200_000  # characters of a reply that patterns are tried on; replies are hostile, patterns are not
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+|\d+)(?:\.\d+)?")


def reply(wanted: Reply, view: CheckView) -> Finding:
    """The last reply (of the turn) says everything that is asked.

    Args:
        wanted: What it must say.
        view: What may be read.
    """
    replies = replies_of(view)
    if not replies:
        return unobserved(view, "replies") or Finding(held=False, reason="there was no reply")
    last = replies[-1]
    missing = list(_missing(wanted, last))
    reason = "; ".join(missing) if missing else f"the reply says so: {shown(last.text)}"
    return Finding(held=not missing, reason=reason, cites=(last.seq,))


def _missing(wanted: Reply, last: ReplyFact) -> Iterator[str]:
    text = last.text[:_LONGEST]
    folded = text.casefold()
    texts = (wanted.contains,) if isinstance(wanted.contains, str) else wanted.contains or ()
    yield from (f"does not contain {part!r}" for part in texts if part.casefold() not in folded)
    if wanted.matches is not None and not re.search(wanted.matches, text):
        yield f"does not match {wanted.matches!r}: {shown(text)}"
    if "equals" in wanted.model_fields_set and not _equals(wanted, last):
        yield f"is {shown(last.content)}, not {shown(wanted.equals)}"
    yield from _missing_fields(wanted, last)
    yield from _missing_numbers(wanted, text)
    if wanted.language is not None and language(text) != wanted.language:
        yield f"is in {language(text) or 'no known language'}, not {wanted.language}"


def _equals(wanted: Reply, last: ReplyFact) -> bool:
    if isinstance(wanted.equals, str):
        return last.text.strip() == wanted.equals.strip()
    return same(wanted.equals, last.fields if last.fields is not None else last.content)


def _missing_fields(wanted: Reply, last: ReplyFact) -> Iterator[str]:
    for path, value in (wanted.fields or {}).items():
        found = read(last.fields, path)
        if not any(near(value, one, wanted.tolerance) for one in found):
            yield f"{path} is {shown(found[0]) if found else 'not there'}, not {shown(value)}"


def _missing_numbers(wanted: Reply, text: str) -> Iterator[str]:
    found = numbers(text) if wanted.numbers else []
    for value in wanted.numbers or ():
        if not any(abs(value - one) <= wanted.tolerance for one in found):
            stated = ", ".join(f"{number:g}" for number in found[:8])
            yield f"does not state {value:g} (it states {stated or 'no number'})"


def numbers(text: str) -> list[float]:
    """Return the numbers that stand in a text, in any notation.

    Args:
        text: Full-width digits, thousands separators and currency signs are understood; words are not.

    >>> numbers("¥1,234.50 or 88元, not A-17; -3")
    [1234.5, 88.0, -17.0, -3.0]
    """
    plain = unicodedata.normalize("NFKC", text)
    return [float(re.sub(r"[,\u00a0\u202f' ]", "", found)) for found in _NUMBER.findall(plain)]


def language(text: str) -> str | None:
    """Return the language that most letters belong to: zh, en, or None without letters of either.

    A Chinese character counts as two letters: it is about half a word, a Latin letter a fifth of one.

    >>> language("您的退款 (refund) 已完成"), language("Refund for 张伟 is done"), language("42")
    ('zh', 'en', None)
    """
    chinese = 2 * sum("\u4e00" <= char <= "\u9fff" or "\u3400" <= char <= "\u4dbf" for char in text)
    latin = sum(char.isascii() and char.isalpha() for char in text)
    if chinese == latin == 0:
        return None
    return "zh" if chinese >= latin else "en"


def cites(wanted: Cites, view: CheckView) -> Finding:
    """Everything that the reply cites was returned by the tool, and it cites enough.

    Args:
        wanted: Tool, path to the citable ids, pattern of a citation.
        view: What may be read.
    """
    replies = replies_of(view)
    if not replies:
        return unobserved(view, "replies") or Finding(held=False, reason="there was no reply")
    last = replies[-1]
    cited = {_id(match) for match in re.finditer(wanted.pattern, last.text[:_LONGEST])}
    ran = [call for call in calls_of(view) if call.tool == wanted.tool and call.status == "ok"]
    citable = {str(value) for call in ran for value in read(call.value, wanted.path)}
    seqs = (last.seq, *(call.returned for call in ran if call.returned is not None))[:20]
    invented = sorted(cited - citable)
    if invented:
        blind = unobserved(view, "results")
        reason = f"cites what was never returned: {shown(', '.join(invented))}"
        return blind or Finding(held=False, reason=reason, cites=seqs)
    measure = Measure(value=len(cited), unit="citations", threshold=wanted.at_least)
    held = len(cited) >= wanted.at_least
    reason = f"cites {len(cited)} of {len(citable)} ids, at least {wanted.at_least} asked"
    return Finding(held=held, reason=reason, cites=seqs, measure=measure)


def _id(match: re.Match[str]) -> str:
    return str(match[1] if match.re.groups else match[0])
