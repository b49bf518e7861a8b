"""Which metrics may be asked: blocked by what they need, or over the outcome and never blocked.

What comes in: the worked table and where a metric stands. What goes out: the `Ruling` that takes the place of
the metric's own checks, or None where they are to be asked.
"""

from __future__ import annotations

from msgspec import Struct

from evalkit.records.metric import Metric
from evalkit.records.suite import Suite
from evalkit.records.verdict import Cause
from evalkit.score.graph import Ruling, Table, with_cause_of
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
        unblocked=metric.scope == "outcome" or metric.name == deciding.name,
        reddens=metric.tier != "observe",
    )


def standing_in_the_way(table: Table, place: Place) -> Ruling | None:
    """Return what a metric comes to without its checks, or None where they are to be asked.

    Args:
        table: The worked table of the trial.
        place: Where the metric stands.
    """
    if place.unblocked:
        return _over_the_outcome(table, place)
    return _blocked(table, place)


def _over_the_outcome(table: Table, place: Place) -> Ruling | None:
    """An error under a taint that excused a required stage or holds for all, whatever the checks would say.

    What the agent did before the taint stays its own doing: a forbidden stage that it ran, or attempted,
    until then is a fail.
    """
    taint = _taint_over_all(table)
    if taint is None:
        return None
    crossed = table.asked.forbidden & table.reading.tried_by(taint.seq)
    if not crossed:
        return with_cause_of(taint, f"{place.metric.name} cannot be told after a fault")
    names = ", ".join(table.structure.names(crossed))
    cites = tuple(cite for position in positions(crossed) for cite in table.rulings[position].cites)
    message = f"{names} ran or was attempted, and the case forbids it"
    return Ruling(outcome="fail", reason="check", message=message, cites=cites)


def _taint_over_all(table: Table) -> Taint | None:
    """The earliest of the taints that hold for all or excused a required stage."""
    if not table.taints:
        return None
    excused = {
        taint.seq
        for position in positions(table.asked.required)
        if (taint := table.rulings[position].taint) and taint.excuses >> position & 1
    }
    return next((taint for taint in table.taints if taint.whole or taint.seq in excused), None)


def _blocked(table: Table, place: Place) -> Ruling | None:
    """Of several unmet needs the first cause in the order, within one the suite's order.

    Of several empty needs one whose emptiness is a fail goes first: what is explained hides behind nothing.
    """
    barriers = [
        (position, barrier)
        for position in positions(place.needs)
        if (barrier := _barrier(table, position, place.metric.name)) is not None
    ]
    if not barriers:
        return None
    first = min((barrier for _, barrier in barriers), key=_rank)
    if first.cause != "upstream_failed":
        return first
    failed = sum(1 << position for position, barrier in barriers if barrier.cause == "upstream_failed")
    names = ", ".join(table.structure.names(failed))
    message = f"{place.metric.name} was not reached: it needs {names}"
    return Ruling(outcome="error", cause="upstream_failed", message=message, blames=failed)


def _rank(barrier: Ruling) -> tuple[int, bool]:
    return _RANKS.get(barrier.cause, 1), not barrier.blames


def _barrier(table: Table, position: int, name: str) -> Ruling | None:
    """The last column of the table for one need."""
    ruling, need = table.rulings[position], table.structure.nodes[position].name
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
