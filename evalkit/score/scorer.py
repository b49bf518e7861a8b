"""The door of the room: facts of one trial -> its verdicts, one for every stage and every planned metric.

What comes in: suite, planned trial, fact sheet. What goes out: `Verdict`s, stages then metrics, in the
suite's order. This is the room's one boundary: a check that raises costs its own metric, never the others of
the trial.
"""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable, Mapping
from typing import cast

from evalkit.errors import SuiteBug
from evalkit.records.case import Case
from evalkit.records.checks import Expectation
from evalkit.records.fact import FactSheet
from evalkit.records.metric import Metric
from evalkit.records.plan import PlannedTrial
from evalkit.records.suite import Suite
from evalkit.records.verdict import Cause, Verdict
from evalkit.score.asking import places_of, standing_in_the_way
from evalkit.score.degraded import is_degraded
from evalkit.score.finding import CheckView, Finding
from evalkit.score.graph import Ruling, Table
from evalkit.score.judging import Judged, Question, judge_metric
from evalkit.score.reading import read_stages
from evalkit.score.roots import Roots
from evalkit.score.settling import fault_cause, settled
from evalkit.score.structure import asked_of, structure_of
from evalkit.score.taints import taints_of
from evalkit.score.writing import Page, blocked_verdict, judged_verdict, stage_verdict, unmeasured_verdicts

Examine = Callable[[Expectation, CheckView], Finding]
"""The door of the check catalogue."""

Functions = Mapping[str, Callable[..., object]]
"""The suite's own check functions by ``file.py:name``."""

_LONGEST_MESSAGE = 500  # characters of an exception; the rest is for its own logs


class Scorer:
    """The verdicts of a suite's trials; the graph is worked out once, and nothing is kept between trials."""

    def __init__(self, suite: Suite, functions: Functions, examine: Examine) -> None:
        """Prepare.

        Args:
            suite: The loaded suite.
            functions: Its own check functions.
            examine: Examines one entry of `expect`.
        """
        self._suite = suite
        self._functions = functions
        self._examine = examine
        self._cases = {case.id: case for case in suite.cases}
        self._structure = structure_of(suite)
        self._places = places_of(suite, self._structure)
        self._own = {metric.name: _own_entry(metric) for metric in suite.metrics}

    def __call__(
        self, trial: PlannedTrial, sheet: FactSheet | None, *, attempt: int = 0
    ) -> tuple[Verdict, ...]:
        """Return the verdicts of one trial.

        Args:
            trial: The planned trial; its case is one of the suite's.
            sheet: Its facts; None where it was never closed.
            attempt: The attempt that counts.

        Returns:
            One verdict for every stage and every metric that is planned for the case, in the suite's order.
        """
        case = self._cases[trial.case]
        metrics = self._suite.metrics_of(case)
        if sheet is None or sheet.stop is None or sheet.stop.cause is not None:
            page = Page(trial=trial, attempt=attempt)
            stages = self._structure.names(self._structure.whole)
            return tuple(unmeasured_verdicts(page, stages, metrics, _whole_cause(sheet)))
        return self._judged(trial, case, metrics, sheet, attempt)

    def _judged(
        self, trial: PlannedTrial, case: Case, metrics: tuple[Metric, ...], sheet: FactSheet, attempt: int
    ) -> tuple[Verdict, ...]:
        reading = read_stages(self._structure, sheet)
        taints = taints_of(self._structure, sheet, reading)
        limited = sheet.stop is not None and (sheet.stop.limit is not None or sheet.stop.end == "limit")
        table = Table(self._structure, asked_of(self._structure, case), reading, taints, limited=limited)
        answers = [self._answer(table, metric, trial, case, sheet) for metric in metrics]
        places = [self._places[metric.name] for metric in metrics]
        reds = (p.position for p, a in zip(places, answers, strict=True) if p.reddens and a.outcome == "fail")
        roots = Roots(table, sum({1 << position for position in reds}))
        degraded = is_degraded(self._structure, sheet, reading)
        page = Page(trial=trial, attempt=attempt, degraded=degraded)
        verdicts = [stage_verdict(page, table, roots, node.index) for node in self._structure.nodes]
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, Ruling):
                verdicts.append(blocked_verdict(page, table, roots, place, answer))
            else:
                verdicts.append(judged_verdict(page, table, roots, place, answer))
        return tuple(verdicts)

    def _answer(
        self, table: Table, metric: Metric, trial: PlannedTrial, case: Case, sheet: FactSheet
    ) -> Ruling | Judged:
        """What stands in the way of a metric, else what its evidence says; a blocked metric runs no check."""
        ruling = standing_in_the_way(table, self._places[metric.name])
        if ruling is not None:
            return ruling
        own = self._own[metric.name] if metric.name not in case.without else None
        entries = tuple(entry for entry in case.expect if entry.metric == metric.name)
        question = Question(
            metric=metric, entries=(own, *entries) if own else entries, mode=trial.mode, sheet=sheet
        )
        return judge_metric(question, lambda entry, turn: self._finding(entry, case, sheet, turn))

    def _finding(self, entry: Expectation, case: Case, sheet: FactSheet, turn: int | None) -> Finding:
        """Examine one entry; the suite's own code gets a copy of the sheet, and can spoil no other's."""
        view = CheckView(
            suite=self._suite,
            case=case,
            sheet=copy.deepcopy(sheet) if entry.kind == "python" else sheet,
            functions=self._functions,
            turn=turn,
        )
        try:
            found = self._examine(entry, view)
        except Exception as error:
            cause = "broken_case" if isinstance(error, SuiteBug) else fault_cause(entry.kind)
            told = "".join(traceback.format_exception_only(error)).strip()[:_LONGEST_MESSAGE]
            return Finding(held=None, reason=f"{entry.kind} raised {told}", cause=cause)
        return settled(entry, found, sheet, turn)


def _own_entry(metric: Metric) -> Expectation | None:
    """The entry that the suite itself feeds a metric with, for every case."""
    if metric.check is None or (metric.args is None and metric.check != "claim_matches_state"):
        return None
    return Expectation(kind=metric.check, args=metric.args or {}, metric=metric.name)


def _whole_cause(sheet: FactSheet | None) -> tuple[Cause, str | None, str]:
    if sheet is None or sheet.stop is None or sheet.stop.cause is None:
        return "cancelled", None, "the trial was never closed"
    stop = sheet.stop
    return cast("Cause", stop.cause), stop.sub, stop.message or "the trial as a whole was not measured"
