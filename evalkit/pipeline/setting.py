"""What a pipeline is given from outside: where things lie, time, chance, ids, secrets and a voice.

What comes in: the process's surroundings, read once by `cli`. What goes out: a frozen `Setting`.
"""

from __future__ import annotations

import platform
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalkit.records.ports import Clock
from evalkit.store.encoding import LineEncoder
from evalkit.world.clock import SystemClock

_SECRET_NAME = re.compile(r"(?i)(key|token|secret|passw|credential|auth)")
_SHORTEST_SECRET = 6  # characters; shorter values would redact ordinary words


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The surroundings of one invocation.

    Attributes:
        reports: Folder that run folders go to.
        clock: Time.
        ids: Returns a fresh id, unique across processes.
        secrets: Values that must not reach the disk.
        notice: Says one line to the person, on stderr.
        host: Name of the machine, recorded only.
        version: Version of evalkit, recorded only.
        progress: Shows one line that the next one may take the place of, on stderr.
    """

    reports: Path
    clock: Clock
    ids: Callable[[], str]
    secrets: tuple[str, ...]
    notice: Callable[[str], None]
    host: str
    version: str
    progress: Callable[[str], None] = lambda _line: None

    @property
    def encoder(self) -> LineEncoder:
        """How records become lines in this invocation."""
        return LineEncoder(self.secrets)


def surroundings(
    environment: Mapping[str, str],
    notice: Callable[[str], None],
    version: str,
    progress: Callable[[str], None] | None = None,
) -> Setting:
    """Return the surroundings of this process.

    Args:
        environment: Names and values; `EVALKIT_REPORTS` names the folder of runs.
        notice: Says one line to the person.
        version: Version of evalkit.
        progress: Shows a line of progress; None says it like any other.
    """
    return Setting(
        reports=Path(environment.get("EVALKIT_REPORTS") or "reports").absolute(),
        clock=SystemClock(),
        ids=lambda: secrets.token_hex(6),
        secrets=secrets_in(environment),
        notice=notice,
        host=platform.node(),
        version=version,
        progress=progress or notice,
    )


def secrets_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of an environment that look like secrets by their names.

    Args:
        environment: Names and values.

    Returns:
        Values of at least six characters whose name speaks of keys, tokens, secrets or passwords.
    """
    return tuple(
        value
        for name, value in environment.items()
        if len(value) >= _SHORTEST_SECRET and _SECRET_NAME.search(name)
    )
