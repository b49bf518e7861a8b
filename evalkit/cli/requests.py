"""Options of the command line -> requests of the pipeline.

What comes in: what click parsed. What goes out: frozen request records.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalkit.pipeline.gating import GateRequest
from evalkit.pipeline.order import RunRequest


def run_request(suite: Path, options: Mapping[str, Any]) -> RunRequest:
    """Return what `run` was asked for.

    Args:
        suite: The suite's folder or file.
        options: The shared options, by name.
    """
    return RunRequest(
        suite=suite,
        arms=tuple(options["arms"]),
        mode=options["mode"] or "mock",
        trials=options["trials"] or 1,
        seed=options["seed"],
        jobs=options["jobs"],
        only=options["only"] or "",
        skip=options["skip"] or "",
    )


def gate_request(target: str, policy: Path | None, options: Mapping[str, Any]) -> GateRequest:
    """Return what `gate` was asked for.

    Args:
        target: A suite's folder, or a run.
        policy: Policy file, or None.
        options: The shared options, by name; None where they were not given.
    """
    return GateRequest(
        target=target,
        policy=policy,
        arms=tuple(options["arms"]),
        mode=options["mode"],
        trials=options["trials"],
        seed=options["seed"],
        jobs=options["jobs"],
        only=options["only"] or "",
        skip=options["skip"] or "",
    )
