"""Events: what happened in a trial, one appended record each.

What comes in: what `run`, `agent` and `world` observe. What goes out: `Event` lines in the journal.
An `Event` is an envelope (execution, seq, at, turn) around a body; the body's type is its `kind`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from evalkit.records.policy import Mode
from evalkit.records.verdict import Measure
from evalkit.records.written import Json

StopReason = Literal["stop", "length", "tool_use", "error", "aborted", "safety"]
"""Why a model reply ended, normalised."""

CallStatus = Literal[
    "ok",  # executed and returned
    "refused",  # the tool said no (ToolRefusal)
    "blocked",  # a gate of the harness stopped it before it ran
    "invalid",  # arguments did not fit the schema
    "unknown",  # no such tool
    "unanswered",  # never executed: truncated, aborted, or its batch was cut
    "fault",  # the environment broke (declared or not)
    "missing",  # mock mode, nothing pinned answers
    "broken",  # the suite's own tool raised something undeclared
]
"""How a tool call ended. Only `ok` ran; refused, blocked, invalid, unknown, unanswered and fault were
attempted."""

Where = Literal["tool", "model", "world", "harness"]
"""What a fault befell."""

End = Literal["done", "limit", "crash", "fault", "cancelled"]
"""How an execution closed: the agent finished, a limit stopped it, the agent's own process or model reply
broke,
a fault that is not the agent's stopped it, or the operator did."""

LimitName = Literal["turns", "tool_calls", "tokens", "cost_usd", "seconds", "same_call", "oscillation"]
"""Limits that stop a trial."""

Observable = Literal["calls", "results", "replies", "usage", "probes", "timing"]
"""Kinds of event that a trace may or may not observe. Our own runs observe all."""

EVERYTHING: tuple[Observable, ...] = ("calls", "results", "replies", "usage", "probes", "timing")
"""What a run of our own observes."""


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One usage row; None is unknown, never 0.

    Attributes:
        input: Fresh input tokens, without cache reads and writes.
        cache_read: Tokens read from a cache.
        cache_write: Tokens written to a cache.
        output: Output tokens.
        cost_usd: Money, US dollars.
        source: What the tokens were spent on, where it can be told.
        level: Who spent them.
    """

    input: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    output: int | None = None
    cost_usd: float | None = None
    source: (
        Literal[
            "system_prompt", "tool_definitions", "tool_results", "files", "memory", "history", "user_input"
        ]
        | None
    ) = None
    level: Literal["task", "batch", "sub_agent", "tool"] = "task"


class Timing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Seconds that let waiting be told from working.

    Attributes:
        queue: Waiting in evalkit's own queues.
        model: The model at work.
        tool: A tool at work.
        person: A person at work.
    """

    queue: float = 0.0
    model: float = 0.0
    tool: float = 0.0
    person: float = 0.0


class CallRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One tool call as a model asked for it.

    Attributes:
        id: Call id, unique in the execution.
        tool: Tool name, as the model wrote it.
        raw: Argument text as the model wrote it.
    """

    id: str
    tool: str
    raw: str = "{}"


class Opened(Struct, frozen=True, kw_only=True, tag="opened", omit_defaults=True):
    """An execution began: which trial, which attempt, what its trace observes."""

    case: str
    arm: str
    mode: Mode
    trial: int
    attempt: int = 0
    started_at: str = ""
    worker: str = ""
    observes: tuple[Observable, ...] = EVERYTHING


class UserTurn(Struct, frozen=True, kw_only=True, tag="user_turn", omit_defaults=True):
    """The user said something; `turn` of the envelope is its number."""

    content: Json


class ModelReply(Struct, frozen=True, kw_only=True, tag="model_reply", omit_defaults=True):
    """One reply of the model: text and the calls it asks for."""

    text: str | None = None
    data: Json = None
    calls: tuple[CallRequest, ...] = ()
    stop: StopReason = "stop"
    stop_raw: str = ""
    usage: Usage | None = None
    timing: Timing | None = None
    message: str = ""


class ToolCalled(Struct, frozen=True, kw_only=True, tag="tool_called", omit_defaults=True):
    """A call is about to run: intent before effect, raw and effective arguments."""

    id: str
    tool: str
    raw: str = "{}"
    args: dict[str, Json] | None = None


class ToolReturned(Struct, frozen=True, kw_only=True, tag="tool_returned", omit_defaults=True):
    """The outcome of a call, persisted when it happened.

    Attributes:
        id: Call id.
        tool: Tool name.
        status: How it ended.
        value: The result, for `ok`.
        message: What the agent is told otherwise.
        cause: For fault, missing and broken: the cause of `semantics.md` (environment, fixture_missing,
            broken_case).
        sub: Sub-cause (rate, no_reply ...).
        fault: The fixture's fault keyword, where one was at work (also with status `ok`: empty, malformed,
            inject).
        declared: The case declared it.
        effect: Whether the call took effect, where its status does not say: a time-out after it, a tool that
            lied; None: it did if it is `ok`.
        tries: How often the dependency was asked.
        timing: Working and waiting.
    """

    id: str
    tool: str
    status: CallStatus
    value: Json = None
    message: str = ""
    cause: str | None = None
    sub: str | None = None
    fault: str | None = None
    declared: bool = False
    effect: bool | None = None
    tries: int = 1
    timing: Timing | None = None


class Replied(Struct, frozen=True, kw_only=True, tag="replied", omit_defaults=True):
    """The agent answered the user; text or object."""

    content: Json


class Probed(Struct, frozen=True, kw_only=True, tag="probed", omit_defaults=True):
    """The world answered a probe (see `probe.ProbeAnswer`).

    Attributes:
        id: See `probe.probe_id`.
        rows: Rows as lists; None where there is no answer.
        cause: Why there is none.
        message: For people.
        measure: Over how many things the answer was taken, where an importer knows it.
        waited: Seconds that were waited for this answer since the end of the agent's work. A question that is
            asked until an answer comes has one event for each answer that was new, and one for the last look.
    """

    id: str
    rows: list[list[Json]] | None = None
    cause: str | None = None
    message: str = ""
    measure: Measure | None = None
    waited: float = 0.0


class Faulted(Struct, frozen=True, kw_only=True, tag="faulted", omit_defaults=True):
    """Something broke that is not the agent's doing, outside a tool call."""

    where: Where
    cause: str
    sub: str | None = None
    message: str = ""
    declared: bool = False


class Limited(Struct, frozen=True, kw_only=True, tag="limited", omit_defaults=True):
    """A limit stopped the trial."""

    limit: LimitName
    reached: float
    allowed: float


class Closed(Struct, frozen=True, kw_only=True, tag="closed", omit_defaults=True):
    """The closing line: the trial counts from here on.

    Attributes:
        attempt: Number of this attempt at the trial, from 0.
        end: How it ended.
        cause: For `fault` and `cancelled`, and a time-out under `on_timeout: error`: the cause.
        sub: Sub-cause.
        message: For people.
        timing: Sums over the execution.
        usage: Sums over the execution; a bucket with one unknown row is unknown.
        source: What an importer read the outcome from, where the trial was imported.
    """

    attempt: int = 0
    end: End = "done"
    cause: str | None = None
    sub: str | None = None
    message: str = ""
    timing: Timing | None = None
    usage: Usage | None = None
    source: Json = None


Body: TypeAlias = (
    Opened | UserTurn | ModelReply | ToolCalled | ToolReturned | Replied | Probed | Faulted | Limited | Closed
)
"""What an event says. The tag field is `type`."""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The envelope of one record.

    Attributes:
        execution: Id of the execution; only executions with a `Closed` line count.
        seq: Position in the execution, from 0, without gaps. Facts and verdicts cite it.
        at: Seconds since the execution opened, on a clock that never goes back.
        turn: User turn, from 0.
        body: What happened.
    """

    execution: str
    seq: int
    at: float = 0.0
    turn: int = 0
    body: Body


class Trace(Struct, frozen=True, kw_only=True):
    """All events of the execution that closed, in order.

    Attributes:
        opened: The first event's body.
        events: All events, seq ascending, `opened` and `closed` included.
        closed: The last event's body; None where the trial was never closed (cancelled).
    """

    opened: Opened
    events: tuple[Event, ...]
    closed: Closed | None
