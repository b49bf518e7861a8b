"""Decisions: go, no-go or undecided, with reasons and what would change them.

What comes in: estimates held against a policy. What goes out: `Decision`, also stored as `decision.json`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.estimate import Estimate
from evalkit.records.signature import Signature
from evalkit.records.waivers import WaiverLine

Choice = Literal["go", "no-go", "undecided"]
"""What may be decided."""

EXIT_CODES: dict[Choice, int] = {"go": 0, "no-go": 1, "undecided": 3}
"""Choice -> exit code."""


class RootSummary(Struct, frozen=True, kw_only=True):
    """One root cause over the run.

    Attributes:
        stage: Root stage.
        cause: Why it failed (missing, empty, forbidden, out_of_order, or a metric's name).
        cases: Case ids, sorted.
        tags: Tag -> values that the cases share, e.g. {"capability": ["window"]}.
        trials: How many trials.
    """

    stage: str
    cause: str
    cases: tuple[str, ...]
    tags: dict[str, list[str]] = {}
    trials: int = 0


class Counts(Struct, frozen=True, kw_only=True):
    """Trials by the deciding primary; planned = passed + failed + errors.

    Attributes:
        planned: Planned trials.
        passed: Passed.
        failed: Failed.
        errors: Errors.
        causes: Cause -> count.
        coverage: 1 - unmeasured / (planned - not asked); None where nothing was asked.
        asked: Planned trials of which something was to be examined.
        unmeasured: Errors of class unmeasured.
        degraded: Degraded trials.
    """

    planned: int
    passed: int
    failed: int
    errors: int
    causes: dict[str, int]
    coverage: float | None
    asked: int = 0
    unmeasured: int = 0
    degraded: int = 0


class Decision(Struct, frozen=True, kw_only=True):
    """What was decided and why.

    Attributes:
        decision: go, no-go or undecided.
        reasons: Sentences, the deciding ones first.
        changes: What would change the decision.
        estimates: Every figure that was asked for, with its own decision, then the figures shown beside them.
        roots: Root causes, most trials first.
        counts: Trials by the deciding primary.
        signature: What it was measured on.
        run: Name of the run.
        arm: Arm that was asked about.
        waived: Cases left out of case-level requires by a waiver.
        waivers: Every waiver of the suite as it stands, those that ended first.
        warnings: What a reader should know.
        policy: The policy's text form, and flags that overrode it.
        verdicts: sha256 of the `verdicts.jsonl` that it was made from; "" where that was not written yet.
        stale: The verdicts have changed since.
        next: The command to type next; not stored.
    """

    decision: Choice
    reasons: tuple[str, ...]
    changes: tuple[str, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    roots: tuple[RootSummary, ...] = ()
    counts: Counts
    signature: Signature
    run: str = ""
    arm: str = ""
    waived: tuple[str, ...] = ()
    waivers: tuple[WaiverLine, ...] = ()
    warnings: tuple[str, ...] = ()
    policy: dict[str, object] = {}
    verdicts: str = ""
    stale: bool = False
    next: str = ""

    def is_about(self, counts: Counts | None) -> bool:
        """Return whether the trials are still those that it was made about.

        Args:
            counts: What the trials of its arm come to now; None where the arm is not among them.
        """
        return not self.stale and self.counts == counts
