"""Estimates held against a policy: the decision, its reasons, and what would change it.

What comes in: a `GateQuestion`. What goes out: a `Decision`. Any no-go decides; else any undecided; else go.
What was not measured is never green: it is undecided.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalkit.decide.counts import counts
from evalkit.decide.estimates import Asked, estimate
from evalkit.decide.holding import Held, hold
from evalkit.decide.tally import GRADES, Tallies
from evalkit.decide.words import changes, reason
from evalkit.records.case import Case
from evalkit.records.decision import Choice, Decision, RootSummary
from evalkit.records.estimate import CaseTally, Estimate
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class GateQuestion:
    """All that a decision about one arm rests on.

    Attributes:
        suite: The loaded suite.
        policy: What must be proven.
        tallies: The arm's tallies.
        roots: Root causes of the arm's failing trials.
        manifest: What the run is.
        arm: The arm.
        today: For waivers that have ended.
        complete: Every planned trial has a closing line.
        selects: Whether a `where` expression selects a case.
        overrides: Flags that took the place of what the policy says, in words.
    """

    suite: Suite
    policy: GatePolicy
    tallies: Tallies
    roots: tuple[RootSummary, ...]
    manifest: Manifest
    arm: str
    today: dt.date
    complete: bool
    selects: Callable[[str, Case], bool]
    overrides: tuple[str, ...] = ()


def decide(question: GateQuestion) -> Decision:
    """Return the decision about one arm.

    Args:
        question: All that it rests on.
    """
    held = tuple(one for require in question.policy.require for one in _held(question, require))
    blocks = _blocks(question, held)
    choice = _choice(tuple(one.choice for one in held), blocked=bool(blocks))
    counted = counts(question.suite, question.tallies)
    return Decision(
        decision=choice,
        reasons=(*blocks, *(reason(one) for one in _deciding_first(held))),
        changes=changes(held, question.roots),
        estimates=tuple(one.estimate for one in held) + _beside(question),
        roots=question.roots,
        counts=counted,
        signature=question.manifest.signature,
        run=question.manifest.run,
        arm=question.arm,
        waived=_waived(question),
        warnings=(*question.overrides, *_warnings(question)),
        policy=question.policy.model_dump(mode="json", exclude_none=True),
    )


def _choice(choices: Sequence[Choice], *, blocked: bool) -> Choice:
    if "no-go" in choices:
        return "no-go"
    return "undecided" if blocked or not choices or "undecided" in choices else "go"


def _held(question: GateQuestion, require: Require) -> Iterator[Held]:
    """Yield the verdict of a require on each of its slices."""
    tallies = _selected(question, require)
    for name, slice_tallies in _slices(question, require, tallies):
        asked = Asked(
            metric=require.metric,
            slice=name,
            statistic=require.statistic,
            estimand=require.estimand or ("suite" if require.per == "case" else "population"),
            confidence=require.confidence,
        )
        yield hold(slice_tallies, asked, require, question.policy.coverage)


def _selected(question: GateQuestion, require: Require) -> tuple[CaseTally, ...]:
    tallies = question.tallies.metrics[require.metric]
    if require.where is None:
        return tallies
    chosen = {case.id for case in question.suite.cases if question.selects(require.where, case)}
    return tuple(one for one in tallies if one.case in chosen)


def _slices(
    question: GateQuestion, require: Require, tallies: tuple[CaseTally, ...]
) -> Iterator[tuple[str, tuple[CaseTally, ...]]]:
    if require.per == "suite":
        yield require.where or "suite", tallies
    elif require.per == "case":
        waived = _waived(question)
        yield from ((f"case={one.case}", (one,)) for one in tallies if one.case not in waived)
    else:
        names = dict.fromkeys(one.capability for one in tallies)
        for name in names:
            yield f"capability={name or '(none)'}", tuple(one for one in tallies if one.capability == name)


def _waived(question: GateQuestion) -> tuple[str, ...]:
    return tuple(one.case for one in question.suite.known if one.until >= question.today)


def _blocks(question: GateQuestion, held: Sequence[Held]) -> tuple[str, ...]:
    """Return what forbids a go whatever the figures say."""
    policy, mode = question.policy, question.manifest.signature.mode
    blocks = []
    if not question.complete:
        blocks.append(f"the run is incomplete: evalkit resume {question.manifest.run}")
    if policy.purpose == "release" and mode != "real":
        blocks.append(f"strategy proven, environment not: a release needs a real run, this one is {mode}")
    if policy.min_grade is not None:
        weak = _weak(question, {require.metric for require in policy.require})
        blocks += [f"{name} rests on {grade} evidence, {policy.min_grade} is asked" for name, grade in weak]
    if not held:
        blocks.append("no case is left to ask about")
    return tuple(blocks)


def _weak(question: GateQuestion, metrics: set[str]) -> list[tuple[str, str]]:
    least = GRADES.index(question.policy.min_grade or "static")
    grades = question.tallies.grades
    return [(m, grades[m]) for m in sorted(metrics) if m in grades and GRADES.index(grades[m]) < least]


def _deciding_first(held: Sequence[Held]) -> list[Held]:
    order: dict[Choice, int] = {"no-go": 0, "undecided": 1, "go": 2}
    return sorted(held, key=lambda one: order[one.choice])


def _beside(question: GateQuestion) -> tuple[Estimate, ...]:
    """Return what is printed beside the deciding figures: of those that got there, and pass^k."""
    deciding = question.suite.deciding.name
    tallies = question.tallies.metrics[deciding]
    names = ["rate", "conditional", f"pass^{question.manifest.plan.trials}"]
    return tuple(estimate(tallies, Asked(metric=deciding, statistic=name)) for name in names)


def _warnings(question: GateQuestion) -> Iterator[str]:
    """Yield what a reader should know before believing the decision."""
    suite, tallies = question.suite, question.tallies.metrics[question.suite.deciding.name]
    never = [one.case for one in tallies if one.passed == 0 and one.failed + one.explained > 0]
    if never:
        yield f"{len(never)} of {len(tallies)} cases never passed: {', '.join(sorted(never))}"
    trials = question.manifest.plan.trials
    if trials < question.policy.trials and not any("--trials" in text for text in question.overrides):
        yield f"the policy asks for {question.policy.trials} trials per case, the run has {trials}"
    if question.manifest.plan.left_out:
        yield f"{question.manifest.plan.left_out} cases were left out by selection"
    if suite.has_world and not suite.claims:
        yield "false completion: not examined (the suite declares no claims)"
    ended = [one.case for one in suite.known if one.until < question.today]
    if ended:
        yield f"waivers have ended for: {', '.join(ended)}"
