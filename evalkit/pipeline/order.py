"""The main job on one page: files -> suite -> plan -> run -> events -> facts -> verdicts.

What comes in: what a person asked for. What goes out: a run folder, and a `RunReport` about it. Every
step can be taken again from the files of the step before it: `resume` and `retry` from the plan and the
journal, `score_again` from the journal alone. `gating` goes on from here to a decision.
"""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evalkit.errors import InputError, StoreError, Undecidable
from evalkit.pipeline.executing import Work, execute
from evalkit.pipeline.scoring import verdict_rows
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.suites import LoadedSuite, arm_code, arms_of, check_sources, load
from evalkit.pipeline.summing import RunReport, report, summary
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.records.arm import Arm
from evalkit.records.policy import Mode
from evalkit.records.signature import Manifest, Signature
from evalkit.records.suite import Suite
from evalkit.records.verdict import ACTIONS
from evalkit.run.engine import Executed
from evalkit.run.retries import next_attempts
from evalkit.store.folder import RunFolder, suite_hash
from evalkit.store.journal import Journal
from evalkit.suite.where import parse_where


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What `run` was asked for.

    Attributes:
        suite: Folder or file of the suite.
        arms: Arm names; () means the only one there is.
        mode: Real or mock.
        trials: Trials per case and arm.
        seed: Seed of order and chance.
        jobs: Trials at once.
        only: Expression that selects cases; "" selects all.
        skip: Expression that leaves cases out; "" leaves out none.
    """

    suite: Path
    arms: tuple[str, ...] = ()
    mode: Mode = "mock"
    trials: int = 1
    seed: int = 0
    jobs: int = 8
    only: str = ""
    skip: str = ""


def run(request: RunRequest, setting: Setting, suite: LoadedSuite | None = None) -> RunReport:
    """Execute a suite into a new run folder.

    Args:
        request: What was asked for.
        setting: The surroundings.
        suite: The suite, where it is loaded already.

    Returns:
        What the run came to.

    Raises:
        InputError: The suite, an arm or the selection is wrong.
        Undecidable: Nothing was selected.
        OutputError: The folder cannot be written.
    """
    loaded = suite or load(request.suite)
    arms = arms_of(loaded, request.arms)
    plan = Plan(loaded.suite, _plan_request(request, tuple(arms)))
    if plan.summary.planned == 0:
        raise Undecidable(_nothing(loaded.suite, plan, request))
    work = Work(loaded=loaded, arms=arms, mode=request.mode, jobs=request.jobs)
    folder = RunFolder.create(setting.reports, run_name(loaded.suite, setting), setting.encoder)
    with folder.lock():
        _begin(folder, work, plan, setting)
        for name, content in check_sources(loaded):
            folder.write_code(name, content)
        try:
            done = execute(folder, work, ((trial, 0) for trial in plan.in_work_order()), setting)
        except InputError:  # a world that does not build, found before the first trial
            folder.discard()
            raise
        return _finish(folder, setting, done)


def resume(name: str, jobs: int, setting: Setting) -> RunReport:
    """Run every planned trial that has no closing line.

    Args:
        name: The run's name or path.
        jobs: Trials at once.
        setting: The surroundings.

    Raises:
        InputError: There is no such run, it was imported, or its suite has changed.
    """
    folder = _found(name, setting)
    with folder.lock():
        manifest = folder.manifest()
        plan = _replanned(folder, manifest)
        journal = Journal(folder.path)
        owed = ((t, 0) for t in plan.in_work_order() if journal.last((t.arm, t.case, t.trial)) is None)
        work = _work_again(folder, manifest, jobs, journal.n_closed)
        done = execute(_reopened(folder, manifest), work, owed, setting)
        return _finish(folder, setting, done)


def retry(name: str, cause: str, jobs: int, setting: Setting) -> RunReport:
    """Try trials again whose deciding verdict is unmeasured; a fail is never retried.

    Args:
        name: The run's name or path.
        cause: Only trials with this cause; "" takes all causes.
        jobs: Trials at once.
        setting: The surroundings.

    Raises:
        InputError: There is no such run or cause, the run was imported, or its suite has changed.
    """
    if cause and cause not in ACTIONS:
        raise InputError.of("no such cause", value=cause, suggestion=f"there are: {', '.join(ACTIONS)}")
    folder = _found(name, setting)
    with folder.lock():
        manifest = folder.manifest()
        deciding = folder.suite().deciding.name
        rows = (row for row in verdict_rows(folder) if not cause or row.cause == cause)
        attempts = next_attempts(rows, deciding)
        journal = Journal(folder.path)
        again = (
            (trial, attempts[trial.index])
            for trial in _replanned(folder, manifest).in_work_order()
            if trial.index in attempts and journal.last((trial.arm, trial.case, trial.trial)) is not None
        )
        work = _work_again(folder, manifest, jobs, journal.n_closed - len(attempts))
        done = execute(_reopened(folder, manifest), work, again, setting)
        return _finish(folder, setting, done)


def score_again(name: str, setting: Setting) -> RunReport:
    """Decide the verdicts of a run again from its stored events.

    Args:
        name: The run's name or path.
        setting: The surroundings.

    Raises:
        InputError: There is no such run.
        StoreError: The folder is damaged.
    """
    folder = _found(name, setting)
    with folder.lock():
        return summary(folder)


def state_of(name: str, setting: Setting) -> RunReport:
    """Return what a stored run came to; nothing is written.

    Args:
        name: The run's name or path.
        setting: The surroundings.
    """
    return report(_found(name, setting))


def today(setting: Setting) -> dt.date:
    """Return the date, UTC, for waivers that end."""
    return dt.date.fromisoformat(setting.clock.wall()[:10])


def _begin(folder: RunFolder, work: Work, plan: Plan, setting: Setting) -> None:
    """Write suite, plan and manifest: from here on the run owes every planned trial."""
    suite = work.loaded.suite
    folder.write_suite(suite)
    plan_hash = folder.write_plan(plan.in_plan_order())
    signature = Signature(
        suite_hash=suite_hash(suite),
        mode=work.mode,
        limits=suite.limits.model_dump(mode="json"),
        seed=plan.summary.seed,
        evalkit=setting.version,
        host=setting.host,
    )
    folder.write_manifest(
        Manifest(
            run=folder.name,
            suite=suite.suite,
            arms={
                name: arm.model_dump(mode="json", by_alias=True, exclude_defaults=True)
                for name, arm in work.arms.items()
            },
            arm_code={name: arm_code(work.loaded.folder, arm) for name, arm in work.arms.items()},
            signature=signature,
            plan=plan.summary,
            plan_hash=plan_hash,
            started=setting.clock.wall(),
            suite_path=os.path.relpath(work.loaded.folder.resolve(), folder.path.resolve()),
        )
    )


def _finish(folder: RunFolder, setting: Setting, done: Executed) -> RunReport:
    """Settle the verdicts and close the manifest."""
    found = summary(folder)
    manifest = msgspec.structs.replace(folder.manifest(), ended=setting.clock.wall(), complete=found.complete)
    folder.write_manifest(manifest)
    return msgspec.structs.replace(found, manifest=manifest, stopped=done.stopped)


def _found(name: str, setting: Setting) -> RunFolder:
    found = RunFolder.find(setting.reports, name)
    return RunFolder(found.path, setting.encoder)


def _plan_request(request: RunRequest, arms: tuple[str, ...]) -> PlanRequest:
    only, skip = parse_where(request.only), parse_where(request.skip)
    return PlanRequest(
        arms=arms,
        mode=request.mode,
        trials=request.trials,
        seed=request.seed,
        selected=lambda case: only.matches(case) and not (request.skip and skip.matches(case)),
    )


def _replanned(folder: RunFolder, manifest: Manifest) -> Plan:
    """Return the plan of a stored run; its hash proves that it is the same."""
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


def _work_again(folder: RunFolder, manifest: Manifest, jobs: int, done: int) -> Work:
    """Return what a stored run is to be executed with, if it still is what it was."""
    if manifest.signature.mode == "imported":
        raise InputError.of("an imported run has nothing to execute", value=folder.name)
    loaded = load(suite_folder(folder, manifest))
    arms = {name: Arm.model_validate_json(msgspec.json.encode(arm)) for name, arm in manifest.arms.items()}
    code = {name: arm_code(loaded.folder, arm) for name, arm in arms.items()}
    if suite_hash(loaded.suite) != manifest.signature.suite_hash:
        raise _changed("the suite", manifest)
    if arms_of(loaded, tuple(arms)) != arms or code != manifest.arm_code:
        raise _changed("an arm", manifest)
    return Work(loaded=loaded, arms=arms, mode=manifest.signature.mode, jobs=jobs, done=done)


def _reopened(folder: RunFolder, manifest: Manifest) -> RunFolder:
    """Say in the manifest that the verdicts are no longer those of the journal, until they are settled."""
    folder.write_manifest(msgspec.structs.replace(manifest, ended="", complete=False))
    return folder


def suite_folder(folder: RunFolder, manifest: Manifest) -> Path:
    """Return where the suite of a run lies, wherever the person stands.

    Args:
        folder: The run.
        manifest: Its manifest.
    """
    place = Path(os.path.normpath(folder.path.resolve() / manifest.suite_path))
    return place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place


def _changed(what: str, manifest: Manifest) -> InputError:
    return InputError.of(
        f"{what} has changed since this run began; the missing trials would measure something else",
        file=manifest.suite,
        suggestion="undo the change, or start a new run",
    )


def _nothing(suite: Suite, plan: Plan, request: RunRequest) -> str:
    if not suite.cases:
        return f"suite {suite.suite} has no cases: nothing was measured"
    faulty = len(plan.summary.not_in_mode)
    if faulty:
        return f"nothing was selected: {faulty} cases declare faults and need --mode mock"
    flags = {"--only": request.only, "--skip": request.skip}
    chosen = " ".join(f"{flag} {text!r}" for flag, text in flags.items() if text)
    strange = [one for text in flags.values() for one in parse_where(text).unknown_keys(suite.cases)]
    hint = "".join(f"; no case has {key}: {advice}" for key, advice in strange)
    return f"nothing was selected: none of {len(suite.cases)} cases is left by {chosen}{hint}"


def run_name(suite: Suite, setting: Setting) -> str:
    """Return a name that sorts by time: 20261130-102602-refund.

    Args:
        suite: The suite that is run.
        setting: The surroundings, for the time of day.
    """
    stamp = setting.clock.wall()[:19].replace("-", "").replace(":", "").replace("T", "-")
    safe = "".join(char if char.isalnum() or char in "._-" else "_" for char in suite.suite)
    return f"{stamp}-{safe[:60]}"
