"""What a reader should know before believing a decision, and what forbids a decision.

What comes in: a `GateQuestion`. What goes out: sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from evalkit.decide.counts import counts
from evalkit.decide.question import GateQuestion
from evalkit.decide.silence import silences
from evalkit.decide.waived import waivers
from evalkit.decide.words import count, not_planned
from evalkit.records.waivers import told


def undecidable(question: GateQuestion) -> tuple[str, ...]:
    """Return what forbids every decision, a no-go too.

    A run that was stopped is no sample of itself: whoever stops a run that looks bad, or looks good, decides
    by looking. And verdicts that are not those of the plan are nobody's.

    Args:
        question: All that the decision rests on.
    """
    plan, run = question.manifest.plan, question.manifest.run
    found = []
    shard = question.manifest.shard
    if shard is not None:
        part = f"shard {shard.number} of {shard.of}"
        found.append(f"undecided: this run is {part}: evalkit merge all {shard.of}, then gate")
    if not question.complete:
        found.append(f"undecided: the run is incomplete: evalkit resume {run}")
    owed = plan.planned / max(1, len(question.manifest.arms))
    have = counts(question.suite, question.tallies).planned
    if have != owed:
        found.append(f"undecided: verdicts are missing or double: {have} of {owed:g}: evalkit score {run}")
    return tuple(found)


def unreleasable(question: GateQuestion) -> tuple[str, ...]:
    """Return what forbids a go whatever the figures say; a no-go stays one.

    Args:
        question: All that the decision rests on.
    """
    policy, mode = question.policy, question.manifest.signature.mode
    if mode == "real":
        return ()
    if policy.purpose == "release":
        told = f"a release needs a real run of the same cases and arm, this one is {mode}"
        return (f"undecided: strategy proven, environment not: {told}",)
    if policy.mode == "real" and not any("--mode" in text for text in question.overrides):
        return (f"undecided: the policy asks for a real run, this one is {mode}",)
    return ()


def cautions(question: GateQuestion) -> Iterator[str]:
    """Yield what a reader should know.

    Args:
        question: All that the decision rests on.
    """
    yield from question.overrides
    yield from _never_passed(question)
    yield from _passed_although(question)
    yield from _of_the_plan(question)
    yield from _unexamined(question)
    yield from _one_cause(question)
    yield from _waivers(question)


def _never_passed(question: GateQuestion) -> Iterator[str]:
    tallies = question.tallies.metrics[question.suite.deciding.name]
    never = [one.case for one in tallies if one.passed == 0 and one.failed + one.explained > 0]
    if never:
        yield f"{len(never)} of {count(len(tallies), 'case')} never passed: {', '.join(never)}"


def _passed_although(question: GateQuestion) -> Iterator[str]:
    """Yield the metrics of tier gate that failed in passing trials: what decides a trial is one metric."""
    for name, cases in question.unasked.items():
        where = f"{count(cases.total(), 'trial')} of {count(len(cases), 'case')} ({', '.join(cases)})"
        told = f"passed, although a gate metric failed: {name} in {where}"
        yield f"{told}; no require of the policy asks for it: evalkit blame {question.manifest.run}"


def _of_the_plan(question: GateQuestion) -> Iterator[str]:
    policy, plan, mode = question.policy, question.manifest.plan, question.manifest.signature.mode
    said = _said(question)
    if "trials" in said and plan.trials < policy.trials:
        yield f"the policy asks for {policy.trials} trials per case, the run has {plan.trials}"
    if "mode" in said and policy.mode == "mock" != mode:
        yield f"the policy speaks of mode mock, the run is {mode}"
    if plan.left_out:
        yield f"{count(plan.left_out, 'case')} left out by selection"
    yield from not_planned(plan.not_in_mode)


def _said(question: GateQuestion) -> set[str]:
    """Return what the policy itself says of how to run: no default, and nothing that a flag took over."""
    overridden = " ".join(question.overrides)
    return {name for name in question.policy.model_fields_set if f"--{name}" not in overridden}


def _unexamined(question: GateQuestion) -> Iterator[str]:
    if question.suite.has_world and not question.suite.claims:
        yield "false completion: not examined (the suite declares no claims)"
    yield from silences(question.suite, question.tallies)
    degraded = counts(question.suite, question.tallies).degraded
    if degraded and all(require.statistic != "degraded" for require in question.policy.require):
        yield f"{count(degraded, 'trial')} degraded, and the policy asks nothing of that"


def _one_cause(question: GateQuestion) -> Iterator[str]:
    """Yield the pairs of metrics that fall at the same root: one cause, two votes."""
    metrics = dict.fromkeys(require.metric for require in question.policy.require)
    for one, other in combinations(metrics, 2):
        theirs = question.tallies.roots.get(other, ())
        shared = [stage for stage in question.tallies.roots.get(one, ()) if stage in theirs]
        if shared:
            yield f"{one} and {other} both fall at {', '.join(shared)}: one cause, two votes"


def _waivers(question: GateQuestion) -> Iterator[str]:
    """Yield every waiver: who answers for what, and until when; those that waive nothing first."""
    yield from (told(one) for one in waivers(question))
