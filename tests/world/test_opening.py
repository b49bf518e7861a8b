"""Which world a suite gets."""

import asyncio
from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.records.metric import Metric
from evalkit.records.policy import Mode
from evalkit.records.ports import World
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import Suite, WorldSpec
from evalkit.world.clock import ManualClock
from evalkit.world.no_world import NoWorld
from evalkit.world.opening import open_world
from evalkit.world.pinned import PinnedWorld
from evalkit.world.real import RealWorld
from tests.world import shop


def _suite(world: WorldSpec | None = None, **fields: object) -> Suite:
    stage = Stage(name="reply", ran=Ran(replied=True))
    metric = Metric.model_validate(
        {"name": "outcome", "scope": "outcome", "stage": "reply", "tier": "gate", "primary": True}
    )
    return Suite(suite="s", world=world, stages=(stage,), metrics=(metric,), cases=(shop.case(**fields),))


def _open(suite: Suite, folder: Path, mode: Mode = "mock") -> World:
    return open_world(suite, folder, mode, clock=ManualClock(), budget=shop.Purse())


SHOP = WorldSpec(database="world.sql", tools="tools.py")


@pytest.mark.parametrize(("mode", "kind"), [("mock", PinnedWorld), ("real", RealWorld)])
def test_the_mode_picks_the_object(tmp_path: Path, mode: Mode, kind: type) -> None:
    """Real or mock is which object is made; both stand on the suite's database and tools."""
    (tmp_path / "world.sql").write_text(shop.TEMPLATE)
    (tmp_path / "tools.py").write_text(shop.TOOLS)
    world = _open(_suite(SHOP), tmp_path, mode)
    assert kind is type(world)
    (returned,) = shop.calls(world, shop.case(), ("get_order", {"order_id": "A-1"}))
    assert "ok" == returned.status
    asyncio.run(world.close())


def test_a_suite_without_a_world_gets_none(tmp_path: Path) -> None:
    """Text in, text out needs nothing; pinned tools need the pinned world."""
    assert isinstance(_open(_suite(), tmp_path), NoWorld)
    pinned = _suite(mock={"weather": {"answers": [{"return": "rain"}]}})
    assert isinstance(_open(pinned, tmp_path), PinnedWorld)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    """A database that cannot be read is named before any trial."""
    (tmp_path / "tools.py").write_text("")
    with pytest.raises(InputError, match=r"world\.sql"):
        _open(_suite(SHOP), tmp_path)


def test_imported_trials_are_not_run(tmp_path: Path) -> None:
    """The mode of imported trials opens no world."""
    with pytest.raises(InputError, match="imported"):
        _open(_suite(), tmp_path, "imported")
