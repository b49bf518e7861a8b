"""Questions that are asked until an answer comes, and questions that the agent states."""

import asyncio
from collections.abc import Iterable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.case import Case
from evalkit.records.event import Closed, Event, Probed
from evalkit.records.ports import Arrived, Assignment
from evalkit.records.probe import Probe, ProbeAnswer, Window, stated_id, window_id
from evalkit.records.written import Json
from evalkit.run.asking import Asking, longest_watch, never_arrived, nothing_stated
from evalkit.run.runner import Runner, Watchdog
from tests.agent.fakes import FakeSession
from tests.run.fakes import END, Lab, assignment


class Changing(FakeSession):
    """A world that answers by its time: seconds -> what it says from then on."""

    def __init__(self, answers: dict[float, Json]) -> None:
        super().__init__({})
        self.by_time = answers

    async def probe(self, probe: Probe) -> ProbeAnswer:
        """Answer as of now."""
        self.asked.append(probe.id)
        value = self.by_time[max(moment for moment in self.by_time if moment <= sum(self.waited) + 1e-9)]
        return ProbeAnswer(cause="broken_case", message="x") if value is None else ProbeAnswer(rows=[[value]])


def polled(within: float, every: float, equals: Json = 1, sql: str = "select 1") -> Probe:
    """A question that is asked until an answer comes."""
    window = Window(within=within, every=every, equals=equals)
    return Probe(id=window_id(sql, window), sql=sql, window=window)


def arrived(window: Window, rows: list[list[Json]]) -> bool:
    """Whether the one value is the expected one."""
    return rows == [[window.equals]]


def asked(session: FakeSession, probes: Iterable[Probe], knows: Arrived = arrived) -> list[Probed]:
    """What is recorded at the end of a trial."""
    said: list[Probed] = []

    def emit(body: object) -> int:
        assert isinstance(body, Probed)
        said.append(body)
        return len(said)

    asking = Asking(session=session, emit=emit, arrived=knows, stated=lambda _probe: None)
    asyncio.run(asking.end(probes))
    return said


def test_an_answer_that_is_there_is_not_waited_for() -> None:
    """The first look finds it, and the window is closed at once."""
    session = Changing({0.0: 1})
    (only,) = asked(session, [polled(5.0, 1.0)])
    assert ([], [[1]], 0.0) == (session.waited, only.rows, only.waited)


def test_an_answer_that_comes_is_waited_for_and_each_change_is_recorded() -> None:
    """One event for each answer that was new, with the seconds that were waited for it."""
    session = Changing({0.0: 0, 1.5: 7, 2.5: 1})
    told = asked(session, [polled(5.0, 1.0)])
    assert [(0.0, [[0]]), (2.0, [[7]]), (3.0, [[1]])] == [(one.waited, one.rows) for one in told]
    assert [1.0, 1.0, 1.0] == session.waited


def test_an_answer_that_never_comes_is_watched_for_as_long_again() -> None:
    """The last look is recorded though nothing changed: it says how long the world was watched."""
    session = Changing({0.0: 0})
    told = asked(session, [polled(2.0, 1.0)])
    assert [(0.0, [[0]]), (4.0, [[0]])] == [(one.waited, one.rows) for one in told]


def test_an_answer_after_the_window_is_recorded_as_late() -> None:
    """What comes in the second window has its own seconds."""
    told = asked(Changing({0.0: 0, 3.0: 1}), [polled(2.0, 1.0)])
    assert [(0.0, [[0]]), (3.0, [[1]])] == [(one.waited, one.rows) for one in told]


def test_a_question_without_an_answer_is_not_repeated() -> None:
    """A question that is wrong stays wrong."""
    session = Changing({0.0: 0, 1.0: None})
    told = asked(session, [polled(9.0, 1.0)])
    assert [None, "broken_case"] == [one.cause for one in told]
    assert [1.0] == session.waited


def test_windows_open_together_after_all_else_was_asked() -> None:
    """Waiting for one answer is waiting for the other, and what is asked once is asked before."""
    session = Changing({0.0: 0, 2.0: 1, 3.0: 2})
    slow, quick = polled(4.0, 3.0, 2), polled(3.0, 1.0, 1, "select 2")
    told = asked(session, [slow, quick, END])
    assert [(END.id, 0.0), (slow.id, 0.0), (quick.id, 0.0), (quick.id, 2.0), (slow.id, 3.0)] == [
        (one.id, one.waited) for one in told
    ]
    assert 3.0 == sum(session.waited)
    assert 8.0 == longest_watch([slow, quick, END])


@given(st.floats(0.1, 30.0), st.floats(0.1, 30.0))
def test_moments_hold_both_ends(within: float, every: float) -> None:
    """The world is looked at when the window opens, when it closes, and for the last time as long after."""
    moments = Window(within=within, every=every).moments
    assert (0.0, 2 * within) == (moments[0], moments[-1])
    assert within in moments
    assert list(moments) == sorted(set(moments))
    assert len(moments) <= 2 * (within / every + 1) + 1


@given(st.integers(0, 12), st.booleans())
def test_knowing_what_is_waited_for_only_saves_waiting(comes: int, known: bool) -> None:  # noqa: FBT001 - drawn
    """The first answer that is right has the same seconds, whether or not watching stops there."""
    session = Changing({0.0: 0, float(comes): 1} if comes else {0.0: 1})
    said = asked(session, [polled(3.0, 1.0)], arrived if known else never_arrived)
    right = [one.waited for one in said if one.rows == [[1]]]
    assert [float(comes)] if comes <= 6 else [] == right[:1]


def _run(lab: Lab, runner: Runner, probes: tuple[Probe, ...]) -> Closed:
    given_to = assignment()
    one = Assignment(trial=given_to.trial, case=given_to.case, arm=given_to.arm, probes=probes)
    assert not lab.events
    return asyncio.run(runner(one))


def test_sql_that_the_agent_states_is_read_from_its_own_events() -> None:
    """The runner hands over what was recorded so far, and asks what was read."""
    lab = Lab()
    probe = Probe(id=stated_id("reply.sql"), sql="", stated="reply.sql")
    seen: list[str] = []

    def read(_case: Case, events: Sequence[Event], one: Probe) -> str:
        seen.extend(type(event.body).__name__ for event in events)
        return f"select '{one.stated}'"

    parts = {name: getattr(lab.runner, name) for name in lab.runner.__dataclass_fields__}
    assert "done" == _run(lab, Runner(**{**parts, "stated": read}), (probe,)).end
    assert ["Opened", "UserTurn", "ModelReply", "Replied"] == seen
    assert [probe.id] == lab.world.sessions[0].asked


def test_sql_that_was_never_stated_is_not_asked() -> None:
    """There is nothing to ask; that the agent stated nothing is told by its own events."""
    lab = Lab()
    probe = Probe(id=stated_id("reply.sql"), sql="", stated="reply.sql")
    assert "done" == _run(lab, lab.runner, (probe,)).end
    assert [] == lab.world.sessions[0].asked
    assert nothing_stated(assignment().case, (), probe) is None


def test_a_trial_that_is_watched_is_not_taken_for_hung() -> None:
    """The watchdog leaves a trial the time for which its world may be watched."""
    lab = Lab(watchdog=Watchdog(times=0.0, margin=0.05))

    async def really(seconds: float) -> None:
        await asyncio.sleep(min(0.1, seconds))

    def slowly(session: FakeSession) -> None:
        session.wait = really  # type: ignore[method-assign]  # the session is a fake

    lab.world.prepare = slowly
    assert "done" == _run(lab, lab.runner, (polled(30.0, 30.0, 2),)).end
