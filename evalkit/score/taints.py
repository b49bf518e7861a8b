"""Taints: faults that the case did not declare and that nothing made good, and what they excuse.

What comes in: the graph, a fact sheet and its reading. What goes out: `Taint`s, the earliest first.
"""

from __future__ import annotations

from msgspec import Struct

from evalkit.records.fact import FactSheet, FaultFact
from evalkit.score.reading import Reading
from evalkit.score.structure import Structure, positions


class Taint(Struct, frozen=True, kw_only=True):
    """A fault that holds from its moment on.

    Attributes:
        fault: The fault.
        whole: It holds for all stages.
        excuses: Mask of the stages that it excuses.
    """

    fault: FaultFact
    whole: bool
    excuses: int

    @property
    def seq(self) -> int:
        """Its moment; what stands there or before counts as before."""
        return self.fault.seq


def taints_of(structure: Structure, sheet: FactSheet, reading: Reading) -> tuple[Taint, ...]:
    """Return the taints of a trial.

    Args:
        structure: The suite's graph.
        sheet: The facts of the trial.
        reading: What they show of the stages.
    """
    if not sheet.faults:
        return ()
    standing = [fault for fault in sheet.faults if not fault.declared and fault.recovered is None]
    return tuple(_taint(structure, reading, fault) for fault in sorted(standing, key=lambda fault: fault.seq))


def _taint(structure: Structure, reading: Reading, fault: FaultFact) -> Taint:
    named = structure.by_tool.get(fault.tool or "", 0) if fault.where == "tool" else 0
    held = structure.whole
    if named:
        held = named
        for position in positions(named):
            held |= structure.nodes[position].below
    before = reading.tried_by(fault.seq)
    excused = (i for i in positions(held) if not structure.nodes[i].below & before)
    return Taint(fault=fault, whole=not named, excuses=sum(1 << i for i in excused))
