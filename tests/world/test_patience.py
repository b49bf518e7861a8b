"""Retries of broken dependencies below the agent."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import DependencyError
from evalkit.records.event import Timing, ToolReturned
from evalkit.world.clock import ManualClock
from evalkit.world.patience import TRIAL_SECONDS, Patience
from evalkit.world.real import RealWorld
from tests.world import shop

TOOLS = """
from evalkit.errors import DependencyError, FixtureMissing
from evalkit.world.tools import tool

tries = []


def flaky(times: int, status: int, wait: int = 0) -> int:
    tries.append(1)
    if len(tries) <= times:
        raise DependencyError(status, float(wait) or None, "it broke; HTTP 429 was said")
    return len(tries)


def unrecorded() -> None:
    raise FixtureMissing("replay knows no such call")
"""


def _call(
    folder: Path, clock: ManualClock, purse: shop.Purse, args: dict[str, object], tool: str = "flaky"
) -> ToolReturned:
    world = RealWorld(shop.ground(shop.tools_from(folder, TOOLS), None, clock, purse))
    (returned,) = shop.calls(world, shop.case(), (tool, args))
    return returned


def test_a_dependency_is_asked_again(tmp_path: Path) -> None:
    """Two retries after 1 and 2 seconds; waiting is told from working, and the tries are counted."""
    clock, purse = ManualClock(), shop.Purse()
    returned = _call(tmp_path, clock, purse, {"times": 2, "status": 503})
    assert ("ok", 3, 3) == (returned.status, returned.value, returned.tries)
    assert [1.0, 2.0] == clock.slept
    assert returned.timing is not None
    assert (3.0, 0.0) == (returned.timing.queue, returned.timing.tool)
    assert 597.0 == purse.left


@pytest.mark.parametrize(
    ("status", "sub", "tries"),
    [(429, "rate", 3), (503, None, 3), (0, "no_reply", 3), (504, "no_reply", 3), (400, "bad_argument", 1)],
)
def test_a_dependency_that_stays_broken_is_an_environment_fault(
    tmp_path: Path, status: int, sub: str | None, tries: int
) -> None:
    """An undeclared fault has the sub-cause of its status alone; what cannot pass is not asked again."""
    returned = _call(tmp_path, ManualClock(), shop.Purse(), {"times": 9, "status": status})
    assert ("fault", "environment", sub, False, tries) == (
        returned.status,
        returned.cause,
        returned.sub,
        returned.declared,
        returned.tries,
    )
    assert "it broke" in returned.message


def test_what_a_dependency_asks_for_is_waited(tmp_path: Path) -> None:
    """Retry-After lengthens a wait, and one beyond the trial's time is not waited at all."""
    clock = ManualClock()
    assert "ok" == _call(tmp_path, clock, shop.Purse(), {"times": 1, "status": 429, "wait": 30}).status
    assert [30.0] == clock.slept
    clock = ManualClock()
    returned = _call(tmp_path, clock, shop.Purse(), {"times": 1, "status": 429, "wait": 61})
    assert ("fault", [], 1) == (returned.status, clock.slept, returned.tries)


SLOW = """
from evalkit.errors import DependencyError
from evalkit.world.tools import tool

clocks, tries = [], []


def look(seconds: int, breaks: int, status: int = 503) -> int:
    tries.append(1)
    clocks[0].advance(seconds)
    if len(tries) <= breaks:
        raise DependencyError(status)
    return len(tries)
"""


@pytest.mark.parametrize(
    ("breaks", "status", "queue", "work"),
    [(0, "ok", 0.0, 5.0), (2, "ok", 13.0, 5.0), (9, "fault", 18.0, 0.0)],
)
def test_an_attempt_that_broke_is_no_work_of_the_tool(
    tmp_path: Path, breaks: int, status: str, queue: float, work: float
) -> None:
    """Attempts that broke and waits are evalkit's; only the attempt that answered is the tool's, in full."""
    clock = ManualClock()
    tools = shop.tools_from(tmp_path, SLOW)
    tools["look"].function.__globals__["clocks"].append(clock)
    world = RealWorld(shop.ground(tools, None, clock))
    (returned,) = shop.calls(world, shop.case(), ("look", {"seconds": 5, "breaks": breaks}))
    assert (status, min(breaks, 2) + 1) == (returned.status, returned.tries)
    assert Timing(queue=queue, tool=work) == returned.timing


def test_the_runs_time_is_shared(tmp_path: Path) -> None:
    """Where the run's waiting time is used up, a trial gives up at once."""
    clock, purse = ManualClock(), shop.Purse(2.5)
    returned = _call(tmp_path, clock, purse, {"times": 2, "status": 503})
    assert ("fault", [1.0], 1.5, 2) == (returned.status, clock.slept, purse.left, returned.tries)


def test_a_tool_may_say_that_nothing_is_recorded(tmp_path: Path) -> None:
    """A missing recording is the cause fixture_missing."""
    returned = _call(tmp_path, ManualClock(), shop.Purse(), {}, "unrecorded")
    assert ("missing", "fixture_missing") == (returned.status, returned.cause)


@given(st.lists(st.floats(0, 70), max_size=20), st.floats(0, 200))
def test_no_trial_waits_longer_than_it_may(waits: list[float], shared: float) -> None:
    """A trial's waits add up to 60 s at most, and never to more than the run has left."""
    clock, purse = ManualClock(), shop.Purse(shared)
    patience = Patience(clock, purse)

    async def wait_for_all() -> list[float | None]:
        return [await patience.wait(DependencyError(429, seconds), 1) for seconds in waits]

    granted = asyncio.run(wait_for_all())
    total = sum(clock.slept)
    assert total <= min(TRIAL_SECONDS, shared) + 1e-6
    assert clock.slept == [seconds for seconds in granted if seconds is not None]
    assert purse.left == pytest.approx(shared - total)


LATE = """
import evalkit.world.tools
from evalkit.world.tools import tool


@tool(effect="{effect}", timeout=0.01)
async def late() -> str:
    import asyncio

    tries.append(1)
    await asyncio.sleep(0.05 if len(tries) == 1 else 0)
    return f"try {{len(tries)}}"


tries = []
"""


@pytest.mark.parametrize(("effect", "status", "tries"), [("read", "ok", 2), ("pay", "fault", 1)])
def test_a_call_that_was_cut_is_repeated_only_if_it_reads(
    tmp_path: Path, effect: str, status: str, tries: int
) -> None:
    """A payment that did not answer in time may have been made: only the agent can decide to pay again."""
    tools = shop.tools_from(tmp_path, LATE.format(effect=effect))
    world = RealWorld(shop.ground(tools, None))
    (returned,) = shop.calls(world, shop.case(), ("late", {}))
    assert (status, tries) == (returned.status, returned.tries)


class _Stepping(ManualClock):
    """A clock on which every look takes 20 seconds."""

    def now(self) -> float:
        """Move on, and tell."""
        self.advance(20.0)
        return super().now()


def test_an_answer_that_comes_too_late_is_none(tmp_path: Path) -> None:
    """A tool that does not wait cannot be cut, but 31 s are 31 s: no answer in time."""
    text = """
    from evalkit.world.tools import tool

    @tool(effect="write", timeout=15)
    def slow() -> int:
        return 1

    @tool(effect="write", timeout=25)
    def quick() -> int:
        return 1
    """
    world = RealWorld(shop.ground(shop.tools_from(tmp_path, text), None, _Stepping()))
    slow, quick = shop.calls(world, shop.case(), ("slow", {}), ("quick", {}))
    assert ("fault", "no_reply") == (slow.status, slow.sub)
    assert "ok" == quick.status
