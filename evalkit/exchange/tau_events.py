"""The events of one imported trial, from its opening line to its closing line.

What comes in: a planned trial, its case, its entry. What goes out: `Event`s with ids made of case and trial,
and the time 0.0 throughout: the source has no clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from evalkit.exchange.tau_entries import Entry
from evalkit.exchange.tau_suite import DECIDING, QUESTIONS
from evalkit.exchange.tau_trace import TraceReader
from evalkit.records.case import Case
from evalkit.records.event import Body, Closed, Event, Observable, Opened, Probed
from evalkit.records.plan import PlannedTrial
from evalkit.records.probe import probe_id
from evalkit.records.written import Json

OBSERVES: tuple[Observable, ...] = ("calls", "results", "replies")
"""What a tau-bench trace shows: no usage, no timing, and of the world the authors' finding alone."""

_LONGEST = 500  # characters of a recorded error in a closing line; its source has all of them


class Recorded(Struct, frozen=True, kw_only=True):
    """What the file holds of one trial.

    Attributes:
        entry: The checked entry.
        source: What it tells beside the messages, as it stands there.
    """

    entry: Entry
    source: dict[str, Json]


def events_of(trial: PlannedTrial, case: Case, recorded: Recorded | None) -> Iterator[Event]:
    """Yield the events of a trial.

    Args:
        trial: The planned trial.
        case: Its case.
        recorded: What the file holds of it; None where it holds nothing.
    """
    execution = f"{case.id}-{trial.trial}"
    for seq, (turn, body) in enumerate(_bodies(trial, case, recorded)):
        yield Event(execution=execution, seq=seq, turn=turn, body=body)


def _bodies(trial: PlannedTrial, case: Case, recorded: Recorded | None) -> Iterator[tuple[int, Body]]:
    shows = recorded is not None and bool(recorded.entry.traj)
    yield (
        0,
        Opened(
            case=case.id,
            arm=trial.arm,
            mode="imported",
            trial=trial.trial,
            observes=OBSERVES if shows else (),
        ),
    )
    if recorded is None:
        yield 0, _nothing("the file does not hold this trial", None)
    elif not shows:
        told = f"the source records an error and no trace: {recorded.entry.info.error or ''}"
        yield 0, _nothing(told[:_LONGEST], recorded.source)
    else:
        yield from _of_trace(case, recorded)


def _nothing(message: str, source: Json) -> Closed:
    """Close a trial of which nothing was seen: as a whole it is not measured."""
    return Closed(end="cancelled", cause="not_observed", message=message, source=source)


def _of_trace(case: Case, recorded: Recorded) -> Iterator[tuple[int, Body]]:
    reader = TraceReader(flaw=_never, counts=Counter())
    yield from reader.bodies(recorded.entry.traj)
    turn = max(reader.turn, 0)
    for expected in case.expect:
        yield turn, _probed(expected.metric, recorded.entry)
    yield turn, Closed(sub=recorded.entry.info.source, source=recorded.source)


def _never(key: str, message: str, value: str) -> None:
    """A flaw in a file that was checked before: it has changed, or the check is wrong."""
    raise AssertionError(f"{key}: {message}: {value}")


def _probed(metric: str, entry: Entry) -> Probed:
    """Return the authors' finding as the world's answer, or the reason why there is none."""
    found = entry.info.reward_info
    values: dict[str, float | None] = {}
    if found is not None:
        values = {
            DECIDING: found.reward,
            "end_state": found.info.r_actions,
            "outputs_told": found.info.r_outputs,
        }
    question, value = QUESTIONS[metric], values.get(metric)
    if value is None:
        told = f"the source has no {question.removeprefix('recorded ')} for this trial"
        return Probed(id=probe_id(question), cause="not_observed", message=told)
    return Probed(id=probe_id(question), rows=[[value]])
