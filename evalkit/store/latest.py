"""The run that was begun last: what `latest` and `latest:SUITE` stand for where a run is to be named.

What comes in: the folder of runs. What goes out: the folder of one of them. Only begin and suite of a
manifest are read; a run that cannot be read is not the latest one, and hidden folders are no runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import msgspec
from msgspec import Struct

LATEST = "latest"
"""The word; a run that is really called so comes first."""

_LISTED = 3  # runs that a message lists


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
    found = [one for one in _runs(reports) if suite in ("", one[0].suite)]
    return max((begun.started, path.name, path) for begun, path in found)[2] if found else None


def instead(reports: Path, name: str) -> str:
    """Return what could have been typed where a name leads to no run.

    Args:
        reports: Folder of the runs.
        name: What was typed.
    """
    known = sorted(path.parent.name for path in reports.glob("[!.]*/manifest.json"))[-_LISTED:]
    if not known:
        return f"there are no runs in {reports}"
    suites = sorted({begun.suite for begun, _ in _runs(reports)})
    if not is_latest(name) or not suites:
        return f"the latest are {', '.join(known)}"
    near = get_close_matches(name.partition(":")[2], suites, n=1)
    return f"did you mean {LATEST}:{near[0]}?" if near else f"there are runs of {', '.join(suites)}"


def _runs(reports: Path) -> Iterator[tuple[_Begun, Path]]:
    """Yield begin and suite of every run whose manifest can be read, and its folder."""
    decoder = msgspec.json.Decoder(_Begun)
    for path in reports.glob("[!.]*/manifest.json"):
        with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
            yield decoder.decode(path.read_bytes()), path.parent
