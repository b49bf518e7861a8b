"""Starts one process after the other and says what each cost.

What comes in: a command. What goes out: its CPU, its peak memory, what it printed, and the bytes that it left
in a folder. CPU, not wall: other work may share the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Bytes where the system counts in them, kilobytes elsewhere (getrusage(2), `ru_maxrss`).
_RSS_UNIT = 1 if os.uname().sysname == "Darwin" else 1024
_SHOWN = 2_000  # characters of what a child said before it failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one process cost.

    Attributes:
        cpu: Seconds, user and system, of it and all that it waited for.
        rss: Peak resident memory, bytes.
        stored: Bytes of the files that lie in its folder afterwards.
        said: The JSON object that it printed.
    """

    cpu: float
    rss: int
    stored: int
    said: dict[str, Any]


class ChildFailed(Exception):
    """A process that did not end well."""


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Run a command to its end in a folder.

    Args:
        command: Program and arguments.
        folder: Where it runs and what is measured; nothing else can be written by name.
        environment: All that it sees of the environment.

    Raises:
        ChildFailed: It ended with an exit code other than 0, or printed no JSON object.
    """
    with (folder / "stdout").open("w+b") as out, (folder / "stderr").open("w+b") as err:
        child = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        printed, complained = _read(out), _read(err)
    if child.returncode != 0:
        raise ChildFailed(f"{' '.join(command)}: exit {child.returncode}\n{complained[-_SHOWN:]}")
    try:
        said = json.loads(printed)
    except ValueError as error:
        raise ChildFailed(f"{' '.join(command)}: {error}\n{printed[-_SHOWN:]}") from error
    return Cost(
        cpu=usage.ru_utime + usage.ru_stime,
        rss=usage.ru_maxrss * _RSS_UNIT,
        stored=_size(folder) - len(printed.encode()) - len(complained.encode()),
        said=said,
    )


def _read(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode(errors="replace"))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
