"""The arguments of bounds on single calls and replies of the model: latency and quantiles in `within`.

What comes in: mappings under `within`. What goes out: typed arguments that `score.checks` reads.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from evalkit.records.written import Written

Amount = Literal["tool_seconds", "model_seconds", "reply_tokens", "context_tokens"]
"""What is measured of each: a call's tool at work, the model at work on a reply, the tokens of a reply of the
model, the tokens that the model read for it."""


class Quantile(Written):
    """A quantile over the calls, or the replies of the model, of one trial; at most so much, inclusive."""

    of: Amount
    """What is measured."""
    p: float = Field(gt=0, le=100)
    """Percentage: 50 is the median, 100 the greatest; between two values it is interpolated."""
    at_most: float = Field(ge=0)
    """The bound: seconds, or tokens."""
    tool: str | None = None
    """With tool_seconds: only calls of this tool."""


class Latency(Written):
    """How long single calls, or replies of the model, may take: seconds, inclusive."""

    of: Literal["tool", "model"]
    """Calls of tools that ran, or replies of the model."""
    tool: str | None = None
    """With `of: tool`: only calls of this tool."""
    max: float | None = Field(default=None, ge=0)
    """No one takes longer."""
    p50: float | None = Field(default=None, ge=0)
    """The median."""
    p90: float | None = Field(default=None, ge=0)
    """Nine in ten."""
    p99: float | None = Field(default=None, ge=0)
    """Ninety-nine in a hundred."""

    @model_validator(mode="after")
    def _something(self) -> Self:
        """Refuse bounds on nothing."""
        if not self.quantiles:
            raise ValueError("`latency` bounds nothing: give max, p50, p90 or p99")
        return self

    @property
    def quantiles(self) -> tuple[Quantile, ...]:
        """Its bounds as quantiles."""
        of: Amount = "tool_seconds" if self.of == "tool" else "model_seconds"
        bounds = ((50.0, self.p50), (90.0, self.p90), (99.0, self.p99), (100.0, self.max))
        return tuple(Quantile(of=of, p=p, at_most=at, tool=self.tool) for p, at in bounds if at is not None)
