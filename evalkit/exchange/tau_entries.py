"""One entry of a tau-bench result file: its shape, and every way in which a given one differs from it.

What comes in: a JSON value. What goes out: an `Entry`, or all its problems by their keys. Unknown keys are
let be: the providers' messages carry many.

Source: `EnvRunResult`, `EnvInfo`, `Task` and `RewardResult` of sierra-research/tau-bench, tau_bench/types.py;
the entry of a trial that raised (`info` with `error`, an empty `traj`) is written by its run.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from evalkit.exchange.strict_json import Piece, flaws
from evalkit.records.written import Json

MOST_TRIALS = 1000  # per task; as many as a gate policy may ask for
_LARGEST_TASK = 10**9
_SHOWN = 60  # characters of a value in a problem
SUCCESS = 1e-6
"""How far a reward may lie from 1 and still be a success. Source: tau-bench, `is_successful` in run.py."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


class Action(_Shape):
    """One of the calls that the authors hold for a solution."""

    name: str = Field(min_length=1)
    kwargs: dict[str, Json]


class Task(_Shape):
    """What a trial was about; `instruction` is read by the simulated user, never by the agent."""

    instruction: str
    actions: tuple[Action, ...] = Field(strict=False)
    outputs: tuple[str, ...] = Field(strict=False)


class Parts(_Shape):
    """What the reward was made of: outputs where the task names some, else the end state."""

    r_actions: float | None = None
    r_outputs: float | None = None


class RewardInfo(_Shape):
    """What the authors found at the end of a trial."""

    reward: float
    info: Parts


class Info(_Shape):
    """What is told of a trial beside its messages."""

    task: Task | None = None
    source: str | None = None
    reward_info: RewardInfo | None = None
    error: str | None = None


class Function(_Shape):
    """Which tool, with which arguments as the model wrote them."""

    name: str = Field(min_length=1)
    arguments: str


class Call(_Shape):
    """One call that an assistant message asks for."""

    id: str
    function: Function


class System(_Shape):
    """The agent's policy."""

    role: Literal["system"]
    content: str


class User(_Shape):
    """What the simulated user says."""

    role: Literal["user"]
    content: str


class Assistant(_Shape):
    """What the model says: calls, or text to the user."""

    role: Literal["assistant"]
    content: str | None = None
    tool_calls: tuple[Call, ...] | None = Field(default=None, strict=False)


class Tool(_Shape):
    """What a tool answers: an observation."""

    role: Literal["tool"]
    tool_call_id: str
    name: str | None = None
    content: str


Message = Annotated[System | User | Assistant | Tool, Field(discriminator="role")]
"""One message, told by its role."""


class Entry(_Shape):
    """One recorded trial."""

    task_id: int = Field(ge=0, le=_LARGEST_TASK)
    trial: int = Field(ge=0, lt=MOST_TRIALS)
    reward: float
    info: Info
    traj: tuple[Message, ...] = Field(strict=False)

    @property
    def recorded(self) -> bool:
        """Whether the authors' outcome of the trial is recorded."""
        return self.info.reward_info is not None

    @property
    def system(self) -> str | None:
        """The agent's policy, where the trace holds it."""
        first = self.traj[0] if self.traj else None
        return first.content if isinstance(first, System) else None


Told = tuple[str, str, str]
"""Key inside the entry, sentence, value."""


def entry_of(piece: Piece) -> Entry | tuple[Told, ...]:
    """Return an entry, or all its problems.

    Args:
        piece: A value of the file's array.
    """
    found: list[Told] = [(key, message, "") for key, message in flaws(piece.value)]
    try:
        entry = Entry.model_validate(piece.value)
    except ValidationError as error:
        seen = {key for key, _, _ in found}
        shape = (_told(detail) for detail in error.errors(include_url=False))
        return (*found, *(told for told in shape if told[0] not in seen))
    return (*found, *_contradictions(entry, piece.value)) or entry


def _contradictions(entry: Entry, value: Json) -> Iterator[Told]:
    """Yield where an entry says two things at once, or nothing of what it must say."""
    info = entry.info
    if info.reward_info is not None and abs(info.reward_info.reward - entry.reward) > SUCCESS:
        said = f"it contradicts info.reward_info.reward, which is {info.reward_info.reward}"
        yield ".reward", said, str(entry.reward)
    if info.reward_info is None and abs(entry.reward) > SUCCESS:
        yield ".reward", "there is a reward, although info.reward_info is null", str(entry.reward)
    if info.error is None:
        for name in ("task", "reward_info"):
            if name not in value["info"]:
                yield f".info.{name}", "Field required", ""
        if not entry.traj:
            yield ".traj", "there is no message, and info names no error", ""


def _told(detail: ErrorDetails) -> Told:
    value = detail["input"]
    shown = "" if isinstance(value, dict | list | tuple) else repr(value)
    message = "Input should be an object" if detail["type"] == "model_type" else detail["msg"]
    return _key(detail["loc"]), message, shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]} ..."


def _key(steps: Iterable[str | int]) -> str:
    """Return a place as people write it; the role that told a message apart is no step."""
    key, in_message = "", False
    for step in steps:
        if isinstance(step, int):
            key, in_message = f"{key}[{step}]", key == ".traj"
        elif in_message:
            in_message = False
        else:
            key += f".{step}"
    return key
