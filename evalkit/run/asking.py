"""The questions of one trial: asked once at the start and the end, or until an answer comes.

What comes in: probes and the trial's session. What goes out: `Probed` events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from msgspec import Struct, structs

from evalkit.records.case import Case
from evalkit.records.event import Event, Probed
from evalkit.records.ports import Arrived, Emit, Session
from evalkit.records.probe import Probe, Window
from evalkit.records.written import Json


def never_arrived(window: Window, rows: list[list[Json]]) -> bool:  # noqa: ARG001 - the shape of `Arrived`
    """Know nothing of answers: every window is watched to its end."""
    return False


def nothing_stated(case: Case, events: Sequence[Event], probe: Probe) -> str | None:  # noqa: ARG001 - the shape of `Stated`
    """Read nothing from what an agent says."""
    return None


def longest_watch(probes: Iterable[Probe]) -> float:
    """Return the seconds for which the world of a trial may be watched after its end.

    Args:
        probes: All probes of the trial.
    """
    return max((probe.window.moments[-1] for probe in probes if probe.window is not None), default=0.0)


class Asking(Struct, frozen=True, kw_only=True):
    """Asks the world of one trial.

    Attributes:
        session: The world.
        emit: Where answers go.
        arrived: Whether an answer is the one that is waited for.
        stated: The SQL that the agent stated, for a probe that says where; None: none.
    """

    session: Session
    emit: Emit
    arrived: Arrived
    stated: Callable[[Probe], str | None]

    async def start(self, probes: Iterable[Probe]) -> None:
        """Ask what is asked before the first turn.

        Args:
            probes: All probes of the trial.
        """
        for probe in probes:
            if probe.when == "start":
                await self._look(probe)

    async def end(self, probes: Iterable[Probe]) -> None:
        """Ask what is asked after the last turn: first all that is asked once, then what is waited for.

        SQL that the agent was to state and never did is not asked.

        Args:
            probes: All probes of the trial.
        """
        watched = []
        for probe in probes:
            if probe.when == "end" and probe.window is not None:
                watched.append(_Watched(probe, probe.window))
            elif probe.when == "end" and probe.stated:
                sql = self.stated(probe)
                if sql is not None:
                    await self._look(structs.replace(probe, sql=sql))
            elif probe.when == "end":
                await self._look(probe)
        if watched:
            await self._watch(watched)

    async def _watch(self, watched: list[_Watched]) -> None:
        """Look again and again; all windows open together, when the agent's work has ended."""
        now = 0.0
        for moment in sorted({moment for one in watched for moment in one.window.moments}):
            due = [one for one in watched if one.is_due(moment)]
            if due and moment > now:
                await self.session.wait(moment - now)
                now = moment
            for one in due:
                await self._look_again(one, moment)

    async def _look_again(self, one: _Watched, moment: float) -> None:
        answer = await self.session.probe(one.probe)
        said = Probed(id=one.probe.id, rows=answer.rows, cause=answer.cause, message=answer.message)
        one.closed = (
            answer.rows is None or moment == one.window.moments[-1] or self.arrived(one.window, answer.rows)
        )
        if one.closed or said != one.last:
            self.emit(structs.replace(said, waited=moment))
        one.last = said

    async def _look(self, probe: Probe) -> None:
        answer = await self.session.probe(probe)
        self.emit(Probed(id=probe.id, rows=answer.rows, cause=answer.cause, message=answer.message))


@dataclass(slots=True)
class _Watched:
    """A question that is asked again, what was answered last, and whether it is done with."""

    probe: Probe
    window: Window
    last: Probed | None = None
    closed: bool = False

    def is_due(self, moment: float) -> bool:
        """Tell whether it is asked at a moment."""
        return not self.closed and moment in self.window.moments
