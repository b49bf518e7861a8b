"""Why one trial failed: what was seen, where it left the path, which stages answer for it.

What comes in: the verdicts of a trial and its facts. What goes out: one `Attribution`, or None where nothing
failed. Only fails of stages and of metrics of tier gate and compare count; what is merely observed accuses
nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalkit.diagnose.checked import checks_of
from evalkit.diagnose.leaving import attempt_in_words, event_in_words, left_the_path
from evalkit.records.attribution import Attribution
from evalkit.records.case import Case
from evalkit.records.fact import FactSheet
from evalkit.records.stage import Stage, StageState
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict


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
    fails = accusing(suite, verdicts)
    if not fails:
        return None
    first, places = verdicts[0], _places(suite)
    primary = _ordered(suite, (root for row in fails for root in row.roots))
    failing = _ordered(suite, (places[row.of, row.name] for row in fails))
    reasons = {stage: _reason(stage, places, fails) for stage in primary}
    process = left_the_path(sheet, _evidence(suite, primary, verdicts, fails))
    return Attribution(
        index=first.index,
        case=first.case,
        arm=first.arm,
        trial=first.trial,
        capability=str(case.tags.get("capability") or ""),
        phenomenon=_phenomenon(fails),
        process=process,
        process_text=event_in_words(sheet, process),
        primary=primary,
        secondary=tuple(stage for stage in failing if stage not in primary),
        states=_states(suite, verdicts, failing),
        failed_by=_failed_by(suite, places, fails),
        reasons=reasons,
        checks=checks_of(suite, case, reasons),
        suggestion="; ".join(_advice(suite, stage, reason, sheet) for stage, reason in reasons.items()),
        grade="report" if process is None else "ticket",
        passed=_passed(suite, verdicts),
    )


def accusing(suite: Suite, verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the fails that accuse: of stages, and of metrics of tier gate and compare.

    Args:
        suite: The loaded suite.
        verdicts: Verdicts of a trial.
    """
    heard = {metric.name for metric in suite.metrics if metric.tier != "observe"}
    return [row for row in verdicts if row.outcome == "fail" and (row.of == "stage" or row.name in heard)]


def _places(suite: Suite) -> Mapping[tuple[str, str], str]:
    """Return the stage at which each stage and metric is shown."""
    stages = {("stage", stage.name): stage.name for stage in suite.stages}
    return stages | {("metric", metric.name): metric.stage for metric in suite.metrics}


def _evidence(
    suite: Suite, primary: tuple[str, ...], verdicts: Iterable[Verdict], fails: list[Verdict]
) -> list[list[Verdict]]:
    """Return the verdicts that may show where a trial left the path, the most telling first.

    Something that is missing is shown by no event: then it is what went on below the missing stage, and that
    may have passed.
    """
    places, below = _places(suite), _below(suite, primary)
    at_roots = [row for row in fails if places[row.of, row.name] in primary]
    return [
        [row for row in at_roots if row.of == "stage"],
        [row for row in at_roots if row.of == "metric"],
        [row for row in verdicts if row.of == "stage" and row.outcome != "error" and row.name in below],
        fails,
    ]


def _below(suite: Suite, roots: Iterable[str]) -> frozenset[str]:
    """Return the stages that stand below some stages in the declared graph."""
    found, size = set(roots), 0
    while len(found) != size:
        size = len(found)
        found |= {stage.name for stage in suite.stages if found & set(stage.needs)}
    return frozenset(found - set(roots))


def _ordered(suite: Suite, stages: Iterable[str]) -> tuple[str, ...]:
    named = set(stages)
    return tuple(stage.name for stage in suite.stages if stage.name in named)


def _failed_by(suite: Suite, places: Mapping[tuple[str, str], str], fails: list[Verdict]) -> dict[str, str]:
    """Return the metrics that failed at stages that did not fail themselves."""
    own = {row.name for row in fails if row.of == "stage"}
    metrics = [(places[row.of, row.name], row.name) for row in fails if row.of == "metric"]
    return {
        stage.name: ", ".join(name for place, name in metrics if place == stage.name)
        for stage in suite.stages
        if stage.name not in own and any(place == stage.name for place, _ in metrics)
    }


def _reason(stage: str, places: Mapping[tuple[str, str], str], fails: list[Verdict]) -> str:
    """Return why a stage failed: its own reason, else the metrics that failed there."""
    own = [row.reason for row in fails if row.of == "stage" and row.name == stage]
    if own and own[0]:
        return own[0]
    metrics = [row.name for row in fails if row.of == "metric" and places[row.of, row.name] == stage]
    return ", ".join(metrics)


def _phenomenon(fails: list[Verdict]) -> str:
    """Return the fails that are not inherited, each in its own words."""
    heads = [row for row in fails if not row.inherited] or fails
    return "; ".join(_told(row) for row in heads)


def _told(row: Verdict) -> str:
    words = row.message or row.reason or "failed"
    return words if words.startswith(row.name) else f"{row.name}: {words}"


def _states(suite: Suite, verdicts: tuple[Verdict, ...], failing: tuple[str, ...]) -> dict[str, StageState]:
    """Return the state of every stage; a stage with a failing metric failed, even where it ran."""
    own: Mapping[str, StageState] = {
        row.name: row.state or "not_examined" for row in verdicts if row.of == "stage"
    }
    return {
        stage.name: "failed" if stage.name in failing else own.get(stage.name, "not_examined")
        for stage in suite.stages
    }


def _advice(suite: Suite, name: str, reason: str, sheet: FactSheet | None) -> str:
    """Return what to look at for one root."""
    stage = next(stage for stage in suite.stages if stage.name == name)
    tried = attempt_in_words(sheet, stage.ran.tools) if reason == "missing" else ""
    if tried:
        return f"{name} was tried and did not return: {tried}; find out why it was left at that"
    known = {
        "missing": f"find out why {name} was passed over: {_sign(stage)} would show it",
        "empty": f"find out why {name} returned nothing: see what it was asked for",
        "forbidden": f"find out what tempted the agent: this case forbids {name}",
        "out_of_order": f"find out why {name} came before what it needs ({', '.join(stage.needs)})",
    }
    return known.get(reason, f"see at {name} why {reason} does not hold")


def _sign(stage: Stage) -> str:
    """Return what would show that a stage ran."""
    if stage.ran.tools:
        return f"a call of {' or '.join(stage.ran.tools)} that returns"
    return f"the fact {stage.ran.fact}" if stage.ran.fact is not None else "a reply"


def _passed(suite: Suite, verdicts: tuple[Verdict, ...]) -> bool:
    deciding = suite.deciding.name
    return any(row.of == "metric" and row.name == deciding and row.outcome == "pass" for row in verdicts)
