"""The engine: bounded, in order, streamed, and stopped cleanly."""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator

import pytest

from evalkit.errors import OutputError
from evalkit.records.event import Closed, Event
from evalkit.records.ports import Assignment
from evalkit.run.engine import Executed, execute_all
from evalkit.run.stop import Stop
from evalkit.world.clock import ManualClock, SystemClock
from tests.run.fakes import Lab, assignments


def working(work: Callable[[Assignment], Awaitable[None]]) -> "Function":
    """An execute that does this and closes."""
    return Function(work)


class Function:
    """`ports.Execute` as a function."""

    def __init__(self, work: Callable[[Assignment], Awaitable[None]]) -> None:
        self.work = work

    async def __call__(self, assignment: Assignment) -> Closed:
        """Do the work, then close."""
        await self.work(assignment)
        return Closed()


async def nothing(_assignment: Assignment) -> None:
    """No work at all."""


def test_every_trial_runs_once_in_the_order_given() -> None:
    """One worker keeps the caller's order exactly; each closed trial is told once."""
    told: list[int] = []
    done = execute_all(
        assignments(50),
        working(nothing),
        concurrency=1,
        stop=Stop(ManualClock()),
        on_closed=lambda assignment, _closed: told.append(assignment.trial.index),
    )
    assert Executed(begun=50, closed=50, stopped=False) == done
    assert list(range(50)) == told


@pytest.mark.parametrize("concurrency", [1, 3, 8, 100])
def test_no_more_run_at_once_than_asked_for(concurrency: int) -> None:
    """The bound is reached where there is work enough, and never passed."""
    now, most = 0, 0

    async def work(_assignment: Assignment) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        for _ in range(5):
            await asyncio.sleep(0)
        now -= 1

    done = execute_all(assignments(40), working(work), concurrency=concurrency, stop=Stop(ManualClock()))
    assert 40 == done.closed
    assert min(concurrency, 40) == most


def test_assignments_are_drawn_when_a_worker_is_free() -> None:
    """The plan is streamed: nothing is drawn ahead of the workers."""
    drawn = 0

    def drawing() -> Iterator[Assignment]:
        nonlocal drawn
        for assignment in assignments(30):
            drawn += 1
            yield assignment

    async def work(assignment: Assignment) -> None:
        assert drawn <= assignment.trial.index + 4
        await asyncio.sleep(0)

    assert 30 == execute_all(drawing(), working(work), concurrency=4, stop=Stop(ManualClock())).closed


def test_what_is_shared_is_given_back_in_the_same_event_loop() -> None:
    """`at_end` runs after the last trial, also when the run breaks."""
    loops: list[asyncio.AbstractEventLoop] = []

    async def note() -> None:
        loops.append(asyncio.get_running_loop())

    async def work(_assignment: Assignment) -> None:
        await note()

    stop = Stop(ManualClock())
    execute_all(assignments(1), working(work), concurrency=1, stop=stop, at_end=note)
    assert loops[0] is loops[1]

    async def broken(_assignment: Assignment) -> None:
        raise OutputError("disk full")

    with pytest.raises(OutputError):
        execute_all(assignments(1), working(broken), concurrency=1, stop=stop, at_end=note)
    assert 3 == len(loops)


def test_a_concurrency_of_nothing_is_refused() -> None:
    """Zero workers would end at once and look complete."""
    with pytest.raises(ValueError, match="at least 1"):
        execute_all(assignments(1), working(nothing), concurrency=0, stop=Stop(ManualClock()))


def test_a_sink_that_cannot_write_cuts_the_others_and_comes_out() -> None:
    """The first trial that cannot be recorded ends the run; no other closes as if nothing had been."""

    class FullDisk(Lab):
        """A disk that is full after twenty events."""

        def sink(self, event: Event) -> None:
            """Keep twenty events."""
            if len(self.events) >= 20:
                raise OutputError("disk full")
            super().sink(event)

    lab = FullDisk()
    with pytest.raises(OutputError, match="disk full"):
        execute_all(assignments(100), lab.runner, concurrency=3, stop=Stop(ManualClock()))
    assert 20 == len(lab.events)
    assert all(session.closed == 1 for session in lab.world.sessions)


def test_a_stop_begins_nothing_new_and_lets_running_trials_finish() -> None:
    """Asked once: those that run close, the others are owed."""
    stop = Stop(SystemClock(), grace=30.0)

    async def work(assignment: Assignment) -> None:
        if assignment.trial.index == 5:
            stop.ask()
        for _ in range(10):
            await asyncio.sleep(0)

    done = execute_all(assignments(100), working(work), concurrency=3, stop=stop)
    assert done.stopped
    assert done.begun == done.closed
    assert 6 <= done.closed <= 8


def test_after_the_grace_period_running_trials_are_cut() -> None:
    """A trial that does not finish in time is cancelled and leaves no closing line."""
    clock = ManualClock()
    stop = Stop(clock, grace=7.0)

    async def work(_assignment: Assignment) -> None:
        stop.ask()
        await asyncio.Event().wait()

    done = execute_all(assignments(100), working(work), concurrency=2, stop=stop)
    assert Executed(begun=1, closed=0, stopped=True) == done
    assert [7.0] == clock.slept


def test_a_second_ask_cuts_at_once() -> None:
    """Asked twice, nobody waits for the grace period."""
    stop = Stop(SystemClock(), grace=60.0)

    async def work(_assignment: Assignment) -> None:
        stop.ask()
        stop.ask()
        await asyncio.Event().wait()

    begun = time.monotonic()
    done = execute_all(assignments(9), working(work), concurrency=1, stop=stop)
    assert Executed(begun=1, closed=0, stopped=True) == done
    assert time.monotonic() - begun < 30.0


def test_a_stop_before_the_start_runs_nothing() -> None:
    """A run that was stopped before it began owes everything."""
    stop = Stop(ManualClock())
    stop.ask()
    done = execute_all(assignments(9), working(nothing), concurrency=2, stop=stop)
    assert Executed(begun=0, closed=0, stopped=True) == done


def _heard(grace: float, asks: int) -> list[str]:
    """What a person hears who asks so often while two trials hang."""
    said: list[str] = []
    stop = Stop(ManualClock() if asks == 1 else SystemClock(), grace, notice=said.append, run="r-1")

    async def work(assignment: Assignment) -> None:
        if assignment.trial.index == 1:
            for _ in range(asks):
                stop.ask()
                await asyncio.sleep(0)
        await asyncio.Event().wait()

    execute_all(assignments(9), working(work), concurrency=2, stop=stop)
    return said


@pytest.mark.parametrize(("grace", "asks"), [(7.0, 1), (60.0, 2)])
def test_a_person_who_stops_a_run_is_told_what_happens(grace: float, asks: int) -> None:
    """The first ask says who may still end and how to cut them, a cut says how the run is finished."""
    assert [
        f"stopping: 2 trials have {grace:g} s to end; Ctrl-C again cuts them",
        "stopped: 2 trials were cut; `evalkit resume r-1` finishes the run",
    ] == _heard(grace, asks)


def test_trials_that_end_in_time_are_not_said_to_be_cut() -> None:
    """One line is said where everything that ran could end."""
    said: list[str] = []
    stop = Stop(SystemClock(), grace=30.0, notice=said.append)

    async def work(_assignment: Assignment) -> None:
        stop.ask()
        for _ in range(5):
            await asyncio.sleep(0)

    execute_all(assignments(9), working(work), concurrency=1, stop=stop)
    assert ["stopping: 1 trial has 30 s to end; Ctrl-C again cuts them"] == said


def test_a_stop_that_nobody_can_hear_still_stops() -> None:
    """Ctrl-C ends the reader of a pipe as well; the run ends cleanly all the same."""

    def broken(_line: str) -> None:
        raise BrokenPipeError

    stop = Stop(ManualClock(), notice=broken)

    async def work(_assignment: Assignment) -> None:
        stop.ask()
        await asyncio.Event().wait()

    done = execute_all(assignments(9), working(work), concurrency=1, stop=stop)
    assert Executed(begun=1, closed=0, stopped=True) == done


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_asks_for_the_stop_and_the_old_handler_returns(number: signal.Signals) -> None:
    """Ctrl-C and a polite kill stop the run cleanly; afterwards they mean again what they meant before."""
    before = signal.getsignal(number)
    stop = Stop(SystemClock(), grace=30.0)

    async def work(assignment: Assignment) -> None:
        if assignment.trial.index == 3:
            os.kill(os.getpid(), number)
        await asyncio.sleep(0)

    done = execute_all(assignments(1000), working(work), concurrency=1, stop=stop)
    assert done.stopped
    assert done.begun == done.closed < 10
    assert before is signal.getsignal(number)


def test_an_interrupt_ends_a_wait() -> None:
    """A run that only waits hears the signal, too."""
    stop = Stop(SystemClock(), grace=0.0)
    killer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))

    async def work(_assignment: Assignment) -> None:
        await asyncio.Event().wait()

    killer.start()
    assert 0 == execute_all(assignments(1), working(work), concurrency=1, stop=stop).closed


def test_outside_the_main_thread_no_signal_is_touched() -> None:
    """A run in a thread of somebody's program leaves that program's signals alone."""
    before = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    async def work(_assignment: Assignment) -> None:
        seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(
        target=lambda: execute_all(assignments(1), working(work), concurrency=1, stop=Stop(ManualClock()))
    )
    thread.start()
    thread.join()
    assert [before] == seen


def test_memory_is_flat_as_trials_grow() -> None:
    """Ten thousand trials, run and recorded whole, keep no more than a thousand do."""

    class NoDisk(Lab):
        """A journal that keeps nothing."""

        def sink(self, event: Event) -> None:
            """Forget the event."""

    def growth(number: int) -> int:
        lab = NoDisk()
        lab.world.prepare = lambda _session: lab.world.sessions.clear()
        gc.collect()
        before, most = sys.getallocatedblocks(), 0

        def look(assignment: Assignment, _closed: Closed) -> None:
            nonlocal most
            if assignment.trial.index % 500 == 499:
                gc.collect()
                most = max(most, sys.getallocatedblocks() - before)

        done = execute_all(
            assignments(number), lab.runner, concurrency=8, stop=Stop(ManualClock()), on_closed=look
        )
        assert number == done.closed
        return most

    growth(100)  # what is loaded and cached once is no growth
    # Whatever is kept of a trial is at least one block of memory; a tenth of one is the allocator's noise.
    assert growth(10_000) - growth(1_000) < 0.1 * 9_000
