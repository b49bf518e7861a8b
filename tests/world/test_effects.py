"""Faults of the answer and of the effect: what the agent is told, what the world holds, and when."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import SuiteBug
from evalkit.records.event import ToolReturned
from evalkit.records.ports import Session, World
from evalkit.records.probe import Probe
from evalkit.world.clock import ManualClock
from evalkit.world.faults import TIMED_OUT, cut
from evalkit.world.pinned import PinnedWorld
from tests.world import shop

ORDER: shop.Asked = ("get_order", {"order_id": "A-1"})
PAY: shop.Asked = ("refund", {"order_id": "A-1", "amount": 5})
TOO_MUCH: shop.Asked = ("refund", {"order_id": "A-1", "amount": 51})
SUM = Probe(id="p", sql="select sum(refunded) from orders")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for the shop's tools."""
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="module")
def clock() -> ManualClock:
    """The clock of the pinned shop."""
    return ManualClock()


@pytest.fixture(scope="module")
def world(folder: Path, clock: ManualClock) -> Iterator[World]:
    """The pinned shop."""
    opened = PinnedWorld(shop.ground(shop.tools_from(folder, shop.TOOLS), clock=clock))
    yield opened
    asyncio.run(opened.close())


def _mock(tool: str, **answer: object) -> dict[str, object]:
    return {tool: {"answers": [answer]}}


async def _refunded(session: Session) -> object:
    answer = await session.probe(SUM)
    assert answer.rows is not None
    return answer.rows[0][0]


def _acted(world: World, mock: dict[str, object], *asked: shop.Asked) -> tuple[list[ToolReturned], object]:
    """Make calls, and look at what was refunded."""

    async def work(session: Session) -> tuple[list[ToolReturned], object]:
        found = [await session.call(f"c{at}", name, args) for at, (name, args) in enumerate(asked)]
        return found, await _refunded(session)

    return shop.in_session(world, shop.case(mock=mock), work)


def test_forbidden_keeps_the_call_from_happening(world: World, clock: ManualClock) -> None:
    """A 403 is the environment's, is declared, is not asked again, and nothing was done."""
    (returned,), refunded = _acted(world, _mock("refund", fault="forbidden"), PAY)
    assert ("fault", "environment", "forbidden", True, 1) == (
        returned.status,
        returned.cause,
        returned.fault,
        returned.declared,
        returned.tries,
    )
    assert ("HTTP 403", 0.0, []) == (returned.message[:8], refunded, clock.slept)


def test_a_timeout_after_a_refusal_had_no_effect(world: World) -> None:
    """The agent is told the same as ever; the record says whether there was an effect to lose."""
    mock = _mock("refund", fault="timeout_after")
    (paid, refused), refunded = _acted(world, mock, PAY, TOO_MUCH)
    assert (TIMED_OUT, TIMED_OUT) == (paid.message, refused.message)
    assert (True, False, 5.0) == (paid.effect, refused.effect, refunded)


def test_slow_takes_its_seconds_as_the_tools_work_and_nobody_waits(world: World, clock: ManualClock) -> None:
    """The answer is as ever; its seconds count, and the clock of the machine stands still."""
    (returned,), refunded = _acted(world, _mock("refund", fault="slow", seconds=12.5), PAY)
    assert ("ok", {"order": "A-1", "refunded": 5.0}, "slow", True) == (
        returned.status,
        returned.value,
        returned.fault,
        returned.declared,
    )
    assert returned.timing is not None
    assert (12.5, 5.0, [], 0.0) == (returned.timing.tool, refunded, clock.slept, clock.now())


def test_a_refusal_may_be_slow_too(world: World) -> None:
    """A no takes as long as a yes."""
    (returned,), _ = _acted(world, _mock("refund", fault="slow", seconds=3), TOO_MUCH)
    assert returned.timing is not None
    assert ("refused", 3.0) == (returned.status, returned.timing.tool)


def test_stale_is_the_answer_of_the_start_state(world: World) -> None:
    """The state has moved on, and the tool does not see it; the trial's own state is untouched."""
    mock = _mock("get_order", fault="stale", times=1)
    (_, before, now), refunded = _acted(world, mock, PAY, ORDER, ORDER)
    assert (0.0, "stale", True) == (before.value["refunded"], before.fault, before.declared)
    assert (5.0, None, 5.0) == (now.value["refunded"], now.fault, refunded)


def test_stale_knows_the_case_s_own_start(world: World) -> None:
    """The start state is the one that the case made, not the template."""
    start = {"sql": "update orders set total = 7 where id = $order"}
    one = shop.case(mock=_mock("get_order", fault="stale"), start=start, vars={"order": "A-1"})
    (returned,) = shop.calls(world, one, ORDER)
    assert 7.0 == returned.value["total"]


def test_stale_may_refuse_what_is_there_by_now(world: World) -> None:
    """What the start state refused is refused, and marked as the environment's doing."""
    made: shop.Asked = ("query", {"sql": "insert into orders (id) values ('A-9')"})
    (_, returned), _ = _acted(
        world, _mock("get_order", fault="stale"), made, ("get_order", {"order_id": "A-9"})
    )
    assert ("refused", "stale", True) == (returned.status, returned.fault, returned.declared)


def test_duplicate_happens_twice_and_is_answered_once(world: World) -> None:
    """The effect is there twice; the agent has made one call and sees one answer."""
    (returned,), refunded = _acted(world, _mock("refund", fault="duplicate"), PAY)
    assert ("ok", {"order": "A-1", "refunded": 5.0}, "duplicate", True, 10.0) == (
        returned.status,
        returned.value,
        returned.fault,
        returned.declared,
        refunded,
    )


def test_what_is_refused_is_refused_once(world: World) -> None:
    """A refusal has no effect that could happen twice, and is no fault."""
    (returned,), refunded = _acted(world, _mock("refund", fault="duplicate"), TOO_MUCH)
    assert ("refused", None, 0.0) == (returned.status, returned.fault, refunded)


def test_a_second_delivery_that_is_refused_is_heard_by_nobody(world: World) -> None:
    """A world that defends itself against the second call keeps the effect of the first."""
    insert: shop.Asked = ("query", {"sql": "insert into orders (id, refunded) values ('A-9', 1)"})
    (returned,), refunded = _acted(world, _mock("query", fault="duplicate"), insert)
    assert ("ok", 1.0) == (returned.status, refunded)


def test_a_lie_reports_success_and_does_nothing(world: World) -> None:
    """The answer is the one that the tool gives; the world never hears of it."""
    (returned,), refunded = _acted(world, _mock("refund", fault="lie"), PAY)
    assert ("ok", {"order": "A-1", "refunded": 5.0}, "lie", True, False, 0.0) == (
        returned.status,
        returned.value,
        returned.fault,
        returned.declared,
        returned.effect,
        refunded,
    )


@pytest.mark.parametrize("fault", ["lie", "delayed_persistence"])
def test_a_refusal_is_neither_a_lie_nor_delayed(world: World, fault: str) -> None:
    """Only success can be a lie, and only an effect can come late."""
    (returned,), refunded = _acted(world, _mock("refund", fault=fault, seconds=1), TOO_MUCH)
    assert ("refused", None, None, 0.0) == (returned.status, returned.fault, returned.effect, refunded)


def test_a_lie_sees_what_was_done_before(world: World) -> None:
    """It runs on a copy of the world as it is now, so that it refuses what the world would refuse."""
    spent: shop.Asked = ("query", {"sql": "update orders set note = 'gone' where id = 'A-1' returning note"})
    mock = _mock("query", fault="lie", when={"sql": "select note from orders where id = 'A-1'"})
    asked: shop.Asked = ("query", {"sql": "select note from orders where id = 'A-1'"})
    (_, returned), _ = _acted(world, mock, spent, asked)
    assert [{"note": "gone"}] == returned.value


@pytest.mark.parametrize("fault", ["slow", "stale", "lie", "delayed_persistence"])
def test_a_pinned_result_may_stand_beside_a_fault(folder: Path, fault: str) -> None:
    """What is written down is answered, in a world without a database, too."""
    bare = PinnedWorld(shop.ground(shop.tools_from(folder, shop.TOOLS), None))
    one = shop.case(mock={"weather": {"answers": [{"return": "rain", "fault": fault, "seconds": 2}]}})
    (returned,) = shop.calls(bare, one, ("weather", {}))
    assert ("ok", "rain", fault, True) == (
        returned.status,
        returned.value,
        returned.fault,
        returned.declared,
    )


def test_a_pinned_lie_does_not_run_the_tool(world: World) -> None:
    """With a result beside it nothing runs, now or later; a delayed effect comes all the same."""
    said = {"return": {"refunded": 1}}
    (lied,), never = _acted(world, _mock("refund", fault="lie", **said), PAY)
    assert ({"refunded": 1}, 0.0) == (lied.value, never)

    async def work(session: Session) -> tuple[object, object, object]:
        returned = await session.call("1", *PAY)
        before = await _refunded(session)
        await session.wait(2.0)
        return returned.value, before, await _refunded(session)

    mock = _mock("refund", fault="delayed_persistence", seconds=2, **said)
    assert ({"refunded": 1}, 0.0, 5.0) == shop.in_session(world, shop.case(mock=mock), work)


def test_a_delayed_effect_comes_when_its_time_has_come(world: World) -> None:
    """Success is told at once; the effect is there after the seconds and not before, once."""

    async def work(session: Session) -> list[object]:
        returned = await session.call("1", *PAY)
        found: list[object] = [returned.value, returned.effect, await _refunded(session)]
        for seconds in (2.5, 0.5, 60.0):
            await session.wait(seconds)
            found.append(await _refunded(session))
        return found

    mock = _mock("refund", fault="delayed_persistence", seconds=3)
    expected = [{"order": "A-1", "refunded": 5.0}, True, 0.0, 0.0, 5.0, 5.0]
    assert expected == shop.in_session(world, shop.case(mock=mock), work)


def test_a_slow_answer_lets_time_pass_for_what_is_to_come(world: World) -> None:
    """Inside a trial the pinned world's time moves by what is slow, so that an agent can see it come."""
    mock = _mock("refund", fault="delayed_persistence", seconds=3)
    mock |= {"get_order": {"answers": [{"fault": "slow", "seconds": 2}]}}
    found, refunded = _acted(world, mock, PAY, ORDER, ORDER, ORDER)
    assert [0.0, 0.0, 5.0] == [one.value["refunded"] for one in found[1:]]
    assert 5.0 == refunded


def test_effects_come_in_the_order_of_their_time(world: World) -> None:
    """What is due earlier happens earlier, whenever it was called."""
    late: shop.Asked = ("query", {"sql": "update orders set note = 'late' where id = 'A-1'"})
    soon: shop.Asked = ("query", {"sql": "update orders set note = 'soon' where id = 'A-1'"})
    answers = [
        {"when": late[1], "fault": "delayed_persistence", "seconds": 9},
        {"when": soon[1], "fault": "delayed_persistence", "seconds": 1},
    ]

    async def work(session: Session) -> object:
        await session.call("1", *late)
        await session.call("2", *soon)
        await session.wait(10.0)
        answer = await session.probe(Probe(id="n", sql="select note from orders where id = 'A-1'"))
        return answer.rows

    case = shop.case(mock={"query": {"answers": answers}})
    assert [["late"]] == shop.in_session(world, case, work)


def test_an_effect_that_breaks_when_it_comes_breaks_nothing(world: World) -> None:
    """What was valid when it was called may not be any more; then it does not come."""
    insert: shop.Asked = ("query", {"sql": "insert into orders (id) values ('A-9')"})
    mock = {
        "query": {"answers": [{"fault": "delayed_persistence", "seconds": 1, "times": 1}]},
    }

    async def work(session: Session) -> object:
        await session.call("1", *insert)
        await session.call("2", *insert)
        await session.wait(5.0)
        return (await session.probe(Probe(id="n", sql="select count(*) from orders"))).rows

    assert [[3]] == shop.in_session(world, shop.case(mock=mock), work)


def test_what_was_to_come_does_not_come_in_the_next_trial(world: World) -> None:
    """Effects belong to their trial, and end with it."""
    mock = _mock("refund", fault="delayed_persistence", seconds=1)
    _acted(world, mock, PAY)

    async def work(session: Session) -> object:
        await session.wait(9.0)
        return await _refunded(session)

    assert 0.0 == shop.in_session(world, shop.case(), work)


def test_truncated_ends_early_and_only_where_there_is_more(world: World) -> None:
    """A text or a list is cut at its length; a result that is short enough met no fault."""
    note = {"fault": "truncated", "path": "note", "length": 4}
    (short,) = shop.calls(world, shop.case(mock=_mock("get_order", **note, text=" [...]")), ORDER)
    assert ("call [...]", "truncated", True) == (short.value["note"], short.fault, short.declared)
    (whole,) = shop.calls(world, shop.case(mock=_mock("get_order", **{**note, "length": 10})), ORDER)
    assert ("call first", None, False) == (whole.value["note"], whole.fault, whole.declared)
    listed = _mock("slow_search", fault="truncated", length=2)
    (few,) = shop.calls(world, shop.case(mock=listed), ("slow_search", {"text": "a"}))
    assert ["a", "a"] == few.value


@pytest.mark.parametrize("path", ["", "total", "gone", "note[0]"])
def test_what_has_no_length_is_not_cut(world: World, path: str) -> None:
    """A cut that cannot be made is the suite's bug, and is not silently left out."""
    mock = _mock("get_order", fault="truncated", path=path, length=1)
    (returned,) = shop.calls(world, shop.case(mock=mock), ORDER)
    assert ("broken", "broken_case") == (returned.status, returned.cause)


@given(st.lists(st.integers(), max_size=6), st.integers(0, 8), st.sampled_from(["", "more"]))
def test_cutting_keeps_a_beginning(items: list[int], length: int, mark: str) -> None:
    """What is left is a prefix, never longer than asked but for the mark, and the original is untouched."""
    value = {"hits": list(items)}
    after = cut(value, "hits", length, mark)
    assert isinstance(after, dict)
    assert items[:length] + [mark] * (bool(mark) and len(items) > length) == after["hits"]
    assert {"hits": items} == value
    assert (after is value) == (len(items) <= length)


def test_a_cut_reaches_every_item() -> None:
    """A path with `[]` cuts in every item; a path that is none is refused."""
    assert [{"a": "x"}, {"a": "y"}] == cut([{"a": "x1"}, {"a": "y"}], "[].a", 1)
    with pytest.raises(SuiteBug, match="no path"):
        cut({}, "a..b", 1)


def test_a_fault_of_the_effect_hides_no_broken_tool(world: World) -> None:
    """A tool that breaks is the suite's bug under every fault that lets it run."""
    for fault in ("slow", "stale", "duplicate", "lie", "delayed_persistence"):
        (returned,) = shop.calls(world, shop.case(mock=_mock("crash", fault=fault, seconds=1)), ("crash", {}))
        assert ("broken", False) == (returned.status, returned.declared), fault


_FAULTS = st.sampled_from(
    ["lie", "delayed_persistence", "duplicate", "timeout_before", "timeout_after", None]
)


@given(st.lists(_FAULTS, max_size=5))
def test_the_world_holds_what_the_faults_say(world: World, faults: list[str | None]) -> None:
    """Each call counts as often as its fault lets it happen, at once or when all time has passed."""
    answers = [{"fault": fault, "seconds": 1, "times": 1} if fault else None for fault in faults]
    pinned = [
        answer or {"return": {"refunded": 0}, "times": 1} for answer in answers
    ]  # without a fault: pinned, no effect
    times = {"duplicate": 2, "timeout_after": 1}

    async def work(session: Session) -> tuple[object, object]:
        for at in range(len(faults)):
            await session.call(str(at), *PAY)
        before = await _refunded(session)
        await session.wait(1.0)
        return before, await _refunded(session)

    case = shop.case(mock={"refund": {"answers": pinned}})
    before, after = shop.in_session(world, case, work)
    at_once = sum(times.get(fault or "", 0) for fault in faults)
    assert (5.0 * at_once, 5.0 * (at_once + faults.count("delayed_persistence"))) == (before, after)
