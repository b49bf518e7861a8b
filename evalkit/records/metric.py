"""Metrics: named questions with a scope, a tier and a place in the graph.

What comes in: the `metrics:` mapping of a suite. What goes out: `Metric` records in the suite's order.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evalkit.records.checks import CheckKind, Expectation
from evalkit.records.written import Items, Json, Written

Scope = Literal["turn", "session", "trace", "outcome"]
"""What a metric's question is about."""

Tier = Literal["gate", "compare", "observe"]
"""What a metric may decide."""

Grade = Literal["static", "rule", "isolated", "live"]
"""How strong the evidence is, weakest first."""


class Rule(Written):
    """Declared rule over facts: what is neither a pass nor a fail is doubt."""

    pass_when: Items[Expectation] = ()
    """All hold: pass."""
    fail_when: Items[Expectation] = ()
    """All hold: fail. Both at once contradict each other: error `broken_case`."""


class Metric(Written):
    """One named question."""

    name: str
    """The name that policies and reports use."""
    scope: Scope = "outcome"
    """What the question is about."""
    tier: Tier = "gate"
    """gate: may decide; compare: explains and is compared; observe: only shown."""
    primary: bool = False
    """The one metric of its scope that decides there."""
    stage: str = ""
    """Where the metric is shown; resolved at load."""
    needs: Items[str] = ()
    """Stages that must be examinable; resolved at load (default: `stage`)."""
    check: CheckKind | None = None
    """The check kind whose expectations feed this metric."""
    args: dict[str, Json] | None = None
    """Arguments from the suite: then every case feeds this metric."""
    rule: Rule | None = None
    """Decided by rule; doubt goes to a judge."""
    judge: str | None = None
    """Name of the judge configuration that settles doubt."""
    open: bool = False
    """The judge may read the reply itself."""
    any_kind: bool = False
    """Fed by every expectation: the one metric of a suite that declares none."""
    companion: bool = False
    """Brought by the suite's type: explains, is never blocked, and takes no expectation of others."""
    description: str = Field(default="", max_length=2000)
    """For readers of reports."""

    @property
    def from_suite(self) -> bool:
        """Whether the arguments come from the suite, so that every case feeds the metric."""
        return (
            self.args is not None
            or self.rule is not None
            or self.judge is not None
            or self.check == "claim_matches_state"
        )
