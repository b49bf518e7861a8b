"""The arguments of every check kind: what an `expect` entry or a metric's `check` may say.

What comes in: one mapping under a check's name. What goes out: typed arguments that `score.checks` reads.
Paths are dotted, with `[n]` for one item and `[]` for every item, e.g. ``result.hits[].id``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator

from evalkit.records.companions import Companion
from evalkit.records.json_schema import as_json
from evalkit.records.quantiles import Latency, Quantile
from evalkit.records.sums import Identity
from evalkit.records.watching import Eventually, SqlEquals
from evalkit.records.wording import Encoding, Repetition
from evalkit.records.written import Items, Json, Written

ArgumentMode = Literal["exact", "subset", "superset", "ignore", "tolerance"]
"""How expected and actual arguments are held against each other."""


class ExpectedCall(Written):
    """One call that the agent should have made."""

    tool: str
    """The tool's name."""
    args: dict[str, Json] = Field(default_factory=dict)
    """Expected arguments."""
    mode: ArgumentMode = "subset"
    """exact: equal; subset: every expected argument is there; superset: no actual argument beyond the
    expected ones; ignore: arguments do not matter; tolerance: like subset, numbers within `tolerance`."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference between numbers under mode `tolerance`."""


class Called(Written):
    """Each expected call is matched with a call of its own that ran (maximum bipartite matching)."""

    calls: Items[ExpectedCall] = Field(min_length=1)
    """The expected calls."""
    times: int | None = Field(default=None, ge=0)
    """With one expected call: exactly so many calls match it; default: at least one."""
    attempted: bool = False
    """Count calls that were refused, invalid or unanswered too."""


class Order(Written):
    """First successful calls come in this order."""

    tools: Items[str] = Field(min_length=2)
    """Tool names, earliest first."""
    adjacent: bool = False
    """No call of another tool may lie between them."""


class OnlyCalled(Written):
    """No tool outside the list was called, not even in vain."""

    tools: Items[str]
    """The allowed tools; an empty list means no tool at all."""


class Returned(Written):
    """A tool returned a value; exactly one of equals, contains, matches."""

    tool: str
    """The tool whose results are read."""
    path: str = ""
    """Path into the result; "" is the whole result."""
    equals: Json = None
    """The expected value."""
    contains: str | None = None
    """Text that the value must contain."""
    matches: str | None = None
    """Regular expression that must be found in the value."""


class State(Written):
    """The world at the end of the trial gives this answer."""

    sql: str
    """One SELECT; `$name` binds from the case's vars."""
    equals: Json
    """A scalar for one row of one column, a list for one column, else a list of rows (lists).
    A list of length one equals its scalar; the order of rows counts only under `ordered`."""
    ordered: bool = False
    """The order of rows counts."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference between numbers."""


class Unchanged(Written):
    """The world gives the same answer at the end as at the start."""

    sql: str
    """One SELECT; `$name` binds from the case's vars."""


class Reconcile(Written):
    """A value that the agent states agrees with the authority, reached by its own path."""

    value: str
    """Where the value is: ``reply.x``, ``fact.name``, ``call.tool.args.x`` or ``call.tool.result.x`` (last
    call)."""
    authority: str
    """One SELECT that asks the authority; `$name` binds from the case's vars."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference between numbers."""


class Reply(Written):
    """What the final reply says (of the named turn where `turn` is given); all given keys must hold."""

    contains: str | Items[str] | None = None
    """Text (every one of the list) that the reply contains; case does not count."""
    matches: str | None = None
    """Regular expression that is found in the reply."""
    equals: Json = None
    """The whole reply: text (surrounding space aside) or object."""
    fields: dict[str, Json] | None = Field(default=None, alias="json")
    """Path -> value in an object reply, or in the JSON of a text reply."""
    numbers: Items[float] | None = None
    """Numbers that must stand in the reply, in any notation (1,234.50; ¥88)."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference for `numbers`."""
    language: Literal["zh", "en"] | None = None
    """The language that most letters of the reply belong to."""
    json_schema: dict[str, Json] | None = None
    """JSON Schema (2020-12, formats asserted) of an object reply, or of the JSON in a text reply."""

    @cached_property
    def schema_text(self) -> str:
        """The schema as JSON, "" where none is given."""
        return "" if self.json_schema is None else as_json(self.json_schema)

    @model_validator(mode="after")
    def _something(self) -> Self:
        """Refuse an expectation that expects nothing."""
        if not self.model_fields_set - {"tolerance"}:
            raise ValueError(
                "`reply` expects nothing: give contains, matches, equals, json, json_schema, numbers"
                " or language"
            )
        return self


class Cites(Written):
    """Everything that the reply cites was returned by the tool, and it cites enough."""

    tool: str
    """The tool that returns what may be cited."""
    path: str
    """Path to the citable ids in its results, e.g. ``hits[].id``."""
    pattern: str
    """Regular expression whose first group (or whole match) is a cited id in the reply."""
    at_least: int = Field(default=1, ge=0)
    """How many distinct ids must be cited."""


class Refused(Written):
    """The world refused a call of the tool."""

    tool: str
    """The tool's name."""
    matches: str | None = None
    """Regular expression found in the reason."""


class ClaimMatchesState(Written):
    """What the reply claims (the suite's `claims`) holds in the world: no false completion."""

    claims: Items[str] = ()
    """Names of claims; () means all that the suite declares."""


class Idempotent(Written):
    """One effect per intent: at most one successful call of the tool for one key."""

    tool: str
    """A tool with an effect."""
    key: Items[str] = ()
    """Argument names that make up the intent; () means all arguments."""


class Within(Written):
    """What the trial used stays within bounds (inclusive); unknown usage is `not_observed`."""

    turns: int | None = Field(default=None, ge=0)
    """Model replies."""
    tool_calls: int | None = Field(default=None, ge=0)
    """Tool calls, in vain or not."""
    tokens: int | None = Field(default=None, ge=0)
    """Sum of the four token buckets."""
    seconds: float | None = Field(default=None, ge=0)
    """The agent's model and tool time, seconds."""
    cost_usd: float | None = Field(default=None, ge=0)
    """Money, US dollars."""
    latency: Latency | None = None
    """How long single calls or replies of the model take."""
    quantile: Quantile | None = None
    """A quantile of the times or tokens of single calls or replies of the model."""

    @model_validator(mode="after")
    def _something(self) -> Self:
        """Refuse bounds on nothing."""
        if not self.model_fields_set:
            raise ValueError(
                "`within` bounds nothing: give turns, tool_calls, tokens, seconds, cost_usd, latency"
                " or quantile"
            )
        return self

    @property
    def quantiles(self) -> tuple[Quantile, ...]:
        """Every quantile that is bounded."""
        own = (self.quantile,) if self.quantile is not None else ()
        return (*(self.latency.quantiles if self.latency is not None else ()), *own)


class Schema(Written):
    """No call was unknown or had invalid arguments."""

    tools: Items[str] = ()
    """Tools that are looked at; () means all."""


class Python(Written):
    """A function of the suite over the fact sheet."""

    function: str
    """``file.py:name``, relative to the suite's folder; called as ``name(sheet, **args)``. It returns a bool,
    or a dict {passed: bool, reason: str, cites: [seq], measure: {value, unit, threshold}}."""
    args: dict[str, Json] = Field(default_factory=dict)
    """Keyword arguments."""


CheckArgs: TypeAlias = (
    Called
    | Order
    | OnlyCalled
    | Returned
    | State
    | Unchanged
    | Reconcile
    | Identity
    | Eventually
    | Reply
    | Cites
    | Refused
    | ClaimMatchesState
    | Idempotent
    | Within
    | Schema
    | Encoding
    | Repetition
    | SqlEquals
    | Companion
    | Python
)
"""The arguments of one check."""

CheckKind = Literal[
    "called",
    "order",
    "only_called",
    "returned",
    "state",
    "unchanged",
    "reconcile",
    "identity",
    "eventually",
    "reply",
    "cites",
    "refused",
    "claim_matches_state",
    "idempotent",
    "within",
    "schema",
    "encoding",
    "repetition",
    "sql_equals",
    "companion",
    "python",
]
"""The names of the check kinds."""

CHECKS: dict[CheckKind, type[Written]] = {
    "called": Called,
    "order": Order,
    "only_called": OnlyCalled,
    "returned": Returned,
    "state": State,
    "unchanged": Unchanged,
    "reconcile": Reconcile,
    "identity": Identity,
    "eventually": Eventually,
    "reply": Reply,
    "cites": Cites,
    "refused": Refused,
    "claim_matches_state": ClaimMatchesState,
    "idempotent": Idempotent,
    "within": Within,
    "schema": Schema,
    "encoding": Encoding,
    "repetition": Repetition,
    "sql_equals": SqlEquals,
    "companion": Companion,
    "python": Python,
}
"""Check kind -> the model of its arguments."""


class Expectation(Written):
    """One entry of `expect`: a check, whether it is negated, and the one metric that it feeds."""

    kind: CheckKind
    """The check, without `not_`."""
    negated: bool = False
    """Written as `not_<kind>`: holds when the check does not."""
    args: dict[str, Json] = Field(default_factory=dict)
    """The check's arguments as JSON; `arguments` gives them typed."""
    metric: str = ""
    """The metric that this entry feeds; resolved at load."""
    turn: int | None = Field(default=None, ge=0)
    """The user turn (from 0) that this entry is about; None is the whole trial."""

    @cached_property
    def arguments(self) -> CheckArgs:
        """The typed arguments."""
        typed: CheckArgs = CHECKS[self.kind].model_validate(self.args)  # type: ignore[assignment]
        return typed
