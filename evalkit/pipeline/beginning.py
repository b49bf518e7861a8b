"""The beginning of a run: from what was asked for to a folder that owes every planned trial.

What comes in: a request, a suite, its arms. What goes out: a plan; suite, plan and manifest on disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import Undecidable
from evalkit.pipeline.executing import Work
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.spending import NO_BUDGET, RunBudget
from evalkit.pipeline.suites import arm_code, check_sources
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.records.case import Case
from evalkit.records.plan import Shard
from evalkit.records.policy import Mode
from evalkit.records.signature import Manifest, Signature
from evalkit.records.suite import Suite
from evalkit.store.folder import RunFolder, suite_hash
from evalkit.store.joining import plan_hash
from evalkit.suite.where import parse_where


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What `run` was asked for.

    Attributes:
        suite: Folder or file of the suite.
        arms: Arm names; () means the only one there is.
        mode: Real or mock.
        trials: Trials per case and arm.
        seed: Seed of order and chance.
        jobs: Trials at once.
        only: Expression that selects cases; "" selects all.
        skip: Expression that leaves cases out; "" leaves out none.
        shard: Which part of the plan, from 1, and of how many; None runs the whole.
        budget: What may be spent.
    """

    suite: Path
    arms: tuple[str, ...] = ()
    mode: Mode = "mock"
    trials: int = 1
    seed: int = 0
    jobs: int = 8
    only: str = ""
    skip: str = ""
    shard: tuple[int, int] | None = None
    budget: RunBudget = NO_BUDGET


def planned(suite: Suite, arms: tuple[str, ...], request: RunRequest) -> Plan:
    """Return what a request owes.

    Args:
        suite: The loaded suite.
        arms: Arm names.
        request: What was asked for.

    Raises:
        InputError: The selection is wrong, or there are fewer clusters of cases than shards.
        Undecidable: Nothing was selected.
    """
    plan = Plan(suite, _plan_request(request, arms), request.shard)
    if plan.summary.planned == 0:
        raise Undecidable(_nothing(suite, plan, request))
    return plan


def begin(folder: RunFolder, work: Work, plan: Plan, request: RunRequest, setting: Setting) -> None:
    """Write suite, plan, manifest and the suite's own checks: from here on the run owes every planned trial.

    Args:
        folder: The new folder, held for writing.
        work: What its trials are executed with.
        plan: What it owes.
        request: What was asked for.
        setting: The surroundings.
    """
    suite = work.loaded.suite
    folder.write_suite(suite)
    written = folder.write_plan(plan.in_plan_order())
    signature = Signature(
        suite_hash=suite_hash(suite),
        mode=work.mode,
        limits=suite.limits.model_dump(mode="json"),
        seed=plan.summary.seed,
        evalkit=setting.version,
        host=setting.host,
    )
    folder.write_manifest(
        Manifest(
            run=folder.name,
            suite=suite.suite,
            arms={
                name: arm.model_dump(mode="json", by_alias=True, exclude_defaults=True)
                for name, arm in work.arms.items()
            },
            arm_code={name: arm_code(work.loaded.folder, arm) for name, arm in work.arms.items()},
            signature=signature,
            plan=plan.summary,
            plan_hash=written,
            started=setting.clock.wall(),
            suite_path=os.path.relpath(work.loaded.folder.resolve(), folder.path.resolve()),
            shard=_shard(suite, tuple(work.arms), request, folder),
        )
    )
    for name, content in check_sources(work.loaded):
        folder.write_code(name, content)


def _shard(suite: Suite, arms: tuple[str, ...], request: RunRequest, folder: RunFolder) -> Shard | None:
    """Return what a shard keeps of the whole plan, None for a run that is not divided."""
    if request.shard is None:
        return None
    whole = Plan(suite, _plan_request(request, arms))
    return Shard(
        number=request.shard[0],
        of=request.shard[1],
        only=request.only,
        skip=request.skip,
        plan=whole.summary,
        plan_hash=plan_hash(whole.in_plan_order(), folder.encoder),
    )


def _plan_request(request: RunRequest, arms: tuple[str, ...]) -> PlanRequest:
    return PlanRequest(
        arms=arms,
        mode=request.mode,
        trials=request.trials,
        seed=request.seed,
        selected=selection(request.only, request.skip),
    )


def selection(only: str, skip: str) -> Callable[[Case], bool]:
    """Return whether a case is wanted.

    Args:
        only: Expression that selects cases; "" selects all.
        skip: Expression that leaves cases out; "" leaves out none.

    Raises:
        InputError: One of them is no expression.
    """
    wanted, unwanted = parse_where(only), parse_where(skip)
    return lambda case: wanted.matches(case) and not (skip and unwanted.matches(case))


def _nothing(suite: Suite, plan: Plan, request: RunRequest) -> str:
    if not suite.cases:
        return f"suite {suite.suite} has no cases: nothing was measured"
    faulty = len(plan.summary.not_in_mode)
    if faulty:
        return f"nothing was selected: {faulty} cases declare faults and need --mode mock"
    flags = {"--only": request.only, "--skip": request.skip}
    chosen = " ".join(f"{flag} {text!r}" for flag, text in flags.items() if text)
    strange = [one for text in flags.values() for one in parse_where(text).unknown_keys(suite.cases)]
    strange += parse_where(request.only).unknown_values(suite.cases)
    hint = "".join(f"; no case has {key}: {advice}" for key, advice in strange)
    return f"nothing was selected: none of {len(suite.cases)} cases is left by {chosen}{hint}"
