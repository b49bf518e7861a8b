"""What every check asks first: which calls and replies are meant, and whether the trace shows such things.

What comes in: a `CheckView`. What goes out: calls and replies of the turn, or a finding that says why not.
"""

from __future__ import annotations

import json

from evalkit.records.event import Observable
from evalkit.records.fact import CallFact, ReplyFact
from evalkit.records.written import Json
from evalkit.score.finding import CheckView, Finding

_SHOWN = 160  # characters of a value in a reason; the trace has the rest


def calls_of(view: CheckView) -> tuple[CallFact, ...]:
    """Return the calls of the turn that is asked about, or all."""
    return tuple(call for call in view.sheet.calls if view.turn in (None, call.turn))


def replies_of(view: CheckView) -> tuple[ReplyFact, ...]:
    """Return the replies of the turn that is asked about, or all."""
    return tuple(reply for reply in view.sheet.replies if view.turn in (None, reply.turn))


def unobserved(view: CheckView, *kinds: Observable) -> Finding | None:
    """Return why a check cannot be examined: the trace does not show such events; None where it does.

    Args:
        view: What the check may read.
        kinds: Kinds of event that it needs.
    """
    missing = [kind for kind in kinds if kind not in view.sheet.observes]
    if not missing:
        return None
    reason = f"the trace does not show {' and '.join(missing)}"
    return Finding(held=None, cause="not_observed", reason=reason)


def shown(value: Json) -> str:
    """Return a value for a reason, shortened."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."
