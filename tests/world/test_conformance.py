"""What every world does, whichever object is passed in."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalkit.errors import SuiteBug
from evalkit.records.ports import Session, World
from evalkit.records.probe import Probe, ProbeAnswer
from evalkit.world.clock import ManualClock, SystemClock
from evalkit.world.no_world import NoWorld
from tests.world import shop

REFUNDED = Probe(id="p", sql="select sum(refunded) from orders")


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


@pytest.fixture(params=["mock", "real", "none"])
def any_world(request: pytest.FixtureRequest, folder: Path) -> Iterator[World]:
    """The same, and the world of suites that have none."""
    made = shop.WORLDS.get(request.param)
    opened = made(shop.ground(shop.tools_from(folder, shop.TOOLS))) if made else NoWorld()
    yield opened
    asyncio.run(opened.close())


def test_a_tool_answers_for_itself(world: World) -> None:
    """A result is a JSON value; decimals are numbers."""
    (returned,) = shop.calls(world, shop.case(), ("get_order", {"order_id": "A-1"}))
    expected = {"id": "A-1", "total": 100.0, "refunded": 0.0, "note": "call first"}
    assert ("ok", expected, 1) == (returned.status, returned.value, returned.tries)
    assert (None, False, "call_0") == (returned.fault, returned.declared, returned.id)


def test_an_effect_shows_in_a_probe(world: World) -> None:
    """What a tool wrote is what a probe reads, before and after."""

    async def work(session: Session) -> list[ProbeAnswer]:
        before = await session.probe(REFUNDED)
        await session.call("1", "refund", {"order_id": "A-1", "amount": 12.5})
        return [before, await session.probe(REFUNDED)]

    assert [[[0.0]], [[12.5]]] == [answer.rows for answer in shop.in_session(world, shop.case(), work)]


def test_waiting_changes_nothing_where_nothing_is_to_come(any_world: World) -> None:
    """Time may pass in every world, and what was answered before is answered after."""

    async def work(session: Session) -> list[ProbeAnswer]:
        before = await session.probe(REFUNDED)
        await session.wait(2.5)
        return [before, await session.probe(REFUNDED)]

    before, after = shop.in_session(any_world, shop.case(), work)
    assert before == after


@pytest.mark.parametrize(("mode", "waited"), [("mock", []), ("real", [2.5])])
def test_only_the_real_world_really_waits(folder: Path, mode: str, waited: list[float]) -> None:
    """A pinned world has a time of its own; the real one has the clock's."""
    clock = ManualClock()
    world = shop.WORLDS[mode](shop.ground(shop.tools_from(folder, shop.TOOLS), clock=clock))
    shop.in_session(world, shop.case(), lambda session: session.wait(2.5))
    asyncio.run(world.close())
    assert waited == clock.slept


def test_every_session_starts_from_the_template(world: World) -> None:
    """Nothing that one trial did is there in the next."""
    for _ in range(2):
        found = shop.calls(
            world,
            shop.case(),
            ("refund", {"order_id": "A-1", "amount": 5}),
            ("get_order", {"order_id": "A-1"}),
        )
        assert 5.0 == found[1].value["refunded"]


def test_the_start_state_comes_first(world: World) -> None:
    """A case changes its own copy before anything else, with its vars."""
    one = shop.case(vars={"order": "A-2"}, start={"sql": "update orders set total = 7 where id = $order"})
    (returned,) = shop.calls(world, one, ("get_order", {"order_id": "A-2"}))
    assert 7.0 == returned.value["total"]


@pytest.mark.parametrize(
    "sql",
    [
        "update nope set x = 1",
        "update orders set total = $gone",
        "attach ':memory:' as x",
        "show databases",
        "x",
    ],
)
def test_a_start_state_that_cannot_be_made_is_the_suites_bug(world: World, sql: str) -> None:
    """The session does not open, and the message names the case."""
    with pytest.raises(SuiteBug, match="start state of case c"):
        shop.calls(world, shop.case(start={"sql": sql}))


def test_a_refusal_is_the_agents_to_deal_with(world: World) -> None:
    """A tool that says no has the status refused, its reason, and no cause."""
    (returned,) = shop.calls(world, shop.case(), ("refund", {"order_id": "A-1", "amount": 51}))
    assert ("refused", "at most 50", None) == (returned.status, returned.message, returned.cause)


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        ({}, ["`order_id` is missing", "`amount` is missing"]),
        ({"order_id": "A-1", "amount": "5"}, ["`amount`", "valid number", 'got "5"']),
        (
            {"order_id": "A-1", "amout": 5},
            ["`amount` is missing", "no argument `amout`, did you mean `amount`?"],
        ),
        ({"order_id": "A-1", "amount": 5, "zzz": 1}, ["no argument `zzz`", "it takes order_id, amount"]),
        ({"order_id": 1, "amount": True}, ["`order_id`", "`amount`"]),
        ({"order_id": "\ud800", "amount": 5}, ["JSON"]),
        ({"order_id": "A-1", "amount": float("nan")}, ["not finite"]),
    ],
)
def test_invalid_arguments_run_nothing(world: World, args: dict[str, object], parts: list[str]) -> None:
    """Arguments that do not fit say what is wrong with each, and what to do next."""
    (returned,) = shop.calls(world, shop.case(), ("refund", args))
    assert "invalid" == returned.status
    for part in [*parts, "refund was not called", "call it again"]:
        assert part in returned.message


def test_an_unknown_tool_is_told_the_known_ones(any_world: World) -> None:
    """A name that is no tool has the status unknown, and no cause: it is the agent's mistake."""
    (returned,) = shop.calls(any_world, shop.case(), ("get_ordr", {}))
    assert ("unknown", None) == (returned.status, returned.cause)
    assert returned.message


def test_the_nearest_tool_is_named(world: World) -> None:
    """A slip of the pen is answered with the right name."""
    (returned,) = shop.calls(world, shop.case(), ("get_ordr", {}))
    assert "Did you mean get_order?" in returned.message


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("crash", "tool crash raised ZeroDivisionError: division by zero (tools.py:"),
        ("leave", "tool leave raised SystemExit: 3 (tools.py:"),
        ("odd", "tool odd returned no JSON value: object"),
        ("misread", "nope"),
        ("speak_of_429", "RuntimeError: HTTP 429 Too Many Requests"),
    ],
)
def test_a_tool_that_breaks_is_the_suites_bug(world: World, tool: str, said: str) -> None:
    """Anything undeclared is broken_case, never the agent's failure; a number in a message is no status."""
    (returned,) = shop.calls(world, shop.case(), (tool, {}))
    assert ("broken", "broken_case", None) == (returned.status, returned.cause, returned.sub)
    assert said in returned.message


def test_sql_of_the_agent_is_the_agents_to_mend(world: World) -> None:
    """SQL that stands in the call's own arguments is refused, and the reason says why."""
    found = shop.calls(
        world,
        shop.case(),
        ("query", {"sql": "select nope from orders"}),
        ("query", {"sql": "select * from evalkit_template.orders"}),
        ("query", {"sql": "select count(*) as n from orders"}),
    )
    assert ["refused", "refused", "ok"] == [returned.status for returned in found]
    assert "nope" in found[0].message
    assert [{"n": 2}] == found[2].value


def test_endless_sql_excuses_no_agent(folder: Path) -> None:
    """SQL of the agent that never ends is refused; only the suite's own is a fault of the environment."""
    for made in shop.WORLDS.values():
        world = made(shop.ground(shop.tools_from(folder, shop.TOOLS), clock=SystemClock()))
        sql = "select count(*) from range(100000000000) a, range(1000) b"
        agents, suites = shop.calls(world, shop.case(), ("hasty_query", {"sql": sql}), ("endless", {}))
        assert ("refused", None) == (agents.status, agents.cause)
        assert ("fault", "environment", "no_reply", 1) == (
            suites.status,
            suites.cause,
            suites.sub,
            suites.tries,
        )
        asyncio.run(world.close())


def test_what_a_tool_left_open_is_rolled_back(world: World) -> None:
    """A transaction ends with its call, so that a probe sees what was committed."""

    async def work(session: Session) -> ProbeAnswer:
        await session.call("1", "half_done", {})
        return await session.probe(Probe(id="p", sql="select sum(total) from orders"))

    assert [[120.0]] == shop.in_session(world, shop.case(), work).rows


def test_an_asynchronous_tool_is_awaited(world: World) -> None:
    """Async functions are tools, and defaults make arguments optional."""
    (returned,) = shop.calls(world, shop.case(), ("slow_search", {"text": "x", "limit": 2}))
    assert ["x", "x"] == returned.value


def test_calls_may_run_side_by_side(world: World) -> None:
    """Calls of one reply that run together each get their own outcome."""

    async def work(session: Session) -> list[object]:
        wanted = (session.call(str(n), "slow_search", {"text": str(n), "limit": 1}) for n in range(5))
        return [returned.value for returned in await asyncio.gather(*wanted)]

    assert [["0"], ["1"], ["2"], ["3"], ["4"]] == shop.in_session(world, shop.case(), work)


def test_tools_are_described_in_order(world: World) -> None:
    """A session offers the suite's tools in the order of their definition."""

    async def work(session: Session) -> list[str]:
        return [spec.name for spec in session.tools]

    assert ["get_order", "refund", "slow_search"] == shop.in_session(world, shop.case(), work)[:3]


def test_closing_twice_is_harmless(any_world: World) -> None:
    """A session and a world may be closed again."""

    async def work(session: Session) -> None:
        await session.close()

    shop.in_session(any_world, shop.case(), work)
    asyncio.run(any_world.close())


def test_without_a_database_there_is_nothing_to_ask() -> None:
    """A probe or a start state in a world without a database is the suite's bug, not an empty answer."""

    async def work(session: Session) -> ProbeAnswer:
        return await session.probe(REFUNDED)

    for world in (NoWorld(), *(made(shop.ground({}, None)) for made in shop.WORLDS.values())):
        answer = shop.in_session(world, shop.case(), work)
        assert (None, "broken_case") == (answer.rows, answer.cause)
        with pytest.raises(SuiteBug, match="no database"):
            shop.calls(world, shop.case(start={"sql": "select 1"}))


_DEEDS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["A-1", "A-2"]), st.integers(1, 50)), max_size=15
)


@settings(max_examples=15)
@given(deeds=_DEEDS)
def test_open_sessions_stay_apart(world: World, deeds: list[tuple[int, str, int]]) -> None:
    """However the calls of three sessions interleave, each ends with the sum of its own refunds."""

    async def within() -> list[object]:
        sessions = [await world.open(shop.case(), shop.trial()) for _ in range(3)]
        for who, order, amount in deeds:
            await sessions[who].call("1", "refund", {"order_id": order, "amount": amount})
        found = [await session.probe(REFUNDED) for session in sessions]
        for session in sessions:
            await session.close()
        return [answer.rows for answer in found]

    expected = [[[float(sum(n for who, _, n in deeds if who == at))]] for at in range(3)]
    assert expected == asyncio.run(within())
