"""The check on going round in circles: repetition of what is said, called or asked.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that measures the share of what
stood there before.

The share of repeated n-grams, 1 - distinct / all, and n = 4 are those of Welleck et al., "Neural text
generation with unlikelihood training" (2020); that models caught in a loop repeat whole sentences, which
people hardly ever do, is shown by Xu et al., "Learning to break the loop" (2022).
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.fact import CallFact, ReplyFact
from evalkit.records.verdict import Measure
from evalkit.records.wording import Repetition
from evalkit.score.checks.phrases import Share, questions, repeated, share_of, words
from evalkit.score.checks.replies import spoken
from evalkit.score.checks.seen import calls_of, cited, ending, replies_of, unobserved
from evalkit.score.checks.values import as_text, fingerprint, shown
from evalkit.score.finding import CheckView, Finding

# How a call ended that nobody can be blamed for making again: it broke, or nobody answered.
_NO_ANSWER = frozenset({"fault", "missing", "broken", "unanswered"})


def repetition(wanted: Repetition, view: CheckView) -> Finding:
    """No more than a share of what is said (called, asked) stood there before.

    Args:
        wanted: What is looked at, and the share that is allowed.
        view: What may be read.
    """
    if wanted.of == "calls":
        return _of_calls(wanted, view)
    replies = replies_of(view)
    if not replies:
        nothing = Finding(held=False, reason="there was no reply", cites=ending(view))
        return unobserved(view, "replies") or nothing
    if wanted.of == "questions":
        return _of_questions(wanted, replies, view)
    return _of_text(wanted, replies[-1:] if wanted.of == "reply" else replies)


def _of_text(wanted: Repetition, replies: Sequence[ReplyFact]) -> Finding:
    """A text without a word was not looked at: that it repeats nothing says nothing for it."""
    text = "\n".join(map(said, replies))
    cites = tuple(reply.seq for reply in replies)
    if not words(text):
        return Finding(held=False, reason="the reply holds no words", cites=cites)
    return _held(wanted, share_of(text, wanted.ngram), cites)


def said(reply: ReplyFact) -> str:
    """Return the words of a reply; of an object the values in it.

    Args:
        reply: A reply to the user.
    """
    return "\n".join(map(as_text, spoken(reply)))


def _of_questions(wanted: Repetition, replies: Sequence[ReplyFact], view: CheckView) -> Finding:
    """Of the turn that is asked about the questions count, of earlier ones what they asked."""
    until = replies[0].seq
    before = {asked for one in view.sheet.replies if one.seq < until for asked in questions(said(one))}
    asked = [one for reply in replies for one in questions(said(reply))]
    known = repeated((*before, *asked), "questions")
    share = Share(known.again, len(asked), known.of, known.first)
    return _held(wanted, share, tuple(reply.seq for reply in replies))


def _of_calls(wanted: Repetition, view: CheckView) -> Finding:
    """Calls with unreadable arguments are like no other; results that do not show may be answers."""
    calls = calls_of(view)
    found = _held(wanted, _again(calls, _NO_ANSWER), cited(calls) or ending(view))
    if found.held is False:
        return found
    most = _again(calls, _NO_ANSWER - {"unanswered"})
    if "results" not in view.sheet.observes and most.value > wanted.max_share:
        return unobserved(view, "calls", "results") or found
    return unobserved(view, "calls") or found


def _again(calls: Sequence[CallFact], no_answer: frozenset[str]) -> Share:
    """Count the calls that an earlier one, which was answered, had asked for already."""
    answered: set[tuple[object, ...]] = set()
    again: list[CallFact] = []
    for call in calls:
        key = (call.tool, fingerprint(call.args))
        if key in answered and call.args is not None:
            again.append(call)
        if call.status not in no_answer:
            answered.add(key)
    first = f"{again[0].tool}({shown(again[0].args)})" if again else ""
    return Share(len(again), len(calls), "calls", first)


def _held(wanted: Repetition, share: Share, cites: tuple[int, ...]) -> Finding:
    reason = f"{share.again} of {share.total} {share.of} stood there before"
    if share.again:
        reason += f", first {shown(share.first)!r}"
    measure = Measure(value=share.value, unit="share repeated", n=share.total, threshold=wanted.max_share)
    held = share.value <= wanted.max_share
    return Finding(held=held, reason=reason, cites=cites, measure=measure)
