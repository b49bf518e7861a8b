"""Cases: declared situations with input, start state, fixtures and expectations.

What comes in: YAML files or rows of a table. What goes out: `Case` records, all defaults of the suite
resolved.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evalkit.records.checks import Expectation
from evalkit.records.stage import Demand
from evalkit.records.written import Day, Items, Json, Written

FaultKind = Literal[
    "timeout_before",  # no answer came, and nothing was done
    "timeout_after",  # no answer came, and the effect happened
    "http_429",  # too many requests; nothing was done
    "http_500",  # the service broke; nothing was done
    "forbidden",  # HTTP 403; nothing was done, and asking again does not help
    "empty",  # a result of the same type with nothing in it
    "malformed",  # a text that is no JSON
    "truncated",  # a text or a list in the result ends early
    "inject",  # a text of somebody else stands in the result
    "slow",  # the answer takes a while
    "stale",  # the answer of the start state, though the state has moved on
    "duplicate",  # the call arrived twice: its effect happened twice
    "lie",  # success is reported, and the effect never happened
    "delayed_persistence",  # success is reported, and the effect happens later
]
"""Faults that a fixture can declare; `world.faults` and `world.effects` say what each does."""


class Author(Written):
    """Who wrote a case or its answer."""

    kind: Literal["human", "model"]
    """Person or model."""
    family: str | None = None
    """Model family, so that an agent of the same family can be told."""


class Source(Written):
    """Where a case comes from."""

    origin: str
    """written, production, imported, mutated ... in the suite's own words."""
    author: Author | None = None
    """Who wrote it."""
    answer_from: Literal["execution", "rule", "human", "model"] | None = None
    """What the expected answer rests on."""
    summarised_by: str | None = None
    """The model that shortened the input, if any."""
    at: Day | None = None
    """When."""


class Need(Written):
    """Evidence that a case needs from outside."""

    evidence: str
    """What."""
    source: str = Field(alias="from")
    """From where."""
    if_missing: str | None = None
    """What to say without it."""


class Turn(Written):
    """One user turn."""

    user: Json
    """What the user says: text, or an object."""
    demand: dict[str, Demand] = Field(default_factory=dict)
    """Stage -> demand in this turn, every stage of the suite; empty where the case is one table."""
    allow_empty: Items[str] = ()
    """Stages that may return nothing in this turn, beside those of the case."""


class StepUsage(Written):
    """What a scripted reply pretends to have spent; a bucket that is not written is unknown, never 0."""

    input: int | None = Field(default=None, ge=0)
    """Fresh input tokens."""
    cache_read: int | None = Field(default=None, ge=0)
    """Tokens read from a cache."""
    cache_write: int | None = Field(default=None, ge=0)
    """Tokens written to a cache."""
    output: int | None = Field(default=None, ge=0)
    """Output tokens."""
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """US dollars, as a provider that tells them would; else the arm's prices tell."""


class Step(Written):
    """One step of a scripted reply or a reference solution; exactly one of call and reply."""

    call: StepCall | None = None
    """A tool call."""
    reply: Json = None
    """A reply to the user: text or object."""
    delay_ms: int = Field(default=0, ge=0, le=600_000)
    """Milliseconds before the step."""
    stop: Literal["stop", "length", "tool_use", "error", "aborted", "safety"] | None = None
    """Stop reason to pretend; default: tool_use for calls, stop for a reply."""
    usage: StepUsage | None = None
    """Tokens and money to pretend; None: unknown."""


class StepCall(Written):
    """A scripted tool call."""

    tool: str
    """Tool name; in an arm's replies it may be unknown, to test the loop."""
    args: Json = Field(default_factory=dict)
    """Arguments; text is passed raw."""


class Start(Written):
    """The state that a trial starts from."""

    sql: str | Items[str] = ()
    """Statements run on the trial's own copy of the world before anything else; `$name` binds from vars."""
    history: Items[dict[str, Json]] = ()
    """Messages that lie before the first turn: {role, content, ...}."""

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements as a tuple."""
        return (self.sql,) if isinstance(self.sql, str) else self.sql


class Fixture(Written):
    """One pinned answer of a tool: a result, a refusal, a fault, or a result with a fault that befalls it."""

    when: dict[str, Json] | None = None
    """Arguments that must be there with these values; None matches every call."""
    times: int | None = Field(default=None, ge=1)
    """How often this answer is given before the next one applies; None: always."""
    returns: Json = Field(default=None, alias="return")
    """The result."""
    error: str | None = None
    """A refusal with this reason."""
    fault: FaultKind | None = None
    """A fault of the environment, declared by the case."""
    text: str | None = None
    """What `malformed` returns, what `inject` puts into the result, what `truncated` ends with."""
    path: str = ""
    """Where `inject` puts the text ("": at the end of a text, or under the key `note`), or which part of the
    result is `truncated`."""
    length: int | None = Field(default=None, ge=0)
    """Of a `truncated` text the characters that are left, of a list the items."""
    seconds: float | None = Field(default=None, gt=0, le=3600)
    """How long a `slow` answer takes, or how long after the answer the effect of `delayed_persistence` comes,
    in the pinned world's time, which nobody really waits for."""

    @property
    def is_pinned(self) -> bool:
        """Whether a result is written down beside a fault."""
        return self.returns is not None


class ToolFixtures(Written):
    """The pinned answers of one tool, in order; the first that matches and is not used up answers."""

    answers: Items[Fixture] = ()
    """In order."""
    otherwise: Fixture | Literal["missing"] | None = None
    """What answers when none matches; None: the tool itself on the pinned world, `fixture_missing` without
    one."""


class Case(Written):
    """One declared situation."""

    id: str = Field(min_length=1, max_length=200)
    """Unique in the suite; letters, digits, `.`, `_`, `-` and any letter of any script."""
    tags: dict[str, Json] = Field(default_factory=dict)
    """Free tags; `capability`, `layer`, `risk`, `cluster`, `difficulty` are read by reports and gates."""
    source: Source | None = None
    """Where the case comes from."""
    split: str | None = None
    """train, dev, golden ... in the suite's own words."""
    signal: Literal["capability", "knowledge"] | None = None
    """What a failure is about."""
    evidence_needs: Items[Need] = Field(default=(), alias="needs")
    """Evidence from outside."""
    cluster: str | None = None
    """Cases that stand or fall together; default: tags.cluster, else the case itself."""
    vars: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    """Values that `$name` binds to in SQL."""
    start: Start = Field(default_factory=Start)
    """The state that a trial starts from."""
    turns: Items[Turn] = Field(min_length=1)
    """User turns; `input: x` is one turn."""
    demand: dict[str, Demand] = Field(default_factory=dict)
    """Stage -> demand, every stage of the suite, defaults resolved. Where the turns ask of their own: the
    strongest of all turns, required before forbidden before optional."""
    allow_empty: Items[str] = ()
    """Stages that may return nothing."""
    mock: dict[str, ToolFixtures] = Field(default_factory=dict)
    """Tool -> pinned answers; ignored in real mode."""
    expect: Items[Expectation] = ()
    """What must hold."""
    without: Items[str] = ()
    """Metrics with arguments from the suite that this case does not feed."""
    solution: Items[Step] | None = None
    """The reference solution."""
    place: str = ""
    """file:line where the case stands, for messages."""

    @property
    def by_turn(self) -> bool:
        """Whether the turns ask of their own, so that the graph is read once per turn."""
        return any(turn.demand for turn in self.turns)

    @property
    def demands(self) -> tuple[dict[str, Demand], ...]:
        """What is asked of the stages: once for the whole case, or once per turn."""
        return tuple(turn.demand for turn in self.turns) if self.by_turn else (self.demand,)

    @property
    def cluster_name(self) -> str:
        """The cluster that intervals are computed over."""
        return self.cluster or str(self.tags.get("cluster") or self.id)

    @property
    def declares_fault(self) -> bool:
        """Whether a fixture declares a fault; such a case is not planned in real mode."""
        fixtures = [f for tool in self.mock.values() for f in (*tool.answers, tool.otherwise)]
        return any(isinstance(fixture, Fixture) and fixture.fault is not None for fixture in fixtures)


Step.model_rebuild()
