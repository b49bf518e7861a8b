"""Known failures of a run: every waiver of its suite, with what the case came to.

What comes in: the suite's waivers, the rows of the board, the day. What goes out: `WaiverLine`s. A waiver
changes no verdict and no rate.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from evalkit.records.board import BoardRow
from evalkit.records.suite import Suite
from evalkit.records.waivers import WaiverLine, waiver_line


def waiver_lines(suite: Suite, rows: Sequence[BoardRow], today: dt.date) -> tuple[WaiverLine, ...]:
    """Return every waiver of a suite with what its case came to in a run.

    Args:
        suite: The loaded suite.
        rows: Rows of the run's board, all arms that are looked at.
        today: The day on which waivers are held against their end.
    """
    counts: dict[str, tuple[int, int, int]] = {}
    for row in rows:
        planned, passed, failed = counts.get(row.case, (0, 0, 0))
        counts[row.case] = (planned + row.trials, passed + row.outcome[0], failed + row.outcome[1])
    known = {case.id for case in suite.cases}
    return tuple(
        waiver_line(one, known=one.case in known, today=today, counts=counts.get(one.case, (0, 0, 0)))
        for one in suite.known
    )
