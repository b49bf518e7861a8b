"""Signatures and manifests: what a figure was measured on.

What comes in: suite, mode, limits, versions. What goes out: `Signature`, `Manifest`.
"""

from __future__ import annotations

import datetime as dt

import msgspec
from msgspec import Struct

from evalkit.records.plan import PlanSummary, Shard
from evalkit.records.policy import Mode
from evalkit.records.written import Json

SCORING_VERSION = 2
"""Bumped whenever verdicts can change for the same events."""

COMPARED = ("suite_hash", "mode", "scoring_version", "judge", "limits")
"""Fields of a signature that two compared figures must share."""


class Signature(Struct, frozen=True, kw_only=True):
    """What every figure carries.

    Attributes:
        suite_hash: sha256 of the loaded suite and its code. Compared.
        mode: Compared.
        scoring_version: Compared.
        judge: Judge signature, "" without one. Compared.
        limits: The run's limits. Compared.
        seed: Recorded.
        evalkit: Version of evalkit. Recorded.
        host: Recorded.
    """

    suite_hash: str
    mode: Mode
    scoring_version: int = SCORING_VERSION
    judge: str = ""
    limits: dict[str, Json] = {}
    seed: int = 0
    evalkit: str = ""
    host: str = ""

    def differences(self, other: Signature) -> tuple[str, ...]:
        """Return the compared fields in which two signatures differ.

        Args:
            other: The other figure's signature.

        Returns:
            Field names, in the order of `COMPARED`; empty where they may be compared.
        """
        return tuple(name for name in COMPARED if getattr(self, name) != getattr(other, name))


class Part(Struct, frozen=True, kw_only=True):
    """A shard that a merged run was put together from. Recorded.

    Attributes:
        run: Name of the shard's run.
        number: Which shard, from 1.
        started: ISO time, UTC.
        ended: ISO time, UTC; "" where it was killed.
        evalkit: Version of evalkit that ran it.
        host: Where it ran.
        paused: Seconds of its time in which nothing ran; None where it was killed and went on, so that nobody
            knows.
    """

    run: str
    number: int
    started: str
    ended: str = ""
    evalkit: str = ""
    host: str = ""
    paused: float | None = 0.0

    def __post_init__(self) -> None:
        """Refuse times that are none."""
        _refuse_no_times(self.started, self.ended)


class Manifest(Struct, frozen=True, kw_only=True):
    """What a run is.

    Attributes:
        run: Name of the run (its folder).
        suite: Suite name.
        arms: Arm name -> the arm as loaded (JSON).
        arm_code: Arm name -> sha256 of the policy that it is scripted by, "" without one.
        signature: What every figure carries.
        plan: What the plan comes to.
        plan_hash: sha256 of `plan.jsonl`.
        started: ISO time, UTC.
        ended: ISO time, UTC; "" while it runs.
        complete: Every planned trial has a closing line.
        format: Version of the folder's format.
        suite_path: Where the suite was loaded from, relative to the project.
        losses: For imported runs: what the source could not tell.
        source: For imported runs: the authors' own figures, by name.
        shard: Which part of a plan this run is; None where it is the whole of it.
        parts: For merged runs: the shards that they were put together from.
        paused: Seconds between the end of a call and the next one that went on with the run; None where the
            run was killed before it went on, so that nobody knows.
    """

    run: str
    suite: str
    arms: dict[str, Json]
    arm_code: dict[str, str] = {}
    signature: Signature
    plan: PlanSummary
    plan_hash: str
    started: str
    ended: str = ""
    complete: bool = False
    format: int = 1
    suite_path: str = ""
    losses: tuple[str, ...] = ()
    source: dict[str, Json] = {}
    shard: Shard | None = None
    parts: tuple[Part, ...] = ()
    paused: float | None = 0.0

    def __post_init__(self) -> None:
        """Refuse times that are none."""
        _refuse_no_times(self.started, self.ended)

    def reopened(self, now: str) -> Manifest:
        """Return the same of a run that goes on: its verdicts are no longer those of the journal.

        Args:
            now: ISO time, UTC.
        """
        known = self.paused is not None and bool(self.ended)
        paused = (self.paused or 0.0) + seconds_between(self.ended, now) if known else None
        return msgspec.structs.replace(self, ended="", complete=False, paused=paused)


def worked(run: Manifest | Part) -> float | None:
    """Return the seconds that a run took without its pauses; None where they are not known.

    Args:
        run: What has ended.
    """
    if run.paused is None:
        return None
    return max(0.0, seconds_between(run.started, run.ended) - run.paused)


def seconds_between(started: str, ended: str) -> float:
    """Return the seconds between two times, 0 where a clock was set back.

    Args:
        started: ISO time with a zone.
        ended: Another one.

    >>> seconds_between("2026-11-30T10:00:00Z", "2026-11-30T10:00:01.5Z")
    1.5
    """
    begin, end = (dt.datetime.fromisoformat(text) for text in (started, ended))
    return max(0.0, (end - begin).total_seconds())


def _refuse_no_times(started: str, ended: str) -> None:
    for text in (started, ended) if ended else (started,):
        try:
            zone = dt.datetime.fromisoformat(text).tzinfo
        except ValueError:
            zone = None
        if zone is None:
            raise ValueError(f"{text!r} is no ISO time with a zone")
