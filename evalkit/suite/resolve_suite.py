"""The form of suite.yaml -> a suite without cases, all defaults resolved.

What comes in: a validated `SuiteFile` and the tools of its world. What goes out: a `Ground`; the suite in it
is sound only where `check_suite` finds nothing.
"""

from __future__ import annotations

from pathlib import Path

from evalkit.records.metric import Metric, Rule
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import Suite, SuiteType, ToolSpec
from evalkit.suite.companions import companions
from evalkit.suite.entries import Entry, OneCheck, expectation
from evalkit.suite.forms import MetricFile, RuleFile, StageFile, SuiteFile
from evalkit.suite.graph import needs_first
from evalkit.suite.ground import Ground

# What the one metric of a suite without metrics asks, by the suite's type (the default primary of the type).
_DEFAULT_PRIMARY: dict[SuiteType, str] = {
    "knowledge_qa": "answer correct",
    "task_execution": "task completed",
    "reasoning": "conclusion correct",
    "creative": "accepted, as far as checks can say; acceptance itself is a person's",
    "guidance": "multi-turn task completed",
    "multi_agent": "task completed",
}


def resolve_suite(form: SuiteFile, folder: Path, tools: tuple[ToolSpec, ...] | None) -> Ground:
    """Return what a suite declares.

    Args:
        form: The form of suite.yaml.
        folder: The suite's folder, as the person gave it.
        tools: The tools of its world; None where they are not known.

    Returns:
        The suite with stages in an order in which needs come first, metrics with stage and needs, and no
        cases.
    """
    stages = _stages(form)
    metrics = _metrics(form, stages)
    suite = Suite(
        suite=form.suite,
        type=form.type,
        goal=form.goal,
        world=form.world,
        tools=tools or (),
        facts=form.facts,
        stages=stages,
        metrics=metrics,
        claims=form.claims,
        deciding_scope=form.deciding_scope,
        limits=form.limits,
        known=form.known,
        cases=(),
    )
    if form.companions and sum(one.primary and one.scope == suite.deciding_scope for one in metrics) == 1:
        suite = suite.model_copy(update={"metrics": (*metrics, *companions(suite))})
    known = frozenset(tool.name for tool in tools) if tools is not None else None
    return Ground(suite=suite, folder=folder, tools=known)


def _stages(form: SuiteFile) -> tuple[Stage, ...]:
    """Return the stages, needs first; those in circles come last. Without any: the reply."""
    if not form.stages:
        return (Stage(name="reply", ran=Ran(replied=True)),)
    order = needs_first({name: stage.needs for name, stage in form.stages.items()})
    names = [*order, *(name for name in form.stages if name not in order)]
    return tuple(_stage(name, form.stages[name]) for name in names)


def _stage(name: str, form: StageFile) -> Stage:
    given = {key: getattr(form, key) for key in form.model_fields_set if key != "name"}
    return Stage.model_validate({"name": name, **given}, by_alias=True, by_name=True)


def _metrics(form: SuiteFile, stages: tuple[Stage, ...]) -> tuple[Metric, ...]:
    if not form.metrics:
        only = stages[0].name if len(stages) == 1 else ""
        return (
            Metric(
                name="outcome",
                scope=form.deciding_scope,
                primary=True,
                any_kind=True,
                stage=only,
                needs=(only,) if only else (),
                description=_DEFAULT_PRIMARY[form.type],
            ),
        )
    shown = _default_stage(form, stages)
    return tuple(_metric(name, metric, metric.stage or shown) for name, metric in form.metrics.items())


def _default_stage(form: SuiteFile, stages: tuple[Stage, ...]) -> str:
    """Return the one stage, or the stage of the deciding primary."""
    if len(stages) == 1:
        return stages[0].name
    deciding = (m.stage for m in form.metrics.values() if m.primary and m.scope == form.deciding_scope)
    return next(deciding, "")


def _metric(name: str, form: MetricFile, stage: str) -> Metric:
    needs = form.needs if form.needs is not None else (stage,) if stage else ()
    given = expectation(form.check) if isinstance(form.check, OneCheck) else None
    return Metric(
        name=name,
        scope=form.scope,
        tier=form.tier,
        primary=form.primary,
        stage=stage,
        needs=needs,
        check=given.kind if given else form.check if isinstance(form.check, str) else None,
        args=given.args if given else None,
        rule=_rule(name, form.rule) if form.rule else None,
        judge=form.judge,
        open=form.open,
        description=form.description,
    )


def _rule(name: str, form: RuleFile) -> Rule:
    def bound(entries: tuple[Entry, ...]) -> tuple[object, ...]:
        return tuple(expectation(entry).model_copy(update={"metric": name}) for entry in entries)

    return Rule.model_validate({"pass_when": bound(form.pass_when), "fail_when": bound(form.fail_when)})
