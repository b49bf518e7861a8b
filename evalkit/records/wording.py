"""The arguments of the checks on how text is written: encoding, repetition.

What comes in: one mapping under a check's name. What goes out: typed arguments that `score.checks` reads.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evalkit.records.written import Written


class Encoding(Written):
    """Replies hold nothing that text cannot hold: no U+FFFD, control character, lone surrogate, mojibake."""

    arguments: bool = False
    """Read what the agent wrote into the arguments of its calls too."""
    mojibake: bool = True
    """Look for UTF-8 that was read as Windows-1252 (``Ã©``, ``â€™``) or, as U+FFFD, as GBK (``锟斤拷``)."""


class Repetition(Written):
    """What the agent says or does does not go round in circles."""

    of: Literal["reply", "replies", "calls", "questions"] = "reply"
    """reply: the last reply; replies: all of them as one text; calls: the same call again after it was
    answered; questions: what the agent asks the user, asked again."""
    max_share: float = Field(default=0.2, ge=0, lt=1)
    """The greatest share that may have stood before: of n-grams and sentences, calls, or questions."""
    ngram: int = Field(default=4, ge=1, le=20)
    """Words of an n-gram; where most letters are Chinese, Japanese or Thai, twice as many characters."""
