"""What a report of a run shows, put together from its folder.

What comes in: the name of a run. What goes out: a `Document` that `report` lays out. Nothing is executed;
rows are streamed, and only the trials that are shown are held.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from evalkit.diagnose.clusters import cluster_id
from evalkit.diagnose.spending import Spending
from evalkit.facts.totals import timing_of, usage_of
from evalkit.pipeline.ending import standing
from evalkit.pipeline.scoring import blame_rows, verdict_rows
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.showing import board_of, views_of
from evalkit.records.attribution import Attribution
from evalkit.records.board import Board, TrialView
from evalkit.records.decision import Decision
from evalkit.records.document import Document, ShownTrial, Spread, StageNode, Why
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict
from evalkit.report.following import next_command
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal

_CLUSTERS = 50  # of the first so many clusters trials are shown (interfaces.md, section 3)
_MOST: Final[Mapping[Why, int]] = {"failed": 2, "error": 3, "passing": 3}
"""Trials of a cluster (one may be chance, a third tells nothing new), of an unmeasured cause, and passing."""


def document(name: str, setting: Setting, only_arm: str | None = None) -> Document:
    """Return everything that a report of a run shows.

    Args:
        name: The run's name or path.
        setting: The surroundings.
        only_arm: Only this arm; None shows all.

    Raises:
        InputError: There is no such run or arm.
        StoreError: The folder is damaged.
    """
    return document_of(RunFolder.find(setting.reports, name), setting, only_arm)


def document_of(folder: RunFolder, setting: Setting, only_arm: str | None = None) -> Document:
    """Return everything that a report of a run shows; see `document`.

    Args:
        folder: The run.
        setting: The surroundings.
        only_arm: Only this arm; None shows all.
    """
    board = board_of(folder, setting, only_arm)
    suite, journal = folder.suite(), Journal(folder.path)
    decision, dropped = _decision(folder, board)
    chosen = _choose(folder, suite, board)
    views = views_of(folder, lambda planned: planned.index in chosen.why, journal)
    return Document(
        board=board,
        decision=decision,
        dropped=dropped,
        ask=_ask(folder, board),
        stages=tuple(
            StageNode(name=one.name, needs=one.needs, demand=one.demand, fallback=one.fallback)
            for one in suite.stages
        ),
        spreads=_spreads(folder, journal, board.counts),
        waivers=board.waivers,
        trials=tuple(sorted((_shown(view, *chosen.why[view.index]) for view in views), key=_first_failed)),
        left_out=tuple(chosen.left_out(board)),
    )


@dataclass(slots=True)
class _Chosen:
    """Which trials are shown, by plan index; of each kind the first trials of different cases."""

    why: dict[int, tuple[Why, str]] = field(default_factory=dict)
    cases: dict[str, set[str]] = field(default_factory=dict)

    def take(self, row: Verdict | Attribution, kind: str, why: Why, cluster: str = "") -> None:
        """Take a trial, unless its case or enough of its kind are taken."""
        taken = self.cases.setdefault(kind, set())
        if row.case not in taken and len(taken) < _MOST[why]:
            taken.add(row.case)
            self.why[row.index] = (why, cluster)

    def left_out(self, board: Board) -> Iterator[str]:
        """Yield what is not shown, in sentences."""
        counted = board.counts.values()
        there: dict[Why, tuple[str, int]] = {
            "failed": ("failed trials", sum(one.failed for one in counted)),
            "error": ("unmeasured trials", sum(one.unmeasured for one in counted)),
            "passing": ("passed trials", sum(one.passed for one in counted)),
        }
        for kind, (words, n) in there.items():
            shown = sum(why == kind for why, _ in self.why.values())
            if n > shown:
                again = f"evalkit show {board.manifest.run} CASE TRIAL"
                yield f"{n - shown} of {n} {words} are not shown here; for any of them: {again}"
        clusters = sum(len(one) for one in board.clusters.values())
        if clusters > _CLUSTERS:
            yield f"{clusters - _CLUSTERS} of {clusters} clusters have no example here"


def _shown(view: TrialView, why: Why, cluster: str) -> ShownTrial:
    return ShownTrial(view=view, why=why, cluster=cluster)


def _choose(folder: RunFolder, suite: Suite, board: Board) -> _Chosen:
    """Choose the trials that are shown: of clusters, of unmeasured causes, and some that passed."""
    chosen = _Chosen()
    first = [(arm, one.id) for arm, clusters in board.clusters.items() for one in clusters[:_CLUSTERS]][
        :_CLUSTERS
    ]
    wanted = set(first)
    for record in blame_rows(folder):
        name = cluster_id(record)
        if not record.passed and (record.arm, name) in wanted:
            chosen.take(record, f"{record.arm}:{name}", "failed", name)
    deciding = suite.deciding.name
    for row in verdict_rows(folder):
        if row.of != "metric" or row.name != deciding or row.arm not in board.counts:
            continue
        if row.cause_class == "unmeasured":
            chosen.take(row, f"cause {row.arm} {row.cause} {row.sub}", "error")
        elif row.outcome == "pass":
            chosen.take(row, "passing", "passing")
    return chosen


def _first_failed(one: ShownTrial) -> tuple[int, int]:
    return ("failed", "error", "passing").index(one.why), one.view.index


def _decision(folder: RunFolder, board: Board) -> tuple[Decision | None, str]:
    """Return the stored decision, or why it is not shown: made on other verdicts, or about another arm."""
    decision = folder.decision()
    if decision is None:
        return None, ""
    if decision.arm not in board.counts:
        return None, f"The last decision, {decision.decision}, is about arm {decision.arm}, not shown here."
    if not decision.is_about(board.counts[decision.arm]):
        said = f"The last decision, {decision.decision} about arm {decision.arm}"
        return None, f"{said}, was made before the verdicts changed: it holds no more."
    return msgspec.structs.replace(decision, run=board.manifest.run), ""


def _ask(folder: RunFolder, board: Board) -> str:
    """Return what leads to a decision about what is shown; whoever reads it may stand anywhere."""
    manifest = board.manifest
    told = standing(folder, manifest, board.counts)
    command = next_command(manifest, board.counts, complete=manifest.complete, ending=told, after="report")
    one_of_several = len(board.counts) == 1 < len(manifest.arms) and command.startswith("evalkit gate")
    return f"{command} --arm {shlex.quote(next(iter(board.counts)))}" if one_of_several else command


def _spreads(
    folder: RunFolder, journal: Journal, arms: Mapping[str, object]
) -> dict[str, tuple[Spread, ...]]:
    """Read what every closed trial used, one trace at a time."""
    spending = {arm: Spending() for arm in arms}
    for trial in folder.plan():
        execution = journal.last((trial.arm, trial.case, trial.trial))
        if execution is not None and trial.arm in spending:
            trace = journal.trace(execution)
            spending[trial.arm].add(timing_of(trace), usage_of(trace))
    return {arm: one.spreads() for arm, one in spending.items()}
