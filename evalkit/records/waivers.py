"""Waivers as they stand on the day that somebody looks: what is waived, for how long, and what it hides.

What comes in: a waiver of a suite, a day, the trials of its case. What goes out: a `WaiverLine`, and how it
is told in a sentence. A waiver changes no verdict and no rate.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct

from evalkit.records.suite import Waiver

SOON = 14
"""Days before its end from which on a waiver is told to end soon."""


class WaiverLine(Struct, frozen=True, kw_only=True):
    """One waiver as it stands on one day, beside the trials of one run.

    Attributes:
        case: Case id.
        reason: Why it is tolerated.
        owner: Who answers for it.
        until: Its last day, ISO.
        state: active, expired (it waives nothing any more), or unknown_case.
        failed: Failed trials of the case in this run.
        trials: Planned trials of the case in this run.
        passed: Passed trials of the case in this run.
        days_left: Days to its last day, 0 on that day, negative afterwards.
        needed: False where every trial of the case passed, true where one failed, None where neither is so.
    """

    case: str
    reason: str
    owner: str
    until: str
    state: Literal["active", "expired", "unknown_case"]
    failed: int = 0
    trials: int = 0
    passed: int = 0
    days_left: int | None = None
    needed: bool | None = None


def waiver_line(waiver: Waiver, *, known: bool, today: dt.date, counts: tuple[int, int, int]) -> WaiverLine:
    """Return a waiver as it stands.

    Args:
        waiver: A waiver of the suite.
        known: The suite has its case.
        today: The day on which it is held against its end; it holds through its last day.
        counts: Trials of the case in the run: planned, passed, failed.
    """
    trials, passed, failed = counts
    ended = waiver.until < today
    return WaiverLine(
        case=waiver.case,
        reason=waiver.reason,
        owner=waiver.owner,
        until=waiver.until.isoformat(),
        state="unknown_case" if not known else "expired" if ended else "active",
        failed=failed,
        trials=trials,
        passed=passed,
        days_left=(waiver.until - today).days,
        needed=True if failed else False if trials and passed == trials else None,
    )


def told(line: WaiverLine) -> str:
    """Return a waiver in a sentence: case, reason and owner, until when, and what it hides.

    Args:
        line: The waiver as it stands.
    """
    if line.state == "unknown_case":
        return f"a waiver names no case of this suite: {line.case}, {line.reason} ({line.owner})"
    if line.state == "expired":
        return (
            f"the waiver of {line.case} ended on {line.until} ({line.owner}): it counts again{_hidden(line)}"
        )
    head = f"waived until {line.until}, {ending(line.days_left or 0)}"
    return f"{head}: {line.case}, {line.reason} ({line.owner}){_hidden(line)}"


def ending(days: int) -> str:
    """Return in how many days a waiver ends.

    Args:
        days: Days to its last day, not negative.

    >>> ending(0), ending(14)
    ('ends today', 'ends in 14 days')
    """
    return {0: "ends today", 1: "ends in 1 day"}.get(days, f"ends in {days} days")


def _hidden(line: WaiverLine) -> str:
    trials = "trial" if line.trials == 1 else "trials"
    if line.needed is False:
        whole = f"all {line.trials} {trials}" if line.trials > 1 else "its trial"
        return f"; no longer needed: {whole} passed"
    return f"; {line.failed} of {line.trials} {trials} failed" if line.trials else "; not in this run"
