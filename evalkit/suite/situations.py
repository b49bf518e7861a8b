"""What a case puts before the agent, and what it asks, as text that can be held against another case's.

What comes in: a case. What goes out: what the user says, the whole situation, the shape of what is asked.
"""

from __future__ import annotations

import json
import re

from evalkit.records.case import Case

_WORD = re.compile(r"[\w.@-]{2,}")  # a single digit stays: 0 and 1 are how a suite says no and yes


def said(case: Case) -> str:
    """Return all that the user says, a turn to a line; objects as JSON."""
    return "\n".join(_text(turn.user) for turn in case.turns)


def situation(case: Case) -> str:
    """Return what the agent meets: turns, start, history, pinned answers, and what they bind."""
    binds = case.vars if case.start.statements else {}
    return _text([[turn.user for turn in case.turns], case.start.model_dump(mode="json"), _mock(case), binds])


def shape(case: Case) -> str:
    """Return what a case asks and starts from, without the figures and ids in it.

    Two cases of one shape have the same capability, as many turns, the same demands, and the same checks with
    the same words; text that is expected keeps its words, so that two different answers are two shapes.
    """
    asked = [entry.model_dump(mode="json") for entry in case.expect]
    start = case.start.model_dump(mode="json")
    whole = [str(case.tags.get("capability")), len(case.turns), case.demands, asked, start, _mock(case)]
    return _WORD.sub(lambda found: "#" if any(map(str.isdigit, found[0])) else found[0], _text(whole))


def _mock(case: Case) -> dict[str, object]:
    return {tool: pinned.model_dump(mode="json") for tool, pinned in case.mock.items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
