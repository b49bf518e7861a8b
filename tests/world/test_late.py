"""Work is cut when its time is up, whether it waits once or often."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

import pytest

from evalkit.world.late import Late, within

_T = TypeVar("_T")


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run some work in a loop of its own."""
    return asyncio.run(work)


async def said(word: str, *waits: float) -> str:
    """Say a word after some waits."""
    for seconds in waits:
        await asyncio.sleep(seconds)
    return word


@pytest.mark.parametrize("waits", [(), (0,), (0.001,), (0, 0.001, 0)])
def test_work_in_time_returns(waits: tuple[float, ...]) -> None:
    """However often work waits, what it returns is returned."""
    assert "done" == run(within(5.0, said("done", *waits)))


@pytest.mark.parametrize("waits", [(9.0,), (0, 9.0), (0.001, 0, 9.0)])
def test_late_work_is_cut(waits: tuple[float, ...]) -> None:
    """Work that goes on is cut where it waits, and may still put its things away."""
    ended = []

    async def work() -> None:
        try:
            await said("never", *waits)
        finally:
            ended.append("put away")

    with pytest.raises(Late):
        run(within(0.02, work()))
    assert ["put away"] == ended


def test_the_time_counts_from_the_beginning() -> None:
    """What work took before it first waited is part of its time: none may be left when it waits."""

    async def timed() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()

        async def work() -> None:
            while loop.time() - began < 0.05:
                pass
            await asyncio.sleep(9.0)

        with pytest.raises(Late):
            await within(0.05, work())
        return loop.time() - began

    assert run(timed()) < 1.0


def test_no_time_cuts_only_work_that_waits() -> None:
    """With no seconds left, work that answers at once still answers."""
    assert "done" == run(within(0.0, said("done")))
    with pytest.raises(Late):
        run(within(0.0, said("done", 9.0)))


def test_what_work_raises_is_raised() -> None:
    """An error of the work is its own, a time-out of its own among them."""

    async def breaks(error: Exception, *waits: float) -> None:
        await said("", *waits)
        raise error

    for waits in ((), (0,)):
        with pytest.raises(KeyError):
            run(within(5.0, breaks(KeyError("x"), *waits)))
        with pytest.raises(TimeoutError) as raised:
            run(within(5.0, breaks(TimeoutError("its own"), *waits)))
        assert TimeoutError is raised.type


def test_a_cut_from_outside_reaches_the_work() -> None:
    """Whoever cuts the caller cuts the work, which may clean up and wait for that."""
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(9.0)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            seen.append("cut")
            raise

    async def cutting() -> bool:
        task = asyncio.ensure_future(within(5.0, work()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    assert run(cutting())
    assert ["cut"] == seen


def test_work_that_answers_its_cut_has_answered() -> None:
    """What work returns when it is cut is what it returned, as under any time-out of asyncio."""

    async def stubborn() -> str:
        try:
            await asyncio.sleep(9.0)
        except asyncio.CancelledError:
            return "still here"
        return "slept"

    assert "still here" == run(within(0.01, stubborn()))


def test_limits_inside_limits() -> None:
    """The inner time runs out for the inner work alone, the outer one for all."""

    async def both(inner: float, outer: float) -> str:
        async def within_itself() -> str:
            try:
                return await within(inner, said("slept", 9.0))
            except Late:
                return await said("inner", 0)

        try:
            return await within(outer, within_itself())
        except Late:
            return "outer"

    assert "inner" == run(both(0.01, 5.0))
    assert "outer" == run(both(5.0, 0.01))


def test_a_future_is_work_too() -> None:
    """Whatever can be awaited can be awaited for so long."""

    async def later() -> tuple[str, str]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[str] = loop.create_future()
        loop.call_later(0.001, done.set_result, "future")
        first: Awaitable[str] = done
        return await within(5.0, first), await within(5.0, asyncio.ensure_future(said("task", 0)))

    assert ("future", "task") == run(later())
