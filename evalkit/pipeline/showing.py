"""What people look at: the board of a run, a case, a trial with its evidence, the list of runs.

What comes in: names that a person typed. What goes out: `Board`, `TrialView`s, `RunLine`s.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from evalkit.decide.counts import counts
from evalkit.decide.estimates import shown
from evalkit.diagnose.board import board_rows
from evalkit.diagnose.clusters import cluster
from evalkit.errors import InputError, StoreError
from evalkit.pipeline.scoring import Scored, scored
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.summing import tallies
from evalkit.records.attribution import Cluster
from evalkit.records.board import Board, TrialView
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal


class RunLine(Struct, frozen=True, kw_only=True):
    """One run in the list.

    Attributes:
        name: Its name.
        suite: Its suite.
        arms: Its arms.
        mode: Its mode.
        planned: Planned trials.
        complete: Every planned trial has a closing line.
        started: ISO time, UTC.
        decision: What was decided, "" where nothing was.
        size: Bytes on disk.
        problem: Why it cannot be read, "" where it can.
    """

    name: str
    suite: str = ""
    arms: tuple[str, ...] = ()
    mode: str = ""
    planned: int = 0
    complete: bool = False
    started: str = ""
    decision: str = ""
    size: int = 0
    problem: str = ""


def board(name: str, setting: Setting) -> Board:
    """Return a run at a glance.

    Args:
        name: The run's name or path.
        setting: The surroundings.

    Raises:
        InputError: There is no such run.
    """
    folder = RunFolder.find(setting.reports, name)
    suite, manifest = folder.suite(), folder.manifest()
    by_arm = tallies(folder)
    columns, rows = board_rows(suite, folder.verdicts())
    return Board(
        manifest=manifest,
        counts={arm: counts(suite, one) for arm, one in by_arm.items()},
        columns=columns,
        rows=rows,
        clusters={arm: clusters_of(folder, arm) for arm in by_arm},
        estimates={arm: shown(suite, one, manifest.plan.trials) for arm, one in by_arm.items()},
        notes=_notes(suite, manifest),
    )


def clusters_of(folder: RunFolder, arm: str) -> tuple[Cluster, ...]:
    """Return the root causes of one arm, most trials first.

    Args:
        folder: A run.
        arm: Arm name.
    """
    return cluster(one for one in folder.blame() if one.arm == arm and not one.passed)


def trial_views(name: str, case: str, setting: Setting) -> tuple[TrialView, ...]:
    """Return every trial of a case, all arms.

    Args:
        name: The run's name or path.
        case: Case id.
        setting: The surroundings.

    Raises:
        InputError: There is no such run or case.
    """
    folder = RunFolder.find(setting.reports, name)
    known = [one.id for one in folder.suite().cases]
    if case not in known:
        raise InputError.of("this run has no such case", value=case, suggestion=f"it has {', '.join(known[:5])} ...")
    return tuple(_views(folder, case))


def _views(folder: RunFolder, case: str) -> Iterator[TrialView]:
    journal = Journal(folder.path)
    for one in scored(folder, lambda trial: trial.case == case):
        yield _view(one, journal)


def _view(one: Scored, journal: Journal) -> TrialView:
    key = (one.trial.arm, one.trial.case, one.trial.trial)
    last = journal.last(key)
    return TrialView(
        index=one.trial.index,
        case=one.trial.case,
        arm=one.trial.arm,
        trial=one.trial.trial,
        attempts=len(journal.closed.get(key, ())),
        verdicts=one.verdicts,
        sheet=one.sheet,
        trace=journal.trace(last) if last is not None else None,
        attribution=one.attribution,
    )


def runs(setting: Setting) -> tuple[RunLine, ...]:
    """Return all runs, latest first.

    Args:
        setting: The surroundings.
    """
    folders = sorted(setting.reports.glob("*/manifest.json"), reverse=True)
    return tuple(_line(RunFolder(path.parent)) for path in folders)


def _line(folder: RunFolder) -> RunLine:
    try:
        manifest, decision = folder.manifest(), folder.decision()
    except StoreError as error:
        return RunLine(name=folder.name, size=folder.size(), problem=str(error))
    return RunLine(
        name=folder.name,
        suite=manifest.suite,
        arms=tuple(manifest.arms),
        mode=manifest.signature.mode,
        planned=manifest.plan.planned,
        complete=manifest.complete,
        started=manifest.started,
        decision=decision.decision if decision is not None else "",
        size=folder.size(),
    )


def _notes(suite: Suite, manifest: Manifest) -> tuple[str, ...]:
    """Return what a reader should know before believing a figure."""
    notes = list(manifest.losses)
    if suite.has_world and not suite.claims:
        notes.append("false completion: not examined (the suite declares no claims)")
    if manifest.plan.not_in_mode:
        notes.append(f"not planned in real mode, they declare faults: {', '.join(manifest.plan.not_in_mode)}")
    if suite.known:
        notes.append(f"waived: {', '.join(waiver.case for waiver in suite.known)}")
    return tuple(notes)

