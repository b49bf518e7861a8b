"""Reads what an agent stated from the events of its trial, while the trial is still open.

What comes in: a suite, and the events so far. What goes out: `ports.Stated`.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.facts.derive import derive
from evalkit.records.case import Case
from evalkit.records.event import Event, Opened, Trace
from evalkit.records.ports import Stated
from evalkit.records.probe import Probe
from evalkit.records.suite import Suite
from evalkit.score.checks.sql import stated_sql
from evalkit.score.finding import CheckView


def stated_in(suite: Suite) -> Stated:
    """Return what finds SQL by the same facts, and the same way to read them, that verdicts rest on.

    Args:
        suite: The loaded suite.
    """

    def stated(case: Case, events: Sequence[Event], probe: Probe) -> str | None:
        opened = events[0].body if events else None
        trace = Trace(
            opened=opened
            if isinstance(opened, Opened)
            else Opened(case=case.id, arm="", mode="mock", trial=0),
            events=tuple(events),
            closed=None,
        )
        view = CheckView(suite=suite, case=case, sheet=derive(suite, case, trace), turn=probe.turn)
        return stated_sql(probe.stated, view)

    return stated
