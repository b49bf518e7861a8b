"""The run that was begun last: what `latest` and `latest:SUITE` stand for where a run is to be named.

What comes in: the folder of runs. What goes out: the folder of one of them. Only begin and suite of a
manifest are read; a run that cannot be read is not the latest one, and hidden folders are no runs.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

LATEST = "latest"
"""The word; a run that is really called so comes first."""


class _Begun(Struct):
    """What is read of a manifest."""

    suite: str
    started: str


def is_latest(name: str) -> bool:
    """Whether a name asks for the latest run, of all or of one suite.

    >>> is_latest("latest"), is_latest("latest:refund"), is_latest("latest-2")
    (True, True, False)
    """
    return name.partition(":")[0] == LATEST


def latest(reports: Path, name: str) -> Path | None:
    """Return the folder of the run that was begun last, None where there is none.

    Args:
        reports: Folder of the runs.
        name: `latest`, or `latest:SUITE` for the last one of a suite.
    """
    suite = name.partition(":")[2]
    decoder = msgspec.json.Decoder(_Begun)
    found: list[tuple[str, str, Path]] = []
    for path in reports.glob("[!.]*/manifest.json"):
        try:
            begun = decoder.decode(path.read_bytes())
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if suite in ("", begun.suite):
            found.append((begun.started, path.parent.name, path.parent))
    return max(found)[2] if found else None
