"""Known failures on the day that somebody looks: what is waived, for how long, and what it hides.

What comes in: the suite's waivers, the rows of the board, the day. What goes out: `WaiverLine`s. A waiver
changes no verdict and no rate.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal

from evalkit.records.board import BoardRow
from evalkit.records.document import WaiverLine
from evalkit.records.suite import Suite, Waiver


def waiver_lines(suite: Suite, rows: Sequence[BoardRow], today: dt.date) -> tuple[WaiverLine, ...]:
    """Return every waiver of a suite with what its case came to in a run.

    Args:
        suite: The loaded suite.
        rows: Rows of the run's board, all arms that are looked at.
        today: The day on which waivers are held against their end.
    """
    planned: dict[str, int] = {}
    failed: dict[str, int] = {}
    for row in rows:
        planned[row.case] = planned.get(row.case, 0) + row.trials
        failed[row.case] = failed.get(row.case, 0) + row.outcome[1]
    known = {case.id for case in suite.cases}
    return tuple(
        WaiverLine(
            case=one.case,
            reason=one.reason,
            owner=one.owner,
            until=one.until.isoformat(),
            state=_state(one, known, today),
            failed=failed.get(one.case, 0),
            trials=planned.get(one.case, 0),
        )
        for one in suite.known
    )


def _state(one: Waiver, known: set[str], today: dt.date) -> Literal["active", "expired", "unknown_case"]:
    if one.case not in known:
        return "unknown_case"
    return "active" if one.until >= today else "expired"
