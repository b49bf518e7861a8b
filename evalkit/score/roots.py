"""Roots: of every red the stages at which it began.

What comes in: the worked table, and the stages at which a metric failed. What goes out: `Roots`.
"""

from __future__ import annotations

from evalkit.score.graph import Ruling, Table
from evalkit.score.structure import positions


class Roots:
    """The failing stages of one trial, and which of them are roots; all masks.

    Attributes:
        failing: Stages with a fail: their own, or that of a metric of tier gate or compare.
        roots: Failing stages none of whose ancestors fails.
    """

    def __init__(self, table: Table, failing_metrics: int) -> None:
        """Find the roots.

        Args:
            table: The worked table.
            failing_metrics: Mask of the stages at which a metric of tier gate or compare failed.
        """
        self._table = table
        own = sum(1 << i for i, ruling in enumerate(table.rulings) if ruling.outcome == "fail")
        self.failing = own | failing_metrics
        self.roots = sum(1 << i for i in positions(self.failing) if not self.inherits(i))
        self._of_stages = [0] * len(table.rulings)
        for position in table.structure.order:
            ruling = table.rulings[position]
            failed = ruling.outcome == "fail"
            self._of_stages[position] = self.of_fail(position) if failed else self.of_error(ruling)

    def inherits(self, position: int) -> bool:
        """Return whether a fail at a stage stands below a failing ancestor."""
        return bool(self._table.structure.nodes[position].ancestors & self.failing)

    def of_fail(self, position: int) -> int:
        """Return the roots of a fail at a stage: itself where it is a root, else its ancestors that are."""
        return self.roots & (1 << position) or self.roots & self._table.structure.nodes[position].ancestors

    def of_error(self, ruling: Ruling) -> int:
        """Return the roots of an error: those of all that it blames."""
        found = ruling.stopped
        for blamed in positions(ruling.blames):
            found |= self._of_stages[blamed]
        return found

    def of_stage(self, position: int) -> int:
        """Return the roots of a stage's own verdict."""
        return self._of_stages[position]
