"""The written form of suites, cases, arms and gates, built of the records that they become.

What comes in: values from a reader. What goes out: validated forms, which `resolve_suite` and its neighbours
turn into records.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from evalkit.records.arm import Arm
from evalkit.records.case import FaultKind, Need, Source, Start, Step
from evalkit.records.checks import CheckKind
from evalkit.records.metric import Scope, Tier
from evalkit.records.stage import Stage
from evalkit.records.suite import Claim, FactSource, Goal, Limits, SuiteType, Waiver, WorldSpec
from evalkit.records.written import Items, Json, Written
from evalkit.suite.entries import Entry, SuiteCheck


class StageFile(Stage):
    """One node of the graph; its name is its key under `stages`."""

    name: SkipJsonSchema[str] = ""
    """Not written."""


class RuleFile(Written):
    """Declared rule over facts; what is neither a pass nor a fail is doubt."""

    pass_when: Items[Entry] = ()
    """All hold: pass."""
    fail_when: Items[Entry] = ()
    """All hold: fail."""


class MetricFile(Written):
    """One named question; its name is its key under `metrics`."""

    scope: Scope = "outcome"
    """What the question is about."""
    tier: Tier = "gate"
    """gate: may decide; compare: explains and is compared; observe: only shown."""
    primary: bool = False
    """The one metric of its scope that decides there."""
    stage: str = ""
    """Where the metric is shown; default: the stage of the deciding primary."""
    needs: Items[str] | None = None
    """Stages that must be examinable; default: `stage`."""
    check: CheckKind | SuiteCheck | None = None
    """The check kind whose expectations feed this metric, or {kind: arguments}: then every case feeds it."""
    rule: RuleFile | None = None
    """Decided by rule; doubt goes to a judge."""
    judge: str | None = None
    """Name of the judge configuration that settles doubt."""
    open: bool = False
    """The judge may read the reply itself."""
    description: str = Field(default="", max_length=2000)
    """For readers of reports."""


class SuiteFile(Written):
    """suite.yaml: what all cases of one agent capability share."""

    suite: str = Field(min_length=1, max_length=100)
    """The suite's name."""
    type: SuiteType = "task_execution"
    """What kind of work the agent does."""
    goal: Goal | None = None
    """What the suite is for; a target needs a baseline."""
    world: WorldSpec | None = None
    """The world of a trial; without one: text in, text out."""
    facts: dict[str, FactSource] = Field(default_factory=dict)
    """Facts by name."""
    stages: dict[str, StageFile] = Field(default_factory=dict)
    """Stages by name; default: one, `reply`, that ran when the agent replied."""
    metrics: dict[str, MetricFile] = Field(default_factory=dict)
    """Metrics by name; default: one, `outcome`, fed by every expectation."""
    claims: dict[str, Claim] = Field(default_factory=dict)
    """What replies may claim, by name."""
    deciding_scope: Scope = "outcome"
    """The scope whose primary decides whether a trial passed."""
    cases: str = Field(min_length=1)
    """A folder of YAML files, one case each, or a table (.jsonl, .csv); relative to this file."""
    limits: Limits = Field(default_factory=Limits)
    """What stops a trial."""
    companions: bool = True
    """Show the companion metrics of the type; they decide nothing."""
    known: Items[Waiver] = ()
    """Cases that are known to fail, with reason, owner and end."""


class AnswerFile(Written):
    """One pinned answer of a tool: return, error, fault or otherwise, or a return that a fault befalls."""

    when: dict[str, Json] | None = None
    """Arguments that must be there with these values; default: every call."""
    times: int | None = Field(default=None, ge=1)
    """How often this answer is given before the next one applies; default: always."""
    returns: Json = Field(default=None, alias="return")
    """The result."""
    error: str | None = None
    """A refusal with this reason."""
    fault: FaultKind | None = None
    """A fault of the environment, declared by the case."""
    text: str | None = None
    """What `malformed` returns, what `inject` puts into the result, what `truncated` ends with."""
    path: str = ""
    """Where `inject` puts the text (default: at the end of a text, or under the key `note`), or what is
    `truncated` (default: the whole result)."""
    length: int | None = Field(default=None, ge=0)
    """Of a `truncated` text the characters that are left, of a list the items."""
    seconds: float | None = Field(default=None, gt=0, le=3600)
    """How long a `slow` answer takes, or how long after it the effect of `delayed_persistence` comes."""
    otherwise: OtherwiseFile | Literal["missing"] | None = None
    """What answers when no entry matches; stands alone, as the last entry."""


class OtherwiseFile(Written):
    """What a tool answers when no pinned answer matches: return, error, fault, or a return with a fault."""

    returns: Json = Field(default=None, alias="return")
    """The result."""
    error: str | None = None
    """A refusal with this reason."""
    fault: FaultKind | None = None
    """A fault of the environment, declared by the case."""
    text: str | None = None
    """What `malformed` returns, what `inject` puts into the result, what `truncated` ends with."""
    path: str = ""
    """Where `inject` puts the text, or what is `truncated`."""
    length: int | None = Field(default=None, ge=0)
    """Of a `truncated` text the characters that are left, of a list the items."""
    seconds: float | None = Field(default=None, gt=0, le=3600)
    """How long a `slow` answer takes, or how long after it the effect of `delayed_persistence` comes."""


Said = str | dict[str, Json]
"""What a user says: text, or an object."""


class TurnFile(Written):
    """One user turn."""

    user: Said
    """What the user says."""
    requires: Items[str] = ()
    """Stages that must run in this turn; a stage that a turn does not name is optional in it."""
    optional: Items[str] = ()
    """Stages that may run in this turn."""
    forbids: Items[str] = ()
    """Stages that must not run in this turn."""
    allow_empty: Items[str] = ()
    """Stages that may return nothing in this turn."""


def _long_turn(value: Json) -> Json:
    """Return the long form of a turn that is nothing but text."""
    return {"user": value} if isinstance(value, str) else value


class CaseFile(Written):
    """One declared situation: input, start state, pinned answers, and what must hold."""

    id: str = Field(min_length=1, max_length=200)
    """Unique in the suite: letters of any script, digits, `.`, `_` and `-`."""
    tags: dict[str, Json] = Field(default_factory=dict)
    """Free tags; capability, layer, risk, cluster and difficulty are read by reports and gates."""
    source: Source | None = None
    """Where the case comes from."""
    split: str | None = None
    """train, dev, golden ... in the suite's own words."""
    signal: Literal["capability", "knowledge"] | None = None
    """What a failure is about."""
    needs: Items[Need] = ()
    """Evidence that the case needs from outside."""
    cluster: str | None = None
    """Cases that stand or fall together; default: tags.cluster, else the case itself."""
    vars: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    """Values that `$name` binds to in SQL."""
    start: Start = Field(default_factory=Start)
    """The state that a trial starts from."""
    requires: Items[str] = ()
    """Stages that must run."""
    optional: Items[str] = ()
    """Stages that may run."""
    forbids: Items[str] = ()
    """Stages that must not run."""
    allow_empty: Items[str] = ()
    """Stages that may return nothing."""
    input: Said | None = None
    """What the user says: one turn. Instead of `turns`."""
    turns: (
        Items[Annotated[TurnFile, BeforeValidator(_long_turn, json_schema_input_type=TurnFile | str)]] | None
    ) = None
    """What the user says, turn by turn. Instead of `input`."""
    mock: dict[str, Items[AnswerFile]] = Field(default_factory=dict)
    """Tool -> pinned answers; ignored in real mode."""
    expect: Items[Entry] = ()
    """What must hold."""
    without: Items[str] = ()
    """Metrics with arguments from the suite that this case does not feed."""
    solution: str | Items[Step] | None = None
    """The reference solution: steps, or the path of a YAML file with them, relative to this file."""


class SolutionFile(Written):
    """A file with the steps of a reference solution."""

    steps: Items[Step] = Field(min_length=1)
    """The steps in order."""


class ArmFile(Arm):
    """One version of the agent under test."""

    system_file: str | None = None
    """A file with the system prompt, relative to the suite's folder. Instead of `system`."""


AnswerFile.model_rebuild()
CaseFile.model_rebuild()
