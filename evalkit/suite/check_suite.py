"""What is wrong with a suite as a whole: its goal, facts, claims, graph, metrics and primaries.

What comes in: the form of suite.yaml and what it declares. What goes out: problems.
"""

from __future__ import annotations

from evalkit.records.metric import Metric, Scope
from evalkit.records.suite import ClaimSign
from evalkit.suite.arguments import check_arguments
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.entries import OneCheck, expectation
from evalkit.suite.forms import MetricFile, StageFile, SuiteFile
from evalkit.suite.graph import circles
from evalkit.suite.ground import Ground, check_name, check_pattern, check_tool, exactly_one
from evalkit.suite.reach import argument_in, check_argument, check_path
from evalkit.suite.words import suggest

MAX_GATES = 5
"""Metrics of tier gate in a suite; more of them, and some fail by chance."""


def check_suite(findings: Findings, form: SuiteFile, ground: Ground) -> None:
    """Note everything that is wrong with a suite whose form is right.

    Args:
        findings: Where problems of suite.yaml are noted.
        form: The form of suite.yaml.
        ground: What it declares.
    """
    _check_goal(findings, form)
    _check_facts(findings, ground)
    _check_claims(findings, ground)
    _check_stages(findings, form, ground)
    _check_metrics(findings, form, ground)
    _check_primaries(findings, ground)


def _check_goal(findings: Findings, form: SuiteFile) -> None:
    if form.goal and form.goal.target and not form.goal.baseline:
        said = "a target without a baseline cannot be held against anything"
        findings.add(
            ("goal", "target"), "target-without-baseline", said, suggestion="add `baseline: {value, unit}`"
        )


def _check_facts(findings: Findings, ground: Ground) -> None:
    for name, fact in ground.suite.facts.items():
        path: KeyPath = ("facts", name)
        readable = check_path(findings, (*path, "path"), fact.path)
        if fact.source == "reply":
            given = ["path"] if fact.path else []
            exactly_one(findings, path, [*given, *(["matches"] if fact.matches else [])], ("path", "matches"))
            check_pattern(findings, (*path, "matches"), fact.matches)
            continue
        if fact.tool is None:
            advice = "add `tool: ...`"
            findings.add(
                (*path, "tool"), "missing-key", "a fact from a call names its tool", suggestion=advice
            )
        else:
            check_tool(findings, (*path, "tool"), fact.tool, ground)
        if fact.path.split(".")[0] not in ("args", "result"):
            said = "a call has `args` and `result`"
            findings.add((*path, "path"), "wrong-value", said, suggestion="write args.x or result.x")
        elif readable and fact.tool is not None and argument_in(fact.path):
            check_argument(findings, (*path, "path"), fact.tool, argument_in(fact.path), ground)


def _check_claims(findings: Findings, ground: Ground) -> None:
    for name, claim in ground.suite.claims.items():
        path: KeyPath = ("claims", name)
        sign = claim.sign
        if isinstance(claim.reply, ClaimSign):
            exactly_one(findings, (*path, "reply"), claim.reply.model_fields_set, ("matches", "field"))
        at: KeyPath = (*path, "reply", "matches") if isinstance(claim.reply, ClaimSign) else (*path, "reply")
        check_pattern(findings, at, sign.matches)
        check_path(findings, (*path, "reply", "field"), sign.field or "")
        if sign.matches == "":
            said = "every reply makes this claim"
            findings.add(at, "empty-expectation", said, suggestion="say how the claim shows")
        if not ground.suite.has_world:
            said = "a claim is held against a database, and the suite has none"
            findings.add(path, "no-world", said, suggestion="add `world: {database: ...}`")


def _check_stages(findings: Findings, form: SuiteFile, ground: Ground) -> None:
    for name, stage in form.stages.items():
        path: KeyPath = ("stages", name)
        _not_named(findings, path, stage)
        for number, need in enumerate(stage.needs):
            check_name(findings, (*path, "needs", number), "stage", need, form.stages)
        if stage.ran.fact is not None:
            check_name(findings, (*path, "ran", "fact"), "fact", stage.ran.fact, form.facts)
        for number, tool in enumerate(stage.ran.tools):
            place = findings.document.real((*path, "ran", "called", number))
            check_tool(findings, place, tool, ground)
        if stage.empty is not None:
            place = (*path, "empty", "returned")
            check_tool(findings, (*place, "tool"), stage.empty.returned.tool, ground)
            check_path(findings, (*place, "path"), stage.empty.returned.path)
    for circle in circles({name: stage.needs for name, stage in form.stages.items()}):
        way = " -> ".join((*circle, circle[0]))
        said = f"the stages need one another in a circle: {way}"
        advice = f"take `{circle[1 % len(circle)]}` out of these needs, or mend one of the others"
        findings.add(("stages", circle[0], "needs"), "cycle", said, suggestion=advice, value=way)


def _not_named(findings: Findings, path: KeyPath, form: StageFile) -> None:
    """Refuse `name`, which the record has and the file has not: the key is the name."""
    if "name" in form.model_fields_set:
        known = sorted(set(StageFile.model_fields) - {"name"})
        said = "a stage is named by its key"
        findings.add((*path, "name"), "unknown-key", said, suggestion=suggest("", known), at_key=True)


def _check_metrics(findings: Findings, form: SuiteFile, ground: Ground) -> None:
    if not form.metrics and len(ground.suite.stages) > 1:
        said = "a suite with several stages says under `metrics` at which stage its outcome is shown"
        advice = "add `metrics: {outcome: {stage: ..., primary: true, check: ...}}`"
        findings.add(("stages",), "metric-without-stage", said, suggestion=advice, at_key=True)
    names = [stage.name for stage in ground.suite.stages]
    for name, written in form.metrics.items():
        metric = ground.metric(name)
        if metric is not None:
            _check_metric(findings, ("metrics", name), written, metric, names)
            _check_suite_arguments(findings, ("metrics", name), written, ground)
            _check_reader(findings, ("metrics", name), metric, ground)
    gates = [metric.name for metric in ground.suite.metrics if metric.tier == "gate"]
    for name in gates[MAX_GATES:]:
        said = f"a suite has at most {MAX_GATES} metrics of tier gate, this is number {gates.index(name) + 1}"
        advice = "write `tier: compare` or `tier: observe`"
        findings.add(("metrics", name, "tier"), "many-gates", said, suggestion=advice, value="gate")


def _check_metric(
    findings: Findings, path: KeyPath, written: MetricFile, metric: Metric, stages: list[str]
) -> None:
    if not metric.stage:
        advice = f"add `stage: ...`; {suggest('', stages)}"
        findings.add(
            path, "metric-without-stage", "the metric is shown at no stage", suggestion=advice, at_key=True
        )
    elif written.stage:
        check_name(findings, (*path, "stage"), "stage", metric.stage, stages)
    for number, need in enumerate(written.needs or ()):
        check_name(findings, (*path, "needs", number), "stage", need, stages)


def _check_suite_arguments(findings: Findings, path: KeyPath, written: MetricFile, ground: Ground) -> None:
    """Check the arguments that a metric gives to every case, and the entries of its rule."""
    if isinstance(written.check, OneCheck):
        name, _ = written.check.given
        check_arguments(findings, (*path, "check", name), expectation(written.check), ground)
    elif written.check == "claim_matches_state" and not ground.suite.claims:
        said = "the suite declares no claims, so that nothing could fail this metric"
        findings.add((*path, "check"), "empty-expectation", said, suggestion="declare them under `claims`")
    if written.rule is None:
        return
    for key, entries in (("pass_when", written.rule.pass_when), ("fail_when", written.rule.fail_when)):
        for number, entry in enumerate(entries):
            here = (*path, "rule", key, number)
            name, _ = entry.given
            check_arguments(findings, (*here, name), expectation(entry), ground)
            if entry.metric:
                said = "an entry of a rule feeds the rule's own metric"
                findings.add((*here, "for"), "unknown-key", said, suggestion="leave `for` out", value="for")
    if not written.rule.pass_when and not written.rule.fail_when:
        said = "the rule says nothing"
        findings.add((*path, "rule"), "empty-expectation", said, suggestion="add `pass_when` or `fail_when`")


def _check_reader(findings: Findings, path: KeyPath, metric: Metric, ground: Ground) -> None:
    if ground.decided_by_reply(metric, metric.check):
        said = (
            "the agent can change a world, so that the outcome is read from the world and not from the reply"
        )
        findings.add((*path, "check"), "reply-decides", said, suggestion="write `check: state`")


def _check_primaries(findings: Findings, ground: Ground) -> None:
    """Each scope that has metrics, and the deciding one, has exactly one primary."""
    suite = ground.suite
    scopes: dict[Scope, list[Metric]] = {suite.deciding_scope: []}
    for metric in suite.metrics:
        scopes.setdefault(metric.scope, []).append(metric)
    for scope, metrics in scopes.items():
        primaries = [metric.name for metric in metrics if metric.primary]
        for name in primaries[1:]:
            said = f"scope {scope} already has the primary `{primaries[0]}`"
            advice = "leave `primary` out of one of the two"
            findings.add(("metrics", name, "primary"), "two-primaries", said, suggestion=advice)
        if not primaries:
            _no_primary(findings, scope, metrics)


def _no_primary(findings: Findings, scope: Scope, metrics: list[Metric]) -> None:
    if metrics:
        said = f"scope {scope} has metrics and no primary"
        advice = f"add `primary: true` to {' or '.join(f'`{metric.name}`' for metric in metrics[:3])}"
        findings.add(
            ("metrics", metrics[0].name), "no-primary", said, suggestion=advice, value=scope, at_key=True
        )
    else:
        said = f"scope {scope} decides whether a trial passed, and no metric has it"
        advice = f"add a metric with `scope: {scope}` and `primary: true`, or name another `deciding_scope`"
        findings.add(("metrics",), "no-primary", said, suggestion=advice, value=scope, at_key=True)
