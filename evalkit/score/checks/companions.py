"""The check behind companion metrics: how a trial went, in one figure that is held against a bound.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` with a measure; where the case
asks for nothing that could be counted, it is not required.
"""

from __future__ import annotations

from collections.abc import Callable

from evalkit.records.companions import AT_LEAST, Companion, Figure
from evalkit.records.verdict import Measure
from evalkit.score.checks.conversation import clarifying_rounds, re_ask_rate, repeated_questions
from evalkit.score.checks.counted import Counted, nothing_asked
from evalkit.score.checks.progress import call_chain, citation_hit, retrieval_rounds, steps_skipped
from evalkit.score.checks.seen import ending, unobserved
from evalkit.score.checks.used import context_of
from evalkit.score.finding import CheckView, Finding


def companion(wanted: Companion, view: CheckView) -> Finding:
    """The figure keeps its bound.

    Args:
        wanted: Which figure, and its bound.
        view: What may be read.
    """
    found = _FIGURES[wanted.figure](wanted, view)
    if isinstance(found, Finding):
        return found
    bound = wanted.held_against
    at_least = wanted.figure in AT_LEAST
    held = found.value >= bound if at_least else found.value <= bound
    measure = Measure(value=found.value, unit=found.unit, n=found.n, threshold=bound)
    reason = f"{found.told}; {'at least' if at_least else 'at most'} {bound:g}"
    return Finding(held=held, reason=reason, cites=found.cites or ending(view), measure=measure)


def _repeated_context(_: Companion, view: CheckView) -> Counted | Finding:
    """What the model read again: of each context, at most as much as the one before it held."""
    model = [one for one in view.sheet.model if view.turn in (None, one.turn)]
    blind = unobserved(view, "replies", "usage")
    if blind is not None:
        return blind
    contexts = [context_of(one.usage) for one in model]
    read = [one for one in contexts if one is not None and one >= 0]
    if len(read) < len(contexts) or not read:
        return nothing_asked("it is not known how many tokens the model read", "not_observed")
    again = sum(map(min, read, read[1:]))
    total = sum(read)
    told = f"{again} of {total} tokens of context were read before"
    cites = tuple(one.seq for one in model)
    return Counted(again / total if total else 0.0, "share of tokens", len(read), told, cites)


def _human_acceptance(_: Companion, __: CheckView) -> Finding:
    """Nobody but a person can say it, and no label has been given."""
    return nothing_asked("whether a person accepts it can only be said by one", "needs_human")


_FIGURES: dict[Figure, Callable[[Companion, CheckView], Counted | Finding]] = {
    "citation_hit": citation_hit,
    "retrieval_rounds": retrieval_rounds,
    "call_chain": call_chain,
    "steps_skipped": steps_skipped,
    "clarifying_rounds": clarifying_rounds,
    "repeated_questions": repeated_questions,
    "re_ask_rate": re_ask_rate,
    "repeated_context": _repeated_context,
    "human_acceptance": _human_acceptance,
}
