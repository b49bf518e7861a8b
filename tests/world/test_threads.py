"""Plain functions beside the event loop: side by side, answered in time, and never late on a database."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalkit.agent.loop import ReferenceLoop
from evalkit.records.event import Body, Closed, Limited, ToolReturned
from evalkit.records.ports import AgentTask, Session, World
from evalkit.records.suite import Limits
from evalkit.world.clock import SystemClock
from evalkit.world.real import RealWorld
from evalkit.world.threads import in_thread
from evalkit.world.tools import Tool
from tests.agent.fakes import PLAIN_ARM, TRIAL, Replies, calls, case_of, once, says
from tests.world import shop

TOOLS = '''
import threading

from evalkit import Database, tool

meet = threading.Barrier(3, timeout=10)
go, said = threading.Event(), []
ended = threading.Semaphore(0)


def together() -> int:
    """Come back when three are here."""
    return int(meet.wait() >= 0)


@tool(timeout=0.05)
def hang() -> int:
    """Wait for the test."""
    go.wait(10)
    ended.release()
    return 1


@tool(effect="write", timeout=0.05)
def late_write(db: Database, begin: bool = False) -> None:
    """Write, wait for the test, and write again."""
    if begin:
        db.run("begin")
    db.run("update orders set note = 'early' where id = 'A-1'")
    go.wait(10)
    try:
        db.run("update orders set note = 'late'")
    except BaseException as error:
        said.append(str(error))
    finally:
        ended.release()


@tool(timeout=10)
def alone(db: Database) -> int:
    """Tell who is inside while it works."""
    said.append("in")
    found = db.value("select count(*) from orders")
    threading.Event().wait(0.005)
    said.append("out")
    return found


def notes(db: Database) -> list[object]:
    """Read all notes."""
    return [row["note"] for row in db.rows("select note from orders order by id")]


@tool(effect="external")
def sent(db: Database) -> str:
    """Name the thread."""
    return threading.current_thread().name


async def waits() -> str:
    """Name the thread."""
    return threading.current_thread().name
'''


class QuickClock(SystemClock):
    """The machine's clock, on which nobody waits between two tries."""

    async def sleep(self, seconds: float) -> None:
        """Give way to others once."""
        await asyncio.sleep(0)


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[dict[str, Tool]]:
    """The tools; what hangs in them ends with the test."""
    loaded = shop.tools_from(tmp_path, TOOLS)
    yield loaded
    _of(loaded, "go").set()


def _of(tools: dict[str, Tool], name: str) -> Any:
    """What the tools' file calls by this name."""
    return tools["hang"].function.__globals__[name]


def _world(tools: dict[str, Tool]) -> World:
    return RealWorld(shop.ground(tools, clock=QuickClock()))


@pytest.mark.parametrize(
    ("name", "threaded"),
    [
        ("together", True),
        ("hang", True),
        ("late_write", True),
        ("sent", True),
        ("notes", False),
        ("waits", False),
    ],
)
def test_who_gets_a_thread(tools: dict[str, Tool], name: str, threaded: bool) -> None:  # noqa: FBT001 - a row
    """Plain functions do, but on the database only where they say that they wait."""
    assert threaded is tools[name].threaded


def test_a_tool_runs_where_it_is_said_to(tools: dict[str, Tool]) -> None:
    """A thread has the tool's name; what is asynchronous stays with the event loop."""
    sent, waits = shop.calls(_world(tools), shop.case(), ("sent", {}), ("waits", {}))
    assert ("evalkit-sent", threading.current_thread().name) == (sent.value, waits.value)


def test_plain_functions_of_trials_run_side_by_side(tools: dict[str, Tool]) -> None:
    """Three calls that wait for each other all come back: one at a time, none would."""
    world = _world(tools)

    async def one() -> ToolReturned:
        session = await world.open(shop.case(), shop.trial())
        try:
            return await session.call("c", "together", {})
        finally:
            await session.close()

    async def three() -> list[ToolReturned]:
        return await asyncio.gather(*(one() for _ in range(3)))

    assert ["ok"] * 3 == [returned.status for returned in asyncio.run(three())]


def test_a_late_function_is_answered_in_time_though_it_runs_on(tools: dict[str, Tool]) -> None:
    """The agent is told that nobody replied while the function still waits; no time of it was work."""
    (returned,) = shop.calls(_world(tools), shop.case(), ("hang", {}))
    assert ("fault", "environment", "no_reply", 3) == (
        returned.status,
        returned.cause,
        returned.sub,
        returned.tries,
    )
    assert not _of(tools, "go").is_set()
    assert returned.timing is not None
    assert 0.0 == returned.timing.tool


def test_a_slow_dependency_is_never_the_agents_limit(tools: dict[str, Tool]) -> None:
    """Three tries take longer than the seconds of the trial: a fault of the environment, and no limit."""
    bodies: list[Body] = []
    world = _world(tools)

    def emit(body: Body) -> int:
        bodies.append(body)
        return len(bodies)

    async def played() -> Closed:
        session = await world.open(shop.case(), shop.trial())
        task = AgentTask(
            case=case_of(),
            trial=TRIAL,
            arm=PLAIN_ARM,
            session=session,
            model=Replies([calls("hang"), says("it is down")]),
            limits=Limits(seconds=0.1),
            emit=emit,
            begin_turn=lambda _number: None,
            clock=QuickClock(),
        )
        return await ReferenceLoop(once).run(task)

    assert "done" == asyncio.run(played()).end
    (returned,) = (body for body in bodies if isinstance(body, ToolReturned))
    assert ("fault", "no_reply", 3) == (returned.status, returned.sub, returned.tries)
    assert [] == [body for body in bodies if isinstance(body, Limited)]


@pytest.mark.parametrize(("begin", "first"), [(False, "early"), (True, "call first")])
def test_a_late_write_reaches_no_database_any_more(
    tools: dict[str, Tool],
    begin: bool,  # noqa: FBT001 - a row
    first: str,
) -> None:
    """What was done in time stays, what was begun is undone, and what comes late is refused everywhere."""
    world = _world(tools)

    async def work(session: Session) -> list[object]:
        cut = await session.call("c1", "late_write", {"begin": begin})
        assert ("fault", 1) == (cut.status, cut.tries)
        at_once = await session.call("c2", "notes", {})
        _of(tools, "go").set()
        await asyncio.to_thread(_of(tools, "ended").acquire)
        later = await session.call("c3", "notes", {})
        return [at_once.value, later.value]

    assert [[first, None]] * 2 == shop.in_session(world, shop.case(), work)
    assert ["the call is over, and the database is out of its reach"] == _of(tools, "said")
    (fresh,) = shop.calls(world, shop.case(), ("notes", {}))
    assert ["call first", None] == fresh.value
    asyncio.run(world.close())


def test_a_write_that_outlives_its_trial_changes_no_later_one(tools: dict[str, Tool]) -> None:
    """A thread left behind by a trial that was cut finds its database gone, and no other in its place."""
    world = _world(tools)

    async def cut(session: Session) -> None:
        call = asyncio.ensure_future(session.call("c1", "late_write", {}))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    async def later(session: Session) -> object:
        _of(tools, "go").set()
        await asyncio.to_thread(_of(tools, "ended").acquire)
        return (await session.call("c", "notes", {})).value

    shop.in_session(world, shop.case(), cut)
    assert ["call first", None] == shop.in_session(world, shop.case(), later)
    assert 1 == len(_of(tools, "said"))
    asyncio.run(world.close())


def test_a_trials_database_serves_one_call_at_a_time(tools: dict[str, Tool]) -> None:
    """Calls of one batch that read the same database in threads do not meet in it."""

    async def work(session: Session) -> list[ToolReturned]:
        return await asyncio.gather(*(session.call(f"c{n}", "alone", {}) for n in range(4)))

    assert [2] * 4 == [returned.value for returned in shop.in_session(_world(tools), shop.case(), work)]
    assert ["in", "out"] * 4 == _of(tools, "said")


def test_databases_of_trials_bear_each_others_threads(tools: dict[str, Tool]) -> None:
    """Many trials that ask from threads at once get their own answers."""
    world = _world(tools)

    async def one() -> list[object]:
        session = await world.open(shop.case(), shop.trial())
        try:
            return [(await session.call(f"c{n}", "alone", {})).value for n in range(3)]
        finally:
            await session.close()

    async def many() -> list[list[object]]:
        return await asyncio.gather(*(one() for _ in range(20)))

    assert [[2] * 3] * 20 == asyncio.run(many())
    asyncio.run(world.close())


def test_a_thread_that_ends_after_its_loop_is_quiet() -> None:
    """A run does not wait for what it left behind, and what it left behind finds nobody to tell."""
    go, ended = threading.Event(), threading.Event()

    def late() -> int:
        go.wait(10)
        threading.Timer(0.0, ended.set).start()
        return 1

    assert None is asyncio.run(in_thread("late", late, 0.01))
    go.set()
    assert ended.wait(10)
