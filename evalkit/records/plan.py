"""The plan: every trial that a run owes, fixed before anything runs.

What comes in: suite, arms, mode, trials, seed. What goes out: one line per trial in `plan.jsonl`.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from evalkit.records.policy import Mode

Count: TypeAlias = Annotated[int, Meta(ge=0)]
"""How many there are."""
Number: TypeAlias = Annotated[int, Meta(ge=1)]
"""Which one, from 1; or how many, at least one."""


class PlannedTrial(Struct, frozen=True, kw_only=True):
    """One execution that the run owes.

    Attributes:
        index: Position in the plan, from 0; rows of verdicts come in this order.
        case: Case id.
        arm: Arm name.
        mode: Real, mock or imported.
        trial: Number within case and arm, 0..k-1.
        seed: Seed of everything random in the trial (policy, faults), derived from the run's seed, the
            case and
            the trial, the same for both arms.
    """

    index: int
    case: str
    arm: str
    mode: Mode
    trial: int
    seed: int


class PlanSummary(Struct, frozen=True, kw_only=True):
    """What the plan comes to.

    Attributes:
        trials: Trials per case and arm.
        planned: Planned trials in all.
        cases: Selected cases.
        left_out: Cases left out by `--only` / `--skip`.
        not_in_mode: Ids of cases that declare a fault and are not planned in real mode.
        seed: The run's seed.
        order: How the execution order was made; plan order is case order, execution order is seeded.
    """

    trials: Number
    planned: Count
    cases: Count
    left_out: Count = 0
    not_in_mode: tuple[str, ...] = ()
    seed: int = 0
    order: str = "seeded by case"


class Shard(Struct, frozen=True, kw_only=True):
    """One part of a plan that is run in parts; what it keeps of the whole proves which parts belong together.

    Attributes:
        number: Which part, from 1.
        of: How many parts there are.
        only: Expression that selected the cases of the whole plan; "" selects all.
        skip: Expression that left cases out of it; "" left out none.
        plan: What the whole plan comes to.
        plan_hash: sha256 of the whole plan, as `plan.jsonl` of an undivided run would have it.
    """

    number: Number
    of: Number
    only: str = ""
    skip: str = ""
    plan: PlanSummary
    plan_hash: str
