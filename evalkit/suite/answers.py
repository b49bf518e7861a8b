"""Answers that stand in their own question.

What comes in: a case. What goes out: in which way its user says what the agent should find out. An answer
that is part of a long text, or one of several options, is no give-away: extracting and choosing are tasks.
"""

from __future__ import annotations

import re

from evalkit.records.case import Case
from evalkit.suite.expected import expected_values
from evalkit.suite.likeness import words_of
from evalkit.suite.situations import said

LEAST_WORDS = 3
"""Words (characters, in scripts without spaces: twice as many) of an answer that is looked for as a whole."""

SHARE = 0.5
"""Part of a user's turn that an answer makes up where it gives itself away."""

_ANNOUNCED = re.compile(
    r"(?:\b(?:answer|solution|result)\s{0,3}(?:is|was|should be|must be|:|=)"
    r"|(?:答案|正解|结果)\s{0,3}(?:是|为|：|:))"
    r"\s{0,3}[\"'“‘「(]?",
    re.IGNORECASE,
)
_ELSE = re.compile(r"[\"'”’」)]?\s{0,3}(?:or\b|,|/|或|、|还是)|\w")  # another option, or the word goes on


def given_away(case: Case) -> str:
    """Return in words how a case gives its answer away, "" where it does not.

    Args:
        case: The case.
    """
    told = _announced(case)
    if told:
        return f"the user announces the expected answer: {told}"
    turns = [turn.user for turn in case.turns if isinstance(turn.user, str)]
    if any(_whole(answer, turn) for answer in _answers(case) for turn in turns):
        return "the whole expected reply stands in what the user says"
    return ""


def _announced(case: Case) -> str:
    text = said(case)
    cues = [match.end() for match in _ANNOUNCED.finditer(text)]
    if not cues:
        return ""
    for value in expected_values(case):
        answer = f"{value:g}" if isinstance(value, float) else str(value)
        for start in cues:
            there = text[start : start + len(answer)]
            if (
                answer
                and there.casefold() == answer.casefold()
                and not _ELSE.match(text, start + len(answer))
            ):
                return there
    return ""


def _answers(case: Case) -> list[str]:
    """Return the whole replies that are right: those that a case asks for, its solution's last."""
    found = [e.args.get("equals") for e in case.expect if e.kind == "reply" and not e.negated]
    found += [step.reply for step in (case.solution or ())[-1:]]
    return [answer for answer in found if isinstance(answer, str)]


def _whole(answer: str, turn: str) -> bool:
    """Whether an answer stands in a turn, word for word, and makes up a good part of it."""
    words, others = words_of(answer), words_of(turn)
    least = LEAST_WORDS * (1 if answer.isascii() else 2)
    long_enough = len(words) >= max(least, SHARE * len(others))
    return long_enough and f" {' '.join(words)} " in f" {' '.join(others)} "
