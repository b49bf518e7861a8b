"""Which metrics may be asked: blocked by what they need, or over the outcome and never blocked.

What comes in: the worked table and where a metric stands. What goes out: the `Ruling` that takes the place of
the metric's own checks, or None where they are to be asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from evalkit.records.metric import Metric
from evalkit.records.suite import Suite
from evalkit.records.verdict import Cause
from evalkit.score.graph import Table
from evalkit.score.ruling import Ruling, with_cause_of
from evalkit.score.structure import Structure, positions
from evalkit.score.taints import Taint

_RANKS: dict[Cause | None, int] = {
    "upstream_failed": 0,
    "upstream_empty": 2,
    "not_required": 3,
    "upstream_refused": 4,
}
"""Of several unmet needs the cause is taken in this order; every other cause is unmeasured and stands second.
A stage that was rightly not run comes last: like `not_required` it means that nothing was to be examined."""


class Place(Struct, frozen=True, kw_only=True):
    """Where a metric stands, worked out once per suite.

    Attributes:
        metric: The metric.
        position: Position of the stage at which it is shown.
        needs: Mask of the stages that it needs.
        unblocked: Of scope `outcome`, or the deciding primary.
        reddens: A fail of it makes its stage a failing one: tier gate or compare.
    """

    metric: Metric
    position: int
    needs: int
    unblocked: bool
    reddens: bool


def places_of(suite: Suite, structure: Structure) -> dict[str, Place]:
    """Return where every metric of a suite stands, by name, in the suite's order.

    Args:
        suite: The suite.
        structure: Its graph.
    """
    deciding = suite.deciding
    return {metric.name: _place(structure, metric, deciding) for metric in suite.metrics}


def _place(structure: Structure, metric: Metric, deciding: Metric) -> Place:
    stage = metric.stage or deciding.stage or structure.nodes[0].name
    return Place(
        metric=metric,
        position=structure.index[stage],
        needs=structure.mask(metric.needs or (stage,)),
        unblocked=metric.scope == "outcome" or metric.name == deciding.name or metric.companion,
        reddens=metric.tier != "observe",
    )


def standing_in_the_way(table: Table, place: Place) -> Ruling | None:
    """Return what a metric comes to without its checks, or None where they are to be asked.

    Args:
        table: The worked table of the trial.
        place: Where the metric stands.
    """
    if place.unblocked:
        taint = taint_over((table,), table.taints) if table.taints else None
        return over_the_outcome(place, taint, (table,)) if taint is not None else None
    barriers = [
        (need, bar)
        for need in positions(place.needs)
        if (bar := barrier(table, need, place, _as_need(table, need, place))) is not None
    ]
    return first_of(barriers, table.structure, place) if barriers else None


def over_the_outcome(place: Place, taint: Taint, tables: Sequence[Table]) -> Ruling:
    """Return what a metric that is never blocked comes to under a taint, whatever its checks would say.

    What the agent did before the taint stays its own doing: a forbidden stage that it ran, or attempted,
    until then is a fail; else it is an error.

    Args:
        place: Where the metric stands.
        taint: See `taint_over`.
        tables: The worked tables: of the trial, or of the turns up to the one that is judged.
    """
    for table in tables:
        crossed = table.asked.forbidden & table.reading.tried_by(taint.seq)
        if crossed:
            names = ", ".join(table.structure.names(crossed))
            cites = tuple(cite for position in positions(crossed) for cite in table.rulings[position].cites)
            message = f"{names} ran or was attempted, and the case forbids it"
            return Ruling(outcome="fail", reason="check", message=message, cites=cites)
    return with_cause_of(taint, f"{place.metric.name} cannot be told after a fault")


def taint_over(tables: Sequence[Table], taints: Sequence[Taint]) -> Taint | None:
    """Return the earliest of some taints that holds for all stages or excused a required one.

    Args:
        tables: The worked tables.
        taints: Of what is judged, the trial or a turn; the earliest first.
    """
    excused = {
        taint.seq
        for table in tables
        for position in positions(table.asked.required)
        if (taint := table.rulings[position].taint) and taint.excuses >> position & 1
    }
    return next((taint for taint in taints if taint.whole or taint.seq in excused), None)


def first_of(barriers: Sequence[tuple[int, Ruling]], structure: Structure, place: Place) -> Ruling:
    """Return what several unmet needs come to: the first cause in the order, then the suite's order.

    Of several empty needs one whose emptiness is a fail goes first: what is explained hides behind nothing.

    Args:
        barriers: Position of a need and what it gives, at least one.
        structure: The suite's graph.
        place: Where the metric stands.
    """
    first = min((bar for _, bar in barriers), key=_rank)
    if first.cause != "upstream_failed":
        return first
    failed = [(position, bar) for position, bar in barriers if bar.cause == "upstream_failed"]
    names = ", ".join(structure.nodes[position].name for position, _ in failed)
    return Ruling(
        outcome="error",
        cause="upstream_failed",
        message=f"{place.metric.name} was not reached: it needs {names}",
        parts=tuple([bar for _, bar in failed]),
        turn=first.turn,
    )


def _rank(barrier: Ruling) -> tuple[int, bool]:
    return _RANKS.get(barrier.cause, 1), not barrier.blames


def barrier(table: Table, position: int, place: Place, ruling: Ruling) -> Ruling | None:
    """Return the last column of the table for one need of a metric; None where it may be judged.

    Args:
        table: The worked table.
        position: The need.
        place: Where the metric stands.
        ruling: What the table says of the need.
    """
    need, name = table.structure.nodes[position].name, place.metric.name
    if ruling.asks == "judged":
        return None
    if ruling.asks == "empty":
        return table.emptied_by(position, name)
    if ruling.asks == "refused":
        message = f"{name} needs {need}, which was rightly not run"
        return Ruling(outcome="error", cause="upstream_refused", message=message)
    if ruling.asks == "missing":
        return Ruling(outcome="error", cause="upstream_failed", blames=1 << position)
    return Ruling(
        outcome="error",
        cause=ruling.cause,
        sub=ruling.sub,
        message=f"{name} needs {need}: {ruling.message}",
        cites=ruling.cites,
        emptied_by=ruling.emptied_by,
        blames=(1 << position) * bool(ruling.blames or ruling.stopped),
    )


def _as_need(table: Table, position: int, place: Place) -> Ruling:
    """What a turn says of a need, or what earlier turns say of it.

    They do where the turn leaves the need to the agent, who did not repeat it, and the metric's own stage ran
    in the turn: an answer is held against what was found for it, however long ago.
    """
    left_out = table.carried & table.asked.optional
    if left_out >> position & 1 and position != place.position and table.reading.ran >> place.position & 1:
        return table.seen[position]
    return table.rulings[position]
