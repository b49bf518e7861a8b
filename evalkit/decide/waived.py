"""Waivers in a decision: every waiver of the suite is told, counted, and held against its last day.

What comes in: a `GateQuestion`. What goes out: `WaiverLine`s and the cases that are left out.
"""

from __future__ import annotations

from evalkit.decide.question import GateQuestion
from evalkit.records.waivers import WaiverLine, waiver_line

_LOUDEST = ("expired", "unknown_case", "active")


def waivers(question: GateQuestion) -> tuple[WaiverLine, ...]:
    """Return every waiver as it stands, those that waive nothing first.

    Args:
        question: All that the decision rests on.
    """
    tallies = {one.case: one for one in question.tallies.metrics[question.suite.deciding.name]}
    counts = {case: (one.planned, one.passed, one.failed) for case, one in tallies.items()}
    known = {case.id for case in question.suite.cases}
    lines = [
        waiver_line(
            one, known=one.case in known, today=question.today, counts=counts.get(one.case, (0, 0, 0))
        )
        for one in question.suite.known
    ]
    return tuple(sorted(lines, key=lambda line: _LOUDEST.index(line.state)))


def waived(question: GateQuestion) -> tuple[str, ...]:
    """Return the cases of this run that a waiver leaves out of what is asked of each case.

    Args:
        question: All that the decision rests on.
    """
    planned = {one.case for one in question.tallies.metrics[question.suite.deciding.name]}
    asks_cases = any(require.per == "case" for require in question.policy.require)
    return tuple(case for case in dict.fromkeys(question.waived) if case in planned) if asks_cases else ()
