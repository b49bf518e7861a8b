"""Rulings and answers written down as verdicts.

What comes in: what the graph and the evidence say, the roots. What goes out: `Verdict`s of one trial.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from evalkit.records.plan import PlannedTrial
from evalkit.records.stage import StageState
from evalkit.records.verdict import Cause, Verdict, cause_class
from evalkit.score.asking import Place
from evalkit.score.judging import Judged
from evalkit.score.roots import Roots
from evalkit.score.ruling import NOBODY, Ruling
from evalkit.score.structure import Structure


class Page(Struct, frozen=True, kw_only=True):
    """What all verdicts of one trial share.

    Attributes:
        trial: The planned trial.
        attempt: The attempt that counts.
        degraded: The trial is degraded.
    """

    trial: PlannedTrial
    attempt: int = 0
    degraded: bool = False


class Shown(Struct, frozen=True, kw_only=True):
    """What the graph showed of a trial.

    Attributes:
        structure: The suite's graph.
        rulings: Of every stage, over all tables.
        recovered: Mask of the stages whose misses were made good.
        roots: The roots of the trial.
    """

    structure: Structure
    rulings: Sequence[Ruling]
    recovered: int
    roots: Roots


def stage_verdict(page: Page, shown: Shown, position: int) -> Verdict:
    """Return a stage's own verdict.

    Args:
        page: What all verdicts of the trial share.
        shown: What the graph showed.
        position: The stage.
    """
    ruling, trial, roots = shown.rulings[position], page.trial, shown.roots
    found = shown.structure.names(roots.of_stage(position, ruling.turn))
    return Verdict(
        index=trial.index,
        case=trial.case,
        arm=trial.arm,
        trial=trial.trial,
        attempt=page.attempt,
        of="stage",
        name=shown.structure.nodes[position].name,
        outcome=ruling.outcome,
        cause=ruling.cause,
        cause_class=cause_class(ruling.cause, found) if ruling.cause is not None else None,
        sub=ruling.sub,
        reason=ruling.reason,
        message=ruling.message,
        roots=found,
        cites=ruling.cites,
        grade="rule" if ruling.outcome != "error" else None,
        degraded=page.degraded,
        inherited=ruling.outcome == "fail" and roots.inherits(position),
        state=_state(shown, position),
        emptied_by=_emptied_by(shown, ruling),
    )


def blocked_verdict(page: Page, shown: Shown, place: Place, ruling: Ruling) -> Verdict:
    """Return the verdict of a metric that the graph decided.

    Args:
        page: What all verdicts of the trial share.
        shown: What the graph showed.
        place: Where the metric stands.
        ruling: What the graph says.
    """
    trial, roots, failed = page.trial, shown.roots, ruling.outcome == "fail"
    found = shown.structure.names(roots.of_fail(place.position) if failed else roots.of_error(ruling))
    return Verdict(
        index=trial.index,
        case=trial.case,
        arm=trial.arm,
        trial=trial.trial,
        attempt=page.attempt,
        of="metric",
        name=place.metric.name,
        outcome=ruling.outcome,
        cause=ruling.cause,
        cause_class=cause_class(ruling.cause, found) if ruling.cause is not None else None,
        sub=ruling.sub,
        reason="check" if failed else None,
        message=ruling.message,
        roots=found,
        cites=ruling.cites,
        grade="rule" if failed else None,
        degraded=page.degraded,
        inherited=failed and roots.inherits(place.position),
        emptied_by=_emptied_by(shown, ruling),
    )


def judged_verdict(page: Page, shown: Shown, place: Place, judged: Judged) -> Verdict:
    """Return the verdict of a metric that its own evidence decided.

    Args:
        page: What all verdicts of the trial share.
        shown: What the graph showed.
        place: Where the metric stands.
        judged: What the evidence says.
    """
    trial, roots, failed = page.trial, shown.roots, judged.outcome == "fail"
    return Verdict(
        index=trial.index,
        case=trial.case,
        arm=trial.arm,
        trial=trial.trial,
        attempt=page.attempt,
        of="metric",
        name=place.metric.name,
        outcome=judged.outcome,
        cause=judged.cause,
        cause_class=cause_class(judged.cause, ()) if judged.cause is not None else None,
        sub=judged.sub,
        reason="check" if failed else None,
        message=judged.message,
        roots=shown.structure.names(roots.of_fail(place.position)) if failed else (),
        cites=judged.cites,
        measure=judged.measure,
        grade=judged.grade,
        degraded=page.degraded,
        inherited=failed and roots.inherits(place.position),
        decided_by=judged.decided_by,
    )


def unmeasured_verdicts(
    page: Page, stages: tuple[str, ...], metrics: tuple[str, ...], why: tuple[Cause, str | None, str]
) -> Iterator[Verdict]:
    """Yield the verdicts of a trial that as a whole was not measured.

    Args:
        page: What all verdicts of the trial share.
        stages: Stages of the suite.
        metrics: Metrics that are planned for the case.
        why: Cause, sub-cause, and a sentence for people.
    """
    trial = page.trial
    cause, sub, message = why
    names = [("stage", name) for name in stages] + [("metric", name) for name in metrics]
    for of, name in names:
        yield Verdict(
            index=trial.index,
            case=trial.case,
            arm=trial.arm,
            trial=trial.trial,
            attempt=page.attempt,
            of="stage" if of == "stage" else "metric",
            name=name,
            outcome="error",
            cause=cause,
            cause_class=cause_class(cause, ()),
            sub=sub,
            message=message,
            state="not_examined" if of == "stage" else None,
        )


def _state(shown: Shown, position: int) -> StageState:
    """A fail of a metric that is shown at a stage makes the stage a failed one."""
    if shown.roots.failing >> position & 1:
        return "failed"
    if shown.rulings[position].outcome == "error":
        return "not_examined"
    return "soft" if shown.recovered >> position & 1 else "ok"


def _emptied_by(shown: Shown, ruling: Ruling) -> str | None:
    return None if ruling.emptied_by == NOBODY else shown.structure.nodes[ruling.emptied_by].name
