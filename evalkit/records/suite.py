"""The loaded suite: everything that a run needs to know, with all defaults resolved.

What comes in: the files of a suite's folder, through `suite`. What goes out: one `Suite`, also stored as
`suite.json` in the run folder so that `score` needs nothing else.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evalkit.records.case import Case
from evalkit.records.metric import Metric, Scope
from evalkit.records.stage import Stage
from evalkit.records.written import Day, Items, Json, Written

SuiteType = Literal["knowledge_qa", "task_execution", "reasoning", "creative", "guidance", "multi_agent"]
"""What kind of work the agent does; sets the default primary."""


class Quantity(Written):
    """A number with its unit."""

    value: float
    """The number."""
    unit: str
    """Its unit."""


class Goal(Written):
    """What the suite is for; a target without a baseline is refused."""

    object: str
    """What is worked on."""
    scene: str | None = None
    """Where."""
    baseline: Quantity | None = None
    """What is reached today."""
    target: Quantity | None = None
    """What must be reached."""
    measure: str | None = None
    """What is measured."""
    red_line: str | None = None
    """What must never happen."""
    sample: str | None = None
    """On what it is measured."""
    window: str | None = None
    """When."""


class WorldSpec(Written):
    """The world of a trial."""

    database: str | None = None
    """SQL file, relative to the suite's folder, that builds the template database."""
    tools: str | None = None
    """Python file, relative to the suite's folder, whose public typed functions are the tools."""


class FactSource(Written):
    """Where a declared fact comes from."""

    source: Literal["call", "reply"] = Field(alias="from")
    """A tool call that returned without error, or the reply."""
    tool: str | None = None
    """For calls: the tool."""
    path: str = ""
    """For calls: ``args.x`` or ``result.x``; for replies: a field of the object reply."""
    matches: str | None = None
    """For replies: a regular expression; its first group (or the whole match) is the value."""


class ClaimSign(Written):
    """How a claim shows in the reply; exactly one of matches and field."""

    matches: str | None = None
    """Regular expression found in the reply."""
    field: str | None = None
    """Path to a field of an object reply (or of the JSON in a text reply)."""
    equals: Json = None
    """With `field`: the value that makes the claim; default: any true value."""


class ClaimProbe(Written):
    """What the world must say for a claim to hold."""

    sql: str
    """One SELECT whose single value is true where the claim holds; `$name` binds from the case's vars."""


class Claim(Written):
    """Something that a reply may claim, and what shows whether it happened."""

    reply: str | ClaimSign
    """Text is a regular expression."""
    holds: ClaimProbe
    """What shows it."""

    @property
    def sign(self) -> ClaimSign:
        """How the claim shows, in its long form."""
        return ClaimSign(matches=self.reply) if isinstance(self.reply, str) else self.reply


class Limits(Written):
    """What stops a trial; every metric is then judged on what was reached."""

    turns: int = Field(default=30, ge=1)
    """Model replies."""
    tool_calls: int = Field(default=100, ge=1)
    """Tool calls."""
    tokens: int | None = Field(default=None, ge=1)
    """Sum of the four token buckets; None: no limit."""
    cost_usd: float | None = Field(default=None, gt=0)
    """US dollars; None: no limit."""
    seconds: float = Field(default=300.0, gt=0)
    """The agent's model and tool time."""
    same_call: int = Field(default=5, ge=1)
    """Identical calls (tool and arguments) in one trial."""
    oscillation: int = Field(default=4, ge=2)
    """Alternations A B A B ... of two calls."""
    on_timeout: Literal["judge", "error"] = "judge"
    """Whether a trial that ran out of seconds is judged on what it reached."""


class Waiver(Written):
    """A case that is known to fail; changes no verdict and no rate."""

    case: str = Field(min_length=1)
    """Case id."""
    reason: str = Field(min_length=1)
    """Why it is tolerated."""
    owner: str = Field(min_length=1)
    """Who answers for it."""
    until: Day
    """When it ends."""


class ToolSpec(Written):
    """What the harness knows of a tool beside its schema."""

    name: str
    """The function's name."""
    description: str = ""
    """First paragraph of its docstring, limits filled in."""
    parameters: dict[str, Json] = Field(default_factory=dict)
    """JSON Schema of its arguments."""
    effect: Literal["read", "write", "external", "pay"] = "read"
    """What it can change."""
    determinism: Literal["rule", "judgment"] = "rule"
    """Whether the same arguments give the same answer."""
    undo: dict[str, Json] | None = None
    """{how, window, median_s} where the effect can be undone."""
    serial: bool = False
    """One such call makes its batch serial."""
    timeout: float = Field(default=30.0, gt=0)
    """Seconds that one call may take."""
    limits: dict[str, Json] = Field(default_factory=dict)
    """Named limits, the same constants that the code checks."""


class Suite(Written):
    """One agent capability under evaluation, loaded and resolved."""

    suite: str
    """The suite's name."""
    type: SuiteType = "task_execution"
    """What kind of work."""
    goal: Goal | None = None
    """What the suite is for."""
    world: WorldSpec | None = None
    """The world of a trial; None: text in, text out."""
    tools: Items[ToolSpec] = ()
    """The tools that the world offers, in the order of their definition."""
    facts: dict[str, FactSource] = Field(default_factory=dict)
    """Declared facts."""
    stages: Items[Stage]
    """Topologically ordered by the suite's own order: needs come first or the load is refused for cycles."""
    metrics: Items[Metric]
    """In the suite's order."""
    claims: dict[str, Claim] = Field(default_factory=dict)
    """What replies may claim."""
    deciding_scope: Scope = "outcome"
    """The scope whose primary decides whether a trial passed."""
    limits: Limits = Field(default_factory=Limits)
    """What stops a trial."""
    known: Items[Waiver] = ()
    """Waivers."""
    cases: Items[Case]
    """All cases, in load order."""
    code_hash: str = ""
    """sha256 over the suite's other files (world, tools, its own checks): part of the suite hash."""

    @property
    def has_world(self) -> bool:
        """Whether the agent can change a world."""
        return self.world is not None and self.world.database is not None

    @property
    def deciding(self) -> Metric:
        """The primary of the deciding scope."""
        return next(m for m in self.metrics if m.primary and m.scope == self.deciding_scope)

    @property
    def own_checks(self) -> tuple[str, ...]:
        """References to the suite's own check functions, ``file.py:name``, each once."""
        entries = [entry for case in self.cases for entry in case.expect]
        for metric in self.metrics:
            entries += [*metric.rule.pass_when, *metric.rule.fail_when] if metric.rule is not None else []
        named = [str(entry.args["function"]) for entry in entries if entry.kind == "python"]
        named += [str(m.args["function"]) for m in self.metrics if m.check == "python" and m.args]
        return tuple(dict.fromkeys(named))

    def metrics_of(self, case: Case) -> tuple[Metric, ...]:
        """Return the metrics that are planned for a case, in the suite's order.

        Args:
            case: A case of this suite.

        Returns:
            Metrics fed by an entry of the case, by the suite (unless `without`), and the deciding primary.
        """
        fed = {entry.metric for entry in case.expect}
        deciding = self.deciding.name
        return tuple(
            m
            for m in self.metrics
            if m.name in fed or m.name == deciding or (m.from_suite and m.name not in case.without)
        )
