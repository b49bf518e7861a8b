"""The door of the room: facts of one trial -> its verdicts, one for every stage and every planned metric.

What comes in: suite, planned trial, fact sheet. What goes out: `Verdict`s, stages then metrics, in the
suite's order. This is the room's one boundary: a check that raises costs its own metric, never the others of
the trial.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

import msgspec
from msgspec import structs

from evalkit.errors import SuiteBug
from evalkit.records.checks import Expectation
from evalkit.records.fact import FactSheet
from evalkit.records.plan import PlannedTrial
from evalkit.records.suite import Suite
from evalkit.records.verdict import Cause, Verdict
from evalkit.score.asking import Place, places_of, standing_in_the_way
from evalkit.score.checks.catalogue import examine as examine_by_catalogue
from evalkit.score.degraded import is_degraded
from evalkit.score.feeding import Fed, Owed, owed_by
from evalkit.score.finding import CheckView, Finding
from evalkit.score.graph import Table
from evalkit.score.judging import Ask, Judged, Question, judge_metric
from evalkit.score.over_turns import answer_over_turns
from evalkit.score.reading import read_stages
from evalkit.score.roots import Roots
from evalkit.score.ruling import Ruling
from evalkit.score.settling import fault_cause, settled
from evalkit.score.structure import structure_of
from evalkit.score.taints import taints_of
from evalkit.score.turns import conversation_of
from evalkit.score.writing import (
    Page,
    Shown,
    blocked_verdict,
    judged_verdict,
    stage_verdict,
    unmeasured_verdicts,
)

Examine = Callable[[Expectation, CheckView], Finding]
"""The door of the check catalogue: what holds, without `not_`."""

Functions = Mapping[str, Callable[..., object]]
"""The suite's own check functions by ``file.py:name``."""

_LONGEST_MESSAGE = 500  # characters of an exception; the rest is for its own logs


def score(
    suite: Suite,
    trial: PlannedTrial,
    sheet: FactSheet | None,
    *,
    functions: Functions,
    attempt: int = 0,
    examine: Examine = examine_by_catalogue,
) -> tuple[Verdict, ...]:
    """Return the verdicts of one trial; for many trials of a suite make one `Scorer`.

    Args:
        suite: The loaded suite.
        trial: The planned trial; its case is one of the suite's.
        sheet: Its facts; None where it was never closed.
        functions: The suite's own check functions.
        attempt: The attempt that counts.
        examine: Examines one entry of `expect`.

    Returns:
        One verdict for every stage and every metric that is planned for the case, in the suite's order.
    """
    return Scorer(suite, functions, examine)(trial, sheet, attempt=attempt)


class Scorer:
    """The verdicts of a suite's trials; what is kept between them comes from the suite alone."""

    def __init__(self, suite: Suite, functions: Functions, examine: Examine = examine_by_catalogue) -> None:
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
        self._owed: dict[str, Owed] = {}

    def __call__(
        self, trial: PlannedTrial, sheet: FactSheet | None, *, attempt: int = 0
    ) -> tuple[Verdict, ...]:
        """Return the verdicts of one trial; see `score`."""
        owed = self._owed_by(trial.case)
        if sheet is not None and sheet.stop is not None and sheet.stop.cause is None:
            return self._judged(trial, owed, sheet, attempt)
        page = Page(trial=trial, attempt=attempt)
        names = self._structure.names(self._structure.whole)
        metrics = tuple(fed.place.metric.name for fed in owed.fed)
        return tuple(unmeasured_verdicts(page, names, metrics, _whole_cause(sheet)))

    def _owed_by(self, name: str) -> Owed:
        owed = self._owed.get(name)
        if owed is None:
            owed = owed_by(self._suite, self._structure, self._places, self._cases[name])
            self._owed[name] = owed
        return owed

    def _judged(self, trial: PlannedTrial, owed: Owed, sheet: FactSheet, attempt: int) -> tuple[Verdict, ...]:
        structure = self._structure
        reading = read_stages(structure, sheet)
        limited = sheet.stop is not None and (sheet.stop.limit is not None or sheet.stop.end == "limit")
        view = CheckView(suite=self._suite, case=owed.case, sheet=sheet, functions=self._functions)
        ask = _Examination(self._examine, view)
        if len(owed.asked) == 1:
            taints = taints_of(structure, sheet, reading)
            table = Table(structure, owed.asked[0], reading, taints, limited=limited)
            tables: tuple[Table, ...] = (table,)
            rulings = table.rulings
            answers = [(fed.place, _answer(table, fed, trial, sheet, ask)) for fed in owed.fed]
        else:
            talk = conversation_of(structure, owed.asked, sheet, reading, limited=limited)
            tables, rulings = talk.tables, talk.rulings()
            answers = [
                (fed.place, answer_over_turns(talk, fed.place, _question(fed, trial, sheet), ask))
                for fed in owed.fed
            ]
        reds = {place.position for place, answer in answers if place.reddens and answer.outcome == "fail"}
        roots = Roots(tables, sum(1 << position for position in reds))
        page = Page(trial=trial, attempt=attempt, degraded=is_degraded(structure, sheet, reading))
        shown = Shown(structure=structure, rulings=rulings, recovered=reading.recovered, roots=roots)
        return tuple(_verdicts(page, shown, answers))


def _answer(table: Table, fed: Fed, trial: PlannedTrial, sheet: FactSheet, ask: Ask) -> Ruling | Judged:
    """What stands in the way of a metric, else what its evidence says; a blocked metric runs no check."""
    return standing_in_the_way(table, fed.place) or judge_metric(_question(fed, trial, sheet), ask)


def _question(fed: Fed, trial: PlannedTrial, sheet: FactSheet) -> Question:
    return Question(
        metric=fed.place.metric, entries=fed.entries, mode=trial.mode, sheet=sheet, at_least=fed.at_least
    )


def _verdicts(
    page: Page, shown: Shown, answers: Iterable[tuple[Place, Ruling | Judged]]
) -> Iterator[Verdict]:
    for node in shown.structure.nodes:
        yield stage_verdict(page, shown, node.index)
    for place, answer in answers:
        if isinstance(answer, Ruling):
            yield blocked_verdict(page, shown, place, answer)
        else:
            yield judged_verdict(page, shown, place, answer)


class _Examination:
    """The entries of one trial, examined one by one; whatever a check does becomes a finding."""

    def __init__(self, examine: Examine, view: CheckView) -> None:
        self._examine = examine
        self._views = {view.turn: view}

    def __call__(self, entry: Expectation, turn: int | None) -> Finding:
        sheet = self._views[None].sheet
        try:
            found = self._examine(entry, self._view(entry, turn))
        except Exception as error:
            cause = "broken_case" if isinstance(error, SuiteBug) else fault_cause(entry.kind)
            told = "".join(traceback.format_exception_only(error)).strip()[:_LONGEST_MESSAGE]
            return Finding(held=None, reason=f"{entry.kind} raised {told}", cause=cause)
        return settled(entry, found, sheet, turn)

    def _view(self, entry: Expectation, turn: int | None) -> CheckView:
        """What the entry may read; the suite's own code gets a copy of the sheet, and spoils no other's."""
        if turn not in self._views:
            self._views[turn] = structs.replace(self._views[None], turn=turn)
        view = self._views[turn]
        if entry.kind != "python":
            return view
        return structs.replace(view, sheet=_copied(view.sheet))


def _copied(sheet: FactSheet) -> FactSheet:
    """A copy that shares nothing, made without the recursion of `deepcopy`: nesting may be hostile."""
    return msgspec.convert(msgspec.to_builtins(sheet), FactSheet)


def _whole_cause(sheet: FactSheet | None) -> tuple[Cause, str | None, str]:
    if sheet is None or sheet.stop is None or sheet.stop.cause is None:
        return "cancelled", None, "the trial was never closed"
    stop = sheet.stop
    return cast("Cause", stop.cause), stop.sub, stop.message or "the trial as a whole was not measured"
