"""Roots: of every red the stages at which it began.

What comes in: the worked tables, and the stages at which a metric failed. What goes out: `Roots`.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.score.graph import Table
from evalkit.score.ruling import Ruling
from evalkit.score.structure import positions


class Roots:
    """The failing stages of one trial, and which of them are roots; all masks.

    A stage fails where it fails in any of the tables; roots are worked over all tables together.

    Attributes:
        failing: Stages with a fail: their own, or that of a metric of tier gate or compare.
        roots: Failing stages none of whose ancestors fails.
    """

    def __init__(self, tables: Sequence[Table], failing_metrics: int) -> None:
        """Find the roots.

        Args:
            tables: The worked tables: one, or one per turn.
            failing_metrics: Mask of the stages at which a metric of tier gate or compare failed.
        """
        self._nodes = tables[0].structure.nodes
        self.failing = failing_metrics
        for table in tables:
            self.failing |= sum(1 << i for i, ruling in enumerate(table.rulings) if ruling.outcome == "fail")
        self.roots = sum(1 << i for i in positions(self.failing) if not self.inherits(i))
        self._of_stages = [[0] * len(self._nodes) for _ in tables]
        for turn, table in enumerate(tables):
            for position in table.structure.order:
                ruling = table.rulings[position]
                failed = ruling.outcome == "fail"
                found = self.of_fail(position) if failed else self._of_error(ruling, turn)
                self._of_stages[turn][position] = found

    def inherits(self, position: int) -> bool:
        """Return whether a fail at a stage stands below a failing ancestor."""
        return bool(self._nodes[position].ancestors & self.failing)

    def of_fail(self, position: int) -> int:
        """Return the roots of a fail at a stage: itself where it is a root, else its ancestors that are."""
        return self.roots & (1 << position) or self.roots & self._nodes[position].ancestors

    def of_error(self, ruling: Ruling) -> int:
        """Return the roots of an error: those of all that it blames, in the turn in which it does."""
        found = 0
        for part in ruling.parts or (ruling,):
            found |= self._of_error(part, part.turn)
        return found

    def of_stage(self, position: int, turn: int) -> int:
        """Return the roots of a stage's own verdict in one of the tables."""
        return self._of_stages[turn][position]

    def _of_error(self, ruling: Ruling, turn: int) -> int:
        """What returned nothing in an earlier turn has no roots in this one: it is a fail like any other."""
        found = ruling.stopped
        for blamed in positions(ruling.blames):
            found |= self._of_stages[turn][blamed] or self.of_fail(blamed)
        return found
