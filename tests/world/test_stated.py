"""SQL that an agent states, asked as a probe: it reads one answer, and nothing else."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.ports import Session, World
from evalkit.records.probe import REFUSED, Probe, ProbeAnswer, stated_id
from evalkit.world.clock import ManualClock
from evalkit.world.pinned import PinnedWorld
from tests.world import shop

ORDERS = Probe(id="o", sql="select * from orders order by id")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for the shop's tools."""
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(params=["mock", "real"], scope="module")
def world(request: pytest.FixtureRequest, folder: Path) -> Iterator[World]:
    """The shop as pinned and as real world."""
    opened = shop.WORLDS[request.param](shop.ground(shop.tools_from(folder, shop.TOOLS)))
    yield opened
    asyncio.run(opened.close())


def _stated(sql: str) -> Probe:
    return Probe(id=stated_id("reply.sql"), sql=sql, stated="reply.sql", vars={})


def _asked(world: World, sql: str) -> tuple[ProbeAnswer, bool]:
    """What the agent's SQL is answered, and whether the world is as before."""

    async def work(session: Session) -> tuple[ProbeAnswer, bool]:
        before = await session.probe(ORDERS)
        answer = await session.probe(_stated(sql))
        return answer, before == await session.probe(ORDERS)

    return shop.in_session(world, shop.case(vars={"order": "A-1"}), work)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("select id from orders order by id", [["A-1"], ["A-2"]]),
        ("select count(*) from orders;", [[2]]),
        ("with x as (select 1 as n) select n from x", [[1]]),
        ("select 1 as a, 2 as a", [[1, 2]]),
        ("select id from orders where id = 'x'", []),
    ],
)
def test_one_select_is_answered(world: World, sql: str, rows: list[list[object]]) -> None:
    """Rows come by place; names may repeat, and nothing is an answer."""
    answer, same = _asked(world, sql)
    assert (rows, None, True) == (answer.rows, answer.cause, same)


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "selct 1",
        "select nope from orders",
        "select $order",
        "select 1; select 2",
        "update orders set total = 0",
        "delete from orders returning id",
        "with x as (select 1) delete from orders",
        "drop table orders",
        "begin",
        "explain select 1",
        "attach ':memory:' as x",
        "copy orders to 'out.csv'",
        "select * from read_csv('/etc/passwd')",
        "select * from evalkit_template.orders",
        "select * from duckdb_databases()",
        "select getenv('HOME')",
        "install httpfs",
        "set memory_limit = '1TB'",
        "select range from range(10001)",
        "select repeat('x', 1000001)",
        "select [repeat('x', 600000), repeat('y', 600000)]",
        "select '\ud800'",
        "select 1\0",
    ],
)
def test_anything_else_is_refused_and_changes_nothing(world: World, sql: str) -> None:
    """It is the agent's to answer for, never a broken case, and the message says why."""
    answer, same = _asked(world, sql)
    assert (None, REFUSED, True) == (answer.rows, answer.cause, same)
    assert answer.message


def test_the_same_sql_of_the_suite_is_a_broken_case(world: World) -> None:
    """Who wrote it decides whose fault it is."""

    async def work(session: Session) -> ProbeAnswer:
        return await session.probe(Probe(id="p", sql="select nope from orders"))

    assert "broken_case" == shop.in_session(world, shop.case(), work).cause


class _Hurrying(ManualClock):
    """A clock on which a second passes whenever somebody looks."""

    def now(self) -> float:
        self.advance(1.0)
        return super().now()


def test_sql_that_does_not_end_is_stopped_sooner_than_the_suites_own(folder: Path) -> None:
    """Nobody has read it before, so that it has no more than five seconds."""
    endless = "select count(*) from range(100000000000) a, range(1000) b"
    told = {}
    for probe in (_stated(endless), Probe(id="p", sql=endless)):
        tools = shop.tools_from(folder, shop.TOOLS)
        world = PinnedWorld(shop.ground(tools, clock=_Hurrying()))
        answer = shop.in_session(world, shop.case(), lambda session, one=probe: session.probe(one))  # type: ignore[misc]
        told[answer.cause] = answer.message
        asyncio.run(world.close())
    assert {
        REFUSED: "ran longer than 5 s and was stopped",
        "broken_case": "ran longer than 30 s and was stopped",
    } == told


ENDLESS = "select count(*) from range(100000000000) a, range(1000) b"


async def _beside(world: World, clock: ManualClock) -> tuple[bool, str, str]:
    """Whether SQL still ran when a call of another trial was answered, and how both ended."""
    one, other = [await world.open(shop.case(), shop.trial(seed)) for seed in (1, 2)]
    asked = asyncio.create_task(one.probe(_stated(ENDLESS)))
    await asyncio.sleep(0.05)
    returned = await other.call("c", "get_order", {"order_id": "A-1"})
    ran = not asked.done()
    clock.advance(6.0)
    answer = await asked
    await one.close()
    await other.close()
    return ran, returned.status, answer.message


def test_other_trials_go_on_while_it_runs(folder: Path) -> None:
    """What they do must not be late for the SQL of another agent: the time would count as theirs."""
    clock = ManualClock()
    world = PinnedWorld(shop.ground(shop.tools_from(folder, shop.TOOLS), clock=clock))
    assert (True, "ok", "ran longer than 5 s and was stopped") == asyncio.run(_beside(world, clock))
    asyncio.run(world.close())


async def _cut(world: World) -> ProbeAnswer:
    """Cut a trial while its SQL runs, then ask in another."""
    one, other = [await world.open(shop.case(), shop.trial(seed)) for seed in (1, 2)]
    asked = asyncio.create_task(one.probe(_stated(ENDLESS)))
    await asyncio.sleep(0.05)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await one.close()
    answer = await other.probe(_stated("select count(*) from orders"))
    await other.close()
    return answer


def test_a_trial_that_is_cut_leaves_nothing_running(folder: Path) -> None:
    """On a clock that stands still nothing but the end of the trial stops its SQL."""
    world = PinnedWorld(shop.ground(shop.tools_from(folder, shop.TOOLS), clock=ManualClock()))
    assert ProbeAnswer(rows=[[2]]) == asyncio.run(_cut(world))
    asyncio.run(world.close())


@given(st.text(max_size=40))
def test_no_text_breaks_the_world(world: World, text: str) -> None:
    """Whatever stands where SQL should is answered or refused, and the world stays as it is."""
    answer, same = _asked(world, text)
    assert same
    assert (answer.rows is None) == (answer.cause == REFUSED)
