"""Stages: the nodes of a suite's execution dependency graph.

What comes in: the `stages:` mapping of a suite. What goes out: `Stage` records in the suite's order.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from evalkit.records.written import Items, Json, Written

Demand = Literal["required", "optional", "forbidden"]
"""What a case asks of a stage."""

StageState = Literal["ok", "soft", "failed", "not_examined"]
"""What attribution says of a stage: passed, passed after recovering, failed, or not examined."""


class Ran(Written):
    """How a trace shows that a stage ran; exactly one key."""

    always: Literal[True] | None = None
    """The stage runs in every trial."""
    called: str | Items[str] | None = None
    """A call of this tool (or of any in the list) that returned without error."""
    fact: str | None = None
    """A fact that the suite declares under `facts`."""
    replied: Literal[True] | None = None
    """The agent sent a reply to the user."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        """Refuse none and several."""
        given = [name for name in ("always", "called", "fact", "replied") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"`ran` takes exactly one of always, called, fact, replied; got {given or 'none'}"
            )
        return self

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that `called` names; () for the other kinds."""
        return (self.called,) if isinstance(self.called, str) else (self.called or ())


class EmptyReturn(Written):
    """A tool's result that counts as nothing."""

    tool: str
    """The tool whose result is read."""
    path: str = ""
    """Dotted path into the result; "" is the whole result."""
    equals: Json
    """The value that means nothing was found."""


class Empty(Written):
    """When a stage that ran counts as having returned nothing."""

    returned: EmptyReturn
    """A result that counts as nothing."""


class Stage(Written):
    """One node of the graph."""

    name: str
    """The name that metrics, cases and reports use."""
    needs: Items[str] = ()
    """Stages that must have run before this one may be asked about."""
    ran: Ran
    """How a trace shows that the stage ran."""
    empty: Empty | None = None
    """What counts as empty; default: a result of null, "", [] or {}."""
    demand: Demand = "required"
    """What every case asks of the stage unless it says otherwise."""
    strict: bool = False
    """Running out of order is a fail."""
    fallback: bool = False
    """Reaching the end through this stage is degraded."""
    description: str = Field(default="", max_length=2000)
    """For readers of reports."""
