"""Estimates held against a policy: the decision, its reasons, and what would change it.

What comes in: a `GateQuestion`. What goes out: a `Decision`. Any no-go decides; else any undecided; else go.
What was not measured is never green: it is undecided. An incomplete run is undecided even where its figures
say no-go: stopping a run for what it showed is deciding by looking, and it is there to be resumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.decide.cautions import cautions, undecidable, unreleasable
from evalkit.decide.changes import changes
from evalkit.decide.counts import counts
from evalkit.decide.estimates import of_metric, rates
from evalkit.decide.holding import Held, estimand_of, hold
from evalkit.decide.question import GateQuestion, slices
from evalkit.decide.waived import waived, waivers
from evalkit.decide.words import count, reason
from evalkit.records.decision import Choice, Decision
from evalkit.records.estimate import Estimate
from evalkit.records.policy import GatePolicy

__all__ = ["GateQuestion", "decide"]


def decide(question: GateQuestion) -> Decision:
    """Return the decision about one arm.

    Args:
        question: All that it rests on.
    """
    trials = question.manifest.plan.trials
    held = tuple(
        hold(part, require, question.policy, trials)
        for require in question.policy.require
        for part in slices(question, require)
    )
    never, not_yet = undecidable(question), unreleasable(question)
    counted = counts(question.suite, question.tallies)
    asked = tuple(one.estimate for one in held)
    return Decision(
        decision="undecided" if never else _choice([one.choice for one in held], barred=bool(not_yet)),
        reasons=(*never, *not_yet, *_reasons(question, held)),
        changes=changes(question, held, counted),
        estimates=(*asked, *_beside(question, asked)),
        roots=question.roots,
        counts=counted,
        signature=question.manifest.signature,
        run=question.manifest.run,
        arm=question.arm,
        waived=waived(question),
        waivers=waivers(question),
        warnings=tuple(cautions(question)),
        policy=_policy(question),
    )


def _choice(choices: Sequence[Choice], *, barred: bool) -> Choice:
    """Return no-go if there is one, else undecided if there is one or a go is barred, else go."""
    if "no-go" in choices:
        return "no-go"
    return "undecided" if barred or not choices or "undecided" in choices else "go"


def _reasons(question: GateQuestion, held: Sequence[Held]) -> Iterator[str]:
    """Yield why, no-go before undecided before go; what is go is only counted beside what is not."""
    for choice in ("no-go", "undecided"):
        yield from (reason(one, _falls(question, one)) for one in held if one.choice == choice)
    yield from _ended(question, held)
    fine = [one for one in held if one.choice == "go"]
    if len(fine) == len(held):
        yield from (reason(one) for one in fine)
    elif fine:
        yield f"go: {count(len(fine), 'figure')} of {len(held)} that were asked for"


def _ended(question: GateQuestion, held: Sequence[Held]) -> Iterator[str]:
    """Yield the waivers that have ended and would have left a case out that is no go now."""
    cases = {one.estimate.slice for one in held if one.require.per == "case" and one.choice != "go"}
    for line in waivers(question):
        if line.state == "expired" and f"case={line.case}" in cases and line.case not in question.waived:
            yield f"the waiver of {line.case} ended on {line.until} ({line.owner}): it counts again"


def _falls(question: GateQuestion, held: Held) -> tuple[str, ...]:
    """Return the roots at which the trials of a slice fall, with their cause where it is known."""
    if held.require.statistic == "degraded":
        return ()
    stages = question.tallies.roots.get(held.require.metric, ())
    named = [root for root in question.roots if root.stage in stages and held.cases & set(root.cases)]
    if named:
        return tuple(f"{root.stage} ({root.cause})" for root in named)
    return stages if len(held.cases) == len(question.tallies.metrics[held.require.metric]) else ()


def _beside(question: GateQuestion, asked: Sequence[Estimate]) -> Iterator[Estimate]:
    """Yield what is printed beside the deciding figures: rates, of those that got there, pass^k."""
    known = {(one.metric, one.statistic) for one in asked if one.slice == "suite"}
    deciding, trials = question.suite.deciding.name, question.manifest.plan.trials
    metrics = dict.fromkeys([deciding, *(require.metric for require in question.policy.require)])
    found = [figure for metric in metrics for figure in rates(question.tallies, metric)]
    found += [of_metric(question.tallies, deciding, f"pass^{trials}")] if trials > 1 else []
    if any(one.degraded for one in question.tallies.metrics[deciding]):
        found.append(of_metric(question.tallies, deciding, "degraded"))
    yield from (one for one in found if (one.metric, one.statistic) not in known)


def _policy(question: GateQuestion) -> dict[str, object]:
    """Return the policy in full, with the names of what was not written, and the flags that overrode it."""
    return {
        **question.policy.model_dump(mode="json"),
        "require": [
            {**require.model_dump(mode="json"), "estimand": estimand_of(require)}
            for require in question.policy.require
        ],
        "defaults": list(_defaults(question.policy)),
        "overrides": list(question.overrides),
    }


def _defaults(policy: GatePolicy) -> Iterator[str]:
    yield from (name for name in type(policy).model_fields if name not in policy.model_fields_set)
    for at, require in enumerate(policy.require):
        for name in type(require).model_fields:
            if name not in require.model_fields_set | {"at_least", "at_most"}:
                yield f"require[{at}].{name}"
