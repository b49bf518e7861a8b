"""What is found of a stage before roots are known, and how it is then seen as a need."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.oracle.graph import bridged_needs, counts_as_ran, demand_of, stage_named
from tests.oracle.model import Outcome, Reason, Stage, Trial
from tests.oracle.reading import first_ran, ran, ran_empty
from tests.oracle.taints import Taint

NOT_MEASURES = ("", "upstream_failed", "upstream_empty", "upstream_refused", "not_required")
"""The causes that are explained or not asked; 'unmeasured: all others'."""


@dataclass(frozen=True)
class Finding:
    """A verdict whose roots are still to be worked out.

    Attributes:
        outcome: pass, fail or error.
        row: the row of the table that gave it; 0 for a metric.
        cause: of an error.
        sub: the sub-cause that came with it.
        reason: of a stage's fail.
        naming: of `upstream_empty`: the stage that ran and returned nothing.
        blames: the stages whose own roots are the roots of this error.
        out_of_order: the fact.
        taint: the taint whose cause this is.
    """

    outcome: Outcome
    row: int = 0
    cause: str = ""
    sub: str = ""
    reason: Reason = ""
    naming: str = ""
    blames: tuple[str, ...] = ()
    out_of_order: bool = False
    taint: Taint | None = None


@dataclass(frozen=True)
class Look:
    """One stage of one trial, and what was found of the stages before it in topological order."""

    trial: Trial
    stage: Stage
    found: Mapping[str, Finding]

    @property
    def forbidden(self) -> bool:
        """The case forbids the stage."""
        return demand_of(self.trial.case, self.stage) == "forbidden"

    @property
    def optional(self) -> bool:
        """The case does not ask for the stage."""
        return demand_of(self.trial.case, self.stage) == "optional"

    @property
    def needs(self) -> tuple[str, ...]:
        """The stage's needs, bridged, in the suite's order."""
        return bridged_needs(self.trial, self.stage)

    def as_need(self, name: str) -> Finding:
        """What is found of a need: in this turn if it ran there, else in the turns in which it ran."""
        if ran(stage_named(self.trial.suite, name), self.trial.trace):
            return self.found[name]
        return self.trial.earlier.get(name, self.found[name])


def need_ran(look: Look, name: str) -> bool:
    """Say whether a need ran, whatever its verdict.

    Page: 'A need that ran counts as ran whatever its verdict.'
    """
    return counts_as_ran(look.trial, name)


def is_missing_or_blocked(look: Look, name: str) -> bool:
    """Say whether a need did not run and failed, or was blocked by what failed.

    Page: A need that did not run and is 'missing (fail)' or 'blocked (`upstream_failed`)'.
    """
    finding = look.as_need(name)
    return not need_ran(look, name) and (finding.outcome == "fail" or finding.cause == "upstream_failed")


def is_unmeasured(look: Look, name: str) -> bool:
    """Say whether a need's error has a cause of the third class.

    It did not run, or it ran empty and a fault met its last call: of what ran only the second row gives
    such a cause (README, choice 2).
    """
    return look.as_need(name).cause not in NOT_MEASURES


def is_empty_need(trial: Trial, name: str) -> bool:
    """Say whether a need ran and returned nothing, by the second row.

    A need that ran and returned nothing, by the second row: a forbidden stage that ran empty has run,
    no more (README, choice 14).
    """
    stage = stage_named(trial.suite, name)
    if ran(stage, trial.trace):
        return ran_empty(stage, trial.trace) and demand_of(trial.case, stage) != "forbidden"
    return name in trial.earlier and trial.earlier[name].row == 2


def is_empty_or_emptied(look: Look, name: str) -> bool:
    """Say whether a need ran empty, or did not run because one above it did.

    Page: 'One is empty, or was emptied so.'
    """
    return is_empty_need(look.trial, name) or look.as_need(name).cause == "upstream_empty"


def is_out_of_order(look: Look) -> bool:
    """Say whether a stage ran although a need of it had not.

    Page: '... if a need is missing (fail), blocked (`upstream_failed`) or first ran later.'
    """
    return any(is_missing_or_blocked(look, name) or first_ran_later(look, name) for name in look.needs)


def first_ran_later(look: Look, name: str) -> bool:
    """A need that ran, but for the first time only after this stage first ran."""
    need, trace = stage_named(look.trial.suite, name), look.trial.trace
    if not need_ran(look, name) or name in look.trial.earlier:
        return False
    return first_ran(need, trace) > first_ran(look.stage, trace)


def origin_of_emptiness(look: Look, name: str) -> str:
    """The stage that ran and returned nothing, not the one that was emptied by it (README, choice 16)."""
    return name if is_empty_need(look.trial, name) else look.as_need(name).naming


def first_emptiness(among: Iterable[Finding]) -> Finding | None:
    """Of several `upstream_empty` in the suite's order the first that is a fail, else the first; or None.

    An explained error does not hide behind an emptiness that was allowed (README, choice 16).
    """
    return min(among, key=lambda emptied: not emptied.blames, default=None)  # min keeps the first


def emptied_by(row: int, origin: str, emptiness: Finding) -> Finding:
    """An `upstream_empty` that names a stage and blames it where its emptiness is a fail."""
    blames = (origin,) if emptiness.reason == "empty" else ()
    return Finding("error", row, "upstream_empty", naming=origin, blames=blames)
