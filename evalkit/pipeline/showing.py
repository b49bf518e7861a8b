"""What people look at: the board of a run, a case, a trial with its evidence.

What comes in: names that a person typed. What goes out: `Board`, `TrialView`s.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from evalkit.decide.counts import counts
from evalkit.decide.estimates import shown
from evalkit.decide.silence import silences
from evalkit.decide.tally import Tallies
from evalkit.decide.words import count, not_planned
from evalkit.diagnose.absent import absent_facts
from evalkit.diagnose.board import board_rows
from evalkit.diagnose.clusters import cluster
from evalkit.diagnose.waived import waiver_lines
from evalkit.errors import InputError
from evalkit.pipeline.ending import standing, typed
from evalkit.pipeline.order import today
from evalkit.pipeline.scoring import Scored, blame_rows, scored, verdict_rows
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.summing import first_broken, tallies
from evalkit.records.attribution import Cluster
from evalkit.records.board import Blamed, Board, BoardRow, TrialView
from evalkit.records.decision import Counts
from evalkit.records.plan import PlannedTrial
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite
from evalkit.report.following import next_command
from evalkit.report.runs import source_lines
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal


def board(name: str, setting: Setting, only_arm: str | None = None) -> Board:
    """Return a run at a glance.

    Args:
        name: The run's name or path.
        setting: The surroundings.
        only_arm: Only this arm; None shows all.

    Raises:
        InputError: There is no such run or arm.
    """
    return board_of(RunFolder.find(setting.reports, name), setting, only_arm)


def board_of(folder: RunFolder, setting: Setting, only_arm: str | None = None) -> Board:
    """Return a run at a glance; see `board`.

    Args:
        folder: The run.
        setting: The surroundings.
        only_arm: Only this arm; None shows all.
    """
    suite, manifest = folder.suite(), folder.manifest()
    arms = _arms(manifest, only_arm)
    by_arm = {arm: one for arm, one in tallies(folder).items() if arm in arms}
    columns, rows = board_rows(
        suite, (row for row in verdict_rows(folder) if row.arm in arms), today(setting)
    )
    counted = {arm: counts(suite, one) for arm, one in by_arm.items()}
    return Board(
        manifest=manifest,
        counts=counted,
        columns=columns,
        rows=rows,
        clusters={arm: clusters_of(folder, arm) for arm in by_arm},
        estimates={arm: shown(suite, one, manifest.plan.trials) for arm, one in by_arm.items()},
        notes=(*_notes(suite, manifest), *_silent(suite, by_arm), *_passed_with_fault(folder, by_arm)),
        waivers=waiver_lines(suite, rows, today(setting)),
        next=_next(folder, counted, rows, setting),
    )


def _next(folder: RunFolder, arms: dict[str, Counts], rows: Sequence[BoardRow], setting: Setting) -> str:
    """Return what to type after having looked at the board."""
    manifest = folder.manifest()
    broken = first_broken(folder.suite(), arms, partial(verdict_rows, folder))
    told = msgspec.structs.replace(
        standing(folder, manifest, arms, setting),
        failing=next((row.case for row in rows if row.outcome[1]), ""),
        broken=typed(broken, manifest),
    )
    return next_command(manifest, arms, complete=manifest.complete, ending=told, after="show")


def clusters_of(folder: RunFolder, arm: str, *, passed: bool = False) -> tuple[Cluster, ...]:
    """Return the root causes of one arm, most trials first.

    Args:
        folder: A run.
        arm: Arm name.
        passed: Of trials that passed all the same, instead of those that failed.
    """
    return cluster(one for one in blame_rows(folder) if one.arm == arm and one.passed is passed)


def blame(name: str, setting: Setting, only_arm: str | None = None) -> tuple[Blamed, ...]:
    """Return the root causes of a run, each with its first trial as example; those of passing trials last.

    Args:
        name: The run's name or path.
        setting: The surroundings.
        only_arm: Only this arm; None shows all.

    Raises:
        InputError: There is no such run or arm.
    """
    folder = RunFolder.find(setting.reports, name)
    arms = _arms(folder.manifest(), only_arm)
    found = {arm: clusters_of(folder, arm) + clusters_of(folder, arm, passed=True) for arm in arms}
    wanted = {one.example for clusters in found.values() for one in clusters}
    examples = {one.index: one for one in blame_rows(folder) if one.index in wanted}
    return tuple(
        Blamed(arm=arm, cluster=one, example=examples[one.example])
        for arm, clusters in found.items()
        for one in clusters
    )


def trial_views(
    name: str, case: str, setting: Setting, *, arm: str | None = None, trial: int | None = None
) -> tuple[TrialView, ...]:
    """Return the trials of a case.

    Args:
        name: The run's name or path.
        case: Case id.
        setting: The surroundings.
        arm: Only this arm; None shows all.
        trial: Only this trial; None shows all.

    Raises:
        InputError: There is no such run, case, arm or trial.
    """
    folder = RunFolder.find(setting.reports, name)
    arms = _arms(folder.manifest(), arm)
    known = [one.id for one in folder.suite().cases]
    if case not in known:
        raise InputError.of("this run has no such case", value=case, suggestion=_nearest(case, known))

    there: set[int] = set()

    def wanted(planned: PlannedTrial) -> bool:
        fits = planned.case == case and planned.arm in arms
        if fits:
            there.add(planned.trial)
        return fits and trial in (None, planned.trial)

    views = views_of(folder, wanted)
    if not views:
        has = ", ".join(map(str, sorted(there))) if there else "none: it was not planned"
        raise InputError.of(
            "this case has no such trial", value=str(trial), file=case, suggestion=f"it has {has}"
        )
    return views


def views_of(
    folder: RunFolder, wanted: Callable[[PlannedTrial], bool], journal: Journal | None = None
) -> tuple[TrialView, ...]:
    """Return trials with all of their evidence, in plan order.

    Args:
        folder: A run.
        wanted: Which trials.
        journal: Its journal, where that was read already.
    """
    known = journal or Journal(folder.path)
    return tuple(_view(one, known, folder.suite(), folder.name) for one in scored(folder, wanted, known))


def _arms(manifest: Manifest, only: str | None) -> tuple[str, ...]:
    if only is not None and only not in manifest.arms:
        known = ", ".join(manifest.arms)
        raise InputError.of("this run has no such arm", value=only, suggestion=f"it has {known}")
    return tuple(manifest.arms) if only is None else (only,)


def _nearest(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else f"it has {', '.join(known[:5])} ..."


def _view(one: Scored, journal: Journal, suite: Suite, run: str) -> TrialView:
    key = (one.trial.arm, one.trial.case, one.trial.trial)
    last = journal.last(key)
    return TrialView(
        index=one.trial.index,
        case=one.trial.case,
        arm=one.trial.arm,
        trial=one.trial.trial,
        attempts=len(journal.attempts(key)),
        verdicts=one.verdicts,
        sheet=one.sheet,
        trace=journal.trace(last) if last is not None else None,
        attribution=one.attribution,
        run=run,
        notes=absent_facts(suite, one.sheet) if one.sheet is not None else (),
    )


def _silent(suite: Suite, arms: Mapping[str, Tallies]) -> Iterator[str]:
    """Yield the claims that no trial of an arm made; the arm is named where there are several."""
    for arm, one in arms.items():
        yield from (f"{arm}: {told}" if len(arms) > 1 else told for told in silences(suite, one))


def _passed_with_fault(folder: RunFolder, arms: Mapping[str, Tallies]) -> Iterator[str]:
    """Yield that trials passed in which a stage or a metric of tier gate or compare failed."""
    found = [one for one in blame_rows(folder) if one.passed and one.arm in arms]
    if found:
        cases = count(len({one.case for one in found}), "case")
        told = f"{count(len(found), 'trial')} of {cases} passed all the same, though a stage or metric failed"
        yield f"{told}: evalkit blame {folder.name}"


def _notes(suite: Suite, manifest: Manifest) -> tuple[str, ...]:
    """Return what a reader should know before believing a figure."""
    notes = list(source_lines(manifest))
    notes += manifest.losses
    if suite.has_world and not suite.claims:
        notes.append("false completion: not examined (the suite declares no claims)")
    notes += not_planned(manifest.plan.not_in_mode)
    if manifest.shard is not None:
        notes.append(
            f"shard {manifest.shard.number} of {manifest.shard.of} of a plan: evalkit merge joins them"
        )
    if not manifest.complete:
        notes.append(f"the run is incomplete: evalkit resume {manifest.run}")
    return tuple(notes)
