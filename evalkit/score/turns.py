"""Tables per turn: where the turns of a case ask of their own, the graph is read once for each of them.

What comes in: the graph, what each turn asks, a fact sheet. What goes out: one `Table` per turn, and what
they come to together for every stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from evalkit.records.fact import FactSheet, FaultFact
from evalkit.records.verdict import cause_class
from evalkit.score.graph import Table
from evalkit.score.judging import replies_to
from evalkit.score.reading import Reading, read_stages
from evalkit.score.ruling import NOBODY, NOTHING_EARLIER, Earlier, Ruling
from evalkit.score.structure import Asked, Structure, positions
from evalkit.score.taints import taints_of

_AS_NEED = Ruling(outcome="pass", asks="judged")
"""What is said of a stage that returned something in an earlier turn, where a later one needs it."""


class Conversation(Struct, frozen=True, kw_only=True):
    """A trial whose turns are read one by one.

    Attributes:
        structure: The suite's graph.
        sheet: The facts of the trial.
        reading: What they show of the stages, over all turns.
        tables: One worked table per turn of the case.
    """

    structure: Structure
    sheet: FactSheet
    reading: Reading
    tables: tuple[Table, ...]

    def rulings(self) -> list[Ruling]:
        """Return what the turns come to for every stage; the turn is told and, by its replies, cited."""
        return [
            first_over_turns(
                [told(self.sheet, table.rulings[i], turn) for turn, table in enumerate(self.tables)]
            )
            for i in range(len(self.structure.nodes))
        ]


def conversation_of(
    structure: Structure, asked: Sequence[Asked], sheet: FactSheet, reading: Reading, *, limited: bool
) -> Conversation:
    """Work one table per turn.

    What follows the last turn of the case belongs to it. A fault counts from its turn on, until a later one
    makes it good; a limit from its turn on.

    Args:
        structure: The suite's graph.
        asked: What each turn asks.
        sheet: The facts of the trial.
        reading: What they show of the stages.
        limited: A limit stopped the trial.
    """
    last = len(asked) - 1
    stop = min(sheet.turn_of(sheet.stop.seq), last) if limited and sheet.stop is not None else len(asked)
    tables: list[Table] = []
    earlier = NOTHING_EARLIER
    for turn, wanted in enumerate(asked):
        own = _of_turn(sheet, turn, last)
        shown = read_stages(structure, own)
        taints = taints_of(structure, own, shown)
        tables.append(Table(structure, wanted, shown, taints, limited=turn >= stop, earlier=earlier))
        earlier = _after(earlier, tables[-1])
    return Conversation(structure=structure, sheet=sheet, reading=reading, tables=tuple(tables))


def _of_turn(sheet: FactSheet, turn: int, last: int) -> FactSheet:
    """The facts of one turn, and the faults of earlier ones that nothing has made good by its end."""
    return msgspec.structs.replace(
        sheet,
        calls=tuple([call for call in sheet.calls if min(call.turn, last) == turn]),
        replies=tuple([reply for reply in sheet.replies if min(reply.turn, last) == turn]),
        declared=tuple([fact for fact in sheet.declared if min(fact.turn, last) == turn]),
        faults=tuple(_faults(sheet, turn, last)),
    )


def _faults(sheet: FactSheet, turn: int, last: int) -> Iterator[FaultFact]:
    for fault in sheet.faults:
        if min(sheet.turn_of(fault.seq), last) > turn:
            continue
        if fault.recovered is not None and min(sheet.turn_of(fault.recovered), last) > turn:
            yield msgspec.structs.replace(fault, recovered=None)
        else:
            yield fault


def _after(earlier: Earlier, table: Table) -> Earlier:
    """What a table leaves to the next: output of any turn is output, else the worst emptiness counts."""
    rulings = dict(earlier.rulings)
    for position in positions(table.reading.ran):
        before = rulings.get(position)
        if before is _AS_NEED or not table.empty >> position & 1:
            rulings[position] = _AS_NEED
        else:
            now = table.rulings[position]
            rulings[position] = now if before is None else first_over_turns((before, now))
    ran = earlier.ran | table.reading.ran
    hollow = sum(1 << position for position, ruling in rulings.items() if ruling is not _AS_NEED)
    stopped = earlier.stopped if earlier.stopped != NOBODY else table.stopped
    return Earlier(ran=ran, hollow=hollow, rulings=rulings, stopped=stopped)


def told(sheet: FactSheet, ruling: Ruling, turn: int) -> Ruling:
    """Return a ruling that tells its turn, and cites it: by its own evidence, else by the turn's replies.

    Args:
        sheet: The facts of the trial.
        ruling: What a table says.
        turn: The turn of that table, from 0.
    """
    return msgspec.structs.replace(
        ruling,
        turn=turn,
        message=named(ruling.message, turn),
        cites=ruling.cites or replies_to(sheet, turn),
        parts=tuple([msgspec.structs.replace(part, turn=turn) for part in ruling.parts]),
    )


def named(message: str, turn: int) -> str:
    """Return a message that names its turn."""
    return f"turn {turn}: {message}"


def first_over_turns(rulings: Sequence[Ruling]) -> Ruling:
    """Return what the rulings of several turns come to."""
    return min(rulings, key=rank_over_turns)


def rank_over_turns(ruling: Ruling) -> int:
    """Return the place over turns: first fail, else unmeasured, else explained, else pass, else not asked.

    Of several passes one that is out of order goes first: the fact is shown.
    """
    if ruling.outcome == "fail":
        return 0
    if ruling.cause is None:
        return 3 if ruling.reason is not None else 4
    explained = ("",) if ruling.blames or ruling.stopped or ruling.parts else ()
    return {"unmeasured": 1, "explained": 2, "not_asked": 5}[cause_class(ruling.cause, explained)]
