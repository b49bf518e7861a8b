"""The companion metrics of the six suite types: figures of how a trial went, shown beside what decides it.

What comes in: a suite's type, and the arguments of the check `companion`. What goes out: which figures a type
brings, how each is held against a bound, and typed arguments.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evalkit.records.written import Items, Written

Figure = Literal[
    "citation_hit",
    "retrieval_rounds",
    "call_chain",
    "steps_skipped",
    "clarifying_rounds",
    "repeated_questions",
    "re_ask_rate",
    "repeated_context",
    "human_acceptance",
]
"""What a companion metric measures."""

BOUNDS: dict[Figure, float] = {
    "citation_hit": 1.0,
    "retrieval_rounds": 3.0,
    "call_chain": 1.0,
    "steps_skipped": 0.0,
    "clarifying_rounds": 3.0,
    "repeated_questions": 0.0,
    "re_ask_rate": 0.2,
    "repeated_context": 0.8,
    "human_acceptance": 1.0,
}
"""Figure -> the bound where none is given."""

AT_LEAST: frozenset[Figure] = frozenset({"citation_hit", "call_chain", "human_acceptance"})
"""Figures that are held against their bound from above; all others may not exceed theirs."""


class Companion(Written):
    """A figure of how the trial went keeps its bound; companion metrics of a suite's type use it."""

    figure: Figure
    """What is measured."""
    bound: float | None = Field(default=None, ge=0)
    """At least so much of citation_hit and call_chain, at most so much of all others; default: by figure."""
    tools: Items[str] = ()
    """With retrieval_rounds: the tools that retrieve."""
    fact: str | None = None
    """With citation_hit: the declared fact that is a citation."""

    @property
    def held_against(self) -> float:
        """The bound that counts."""
        return BOUNDS[self.figure] if self.bound is None else self.bound
