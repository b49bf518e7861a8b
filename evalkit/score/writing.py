"""Rulings and answers written down as verdicts.

What comes in: what the graph and the evidence say, the roots. What goes out: `Verdict`s of one trial.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from evalkit.records.plan import PlannedTrial
from evalkit.records.stage import StageState
from evalkit.records.verdict import Cause, Verdict, cause_class
from evalkit.score.asking import Place
from evalkit.score.graph import NOBODY, Ruling, Table
from evalkit.score.judging import Judged
from evalkit.score.roots import Roots


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


def stage_verdict(page: Page, table: Table, roots: Roots, position: int) -> Verdict:
    """Return a stage's own verdict.

    Args:
        page: What all verdicts of the trial share.
        table: The worked table.
        roots: The roots of the trial.
        position: The stage.
    """
    ruling, trial = table.rulings[position], page.trial
    found = table.structure.names(roots.of_stage(position))
    return Verdict(
        index=trial.index,
        case=trial.case,
        arm=trial.arm,
        trial=trial.trial,
        attempt=page.attempt,
        of="stage",
        name=table.structure.nodes[position].name,
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
        state=_state(table, roots, position),
        emptied_by=_emptied_by(table, ruling),
    )


def blocked_verdict(page: Page, table: Table, roots: Roots, place: Place, ruling: Ruling) -> Verdict:
    """Return the verdict of a metric that the graph decided.

    Args:
        page: What all verdicts of the trial share.
        table: The worked table.
        roots: The roots of the trial.
        place: Where the metric stands.
        ruling: What the graph says.
    """
    trial, failed = page.trial, ruling.outcome == "fail"
    found = table.structure.names(roots.of_fail(place.position) if failed else roots.of_error(ruling))
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
        emptied_by=_emptied_by(table, ruling),
    )


def judged_verdict(page: Page, table: Table, roots: Roots, place: Place, judged: Judged) -> Verdict:
    """Return the verdict of a metric that its own evidence decided.

    Args:
        page: What all verdicts of the trial share.
        table: The worked table.
        roots: The roots of the trial.
        place: Where the metric stands.
        judged: What the evidence says.
    """
    trial, failed = page.trial, judged.outcome == "fail"
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
        roots=table.structure.names(roots.of_fail(place.position)) if failed else (),
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


def _state(table: Table, roots: Roots, position: int) -> StageState:
    """A fail of a metric that is shown at a stage makes the stage a failed one."""
    if roots.failing >> position & 1:
        return "failed"
    if table.rulings[position].outcome == "error":
        return "not_examined"
    return "soft" if table.reading.recovered >> position & 1 else "ok"


def _emptied_by(table: Table, ruling: Ruling) -> str | None:
    return None if ruling.emptied_by == NOBODY else table.structure.nodes[ruling.emptied_by].name
