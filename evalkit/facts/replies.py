"""Replies to the user, and what they claim.

What comes in: events, the suite's claims. What goes out: `ReplyFact`s and `ClaimFact`s; a claim is apart from
what happened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evalkit.facts.texts import as_text, fields_of
from evalkit.records.event import Event, Replied
from evalkit.records.fact import ClaimFact, ReplyFact
from evalkit.records.paths import read, same
from evalkit.records.suite import ClaimSign, Suite


def replies_of(events: Sequence[Event]) -> tuple[ReplyFact, ...]:
    """Return the replies to the user, in order.

    Args:
        events: The events of one trial, seq ascending.
    """
    return tuple([_fact(event, event.body) for event in events if type(event.body) is Replied])


def _fact(event: Event, body: Replied) -> ReplyFact:
    return ReplyFact(
        seq=event.seq,
        turn=event.turn,
        content=body.content,
        text=as_text(body.content),
        fields=fields_of(body.content),
    )


def claims_of(suite: Suite, replies: Sequence[ReplyFact]) -> tuple[ClaimFact, ...]:
    """Return what the replies claim, in the order of the replies.

    Args:
        suite: The suite, for its `claims`.
        replies: The replies of one trial.
    """
    return tuple(_claims(suite, replies)) if suite.claims else ()


def _claims(suite: Suite, replies: Sequence[ReplyFact]) -> Iterator[ClaimFact]:
    signs = [(name, claim.sign) for name, claim in suite.claims.items()]
    for reply in replies:
        for name, sign in signs:
            if shows(sign, reply):
                yield ClaimFact(name=name, seq=reply.seq, turn=reply.turn)


def shows(sign: ClaimSign, reply: ReplyFact) -> bool:
    """Return whether a reply makes a claim.

    Args:
        sign: A pattern in the text, or a field with its value (default: any true value).
        reply: The reply.
    """
    if sign.matches is not None:
        return re.search(sign.matches, reply.text) is not None
    if sign.field is None or reply.fields is None:
        return False
    values = read(reply.fields, sign.field)
    if "equals" in sign.model_fields_set:
        return any(same(value, sign.equals) for value in values)
    return any(values)
