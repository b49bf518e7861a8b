"""Whether a trial reached its end by a declared fallback or after a recovered fault.

What comes in: the graph, a fact sheet and its reading. What goes out: yes or no.
"""

from __future__ import annotations

from evalkit.records.fact import FactSheet
from evalkit.score.reading import Reading
from evalkit.score.structure import Node, Structure


def is_degraded(structure: Structure, sheet: FactSheet, reading: Reading) -> bool:
    """Return whether a trial is degraded; a fault that the case itself declares does not degrade it.

    Args:
        structure: The suite's graph.
        sheet: The facts of the trial.
        reading: What they show of the stages.
    """
    if any(fault.recovered is not None and not fault.declared for fault in sheet.faults):
        return True
    fallbacks = (n for n in structure.nodes if n.stage.fallback and reading.ran & n.bit)
    return any(_by_fallback(node, sheet, reading) for node in fallbacks)


def _by_fallback(node: Node, sheet: FactSheet, reading: Reading) -> bool:
    """A fallback that only a declared fault called for is what the case asks for."""
    start = reading.first_ran[node.index]
    if any(fault.seq < start and not fault.declared for fault in sheet.faults):
        return True
    declared = [fault.seq for fault in sheet.faults if fault.declared]
    declared += [call.seq for call in sheet.calls if call.declared and call.fault is not None]
    return not any(seq < start for seq in declared)
