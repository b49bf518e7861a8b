"""The runs that lie here, with what they take on disk.

What comes in: the folder of runs. What goes out: `RunLine`s. A run that cannot be read is listed, too, and so
is what a killed merge left behind: whoever looks for what fills the disk must find it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from evalkit.errors import StoreError
from evalkit.pipeline.setting import Setting
from evalkit.records.board import RunLine
from evalkit.records.signature import Manifest
from evalkit.store.folder import RunFolder
from evalkit.store.joining import UNFINISHED

Order = Literal["begun", "size", "name"]
"""How runs are ordered: the latest first, the largest first, or by name."""

_RUN = frozenset({".lock", "manifest.json"})
"""Files of which one makes a folder a run: one that was killed before its manifest is one, too."""


def runs(setting: Setting, order: Order = "begun") -> tuple[RunLine, ...]:
    """Return all runs.

    Args:
        setting: The surroundings.
        order: How they are ordered.
    """
    folders = {path.parent for path in setting.reports.glob("*/*") if path.name in _RUN}
    lines = (_line(RunFolder(path)) for path in sorted(folders, reverse=True))
    key, descends = _ORDERS[order]
    return tuple(sorted(lines, key=key, reverse=descends))


def _line(folder: RunFolder) -> RunLine:
    if folder.name.startswith(UNFINISHED):
        return RunLine(name=folder.name, size=_size(folder), problem="left behind by a merge: delete it")
    try:
        manifest, decision = folder.manifest(), folder.decision()
    except StoreError as error:
        return RunLine(name=folder.name, size=_size(folder), problem=str(error))
    return RunLine(
        name=folder.name,
        suite=manifest.suite,
        arms=tuple(manifest.arms),
        mode=manifest.signature.mode,
        planned=manifest.plan.planned,
        complete=manifest.complete,
        started=manifest.started,
        decision=decision.decision if decision is not None else "",
        stale=decision is not None and decision.stale,
        size=_size(folder),
        part=_part(manifest),
    )


def _part(manifest: Manifest) -> str:
    if manifest.shard is not None:
        return f"shard {manifest.shard.number} of {manifest.shard.of}"
    return f"merged from {len(manifest.parts)}" if manifest.parts else ""


def _size(folder: RunFolder) -> int:
    """Return the bytes of a folder; what somebody deletes meanwhile takes none."""
    try:
        return folder.size()
    except OSError:
        return 0


def _digits(line: RunLine) -> str:
    """Return when a run was begun, as far as its name tells it where its manifest does not."""
    return re.sub(r"\D", "", line.started or line.name)[:14].ljust(14, "0")


_ORDERS: dict[Order, tuple[Callable[[RunLine], str | int], bool]] = {
    "begun": (_digits, True),
    "size": (lambda line: line.size, True),
    "name": (lambda line: line.name, False),
}
"""How runs are ordered -> by what, and whether it descends."""
