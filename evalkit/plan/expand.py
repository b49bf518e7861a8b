"""Every trial that a run owes, streamed: plan order for the record, a seeded order for the work.

What comes in: suite, arms, mode, trials per case, seed, a selection. What goes out: `PlannedTrial`s and a
summary.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalkit.plan.shards import shard_of
from evalkit.records.case import Case
from evalkit.records.plan import PlannedTrial, PlanSummary
from evalkit.records.policy import Mode
from evalkit.records.suite import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What to plan.

    Attributes:
        arms: Arm names, in the order asked for.
        mode: Real or mock.
        trials: Trials per case and arm, at least 1.
        seed: Seed of the order and of every trial.
        selected: Whether a case is wanted.
    """

    arms: tuple[str, ...]
    mode: Mode
    trials: int
    seed: int
    selected: Callable[[Case], bool]


class Plan:
    """The trials of a run, never held in memory at once."""

    def __init__(self, suite: Suite, request: PlanRequest, shard: tuple[int, int] | None = None) -> None:
        """Select the cases.

        Args:
            suite: The loaded suite.
            request: What to plan.
            shard: Which part of the plan, from 1, and of how many; None plans the whole.

        Raises:
            InputError: There are fewer clusters of cases than parts.
        """
        wanted = [case for case in suite.cases if request.selected(case)]
        skipped = {case.id for case in wanted if request.mode == "real" and case.declares_fault}
        planned = [case for case in wanted if case.id not in skipped]
        self._request = request
        self._cases = tuple(case.id for case in (planned if shard is None else shard_of(planned, *shard)))
        self.summary = PlanSummary(
            trials=request.trials,
            planned=len(self._cases) * len(request.arms) * request.trials,
            cases=len(self._cases),
            left_out=len(suite.cases) - len(wanted),
            not_in_mode=tuple(case.id for case in wanted if case.id in skipped),
            seed=request.seed,
        )

    def in_plan_order(self) -> Iterator[PlannedTrial]:
        """Yield case by case, arm by arm, trial by trial."""
        for position in range(len(self._cases)):
            for arm in range(len(self._request.arms)):
                for trial in range(self._request.trials):
                    yield self._planned(position, arm, trial)

    def in_work_order(self) -> Iterator[PlannedTrial]:
        """Yield round by round: every case once, in shuffled order, with its arms side by side."""
        for trial in range(self._request.trials):
            yield from self._round(trial)

    def _round(self, trial: int) -> Iterator[PlannedTrial]:
        order = list(range(len(self._cases)))
        random.Random(f"{self._request.seed}:{trial}").shuffle(order)
        for position in order:
            for arm in range(len(self._request.arms)):
                yield self._planned(position, arm, trial)

    def _planned(self, position: int, arm: int, trial: int) -> PlannedTrial:
        request, case = self._request, self._cases[position]
        return PlannedTrial(
            index=(position * len(request.arms) + arm) * request.trials + trial,
            case=case,
            arm=request.arms[arm],
            mode=request.mode,
            trial=trial,
            seed=trial_seed(request.seed, case, trial),
        )


def trial_seed(seed: int, case: str, trial: int) -> int:
    """Return the seed of a trial: the same for every arm, different for every case and number.

    Args:
        seed: The run's seed.
        case: Case id.
        trial: Trial number.

    Returns:
        A number in [0, 2**53), which every JSON reader keeps exactly.
    """
    digest = hashlib.blake2b(f"{seed}:{case}:{trial}".encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 11
