"""A small shop for the tests of the world: template, tools, cases, and how to run a session."""

import asyncio
import textwrap
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

from evalkit.records.case import Case
from evalkit.records.event import ToolReturned
from evalkit.records.plan import PlannedTrial
from evalkit.records.ports import Budget, Clock, Session, World
from evalkit.world.clock import ManualClock
from evalkit.world.database import Template
from evalkit.world.ground import Ground
from evalkit.world.pinned import PinnedWorld
from evalkit.world.real import RealWorld
from evalkit.world.tools import Tool, load

T = TypeVar("T")
Asked = tuple[str, dict[str, object]]

TEMPLATE = """
create table orders (id text primary key, total decimal(10, 2), refunded decimal(10, 2) default 0, note text);
insert into orders values ('A-1', 100, 0, 'call first'), ('A-2', 20, 0, null);
"""

TOOLS = '''
from __future__ import annotations

import asyncio
import sys
from decimal import Decimal

from evalkit.errors import DependencyError, ToolRefusal
from evalkit.world.handle import Database
from evalkit.world.tools import tool

REFUND_LIMIT = 50


def get_order(db: Database, order_id: str) -> dict[str, object]:
    """Look an order up.

    Args:
        order_id: The order.
    """
    order = db.row("select * from orders where id = $id", id=order_id)
    if order is None:
        raise ToolRefusal(f"there is no order {order_id}")
    return order


@tool(effect="pay", serial=True, limits={"REFUND_LIMIT": REFUND_LIMIT})
def refund(db: Database, order_id: str, amount: float) -> dict[str, object]:
    """Pay money back, at most {REFUND_LIMIT}.

    Args:
        order_id: The order.
        amount: At most {REFUND_LIMIT}.
    """
    if amount > REFUND_LIMIT:
        raise ToolRefusal(f"at most {REFUND_LIMIT}")
    db.run("update orders set refunded = refunded + $amount where id = $id", amount=amount, id=order_id)
    return {"order": order_id, "refunded": Decimal(str(amount))}


async def slow_search(text: str, limit: int = 10) -> list[str]:
    """Search, waiting for others once."""
    await asyncio.sleep(0)
    return [text] * limit


def query(db: Database, sql: str) -> list[dict[str, object]]:
    """Run SQL that a model wrote."""
    return db.rows(sql)


@tool(timeout=0.2)
def hasty_query(db: Database, sql: str) -> list[dict[str, object]]:
    """Run SQL that a model wrote, for a moment."""
    return db.rows(sql)


@tool(timeout=0.2)
def endless(db: Database) -> None:
    """Run SQL of the suite that never ends."""
    db.run("select count(*) from range(100000000000) a, range(1000) b")


def half_done(db: Database) -> None:
    """Begin, change, and forget to commit."""
    db.run("begin; update orders set total = 0")


def crash(db: Database) -> None:
    """Divide by nothing."""
    1 / 0  # the suite's bug


def leave() -> None:
    """Call the way out."""
    sys.exit(3)


def odd() -> object:
    """Return what is no JSON value."""
    return {"when": object()}


def misread(db: Database) -> None:
    """Ask for a column that is not there."""
    db.rows("select nope from orders")


def speak_of_429() -> None:
    """Raise something that only talks of a status."""
    raise RuntimeError("HTTP 429 Too Many Requests")
'''


class Purse:
    """Waiting time that trials share; implements `ports.Budget`."""

    def __init__(self, seconds: float = 600.0) -> None:
        """Hold so many seconds."""
        self.left = seconds

    def spend(self, seconds: float) -> bool:
        """Take seconds out, or nothing where they are not there."""
        if seconds > self.left:
            return False
        self.left -= seconds
        return True


def tools_from(folder: Path, text: str) -> dict[str, Tool]:
    """Write a file of tools, and load it."""
    path = folder / "tools.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return load(path)


def ground(
    tools: Mapping[str, Tool],
    template: str | None = TEMPLATE,
    clock: Clock | None = None,
    budget: Budget | None = None,
) -> Ground:
    """Return the ground of a world."""
    clock = clock or ManualClock()
    database = Template(template, clock) if template is not None else None
    return Ground(tools, database, clock, budget or Purse())


WORLDS: dict[str, Callable[[Ground], World]] = {"mock": PinnedWorld, "real": RealWorld}


def case(**fields: object) -> Case:
    """Return a case as a file would give it."""
    return Case.model_validate({"id": "c", "turns": [{"user": "hello"}], **fields})


def trial(seed: int = 7) -> PlannedTrial:
    """Return a planned trial."""
    return PlannedTrial(index=0, case="c", arm="a", mode="mock", trial=0, seed=seed)


def in_session(world: World, one: Case, work: Callable[[Session], Awaitable[T]]) -> T:
    """Open a session, do some work in it, close it."""

    async def within() -> T:
        session = await world.open(one, trial())
        try:
            return await work(session)
        finally:
            await session.close()

    return asyncio.run(within())


def calls(world: World, one: Case, *asked: Asked) -> list[ToolReturned]:
    """Make some calls in one session, in order."""

    async def work(session: Session) -> list[ToolReturned]:
        return [await session.call(f"call_{at}", name, args) for at, (name, args) in enumerate(asked)]

    return in_session(world, one, work)
