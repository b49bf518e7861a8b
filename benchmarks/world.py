"""Prints what the world costs: milliseconds per opened trial, per tool call and per probe.

Run `python benchmarks/world.py [rounds]`. CPU time, not wall time, since other work may share the machine.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from evalkit.records.arm import Arm
from evalkit.records.case import Case
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import ModelRequest
from evalkit.records.probe import Probe
from evalkit.world.clock import SystemClock
from evalkit.world.database import Template
from evalkit.world.ground import Ground
from evalkit.world.no_world import NoWorld
from evalkit.world.pinned import PinnedWorld
from evalkit.world.scripted import model_for
from evalkit.world.tools import load

# As large as the orders database of a customer-service suite: eight tables with keys, a few dozen rows each.
_TABLES = "".join(
    f"create table t{n} (id text primary key, amount decimal(10, 2), day date, note text);"  # noqa: S608 - no foreign text
    f"insert into t{n} select 'k' || x, x, date '2026-01-01' + x::int, 'note ' || x from range(40) as r(x);"
    for n in range(8)
)
_TOOLS = '''
from evalkit.world.handle import Database


def read(db: Database, key: str) -> dict[str, object] | None:
    """Read one row."""
    return db.row("select * from t0 where id = $key", key=key)


def write(db: Database, key: str, amount: float) -> None:
    """Change one row."""
    db.run("update t0 set amount = $amount where id = $key", amount=amount, key=key)


def add(one: int, other: int) -> int:
    """Add without a database."""
    return one + other
'''
_CASE = Case.model_validate({"id": "c", "turns": [{"user": "hello"}]})
_TRIAL = PlannedTrial(index=0, case="c", arm="a", mode="mock", trial=0, seed=1)
_ARM = Arm.model_validate({"arm": "a", "model": {"replies": [{"reply": "hello"}]}})


class _Endless:
    """A budget that is never used up."""

    def spend(self, seconds: float) -> bool:
        return seconds >= 0


async def _cost(what: str, rounds: int, work: Callable[[], Awaitable[object]]) -> None:
    await work()
    began = time.process_time()
    for _ in range(rounds):
        await work()
    print(f"{what:44s} {(time.process_time() - began) / rounds * 1000:8.3f} ms")


async def _measure(world: PinnedWorld, clock: SystemClock, rounds: int) -> None:
    nothing = NoWorld()

    async def text_only() -> None:
        session = await nothing.open(_CASE, _TRIAL)
        model = model_for(_ARM, _CASE, _TRIAL, {}, clock)
        await model.reply(ModelRequest(messages=()))
        await session.close()

    async def database() -> None:
        await (await world.open(_CASE, _TRIAL)).close()

    await _cost("text-only trial: session, model, one reply", rounds * 10, text_only)
    await _cost("database trial: attach, copy, detach", rounds, database)
    session = await world.open(_CASE, _TRIAL)
    probe = Probe(id="p", sql="select sum(amount) from t0")
    await _cost(
        "tool call without SQL", rounds * 10, lambda: session.call("1", "add", {"one": 1, "other": 2})
    )
    await _cost("tool call, one select", rounds, lambda: session.call("1", "read", {"key": "k3"}))
    await _cost(
        "tool call, one update", rounds, lambda: session.call("1", "write", {"key": "k3", "amount": 5})
    )
    await _cost("probe", rounds, lambda: session.probe(probe))
    await session.close()
    await world.close()


def main() -> None:
    """Print one line per cost."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    clock = SystemClock()
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder) / "tools.py"
        tools.write_text(_TOOLS, encoding="utf-8")
        ground = Ground(load(tools), Template(_TABLES, clock), clock, _Endless())
        asyncio.run(_measure(PinnedWorld(ground), clock, rounds))


if __name__ == "__main__":
    main()
