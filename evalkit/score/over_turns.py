"""Metrics of a conversation whose turns are read one by one.

What comes in: the worked turns, where a metric stands, what feeds it. What goes out: what stands in its way,
or what its evidence says.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from evalkit.score.asking import Place, barrier, first_of, over_the_outcome, standing_in_the_way, taint_over
from evalkit.score.judging import Ask, Judged, Question, judge_metric, judge_turn, turn_rank, turns_asked
from evalkit.score.ruling import Ruling
from evalkit.score.structure import positions
from evalkit.score.taints import taints_of
from evalkit.score.turns import Conversation, first_over_turns, named, rank_over_turns, told

_MAY_BE_ASKED = Ruling(outcome="pass")
"""Stands in the order over turns for a need that stands in no metric's way."""


def answer_over_turns(
    conversation: Conversation, place: Place, question: Question, ask: Ask
) -> Ruling | Judged:
    """Return what a metric comes to over the turns: what stands in its way, or what its evidence says.

    A metric of scope `turn` is asked turn by turn. One about the whole trial takes each of its needs over the
    turns first, and then the first cause of its needs.

    Args:
        conversation: The trial, its turns worked.
        place: Where the metric stands.
        question: The metric and what feeds it.
        ask: Examines one entry.
    """
    if place.metric.scope == "turn":
        return min(_turn_by_turn(conversation, place, question, ask), key=_rank)
    return _in_the_way_of_all(conversation, place) or judge_metric(question, ask)


def _turn_by_turn(
    conversation: Conversation, place: Place, question: Question, ask: Ask
) -> Iterator[Ruling | Judged]:
    """A turn that was never begun counts by what stands in the way there, where no entry names it."""
    begun = max(1, conversation.sheet.turns)
    asked_for = {entry.turn for entry in question.entries}
    last = len(conversation.tables) - 1
    for turn in turns_asked(question):
        ruling = _in_the_way(conversation, min(turn, last), place)
        if ruling is not None:
            yield told(conversation.sheet, ruling, min(turn, last))
        elif turn < begun or turn in asked_for or place.unblocked:
            yield judge_turn(question, ask, turn)


def _in_the_way(conversation: Conversation, turn: int, place: Place) -> Ruling | None:
    """What stands in the way of a metric in one turn; what the agent did in earlier ones stays its doing."""
    table = conversation.tables[turn]
    if not place.unblocked:
        return standing_in_the_way(table, place)
    taint = taint_over((table,), table.taints)
    return over_the_outcome(place, taint, conversation.tables[: turn + 1]) if taint is not None else None


def _in_the_way_of_all(conversation: Conversation, place: Place) -> Ruling | None:
    """What stands in the way of a metric about the whole trial; what was made good is no taint of that."""
    structure, tables = conversation.structure, conversation.tables
    if place.unblocked:
        taint = taint_over(tables, taints_of(structure, conversation.sheet, conversation.reading))
        return over_the_outcome(place, taint, tables) if taint is not None else None
    needs = [(need, _need(conversation, need, place)) for need in positions(place.needs)]
    barriers = [(need, ruling) for need, ruling in needs if ruling.outcome == "error"]
    if not barriers:
        return None
    found = first_of(barriers, structure, place)
    return msgspec.structs.replace(found, message=named(found.message, found.turn)) if found.parts else found


def _need(conversation: Conversation, need: int, place: Place) -> Ruling:
    """One need of a metric about the whole trial, over the turns."""
    bars = [barrier(table, need, place, table.rulings[need]) for table in conversation.tables]
    return first_over_turns(
        [told(conversation.sheet, bar or _MAY_BE_ASKED, turn) for turn, bar in enumerate(bars)]
    )


def _rank(answer: Ruling | Judged) -> int:
    return turn_rank(answer) if isinstance(answer, Judged) else rank_over_turns(answer)
