"""Running one trial: the order of its events, and what every kind of fault becomes."""

import asyncio

import pytest

from evalkit.errors import DependencyError, FixtureMissing, OutputError, SuiteBug
from evalkit.records.event import Closed, Event, Faulted, ModelReply, Opened, Probed, Timing, Usage
from evalkit.records.ports import AgentTask
from evalkit.records.probe import ProbeAnswer
from evalkit.records.suite import Limits
from evalkit.run.runner import Watchdog
from tests.agent.fakes import FakeSession, calls, echo, forever, says
from tests.run.fakes import END, START, Lab, assignment, by


def run(lab: Lab, attempt: int = 0) -> Closed:
    """Run one trial."""

    async def work() -> Closed:
        return await lab.runner(assignment(attempt=attempt))

    return asyncio.run(work())


def test_a_trial_opens_asks_works_asks_and_closes() -> None:
    """The order of events within a trial, numbered without gaps, under one execution id."""
    lab = Lab(said=[calls("look"), says("x")], tools={"look": echo})
    closed = run(lab, attempt=2)
    expected = "Opened Probed UserTurn ModelReply ToolCalled ToolReturned ModelReply Replied Probed Closed"
    assert expected.split() == lab.kinds
    assert list(range(10)) == [event.seq for event in lab.events]
    assert {"e0"} == {event.execution for event in lab.events}
    assert closed == lab.bodies[-1]
    assert ("done", 2) == (closed.end, closed.attempt)
    assert 1 == lab.world.sessions[0].closed
    assert [START.id, END.id] == lab.world.sessions[0].asked


def test_the_opening_line_says_which_trial_it_is() -> None:
    """Case, arm, mode, trial, attempt, worker, and that everything is observed."""
    lab = Lab()
    run(lab, attempt=1)
    assert lab.bodies[0] == Opened(
        case="c",
        arm="champion",
        mode="mock",
        trial=0,
        attempt=1,
        started_at="2026-01-01T00:00:00.000Z",
        worker="w1",
    )


def test_the_closing_line_carries_the_sums() -> None:
    """Usage and timing are summed over the execution, also where the agent did not do it."""
    usage = Usage(input=5, output=1)
    lab = Lab(said=[ModelReply(text="x", usage=usage, timing=Timing(model=2.5))])
    closed = run(lab)
    assert (usage, Timing(model=2.5)) == (closed.usage, closed.timing)


def test_end_probes_are_asked_after_a_limit() -> None:
    """A limit stops the agent and not the questions: the state reached is judged."""
    lab = Lab(said=[calls("look")], tools={"look": echo}, limits=Limits(turns=1))
    assert "limit" == run(lab).end
    assert ["Limited", "Probed", "Closed"] == lab.kinds[-3:]


def test_end_probes_are_asked_after_a_crash() -> None:
    """So does a crash of the agent."""
    lab = Lab(said=[says("", stop="safety")])
    assert "crash" == run(lab).end
    assert ["ModelReply", "Probed", "Closed"] == lab.kinds[-3:]


def test_a_probe_without_an_answer_is_recorded_as_such() -> None:
    """Cause and message of an unanswered probe are in the trace; the trial goes on."""
    lab = Lab()

    def no_answer(session: FakeSession) -> None:
        session.answers[END.id] = ProbeAnswer(cause="broken_case", message="no such table")

    lab.world.prepare = no_answer
    assert "done" == run(lab).end
    assert Probed(id=END.id, cause="broken_case", message="no such table") in lab.bodies


def test_a_broken_model_is_environment_after_retries() -> None:
    """A rate limit that stays is the environment's, found after waiting, and never the agent's."""
    lab = Lab(said=[DependencyError(429)] * 3)
    closed = run(lab)
    assert ("fault", "environment", "rate") == (closed.end, closed.cause, closed.sub)
    faulted = [body for body in lab.bodies if isinstance(body, Faulted)]
    assert [("model", "environment", "rate")] == [(f.where, f.cause, f.sub) for f in faulted]
    assert [1.0, 2.0] == lab.clock.slept
    assert ["Faulted", "Probed", "Closed"] == lab.kinds[-3:]


def test_a_model_that_recovers_leaves_no_fault_and_its_waiting_is_no_work() -> None:
    """Retries are below the agent; waiting for them is queue time and touches no limit."""
    lab = Lab(said=[DependencyError(429, 50.0), says("x")], limits=Limits(seconds=10.0))
    closed = run(lab)
    assert "done" == closed.end
    assert Timing(queue=50.0) == closed.timing
    assert "Faulted" not in lab.kinds


@pytest.mark.parametrize(
    ("error", "cause"),
    [(SuiteBug("policy raised"), "broken_case"), (FixtureMissing("no reply"), "fixture_missing")],
)
def test_a_bug_of_a_scripted_model_is_the_suites(error: Exception, cause: str) -> None:
    """What the suite wrote is the suite's to mend."""
    lab = Lab(said=[error])
    assert ("fault", cause) == (run(lab).end, run_cause(lab))
    assert "model" == next(body.where for body in lab.bodies if isinstance(body, Faulted))


def run_cause(lab: Lab) -> str | None:
    """The cause on the closing line."""
    closed = lab.bodies[-1]
    assert isinstance(closed, Closed)
    return closed.cause


def test_a_start_state_that_cannot_be_made_is_a_broken_case() -> None:
    """No session, no probes, no agent: a fault of the world and a closing line."""
    lab = Lab(opening=[SuiteBug("no such column")])
    assert ("fault", "broken_case") == (run(lab).end, run_cause(lab))
    assert ["Opened", "Faulted", "Closed"] == lab.kinds
    assert [] == lab.clock.slept


def test_a_world_that_is_down_is_asked_again() -> None:
    """Opening is retried like any dependency; a world that stays down is environment."""
    back = Lab(opening=[DependencyError(), None])
    assert "done" == run(back).end
    down = Lab(opening=[DependencyError()] * 3)
    closed = run(down)
    assert ("fault", "environment", "no_reply") == (closed.end, closed.cause, closed.sub)
    assert "world" == next(body.where for body in down.bodies if isinstance(body, Faulted))


def test_what_evalkit_itself_raises_is_harness() -> None:
    """A bug of ours becomes a value that says what and where, and the world is still asked and given back."""

    async def bug(_task: AgentTask) -> Closed:
        raise KeyError("surprise")

    lab = Lab(make_agent=by(bug))
    closed = run(lab)
    assert ("fault", "harness") == (closed.end, closed.cause)
    assert "KeyError" in closed.message
    assert "test_runner.py:" in closed.message
    assert "/" not in closed.message
    assert ["Faulted", "Probed", "Closed"] == lab.kinds[-3:]
    assert 1 == lab.world.sessions[0].closed


def test_a_probe_that_raises_is_harness() -> None:
    """Probes answer in values; one that raises anything else is our bug, and the trial still closes."""
    lab = Lab()

    def raising(session: FakeSession) -> None:
        session.answers[END.id] = ValueError("bug")

    lab.world.prepare = raising
    assert ("fault", "harness") == (run(lab).end, run_cause(lab))
    assert 1 == lab.world.sessions[0].closed


def test_the_watchdog_cuts_a_trial_that_hangs() -> None:
    """An agent that nothing else ends is cut by the outer watchdog: harness, closed, the world given back."""

    async def hang(task: AgentTask) -> Closed:
        await forever(task)
        return Closed()

    lab = Lab(make_agent=by(hang), watchdog=Watchdog(times=0.0, margin=0.02))
    closed = run(lab)
    assert ("fault", "harness") == (closed.end, closed.cause)
    assert "hung" in closed.message
    assert ["Opened", "Probed", "Faulted", "Closed"] == lab.kinds
    assert 1 == lab.world.sessions[0].closed


def test_a_sink_that_cannot_write_stops_the_run() -> None:
    """What could not be recorded is turned into no value: the error comes out, the world is given back."""

    class FullDisk(Lab):
        """A disk that is full after three events."""

        def sink(self, event: Event) -> None:
            """Keep three events."""
            if len(self.events) == 3:
                raise OutputError("disk full")
            super().sink(event)

    lab = FullDisk()
    with pytest.raises(OutputError, match="disk full"):
        run(lab)
    assert ["Opened", "Probed", "UserTurn"] == lab.kinds
    assert 1 == lab.world.sessions[0].closed


def test_an_operators_cancel_leaves_no_closing_line() -> None:
    """A cancelled trial is re-run by resume, so it must not look closed; the world is given back."""
    asked = asyncio.Event()

    async def thinks(request: object) -> ModelReply:
        asked.set()
        return await forever(request)

    lab = Lab(said=[thinks])

    async def work() -> None:
        trial = asyncio.ensure_future(lab.runner(assignment()))
        await asked.wait()
        trial.cancel()
        with pytest.raises(asyncio.CancelledError):
            await trial

    asyncio.run(work())
    assert ["Opened", "Probed", "UserTurn"] == lab.kinds
    assert 1 == lab.world.sessions[0].closed
