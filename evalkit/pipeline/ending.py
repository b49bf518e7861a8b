"""What a person is told of a run beside its counts: what it spent, what was decided, how to call it.

What comes in: a `RunReport`. What goes out: `Ending`, and its part of the JSON object. Nothing is written.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

import msgspec

from evalkit.errors import StoreError
from evalkit.pipeline.again import suite_folder
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.summing import RunReport
from evalkit.records.board import Ending
from evalkit.records.decision import Counts
from evalkit.records.signature import Manifest
from evalkit.records.spent import together
from evalkit.records.verdict import Verdict
from evalkit.store.folder import RunFolder
from evalkit.store.spent import spent, tells_usage


def ending(report: RunReport, setting: Setting, flags: str = "") -> Ending:
    """Return what is to be told of a run beside its counts.

    Args:
        report: What it came to.
        setting: The surroundings.
        flags: Flags of a budget with which it was run, to go on with.
    """
    folder = RunFolder(Path(report.folder))
    known = spent(folder.path) if tells_usage(folder.path) else {}
    return msgspec.structs.replace(
        standing(folder, report.manifest, report.arms, setting),
        spent=together(known.values()) if known else None,
        ended_by=report.ended_by,
        flags=flags if report.ended_by else "",
        broken=typed(report.broken, report.manifest),
    )


def standing(
    folder: RunFolder, manifest: Manifest, arms: Mapping[str, Counts], setting: Setting | None = None
) -> Ending:
    """Return how a run is called, what was decided about it, and whether a policy is at hand.

    Args:
        folder: The run.
        manifest: Its manifest.
        arms: What the trials of its arms come to.
        setting: Where the person stands; None calls it by its name, for whoever reads this elsewhere.
    """
    choice, arm, current = _decision(folder, arms)
    return Ending(
        called=_called(folder, setting) if setting is not None else folder.name,
        decision=choice,
        arm=arm,
        is_current=current,
        has_policy=_has_policy(folder, manifest),
    )


def typed(broken: Verdict | None, manifest: Manifest) -> str:
    """Return what is typed behind a run to look at a trial of it; "" for none.

    Args:
        broken: A verdict of the trial.
        manifest: The run's manifest.
    """
    if broken is None:
        return ""
    which = f" --arm {shlex.quote(broken.arm)}" if len(manifest.arms) > 1 else ""
    return f"{shlex.quote(broken.case)} {broken.trial}{which}"


def ending_object(told: Ending, command: str) -> dict[str, object]:
    """Return what the JSON object of `run`, `resume`, `retry`, `score`, `merge` and `import` has of it.

    Args:
        told: What is to be told.
        command: What to type next.
    """
    return {
        "ended_by": told.ended_by or None,
        "spent": None if told.spent is None else {**msgspec.to_builtins(told.spent), **_sums(told)},
        "decision": told.decision if told.is_current else None,
        "next": command,
    }


def _sums(told: Ending) -> dict[str, object]:
    return {} if told.spent is None else {"tokens": told.spent.tokens, "usd": told.spent.usd}


def _called(folder: RunFolder, setting: Setting) -> str:
    """Return what the run is called by whoever stands here: its name, or the way to it."""
    if folder.path.parent == setting.reports.absolute():
        return folder.name
    return os.path.relpath(folder.path) if folder.path.is_relative_to(Path.cwd()) else str(folder.path)


def _decision(folder: RunFolder, arms: Mapping[str, Counts]) -> tuple[str, str, bool]:
    """Return what was decided, about which arm, and whether the trials are still those that it was about."""
    try:
        decision = folder.decision()
    except StoreError:  # what cannot be read is not what was decided
        return "", "", False
    if decision is None:
        return "", "", False
    return decision.decision, decision.arm, decision.is_about(arms.get(decision.arm))


def _has_policy(folder: RunFolder, manifest: Manifest) -> bool:
    return bool(manifest.suite_path) and (suite_folder(folder, manifest) / "gate.yaml").is_file()
