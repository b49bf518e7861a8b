"""What the world says before anybody does anything: SQL that does not run, claims that hold already.

What comes in: a suite and the traces of an empty transcript. What goes out: problems with their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evalkit.errors import Problem
from evalkit.records.case import Case
from evalkit.records.event import Faulted, Probed, Trace
from evalkit.records.plan import PlannedTrial
from evalkit.records.suite import Suite
from evalkit.score.checks.claims import is_yes
from evalkit.suite.document import KeyPath
from evalkit.suite.places import placed
from evalkit.suite.questions import Question, of_case, of_start, of_suite

_LISTED = 5  # cases that one problem names


@dataclass(slots=True)
class _Seen:
    """What was found of the suite's own questions, over all cases.

    Attributes:
        broken: Place in suite.yaml -> question, what the engine said, and the cases.
        empty: Place in suite.yaml -> question whose answer has no rows, and the cases.
        holding: Claim -> its question and the cases at whose start it holds.
    """

    broken: dict[KeyPath, tuple[Question, str, list[str]]] = field(default_factory=dict)
    empty: dict[KeyPath, tuple[Question, list[str]]] = field(default_factory=dict)
    holding: dict[str, tuple[Question, list[str]]] = field(default_factory=dict)


def world_problems(
    suite: Suite, file: Path, traces: Iterable[tuple[PlannedTrial, Trace]]
) -> Iterator[Problem]:
    """Yield what refuses the suite's SQL, and the claims that nobody could make falsely.

    Args:
        suite: The loaded suite.
        file: Its suite.yaml.
        traces: The trace of an empty transcript for each case.
    """
    cases = {case.id: case for case in suite.cases}
    seen = _Seen()
    for trial, trace in traces:
        case = cases[trial.case]
        fault = next((event.body for event in trace.events if isinstance(event.body, Faulted)), None)
        if fault is not None:
            yield _cannot_start(case, fault)
        answers = {event.body.id: event.body for event in trace.events if isinstance(event.body, Probed)}
        for question in of_case(case):
            said = _refusal(question, answers)
            if said:
                yield _of_case(case, question, said)
            elif _shows_nothing(question, answers):
                yield placed(
                    case.place, question.path, "empty-gold", _EMPTY, suggestion=_FILL, value=question.sql
                )
        for question in of_suite(suite, case):
            _note(seen, question, answers, case)
    yield from _of_suite(seen, file)


def _refusal(question: Question, answers: Mapping[str, Probed]) -> str:
    """Return why a question has no answer, "" where it has one or was not asked."""
    found = (answers.get(probe) for probe in question.probes)
    return next((answer.message or answer.cause for answer in found if answer and answer.cause), "")


def _shows_nothing(question: Question, answers: Mapping[str, Probed]) -> bool:
    answer = answers.get(question.probes[-1])
    return question.needs_rows and answer is not None and answer.rows == []


def _note(seen: _Seen, question: Question, answers: Mapping[str, Probed], case: Case) -> None:
    said = _refusal(question, answers)
    if said:
        seen.broken.setdefault(question.path, (question, said, []))[2].append(case.id)
        return
    if _shows_nothing(question, answers):
        seen.empty.setdefault(question.path, (question, []))[1].append(case.id)
    answer = answers.get(question.probes[-1])
    if question.claim and answer is not None and is_yes(answer.rows or []):
        seen.holding.setdefault(question.claim, (question, []))[1].append(case.id)


def _cannot_start(case: Case, fault: Faulted) -> Problem:
    first = next(of_start(case), None)
    path: KeyPath = () if first is None else first.path[:-1]
    sql = "; ".join(case.start.statements)
    advice = "mend `start`, which runs on a copy of the suite's world" if first else "mend the suite's world"
    return placed(case.place, path, "bad-sql", fault.message or fault.cause, suggestion=advice, value=sql)


def _of_case(case: Case, question: Question, said: str) -> Problem:
    told = f"{question.whose} cannot ask the world: {said}"
    return placed(case.place, question.path, "bad-sql", told, suggestion=_MEND, value=question.sql)


_MEND = "write one SELECT over the tables that `world.database` builds"
_EMPTY = "the gold SQL gives no rows, so that any SQL that gives none would equal it"
_FILL = "ask for rows that are there, or write `allow_empty: true` where none is the right answer"


def _of_suite(seen: _Seen, file: Path) -> Iterator[Problem]:
    for question, said, cases in seen.broken.values():
        told = f"{question.whose} cannot ask the world: {said} ({_in_cases(cases)})"
        yield placed(str(file), question.path, "bad-sql", told, suggestion=_MEND, value=question.sql)
    for question, cases in seen.empty.values():
        told = f"{_EMPTY} ({_in_cases(cases)})"
        yield placed(str(file), question.path, "empty-gold", told, suggestion=_FILL, value=question.sql)
    for name, (question, cases) in seen.holding.items():
        told = f"claim `{name}` holds before anything is done, so that it is never false: {_in_cases(cases)}"
        advice = "ask for what only the agent's work brings about, or start these cases from another state"
        yield placed(
            str(file), question.path, "claim-holds-at-start", told, suggestion=advice, value=question.sql
        )


def _in_cases(cases: list[str]) -> str:
    more = f" and {len(cases) - _LISTED} more" if len(cases) > _LISTED else ""
    return f"case{'s' if len(cases) > 1 else ''} {', '.join(cases[:_LISTED])}{more}"
