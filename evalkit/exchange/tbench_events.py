"""The events of one imported Terminal-Bench trial, from its opening line to its closing line.

What comes in: a planned trial and its result. What goes out: `Event`s: what became of each test, what the
authors found, and a closing line with tokens and times. What the agent did in between is not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from evalkit.exchange.tbench_entries import TIMES, Row
from evalkit.exchange.tbench_modes import PLAIN, Ruling, ruling_of
from evalkit.exchange.tbench_suite import DECIDING, ONE_TEST, QUESTIONS
from evalkit.exchange.tbench_tests import Reported, reported
from evalkit.records.event import Body, Closed, Event, Observable, Opened, Probed, Timing, Usage
from evalkit.records.plan import PlannedTrial
from evalkit.records.probe import probe_id
from evalkit.records.safe import storable
from evalkit.records.verdict import Measure
from evalkit.records.written import Json


class Recorded(Struct, frozen=True, kw_only=True):
    """What the source holds of one trial.

    Attributes:
        row: The checked result.
        file: Name of its file.
        tests: The tests that any trial of its task reports.
    """

    row: Row
    file: str
    tests: frozenset[str]


def usage_of(row: Row) -> Usage | None:
    """Return the tokens of a trial; None where none are known.

    A model that read nothing wrote nothing: 0 input tokens stand where the agent did not count them.

    Args:
        row: A result.

    Source: `AgentResult` of terminal_bench/agents/base_agent.py: both are 0 unless the agent tells them.
    """
    if not row.total_input_tokens and not row.total_output_tokens:
        return None
    return Usage(input=row.total_input_tokens or None, output=row.total_output_tokens)


def seconds_of(row: Row, first: str = "agent_started_at", last: str = "agent_ended_at") -> float | None:
    """Return the seconds between two moments; None where one is not recorded.

    Args:
        row: A result.
        first: The earlier moment.
        last: The later moment.
    """
    started, ended = row.moment(first), row.moment(last)
    return (ended - started).total_seconds() if started is not None and ended is not None else None


def events_of(trial: PlannedTrial, recorded: Recorded | None) -> Iterator[Event]:
    """Yield the events of a trial.

    Args:
        trial: The planned trial.
        recorded: What the source holds of it; None where it holds nothing.
    """
    execution = f"{trial.case}-{trial.trial}"
    bodies = _bodies_of(trial, recorded) if recorded is not None else _of_nothing(trial)
    for seq, (at, body) in enumerate(bodies):
        yield Event(execution=execution, seq=seq, at=at, body=body)


def _of_nothing(trial: PlannedTrial) -> Iterator[tuple[float, Body]]:
    yield 0.0, Opened(case=trial.case, arm=trial.arm, mode="imported", trial=trial.trial, observes=())
    yield 0.0, Closed(end="cancelled", cause="not_observed", message="the source does not hold this trial")


def _bodies_of(trial: PlannedTrial, recorded: Recorded) -> Iterator[tuple[float, Body]]:
    row, ruling = recorded.row, ruling_of(recorded.row)
    usage = usage_of(row)
    seconds = seconds_of(row) if ruling.cause != "environment" else None  # the agent never began
    observes: list[Observable] = ["probes"]
    observes += ["usage"] if usage is not None else []
    observes += ["timing"] if seconds is not None else []
    opened = Opened(
        case=trial.case,
        arm=trial.arm,
        mode="imported",
        trial=trial.trial,
        started_at=row.trial_started_at or "",
        observes=tuple(observes),
    )
    yield 0.0, opened
    tested = _since_start(row, "test_ended_at")
    for body in _probed(row, recorded.tests):
        yield tested, body
    closed = Closed(
        end=ruling.end,
        cause=ruling.cause,
        sub=row.failure_mode if ruling.cause is not None or row.failure_mode not in PLAIN else None,
        message=_message(row, ruling),
        timing=Timing(model=seconds) if seconds is not None else None,
        usage=usage,
        source=_source(recorded),
    )
    yield max(tested, _since_start(row, "trial_ended_at")), closed


def _since_start(row: Row, moment: str) -> float:
    """Return when something happened; 0 where there is no clock, as for all that has no time."""
    return seconds_of(row, "trial_started_at", moment) or 0.0


def _message(row: Row, ruling: Ruling) -> str:
    return f"{row.failure_mode}: {ruling.message}" if ruling.message else ""


def _probed(row: Row, known: frozenset[str]) -> Iterator[Probed]:
    """Yield what became of each test, and the answers that the metrics are read from."""
    found = reported(row.parser_results or {}, known)
    if row.parser_results is not None:
        for name, status in found.statuses.items():
            yield _answered(ONE_TEST + storable(name), status or None, "this trial does not report the test")
    yield _answered(QUESTIONS[DECIDING], row.is_resolved, "the source records no verdict")
    yield _answered(QUESTIONS["tests_passed"], found.share, _unknown(row, found), _measure(found))
    yield _answered(QUESTIONS["some_test_passed"], found.any_passed, _unknown(row, found))


def _measure(found: Reported) -> Measure | None:
    if found.share is None:
        return None
    return Measure(value=found.share, unit="share of tests passed", n=found.n, threshold=1.0)


def _unknown(row: Row, found: Reported) -> str:
    if row.parser_results is None:
        return "the source records no result of a test"
    return f"{len(found.missing)} of {len(found.statuses)} tests of the task are not reported in this trial"


def _answered(question: str, value: Json, otherwise: str, measure: Measure | None = None) -> Probed:
    if value is None:
        return Probed(id=probe_id(question), cause="not_observed", message=otherwise)
    return Probed(id=probe_id(question), rows=[[value]], measure=measure)


def _source(recorded: Recorded) -> dict[str, Json]:
    """Return the result in the source's own words; tests stand in the events before."""
    row = recorded.row
    kept = ("trial_name", "is_resolved", "failure_mode", "total_input_tokens", "total_output_tokens")
    words = {name: getattr(row, name) for name in (*kept, *TIMES)}
    return {"file": recorded.file} | {
        name: value for name, value in words.items() if value is not None or name in kept
    }
