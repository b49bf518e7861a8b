"""The main job on one page: files -> suite -> plan -> run -> events -> facts -> verdicts.

What comes in: what a person asked for. What goes out: a run folder, and a `RunReport` about it. Every
step can be taken again from the files of the step before it: `resume` and `retry` from the plan and the
journal, `score_again` from the journal alone. `gating` goes on from here to a decision, `merging` puts
together what was run in shards.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import msgspec

from evalkit.errors import InputError
from evalkit.pipeline.again import reopened, replanned, work_again
from evalkit.pipeline.beginning import RunRequest, begin, planned
from evalkit.pipeline.executing import Work, execute
from evalkit.pipeline.forecasting import Owed, forecast
from evalkit.pipeline.scoring import verdict_rows
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.spending import NO_BUDGET, RunBudget, Spending, refuse_unpriced
from evalkit.pipeline.suites import LoadedSuite, arms_of, load
from evalkit.pipeline.summing import RunReport, report, summary
from evalkit.records.plan import PlannedTrial
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite
from evalkit.records.verdict import ACTIONS
from evalkit.run.engine import Executed
from evalkit.run.retries import next_attempts
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal

__all__ = ["RunRequest", "resume", "retry", "run", "run_name", "score_again", "state_of", "today"]

Attempt = tuple[PlannedTrial, int]
"""A trial, and the number of the attempt at it."""


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
    plan = planned(loaded.suite, tuple(arms), request)
    spending = Spending(request.budget, setting.clock)
    work = Work(loaded=loaded, arms=arms, mode=request.mode, jobs=request.jobs, spending=spending)
    owed = _foreseen(work, dict.fromkeys(arms, plan.summary.planned // len(arms)), request.budget, setting)
    folder = RunFolder.create(setting.reports, run_name(loaded.suite, setting), setting.encoder)
    with folder.lock():
        begin(folder, work, plan, request, setting)
        try:
            done = _carry_out(folder, work, _first(plan.in_work_order()), setting)
        except InputError:  # a world that does not build, found before the first trial
            folder.discard()
            raise
        return _finish(folder, setting, done, spending.told(done.closed, owed))


def resume(name: str, jobs: int, setting: Setting, budget: RunBudget = NO_BUDGET) -> RunReport:
    """Run every planned trial that has no closing line.

    Args:
        name: The run's name or path.
        jobs: Trials at once.
        setting: The surroundings.
        budget: What this invocation may spend; what was spent before does not count.

    Raises:
        InputError: There is no such run, it was imported, or its suite has changed.
    """
    folder = _found(name, setting)
    with folder.lock():
        manifest = folder.manifest()
        plan, journal = replanned(folder, manifest), Journal(folder.path)

        def missing() -> Iterator[PlannedTrial]:
            return (t for t in plan.in_work_order() if journal.last((t.arm, t.case, t.trial)) is None)

        spending = Spending(budget, setting.clock)
        work = replace(work_again(folder, manifest, jobs, spending), done=journal.n_closed)
        owed = _foreseen(work, Counter(trial.arm for trial in missing()), budget, setting)
        done = _carry_out(reopened(folder, manifest, setting.clock.wall()), work, _first(missing()), setting)
        return _finish(folder, setting, done, spending.told(done.closed, owed))


def retry(name: str, cause: str, jobs: int, setting: Setting, budget: RunBudget = NO_BUDGET) -> RunReport:
    """Try trials again whose deciding verdict is unmeasured; a fail is never retried.

    Args:
        name: The run's name or path.
        cause: Only trials with this cause; "" takes all causes.
        jobs: Trials at once.
        setting: The surroundings.
        budget: What this invocation may spend; what was spent before does not count.

    Raises:
        InputError: There is no such run or cause, the run was imported, or its suite has changed.
    """
    if cause and cause not in ACTIONS:
        raise InputError.of("no such cause", value=cause, suggestion=f"there are: {', '.join(ACTIONS)}")
    folder = _found(name, setting)
    with folder.lock():
        manifest = folder.manifest()
        again = list(_unmeasured(folder, manifest, cause))
        spending = Spending(budget, setting.clock)
        before = manifest.plan.planned - len(again)
        work = replace(work_again(folder, manifest, jobs, spending), done=before)
        owed = _foreseen(work, Counter(trial.arm for trial, _ in again), budget, setting)
        done = _carry_out(reopened(folder, manifest, setting.clock.wall()), work, again, setting)
        return _finish(folder, setting, done, spending.told(done.closed, owed))


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


def _carry_out(folder: RunFolder, work: Work, attempts: Iterable[Attempt], setting: Setting) -> Executed:
    """Execute trials within what may be spent; the line of progress ends with it."""
    try:
        return execute(folder, work, work.spending.within(attempts), setting)
    finally:
        setting.progress("")


def _first(trials: Iterator[PlannedTrial]) -> Iterator[Attempt]:
    """Return trials with the number of their first attempt."""
    return ((trial, 0) for trial in trials)


def _unmeasured(folder: RunFolder, manifest: Manifest, cause: str) -> Iterator[Attempt]:
    """Yield the trials that may be attempted again, in work order, with the number of the next attempt."""
    rows = (row for row in verdict_rows(folder) if not cause or row.cause == cause)
    attempts = next_attempts(rows, folder.suite().deciding.name)
    journal = Journal(folder.path)
    for trial in replanned(folder, manifest).in_work_order():
        if trial.index in attempts and journal.last((trial.arm, trial.case, trial.trial)) is not None:
            yield trial, attempts[trial.index]


def _foreseen(work: Work, trials: Mapping[str, int], budget: RunBudget, setting: Setting) -> int:
    """Refuse a budget that cannot be kept, say what the trials will cost, and return how many there are."""
    refuse_unpriced(budget, work.arms)
    owed = Owed(
        suite=work.loaded.suite,
        arms=work.arms,
        mode=work.mode,
        trials=trials,
        jobs=work.jobs,
        budget=budget,
    )
    for line in forecast(owed, setting.reports):
        setting.notice(line)
    return owed.total


def _finish(folder: RunFolder, setting: Setting, done: Executed, ended_by: str) -> RunReport:
    """Settle the verdicts and close the manifest."""
    if ended_by:
        setting.notice(ended_by)
    found = summary(folder)
    manifest = msgspec.structs.replace(folder.manifest(), ended=setting.clock.wall(), complete=found.complete)
    folder.write_manifest(manifest)
    return msgspec.structs.replace(found, manifest=manifest, stopped=done.stopped, ended_by=ended_by)


def _found(name: str, setting: Setting) -> RunFolder:
    found = RunFolder.find(setting.reports, name)
    return RunFolder(found.path, setting.encoder)


def run_name(suite: Suite, setting: Setting) -> str:
    """Return a name that sorts by time: 20261130-102602-refund.

    Args:
        suite: The suite that is run.
        setting: The surroundings, for the time of day.
    """
    stamp = setting.clock.wall()[:19].replace("-", "").replace(":", "").replace("T", "-")
    safe = "".join(char if char.isalnum() or char in "._-" else "_" for char in suite.suite)
    return f"{stamp}-{safe[:60]}"
