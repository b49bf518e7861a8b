"""Binds world, model, agent, runner and journal for the trials that a run owes.

What comes in: a loaded suite, its arms, trials with attempt numbers. What goes out: events in the run's
journal. Real or mock is which world is bound here; nothing above knows the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path

from evalkit.agent.loop import ReferenceLoop
from evalkit.pipeline.progress import Progress
from evalkit.pipeline.scoring import Rescorer
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.spending import Spending
from evalkit.pipeline.stating import stated_in
from evalkit.pipeline.suites import LoadedSuite
from evalkit.plan.probes import probes_of
from evalkit.records.arm import Arm
from evalkit.records.plan import PlannedTrial
from evalkit.records.policy import Mode
from evalkit.records.ports import Assignment, Model
from evalkit.records.probe import Probe
from evalkit.run.engine import Executed, execute_all
from evalkit.run.retries import RetryBudget
from evalkit.run.runner import Runner
from evalkit.run.stop import Stop
from evalkit.score.checks.eventually import arrived
from evalkit.store.folder import RunFolder
from evalkit.store.journal import JournalWriter
from evalkit.suite.functions import load_functions
from evalkit.world.opening import open_world
from evalkit.world.scripted import Scripted


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What trials are executed with.

    Attributes:
        loaded: The suite as it stands on disk.
        arms: Name -> arm.
        mode: Real or mock.
        jobs: Trials at once.
        spending: What this invocation may spend, and has spent.
        done: Trials that were closed before, for the progress line.
    """

    loaded: LoadedSuite
    arms: dict[str, Arm]
    mode: Mode
    jobs: int
    spending: Spending
    done: int = 0


def execute(
    folder: RunFolder, work: Work, attempts: Iterable[tuple[PlannedTrial, int]], setting: Setting
) -> Executed:
    """Run trials; their events go to a new segment of the run's journal.

    Args:
        folder: The run, held for writing.
        work: What they are executed with.
        attempts: Trials with the number of the attempt, in work order; drawn one by one.
        setting: The surroundings.

    Returns:
        How many were begun and closed, and whether the operator stopped them.

    Raises:
        OutputError: An event cannot be written.
        SuiteBug: A trial reached beyond its own world.
    """
    suite = work.loaded.suite
    budget = RetryBudget()
    world = open_world(suite, work.loaded.folder, work.mode, clock=setting.clock, budget=budget)
    functions = load_functions(work.loaded.folder, suite.own_checks)
    owed = folder.manifest().plan.planned - work.done
    progress = Progress(Rescorer(folder.suite(), functions), folder.keep, owed, _telling(work, setting))
    # Tools and policies may go elsewhere; what comes after them is still relative to where the person stands.
    with chdir(Path.cwd()), JournalWriter(folder.path, setting.encoder) as journal:
        runner = Runner(
            world=world,
            make_model=_models(work, setting),
            make_agent=ReferenceLoop,
            limits=suite.limits,
            sink=work.spending.watching(progress.watching(journal.append)),
            clock=setting.clock,
            new_id=setting.ids,
            retry_budget=budget,
            arrived=arrived,
            stated=stated_in(suite),
        )
        return execute_all(
            _assignments(work, attempts, progress),
            runner,
            concurrency=work.jobs,
            stop=Stop(setting.clock, notice=setting.notice, run=folder.path.name),
            on_closed=progress.closed,
            at_end=world.close,
        )


def _telling(work: Work, setting: Setting) -> Setting:
    """Return the surroundings for progress: its lines are shown as such, with what is spent of a budget."""
    return replace(setting, notice=lambda line: setting.progress(f"{line}{work.spending.line()}"))


def _assignments(
    work: Work, attempts: Iterable[tuple[PlannedTrial, int]], progress: Progress
) -> Iterator[Assignment]:
    """Yield trials with all that running them needs; a case's probes are compiled once."""
    suite = work.loaded.suite
    cases = {case.id: case for case in suite.cases}
    probes: dict[str, tuple[Probe, ...]] = {}
    for trial, attempt in attempts:
        case = cases[trial.case]
        if trial.case not in probes:
            probes[trial.case] = probes_of(suite, case)
        progress.planned(trial)
        yield Assignment(
            trial=trial, case=case, arm=work.arms[trial.arm], probes=probes[trial.case], attempt=attempt
        )


def _models(work: Work, setting: Setting) -> Callable[[Assignment], Model]:
    """Return what makes the model of one trial; policies and scripts are read once."""
    named = [arm.model.policy for arm in work.arms.values() if arm.model.policy]
    policies = load_functions(work.loaded.folder, named)
    return Scripted(policies, setting.clock)
