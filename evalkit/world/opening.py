"""Opens the world of a suite: the one place that knows which object stands for which mode.

What comes in: a loaded suite, its folder, a mode. What goes out: `ports.World`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evalkit.errors import InputError
from evalkit.records.policy import Mode
from evalkit.records.ports import Budget, Clock, World
from evalkit.records.suite import Suite
from evalkit.world.database import Template
from evalkit.world.ground import Ground
from evalkit.world.no_world import NoWorld
from evalkit.world.pinned import PinnedWorld
from evalkit.world.real import RealWorld
from evalkit.world.tools import load

_WORLDS: Mapping[str, type[PinnedWorld | RealWorld]] = {"mock": PinnedWorld, "real": RealWorld}


def open_world(suite: Suite, folder: Path, mode: Mode, *, clock: Clock, budget: Budget) -> World:
    """Return the world that a suite's trials run in.

    Args:
        suite: The suite.
        folder: Its folder; `world.database` and `world.tools` are relative to it.
        mode: Real or mock.
        clock: Time.
        budget: Seconds that all trials of the run may wait together for broken dependencies.

    Returns:
        A world to be closed after the run. A suite that has neither database, tools nor fixtures needs none.

    Raises:
        InputError: The template cannot be built, the tools do not load, or the mode runs nothing.
    """
    if mode not in _WORLDS:
        raise InputError.of("nothing runs in this mode", value=mode, suggestion="real or mock")
    spec = suite.world
    if spec is None and not any(case.mock for case in suite.cases):
        return NoWorld()
    tools = load(folder / spec.tools) if spec is not None and spec.tools is not None else {}
    database = spec.database if spec is not None else None
    template = _template(folder / database, clock) if database is not None else None
    return _WORLDS[mode](Ground(tools, template, clock, budget))


def _template(path: Path, clock: Clock) -> Template:
    try:
        sql = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.of(f"the database cannot be read: {error}", file=str(path)) from error
    return Template(sql, clock, source=str(path))
