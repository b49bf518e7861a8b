"""Going on with a stored run: its plan made again, its suite and arms found again and held against it.

What comes in: a run folder. What goes out: what its missing trials are to be executed with, or the reason why
they would measure something else.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from evalkit.errors import InputError, StoreError
from evalkit.pipeline.executing import Work
from evalkit.pipeline.spending import Spending
from evalkit.pipeline.suites import arm_code, arms_of, load
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.records.arm import Arm
from evalkit.records.signature import Manifest
from evalkit.records.written import Json
from evalkit.store.folder import RunFolder, suite_hash

_SUITE_FILE = "suite.yaml"


def replanned(folder: RunFolder, manifest: Manifest) -> Plan:
    """Return the plan of a stored run.

    Args:
        folder: The run.
        manifest: Its manifest.

    Raises:
        StoreError: It cannot be made again.
    """
    cases: set[str] = {trial.case for trial in folder.plan()}
    request = PlanRequest(
        arms=tuple(manifest.arms),
        mode=manifest.signature.mode,
        trials=manifest.plan.trials,
        seed=manifest.plan.seed,
        selected=lambda case: case.id in cases,
    )
    plan = Plan(folder.suite(), request)
    if plan.summary.planned != manifest.plan.planned:
        raise StoreError(f"{folder.name}: the plan of this run cannot be made again")
    return plan


def work_again(folder: RunFolder, manifest: Manifest, jobs: int, spending: Spending) -> Work:
    """Return what a stored run is to be executed with, if it still is what it was.

    Args:
        folder: The run.
        manifest: Its manifest.
        jobs: Trials at once.
        spending: What may be spent.

    Raises:
        InputError: The run was imported, or its suite or an arm has changed.
    """
    if manifest.signature.mode == "imported":
        raise InputError.of("an imported run has nothing to execute", value=folder.name)
    loaded = load(suite_folder(folder, manifest))
    arms = {name: _stored_arm(folder, name, arm) for name, arm in manifest.arms.items()}
    code = {name: arm_code(loaded.folder, arm) for name, arm in arms.items()}
    if suite_hash(loaded.suite) != manifest.signature.suite_hash:
        raise _changed("the suite", manifest)
    if arms_of(loaded, tuple(arms)) != arms or code != manifest.arm_code:
        raise _changed("an arm", manifest)
    return Work(loaded=loaded, arms=arms, mode=manifest.signature.mode, jobs=jobs, spending=spending)


def _stored_arm(folder: RunFolder, name: str, arm: Json) -> Arm:
    try:
        return Arm.model_validate_json(msgspec.json.encode(arm))
    except ValueError as error:
        raise StoreError(f"{folder.name}/manifest.json: arm {name} is no arm: {error}") from error


def reopened(folder: RunFolder, manifest: Manifest, now: str) -> RunFolder:
    """Say in the manifest that the verdicts are no longer those of the journal, until they are settled.

    Args:
        folder: The run, held for writing.
        manifest: Its manifest.
        now: ISO time, UTC.
    """
    folder.write_manifest(manifest.reopened(now))
    with contextlib.suppress(StoreError):  # what cannot be read says so itself, where it is asked for
        decision = folder.decision()
        if decision is not None:
            folder.write_decision(msgspec.structs.replace(decision, stale=True))
    return folder


def suite_folder(folder: RunFolder, manifest: Manifest) -> Path:
    """Return where the suite of a run lies, wherever the person stands.

    That is where the run saw it; a run that was copied elsewhere sees it no more, and then it is looked for
    by the same path in the working folder.

    Args:
        folder: The run.
        manifest: Its manifest.
    """
    place = Path(os.path.normpath(folder.path.resolve() / manifest.suite_path))
    inside = (part for part in Path(manifest.suite_path).parts if part != os.pardir)
    here = Path.cwd().joinpath(*inside)
    if not (place / _SUITE_FILE).is_file() and (here / _SUITE_FILE).is_file():
        place = here
    return place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place


def _changed(what: str, manifest: Manifest) -> InputError:
    return InputError.of(
        f"{what} has changed since this run began; the missing trials would measure something else",
        file=manifest.suite,
        suggestion="undo the change, or start a new run",
    )
