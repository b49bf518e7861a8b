"""The gate policy: what must be proven before a release.

What comes in: `gate.yaml`. What goes out: `GatePolicy`.
"""

from __future__ import annotations

import re
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from evalkit.records.metric import Grade
from evalkit.records.written import Items, Written

Mode = Literal["real", "mock", "imported"]
"""Whether tools answer for themselves, are pinned, or the trial was recorded elsewhere."""

Estimand = Literal["population", "suite"]
"""population: cases like these (E3); suite: these very cases (E2)."""


class Require(Written):
    """One estimate that must be proven; exactly one of at_least and at_most."""

    metric: str
    """A metric of the suite."""
    statistic: str = "rate"
    """`rate` (deciding rate), `pass^k`, `degraded` (degradation rate), or in the observe tier `pass@k`."""
    at_least: float | None = Field(default=None, ge=0, le=1)
    """The one-sided lower bound must reach this."""
    at_most: float | None = Field(default=None, ge=0, le=1)
    """The one-sided upper bound must not exceed this."""
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    """One-sided confidence."""
    where: str | None = None
    """Expression over tags and id that selects cases."""
    per: Literal["suite", "capability", "case"] = "suite"
    """One figure, one for each capability, or one for each case."""
    estimand: Estimand | None = None
    """Default: population for suite and capability, suite for case."""

    @field_validator("statistic")
    @classmethod
    def _known(cls, value: str) -> str:
        """Refuse statistics that do not exist."""
        if value not in ("rate", "degraded") and not re.fullmatch(r"pass\^[1-9]\d{0,2}", value):
            raise ValueError("statistic must be rate, degraded or pass^k with k from 1 to 999")
        return value

    @model_validator(mode="after")
    def _one_bound(self) -> Self:
        """Refuse none and both."""
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("give exactly one of at_least and at_most")
        if self.statistic.startswith("pass^") and self.estimand == "suite":
            raise ValueError("pass^k takes estimand population only")
        if self.statistic.startswith("pass^") and self.per == "case":
            raise ValueError("pass^k is about many cases; ask for the rate of each case instead")
        return self


class GatePolicy(Written):
    """What `gate` asks of a run."""

    purpose: Literal["regression", "release"] = "regression"
    """regression: mock is right; release: needs a real run of the same cases and arm."""
    mode: Mode = "mock"
    """The mode to run in."""
    trials: int = Field(default=5, ge=1, le=1000)
    """Trials per case."""
    require: Items[Require] = Field(min_length=1, max_length=5)
    """All must be proven."""
    coverage: float = Field(default=0.98, ge=0.9, le=1)
    """Below it a go must hold with the unmeasured as fails; below .90 nothing is decided."""
    min_grade: Grade | None = None
    """The weakest evidence that may decide."""
