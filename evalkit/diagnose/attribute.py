"""Why one trial failed: what was seen, where it left the path, which stages answer for it.

What comes in: the verdicts of a trial. What goes out: one `Attribution`, or None where nothing failed.
Only fails of stages and of metrics of tier gate and compare count; what is merely observed accuses nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalkit.records.attribution import Attribution
from evalkit.records.case import Case
from evalkit.records.fact import FactSheet
from evalkit.records.stage import StageState
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict

_ADVICE = {
    "missing": "the agent never got to {stage}: see what it did instead of it",
    "empty": "{stage} ran and returned nothing: see its arguments and what it was asked",
    "forbidden": "the case forbids {stage} and the agent went for it: see what tempted it",
    "out_of_order": "{stage} ran before what it needs: see the order of the first calls",
}


def attribute(
    suite: Suite, case: Case, sheet: FactSheet | None, verdicts: tuple[Verdict, ...]
) -> Attribution | None:
    """Return what a failing trial leaves behind.

    Args:
        suite: The loaded suite.
        case: The case.
        sheet: The facts of the trial; None where it was never closed.
        verdicts: Stages, then metrics.

    Returns:
        The record; `passed` says that the deciding primary passed all the same. None without a fail.
    """
    fails = _accusing(suite, verdicts)
    if not fails:
        return None
    first = verdicts[0]
    primary = _ordered(suite, (root for row in fails for root in row.roots))
    failing = _ordered(suite, (_stage_of(suite, row) for row in fails))
    reasons = {stage: _reason(suite, stage, fails) for stage in primary}
    cited = [seq for row in fails if _stage_of(suite, row) in primary for seq in row.cites[:1]]
    process = min(cited, default=None)
    return Attribution(
        index=first.index,
        case=first.case,
        arm=first.arm,
        trial=first.trial,
        capability=str(case.tags.get("capability", "")),
        phenomenon=_phenomenon(fails),
        process=process,
        process_text=_event_text(sheet, process),
        primary=primary,
        secondary=tuple(stage for stage in failing if stage not in primary),
        states=_states(suite, verdicts, failing),
        reasons=reasons,
        suggestion="; ".join(_advice(stage, reason) for stage, reason in reasons.items()),
        passed=_passed(suite, verdicts),
    )


def _accusing(suite: Suite, verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    heard = {metric.name for metric in suite.metrics if metric.tier != "observe"}
    return [row for row in verdicts if row.outcome == "fail" and (row.of == "stage" or row.name in heard)]


def _stage_of(suite: Suite, row: Verdict) -> str:
    if row.of == "stage":
        return row.name
    return next(metric.stage for metric in suite.metrics if metric.name == row.name)


def _ordered(suite: Suite, stages: Iterable[str]) -> tuple[str, ...]:
    named = set(stages)
    return tuple(stage.name for stage in suite.stages if stage.name in named)


def _reason(suite: Suite, stage: str, fails: list[Verdict]) -> str:
    """Return why a stage failed: its own reason, else the metrics that failed there."""
    own = [row.reason for row in fails if row.of == "stage" and row.name == stage]
    if own and own[0]:
        return own[0]
    metrics = [row.name for row in fails if row.of == "metric" and _stage_of(suite, row) == stage]
    return ", ".join(metrics)


def _phenomenon(fails: list[Verdict]) -> str:
    words = [f"{row.name}: {row.message or row.reason or 'failed'}" for row in fails if not row.inherited]
    return "; ".join(words or [f"{row.name} failed" for row in fails])


def _states(suite: Suite, verdicts: tuple[Verdict, ...], failing: tuple[str, ...]) -> dict[str, StageState]:
    """Return the state of every stage; a stage with a failing metric failed, even where it ran."""
    own: Mapping[str, StageState] = {
        row.name: row.state or "not_examined" for row in verdicts if row.of == "stage"
    }
    return {
        stage.name: "failed" if stage.name in failing else own.get(stage.name, "not_examined")
        for stage in suite.stages
    }


def _event_text(sheet: FactSheet | None, seq: int | None) -> str:
    """Return the event that left the path, in words."""
    if sheet is None or seq is None:
        return "nothing happened that would show it"
    for call in sheet.calls:
        if seq in (call.seq, call.returned):
            return f"call of {call.tool}: {call.status}"
    if any(reply.seq == seq for reply in sheet.replies):
        return "reply to the user"
    probe = next((probe for probe in sheet.probes.values() if probe.seq == seq), None)
    return f"answer of the world to {probe.id}" if probe is not None else "event of the trace"


def _advice(stage: str, reason: str) -> str:
    known = _ADVICE.get(reason)
    return known.format(stage=stage) if known else f"{stage}: see why {reason} does not hold"


def _passed(suite: Suite, verdicts: tuple[Verdict, ...]) -> bool:
    deciding = suite.deciding.name
    return any(row.of == "metric" and row.name == deciding and row.outcome == "pass" for row in verdicts)
