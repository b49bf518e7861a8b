"""One run file of Terminal-Bench, and one result in it: their shapes, and how a given one differs from them.

What comes in: JSON values. What goes out: a `Row` or a `Stated`, or all problems by their keys. Unknown keys
are let be: the harness has grown some, and submitters add their own.

Source: laude-institute/terminal-bench, terminal_bench: `BenchmarkResults` and `TrialResults` in
harness/models.py; the statuses of tests in parsers/base_parser.py; a trial's name in
handlers/trial_handler.py.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from evalkit.exchange.strict_json import flaws
from evalkit.records.written import Json

MOST_TRIALS = 1000  # per task; as many as a gate policy may ask for
_SHOWN = 60  # characters of a value in a problem
_LONGEST_NAME = 1000  # characters of a test's name with its reason
_MOST_TOKENS = 10**12

_Count = Annotated[int, Field(ge=0)]
_Tokens = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]
_TestName = Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]

TIMES = (
    "trial_started_at",
    "agent_started_at",
    "agent_ended_at",
    "test_started_at",
    "test_ended_at",
    "trial_ended_at",
)
"""The moments of a trial, in the order in which they come."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


class Row(_Shape):
    """One recorded trial."""

    trial_name: str
    """``task_id.N-of-M``, and behind another dot the label of the run."""
    task_id: str = Field(max_length=200, pattern=r"^\w[\w.\-]*$")
    """The task."""
    is_resolved: bool | None
    """What the authors found; None where they found nothing."""
    failure_mode: str = Field(pattern=r"^[A-Za-z0-9_\-]{1,60}$")
    """How the trial ended, in the source's words."""
    parser_results: dict[_TestName, Literal["passed", "failed"]] | None
    """Test -> what became of it; None where no result of a test could be read."""
    instruction: str | None = None
    """What the agent was asked."""
    total_input_tokens: _Tokens | None = None
    """Tokens read by models."""
    total_output_tokens: _Tokens | None = None
    """Tokens written by models."""
    trial_started_at: str | None = None
    """ISO 8601; the same for all of `TIMES`."""
    agent_started_at: str | None = None
    """When the agent began."""
    agent_ended_at: str | None = None
    """When it ended."""
    test_started_at: str | None = None
    """When the tests began."""
    test_ended_at: str | None = None
    """When they ended."""
    trial_ended_at: str | None = None
    """When everything was put away."""

    @property
    def named(self) -> re.Match[str] | None:
        """Number, number of attempts and label in the trial's name."""
        return re.fullmatch(
            rf"{re.escape(self.task_id)}\.(\d{{1,4}})-of-(\d{{1,4}})(?:\.(.*))?", self.trial_name
        )

    @property
    def attempt(self) -> tuple[int, int]:
        """The trial's number, from 1, and of how many; of a checked row."""
        found = self.named
        return (int(found[1]), int(found[2])) if found is not None else (0, 0)

    @property
    def label(self) -> str:
        """The label of the run, "" where there is none."""
        found = self.named
        return (found[3] or "") if found is not None else ""

    def moment(self, name: str) -> dt.datetime | None:
        """Return one of `TIMES`; None where it is not recorded.

        Args:
            name: Which.

        Raises:
            ValueError: It is no time.
        """
        text: str | None = getattr(self, name)
        if text is None:
            return None
        found = dt.datetime.fromisoformat(text)
        return found if found.tzinfo is not None else found.replace(tzinfo=dt.UTC)


class Stated(_Shape):
    """What a run file says of itself beside its results."""

    id: str | None = None
    """The run's own id."""
    accuracy: float | None = None
    """Share of its results that are resolved."""
    n_resolved: _Count | None = None
    """How many are."""
    n_unresolved: _Count | None = None
    """How many are not."""
    resolved_ids: tuple[str, ...] | None = Field(default=None, strict=False)
    """Their tasks, one for each result."""
    unresolved_ids: tuple[str, ...] | None = Field(default=None, strict=False)
    """The others'."""
    pass_at_k: dict[str, float | None] = Field(default_factory=dict)
    """k -> pass@k."""


Told = tuple[str, str, str]
"""Key inside the file, sentence, value."""


def row_of(value: Json, key: str) -> Row | tuple[Told, ...]:
    """Return a result, or all its problems.

    Args:
        value: One value of `results`.
        key: Where it stands.
    """
    found: list[Told] = [(place, message, "") for place, message in flaws(value, key)]
    try:
        row = Row.model_validate(value)
    except ValidationError as error:
        return (*found, *_unseen(error, key, found))
    return (*found, *_contradictions(row, key)) or row


def stated_of(value: dict[str, Json]) -> Stated | tuple[Told, ...]:
    """Return what a file says of itself, or all that is wrong with that.

    Args:
        value: The file's object; `results` is not looked at.
    """
    parts = {name: part for name, part in value.items() if name != "results"}
    rest = type(value)(parts)  # an object in which a key stood twice stays one
    found: list[Told] = [(place.removeprefix("."), message, "") for place, message in flaws(rest)]
    try:
        stated = Stated.model_validate(rest)
    except ValidationError as error:
        return (*found, *_unseen(error, "", found))
    strange = [k for k in stated.pass_at_k if not re.fullmatch(r"[1-9]\d{0,3}", k)]
    found += [(f"pass_at_k.{k[:_SHOWN]}", "it is no number of trials", "") for k in strange]
    return tuple(found) or stated


def _contradictions(row: Row, key: str) -> Iterator[Told]:
    """Yield where a result says two things at once, or cannot be counted."""
    number, attempts = row.attempt
    if not 1 <= number <= attempts <= MOST_TRIALS:
        told = f"it should be {row.task_id}.N-of-M, with 1 <= N <= M <= {MOST_TRIALS}"
        yield f"{key}.trial_name", told, _short(row.trial_name)
    tests = row.parser_results or {}
    failed = next((name for name, status in tests.items() if status == "failed"), None)
    if row.is_resolved and failed is not None:
        yield (
            f"{key}.is_resolved",
            f"it contradicts parser_results, where a test failed: {_short(failed)}",
            "true",
        )
    if row.is_resolved is False and tests and failed is None:
        yield f"{key}.is_resolved", "it contradicts parser_results, where every test passed", "false"
    yield from _untimely(row, key)


def _untimely(row: Row, key: str) -> Iterator[Told]:
    """Yield moments that are none, or that lie before an earlier one."""
    last: tuple[str, dt.datetime] | None = None
    for name in TIMES:
        try:
            moment = row.moment(name)
        except ValueError:
            yield f"{key}.{name}", "this is no time of day in ISO 8601", _short(str(getattr(row, name)))
            continue
        if moment is not None and last is not None and moment < last[1]:
            yield f"{key}.{name}", f"it lies before {last[0]}", moment.isoformat()
        last = (name, moment) if moment is not None else last


def _unseen(error: ValidationError, key: str, found: Iterable[Told]) -> Iterator[Told]:
    """Yield the problems of a shape, without those whose place was told already."""
    seen = {place for place, _, _ in found}
    for detail in error.errors(include_url=False):
        told = _told(detail, key)
        if told[0] not in seen:
            yield told


def _told(detail: ErrorDetails, key: str) -> Told:
    value = detail["input"]
    shown = "" if isinstance(value, dict | list | tuple) else _short(repr(value))
    message = "Input should be an object" if detail["type"] == "model_type" else detail["msg"]
    steps = [str(step) for step in detail["loc"] if step != "[key]"]
    return ".".join(([key] if key else []) + [_short(step) for step in steps]), message, shown


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."
