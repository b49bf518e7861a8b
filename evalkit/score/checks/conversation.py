"""How a conversation went: what the agent asked back, and what it asked again.

What comes in: a `CheckView`. What goes out: what was counted. A question ends in a question mark, and is the
same where its words are.
"""

from __future__ import annotations

from evalkit.records.companions import Companion
from evalkit.records.fact import ReplyFact
from evalkit.score.checks.counted import Counted, no_reply, nothing_asked
from evalkit.score.checks.loops import said
from evalkit.score.checks.phrases import questions
from evalkit.score.checks.seen import replies_of, unobserved
from evalkit.score.checks.values import shown
from evalkit.score.finding import CheckView, Finding


def clarifying_rounds(_: Companion, view: CheckView) -> Counted | Finding:
    """Replies that ask something back, and after which the user spoke again.

    Args:
        view: What may be read.
    """
    replies = replies_of(view)
    if not replies:
        return no_reply(view)
    asking = [one for one in replies if one.turn < view.sheet.turns - 1 and _asked(one)]
    told = f"{len(asking)} of {len(replies)} replies asked something back"
    cites = tuple(one.seq for one in asking) or (replies[-1].seq,)
    return unobserved(view, "replies") or Counted(float(len(asking)), "rounds", len(replies), told, cites)


def repeated_questions(_: Companion, view: CheckView) -> Counted | Finding:
    """Questions that the agent had asked before, word for word.

    Args:
        view: What may be read.
    """
    replies = replies_of(view)
    if not replies:
        return no_reply(view)
    total = sum(len(_asked(one)) for one in replies)
    again = _again(view)
    count = sum(map(len, again.values()))
    told = f"{count} of {total} questions were asked before"
    told += f", first {shown(next(iter(again.values()))[0])!r}" if again else ""
    cites = tuple(again) or (replies[-1].seq,)
    return _over(view, Counted(float(count), "questions", total, told, cites))


def re_ask_rate(_: Companion, view: CheckView) -> Counted | Finding:
    """Of the turns after the first, the share in which the agent asks what it has asked before.

    Args:
        view: What may be read.
    """
    later = [one for one in replies_of(view) if one.turn > 0]
    if not replies_of(view):
        return no_reply(view)
    if not later:
        return unobserved(view, "replies") or nothing_asked(
            "the user spoke once, and was asked nothing again"
        )
    turns, again = {one.turn for one in later}, _again(view)
    asked = {one.turn for one in later if one.seq in again}
    told = f"in {len(asked)} of {len(turns)} later turns the agent asked again"
    cites = tuple(again) or (later[-1].seq,)
    return _over(view, Counted(len(asked) / len(turns), "share of turns", len(turns), told, cites))


def _over(view: CheckView, found: Counted) -> Counted | Finding:
    return unobserved(view, "replies") or found


def _again(view: CheckView) -> dict[int, list[str]]:
    """Return the questions that were asked before, by the event of the reply that asks them again."""
    seen: set[str] = set()
    found: dict[int, list[str]] = {}
    for reply in view.sheet.replies:
        for one in _asked(reply):
            if one in seen and view.turn in (None, reply.turn):
                found.setdefault(reply.seq, []).append(one)
            seen.add(one)
    return found


def _asked(reply: ReplyFact) -> list[str]:
    return questions(said(reply))
