"""Binding each expectation of a case to the one metric that it feeds.

What comes in: expectations and what the suite declares. What goes out: bound expectations, and problems where
none or several metrics would take one.
"""

from __future__ import annotations

from evalkit.records.case import Case
from evalkit.records.checks import Expectation
from evalkit.records.metric import Metric
from evalkit.records.stage import Demand
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.entries import Entry, expectation
from evalkit.suite.ground import Ground, check_name
from evalkit.suite.words import suggest


def bound(findings: Findings, path: KeyPath, entry: Entry, ground: Ground) -> Expectation:
    """Return an expectation with its metric, or without one where that has been noted.

    Args:
        findings: Where to.
        path: The entry in the source.
        entry: The entry.
        ground: What the suite declares.
    """
    found = expectation(entry)
    if found.metric:
        check_name(findings, (*path, "for"), "metric", found.metric, [m.name for m in ground.suite.metrics])
        return found
    own = [m for m in ground.suite.metrics if not m.companion]
    takers = [m for m in own if m.any_kind or m.check == found.kind]
    if len(takers) == 1:
        return found.model_copy(update={"metric": takers[0].name})
    kinds = [m.check for m in own if m.check]
    if takers:
        names = " and ".join(f"`{metric.name}`" for metric in takers)
        said = f"`{found.kind}` could feed {names}"
        findings.add(path, "doubly-bound", said, suggestion=f"add `for: {takers[0].name}` to the entry")
    else:
        said = f"no metric has `check: {found.kind}`, so that this entry would feed nothing"
        advice = f"add `for: METRIC` to the entry ({suggest('', [m.name for m in own])})"
        advice += f"; checks that are fed here: {', '.join(dict.fromkeys(kinds))}" if kinds else ""
        findings.add(path, "unbound", said, suggestion=advice)
    return found


def check_fed(findings: Findings, case: Case, ground: Ground) -> None:
    """Note a case in which nothing could fail, or that does not feed the deciding primary.

    Args:
        findings: Where to.
        case: The case, bound.
        ground: What the suite declares.
    """
    deciding = ground.deciding
    fed = [m for m in ground.suite.metrics if m.from_suite and not m.companion]
    from_suite = [m.name for m in fed if m.name not in case.without]
    if not case.expect and not from_suite:
        said = "the case expects nothing, so that nothing could fail"
        findings.add((), "no-expectation", said, suggestion="add `expect: [...]`", value=case.id)
    elif deciding is not None and not _feeds(case, deciding):
        said = f"the case does not feed `{deciding.name}`, which decides whether a trial passed"
        findings.add(("expect",), "undecided-case", said, suggestion=_how_to_feed(deciding), value=case.id)


def _feeds(case: Case, metric: Metric) -> bool:
    entries = any(entry.metric == metric.name for entry in case.expect)
    return entries or (metric.from_suite and metric.name not in case.without)


def _how_to_feed(metric: Metric) -> str:
    if metric.from_suite:
        return f"take `{metric.name}` out of `without`"
    if metric.check:
        return f"add an entry `{metric.check}: ...`, or one with `for: {metric.name}`"
    return f"add an entry with `for: {metric.name}`"


def _demand_for(case: Case, metric: Metric, entry: Expectation) -> Demand | None:
    """What the case, or the turn that is asked about, asks of the stage where an entry is shown."""
    asked = case.demands
    turn = entry.turn if metric.scope == "turn" else None
    if turn is None or not case.by_turn or turn >= len(asked):
        return case.demand.get(metric.stage)
    return asked[turn].get(metric.stage)


def check_excused(
    findings: Findings,
    path: KeyPath,
    entry: Expectation,
    case: Case,
    ground: Ground,
    meant: frozenset[str] = frozenset(),
) -> None:
    """Note an expectation at a stage that the case neither requires nor forbids, and replies that decide.

    Args:
        findings: Where to.
        path: The entry in the source.
        entry: The expectation, bound.
        case: Its case.
        ground: What the suite declares.
        meant: Stages that a misspelt name may mean: that the case asks nothing of them follows from it.
    """
    metric = ground.metric(entry.metric)
    if metric is None:
        return
    if _demand_for(case, metric, entry) == "optional" and metric.stage not in meant:
        shown = f"`{metric.name}` is shown at `{metric.stage}`"
        said = f"{shown}, which is optional here: skipping it would excuse the agent"
        advice = f"add `{metric.stage}` to `requires` or `forbids`"
        findings.add(path, "optional-stage", said, suggestion=advice)
    if ground.decided_by_reply(metric, entry.kind) and metric.check != entry.kind:
        said = (
            "the agent can change a world, so that the outcome is read from the world and not from the reply"
        )
        findings.add(
            path, "reply-decides", said, suggestion="expect `state: ...`, or name another metric by `for`"
        )
