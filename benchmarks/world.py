"""Prints what the world costs, beside a bare DuckDB that runs the same statements.

Run `python benchmarks/world.py [rounds]`. CPU milliseconds of this thread, the best of five batches that take
turns with the bare ones, since other work may share the machine; the ratio travels, the figures do not. "New"
is what no trial did before, "again" what one did.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import duckdb

from evalkit.records.arm import Arm
from evalkit.records.case import Case
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Assignment, ModelRequest
from evalkit.records.probe import Probe
from evalkit.world.clock import SystemClock
from evalkit.world.database import Template
from evalkit.world.ground import Ground
from evalkit.world.no_world import NoWorld
from evalkit.world.pinned import PinnedWorld
from evalkit.world.scripted import Scripted
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


Work = Callable[[], Awaitable[object]]


class Bare:
    """A DuckDB instance set up as the world's, and nothing around it."""

    def __init__(self) -> None:
        """Build the template."""
        self._numbers = count()
        self._root = duckdb.connect(":memory:", config={"threads": 1, "python_enable_replacements": False})
        self._root.execute(f"attach ':memory:' as template; use template; {_TABLES}")
        self.cursor = self._root.cursor()
        self.cursor.execute("attach ':memory:' as own; copy from database template to own; use own")

    async def trial(self) -> None:
        """Attach, copy, ask once, detach."""
        name = f"t{next(self._numbers)}"
        cursor = self._root.cursor()
        cursor.execute(f"attach ':memory:' as {name}; copy from database template to {name}; use {name}")
        cursor.execute("select $n", {"n": 1}).fetchall()
        cursor.execute(f"use template; detach {name}")
        cursor.close()

    def asking(self, sql: str, **values: object) -> Work:
        """Return what asks one parsed statement."""
        (statement,) = self.cursor.extract_statements(sql)

        async def ask() -> None:
            self.cursor.execute(statement, values).fetchall()

        return ask


async def _batch(work: Work, rounds: int) -> float:
    began = time.thread_time()
    for _ in range(rounds):
        await work()
    return (time.thread_time() - began) / rounds * 1000


async def _cost(what: str, rounds: int, work: Work, bare: Work | None = None) -> None:
    await _batch(work, 2)
    pairs = [
        (await _batch(work, rounds // 5 + 1), await _batch(bare, rounds // 5 + 1) if bare else 0.0)
        for _ in range(5)
    ]
    ours, theirs = (min(figures) for figures in zip(*pairs, strict=True))
    beside = f"{theirs:9.3f} ms {ours / theirs:7.2f}" if bare else ""
    print(f"{what:44s} {ours:8.3f} ms {beside}")


async def _trials(world: PinnedWorld, clock: SystemClock, rounds: int, bare: Bare) -> None:
    nothing, numbers = NoWorld(), count()

    async def text_only() -> None:
        session = await nothing.open(_CASE, _TRIAL)
        model = Scripted({}, clock)(Assignment(trial=_TRIAL, case=_CASE, arm=_ARM))
        await model.reply(ModelRequest(messages=()))
        await session.close()

    async def database(number: int) -> None:
        session = await world.open(_CASE, _TRIAL)
        await session.probe(Probe(id="p", sql="select $n", vars={"n": number}))
        await session.close()

    await _cost("text-only trial: session, model, one reply", rounds * 10, text_only)
    await _cost(
        "trial: attach, copy, one probe, detach; new", rounds, lambda: database(next(numbers)), bare.trial
    )
    await _cost("trial: the same again", rounds, lambda: database(0), bare.trial)


async def _calls(world: PinnedWorld, rounds: int, bare: Bare) -> None:
    session, numbers = await world.open(_CASE, _TRIAL), count()
    select, update = "select * from t0 where id = $key", "update t0 set amount = $amount where id = $key"

    def read(key: str) -> Awaitable[object]:
        return session.call("1", "read", {"key": key})

    def write() -> Awaitable[object]:
        return session.call("1", "write", {"key": "k3", "amount": next(numbers)})

    def probe(number: int) -> Awaitable[object]:
        return session.probe(Probe(id="p", sql="select sum(amount) + $n from t0", vars={"n": number}))

    bare_read, bare_probe = bare.asking(select, key="k3"), bare.asking("select sum(amount) + $n from t0", n=1)
    await _cost(
        "tool call without SQL", rounds * 10, lambda: session.call("1", "add", {"one": 1, "other": 2})
    )
    await _cost("tool call, one select; new", rounds, lambda: read(f"k{next(numbers)}"), bare_read)
    await _cost("tool call, one select; again", rounds, lambda: read("k3"), bare_read)
    await _cost("tool call, one update; new", rounds, write, bare.asking(update, key="k3", amount=5))
    await _cost("probe; new", rounds, lambda: probe(next(numbers)), bare_probe)
    await _cost("probe; again", rounds, lambda: probe(0), bare_probe)
    await session.close()


async def _measure(world: PinnedWorld, clock: SystemClock, rounds: int) -> None:
    bare = Bare()
    print(f"{'':44s} {'evalkit':>11s} {'bare':>12s} {'ratio':>7s}")
    await _trials(world, clock, rounds, bare)
    await _calls(world, rounds, bare)
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
