"""Verdicts as trials close, and progress with counts by outcome.

What comes in: events on their way to the journal, closed trials. What goes out: what each trial came to, kept
for the record, and a line now and then. Only the events of open trials are held, as a reader of the journal
will see them: `score` decides the same from the journal alone.
"""

from __future__ import annotations

from collections.abc import Callable

from evalkit.pipeline.scoring import Rescorer
from evalkit.pipeline.setting import Setting
from evalkit.records.event import Closed, Event, Opened, Trace
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Assignment, Sink
from evalkit.store.folder import Results

Keep = Callable[[int, Results], None]
"""Told of plan index and results of every trial that closed."""

_EVERY_SECONDS = 2.0  # often enough to see that it lives, rarely enough for a log file


class Progress:
    """Counts outcomes of the deciding primary as trials close."""

    def __init__(self, rescore: Rescorer, keep: Keep, planned: int, setting: Setting) -> None:
        """Start at nothing.

        Args:
            rescore: Trace -> verdicts.
            keep: Told of every trial that closed.
            planned: Trials that the run owes now.
            setting: Where lines are said, and the clock.
        """
        self._rescore = rescore
        self._keep = keep
        self._setting = setting
        self._planned = planned
        self._open: dict[str, list[Event]] = {}
        self._trials: dict[tuple[str, str, int], PlannedTrial] = {}
        self._counts = {"pass": 0, "fail": 0, "error": 0}
        self._said = setting.clock.now()

    def planned(self, trial: PlannedTrial) -> None:
        """Remember a trial until it closes."""
        self._trials[trial.arm, trial.case, trial.trial] = trial

    def watching(self, append: Callable[[Event], Event]) -> Sink:
        """Return a sink that looks at what passes.

        Args:
            append: Persists an event and returns it as it will be read.
        """
        opened = self._open

        def watch(event: Event) -> None:
            read = append(event)
            if read.seq == 0:
                opened[read.execution] = [read]
                return
            events = opened[read.execution]
            events.append(read)
            if type(read.body) is Closed:
                del opened[read.execution]
                self._count(tuple(events))

        return watch

    def closed(self, _assignment: Assignment, _closed: Closed) -> None:
        """Say a line if it is time."""
        now = self._setting.clock.now()
        if now - self._said >= _EVERY_SECONDS:
            self._said = now
            self._setting.notice(self.line())

    def line(self) -> str:
        """Return the counts as one line."""
        done = sum(self._counts.values())
        parts = ", ".join(f"{count} {outcome}" for outcome, count in self._counts.items())
        return f"  {done}/{self._planned} trials: {parts}"

    def _count(self, events: tuple[Event, ...]) -> None:
        opened, closed = events[0].body, events[-1].body
        if not isinstance(opened, Opened) or not isinstance(closed, Closed):
            return
        trial = self._trials.pop((opened.arm, opened.case, opened.trial))
        scored = self._rescore(trial, Trace(opened=opened, events=events, closed=closed))
        self._keep(trial.index, (scored.verdicts, scored.attribution))
        self._counts[self._rescore.outcome(scored.verdicts)] += 1
