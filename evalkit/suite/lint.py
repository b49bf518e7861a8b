"""What stands in a loaded suite, its gate and its arms, and should be known: the warnings.

What comes in: loaded records and today's date. What goes out: warnings; whatever refuses a file is found when
it is loaded, where line and column are still known.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import combinations

from evalkit.errors import Problem
from evalkit.records.arm import Arm
from evalkit.records.case import Case
from evalkit.records.metric import Metric
from evalkit.records.policy import GatePolicy
from evalkit.records.suite import Suite
from evalkit.records.waivers import SOON, ending
from evalkit.suite.graph import ancestors
from evalkit.suite.proofs import Proof, fed_cases, proofs, selected
from evalkit.suite.recipes import recipes
from evalkit.suite.repeats import near_duplicates
from evalkit.suite.scripted import unknown_calls
from evalkit.suite.tidiness import too_tidy
from evalkit.suite.warning import listed, of_case, warning
from evalkit.suite.where import parse_where
from evalkit.suite.words import suggest

_SUITE = "suite.yaml"
_GATE = "gate.yaml"


def lint(
    suite: Suite, policy: GatePolicy | None, arms: tuple[Arm, ...], *, today: dt.date
) -> tuple[Problem, ...]:
    """Return the warnings of a suite that can be loaded.

    Args:
        suite: The suite.
        policy: Its gate, where it has one.
        arms: Its arms.
        today: The day on which waivers are held against their end.

    Returns:
        Warnings: of the suite, of its cases, of its arms, of its gate.
    """
    found = [*_waivers(suite, today), *_claims(suite), *_metrics(suite), *_cases(suite)]
    found += [*_forbidden_places(suite), *_arms(suite, arms), *unknown_calls(suite, arms)]
    found += [*near_duplicates(suite), *recipes(suite, arms), *too_tidy(suite)]
    if policy is not None:
        found += [
            *_shared_roots(suite, policy),
            *_selections(suite, policy),
            *_provable(suite, policy, today),
        ]
    return tuple(found)


def _waivers(suite: Suite, today: dt.date) -> Iterator[Problem]:
    ids = [case.id for case in suite.cases]
    for number, waiver in enumerate(suite.known):
        key = f"known[{number}]"
        if waiver.case not in ids:
            said = f"the suite has no case `{waiver.case}`"
            yield warning(
                "unknown-waiver", _SUITE, f"{key}.case", waiver.case, said, suggest(waiver.case, ids)
            )
        if waiver.until < today:
            said = f"the waiver of `{waiver.case}` ended"
            advice = f"mend the case, or let {waiver.owner} set another day"
            yield warning("expired-waiver", _SUITE, f"{key}.until", f"{waiver.until}", said, advice)
        elif waiver.until <= today + dt.timedelta(days=SOON):
            when = ending((waiver.until - today).days)
            said = f"the waiver of `{waiver.case}` {when}, and the case counts again"
            advice = f"mend the case, or let {waiver.owner} set another day"
            yield warning("waiver-ends-soon", _SUITE, f"{key}.until", f"{waiver.until}", said, advice)


def _claims(suite: Suite) -> Iterator[Problem]:
    if suite.has_world and not suite.claims:
        said = "false completion is not examined: the suite has a world and declares no claims"
        advice = "say under `claims` how a reply claims success, and what shows that it holds"
        yield warning("no-claims", _SUITE, "claims", "none", said, advice)


def _metrics(suite: Suite) -> Iterator[Problem]:
    for metric in suite.metrics:
        if suite.cases and not fed_cases(suite, metric.name):
            said = f"no case feeds `{metric.name}`, so that it is never planned"
            advice = f"expect something with `for: {metric.name}`, or take the metric away"
            yield warning("unfed-metric", _SUITE, f"metrics.{metric.name}", metric.name, said, advice)


def _cases(suite: Suite) -> Iterator[Problem]:
    for case in suite.cases:
        for tool, pinned in case.mock.items():
            if not suite.has_world and pinned.otherwise is None:
                said = f"`{tool}` has nothing but pinned answers: any other call is `fixture_missing`"
                advice = "close the list with `otherwise: {return: ...}`, `{error: ...}` or `missing`"
                yield of_case("open-fixtures", case, f"mock.{tool}", said, advice)
    faulty = [case for case in suite.cases if case.declares_fault]
    if faulty:
        ids = listed(case.id for case in faulty)
        said = f"{_count(faulty)} a fault, and real mode plans none of that kind: {ids}"
        yield of_case("not-in-real-mode", faulty[0], "mock", said, "know it; a release needs a real run")


def _forbidden_places(suite: Suite) -> Iterator[Problem]:
    """Find entries that are examined only where the agent did what the case forbids.

    The outcome and the deciding primary are examined whatever ran.
    """
    found: dict[tuple[str, str], list[Case]] = {}
    for case in suite.cases:
        fed = {entry.metric for entry in case.expect}
        for metric in suite.metrics:
            if metric.name in fed and metric.scope != "outcome" and metric.name != suite.deciding.name:
                for stage in metric.needs or (metric.stage,):
                    if all(asked.get(stage) == "forbidden" for asked in case.demands):
                        found.setdefault((metric.name, stage), []).append(case)
    for (name, stage), cases in found.items():
        said = f"`{name}` is examined only where `{stage}` ran, and {listed(case.id for case in cases)}"
        said += " forbids it: a right trial is `upstream_refused`, and these expectations say nothing"
        advice = f"give `{name}` another `stage:` or `needs:`, or name another metric by `for:`"
        yield of_case("forbidden-place", cases[0], "expect", said, advice)


def _arms(suite: Suite, arms: tuple[Arm, ...]) -> Iterator[Problem]:
    without = [case for case in suite.cases if case.solution is None]
    for arm in arms:
        if arm.model.solution and without:
            those = "1 case has" if len(without) == 1 else f"{len(without)} cases have"
            said = f"arm `{arm.arm}` answers with the reference solution, and {those} none"
            said += f": {listed(case.id for case in without)}"
            advice = (
                "add what a right agent does, `solution: [{reply: ...}]`, or leave it out with --skip id=..."
            )
            yield of_case("no-solution", without[0], "solution", said, advice)


def _count(cases: list[Case]) -> str:
    return "one case declares" if len(cases) == 1 else f"{len(cases)} cases declare"


def _shared_roots(suite: Suite, policy: GatePolicy) -> Iterator[Problem]:
    """Find pairs of entries of which one stage would fail both; degradation is a question of its own."""
    needs = {stage.name: stage.needs for stage in suite.stages}
    metrics = {metric.name: metric for metric in suite.metrics}
    for (first, one), (second, other) in combinations(enumerate(policy.require), 2):
        if (one.statistic == "degraded") != (other.statistic == "degraded"):
            continue
        root = _shared(metrics.get(one.metric), metrics.get(other.metric), needs)
        if root:
            said = f"entries {first} and {second} both fail where stage `{root}` fails: one cause, two votes"
            advice = "require the one, and show the other"
            value = f"{one.metric}, {other.metric}"
            yield warning("shared-root", _GATE, f"require[{second}]", value, said, advice)


def _shared(one: Metric | None, other: Metric | None, needs: dict[str, tuple[str, ...]]) -> str:
    """Return the upper of two stages where it is the lower one too, or lies above it."""
    if one is None or other is None:
        return ""
    if one.stage == other.stage or one.stage in ancestors(other.stage, needs):
        return one.stage
    return other.stage if other.stage in ancestors(one.stage, needs) else ""


def _selections(suite: Suite, policy: GatePolicy) -> Iterator[Problem]:
    for number, require in enumerate(policy.require):
        key = f"require[{number}]"
        if not selected(suite, policy, require):
            said = f"no case is selected that feeds `{require.metric}`: the entry stays undecided"
            strange = parse_where(require.where or "").unknown_values(suite.cases)
            advice = "; ".join(f"no case has {what}: {near}" for what, near in strange)
            advice = advice or "widen `where`, or add cases"
            yield warning("empty-selection", _GATE, key, require.where or require.metric, said, advice)
        if require.statistic.startswith("pass^") and int(require.statistic[5:]) > policy.trials:
            said = f"{require.statistic} needs as many trials of a case, and the gate plans {policy.trials}"
            advice = f"write `trials: {require.statistic[5:]}`"
            yield warning("too-few-trials", _GATE, f"{key}.statistic", require.statistic, said, advice)


def _provable(suite: Suite, policy: GatePolicy, today: dt.date) -> Iterator[Problem]:
    for proof in proofs(suite, policy, today=today):
        if not proof.possible and proof.units:
            yield warning(
                "cannot-prove",
                _GATE,
                f"require[{proof.require}]",
                f"{proof.threshold:g}",
                _unprovable(proof),
                f"it takes {proof.needed} of them" if proof.needed else "ask for less",
            )


def _unprovable(proof: Proof) -> str:
    about = "" if proof.of == "suite" else f" of `{proof.of}`"
    best = _figure(proof.best)
    if proof.at_most:
        return f"0 of {proof.units} units{about} prove no less than {best} for `{proof.metric}`"
    return f"{proof.units} of {proof.units} units{about} prove {best} for `{proof.metric}` at best"


def _figure(value: float) -> str:
    """Return a figure as reports print it: .368."""
    return f"{value:.3f}".removeprefix("0")
