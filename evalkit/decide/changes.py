"""What would change a decision: what to mend, what to measure, how large the sample would have to be.

What comes in: requires held against slices, root causes, counts. What goes out: sentences, the most useful
first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from evalkit.decide.figures import figure_of
from evalkit.decide.holding import Held
from evalkit.decide.question import GateQuestion
from evalkit.decide.words import about, count
from evalkit.records.decision import Counts
from evalkit.records.verdict import ACTIONS, Cause, cause_class
from evalkit.stats.power import most_fails, most_hits, provable_at_least, provable_at_most, units_needed


def changes(question: GateQuestion, held: Sequence[Held], counts: Counts) -> tuple[str, ...]:
    """Return what would change the decision.

    Args:
        question: What the decision rests on.
        held: All requires on all slices.
        counts: Trials by the deciding primary.
    """
    if all(one.choice == "go" for one in held):
        return (*_finishing(question), *_environment(question), *_edge(held))
    found = [
        *_finishing(question),
        *_mending(question),
        *_measuring(question, counts),
        *_environment(question),
        *(_proving(one) for one in held if one.choice == "undecided" and not one.why),
    ]
    return tuple(dict.fromkeys(found))


def _finishing(question: GateQuestion) -> Iterator[str]:
    if not question.complete:
        yield f"finish the run: evalkit resume {question.manifest.run}"
    if question.manifest.plan.left_out:
        cases = count(question.manifest.plan.left_out, "case")
        yield f"run the {cases} that were left out by --only or --skip"


def _environment(question: GateQuestion) -> Iterator[str]:
    wants_real = question.policy.purpose == "release" or question.policy.mode == "real"
    if wants_real and question.manifest.signature.mode != "real":
        yield "run the same cases and arm with --mode real"


def _mending(question: GateQuestion) -> Iterator[str]:
    for root in question.roots:
        where = f"{count(root.trials, 'trial')} of {count(len(root.cases), 'case')}"
        yield f"mend {root.stage} ({root.cause}): {where} {'falls' if root.trials == 1 else 'fall'} there"


def _measuring(question: GateQuestion, counts: Counts) -> Iterator[str]:
    known: dict[str, Cause] = {cause: cause for cause in ACTIONS}
    for name, number in counts.causes.items():
        cause = known.get(name)
        if cause is not None and cause_class(cause, ()) == "unmeasured":
            action = ACTIONS[cause].replace("RUN", question.manifest.run)
            yield f"{count(number, 'trial')} unmeasured by {cause}: {action}"


def _proving(one: Held) -> str:
    """Return what the sample would have to be, where it is too small to decide."""
    at_least, at_most = one.require.at_least, one.require.at_most
    units, sure = math.floor(one.units), one.estimate.confidence
    if at_least is not None:
        allowed, best = most_fails(units, at_least, sure), provable_at_least(units, sure)
        needed, against = units_needed(at_least, 0, sure), "a fail"
    else:
        threshold = at_most or 0.0
        allowed, best = most_hits(units, threshold, sure), provable_at_most(units, sure)
        needed, against = units_needed(1 - threshold, 0, sure), "a hit"
    unit = "independent case" if one.estimate.estimand == "population" else "trial"
    sample = count(units, unit)
    if allowed is None:
        more = f"{needed} would be needed" if needed is not None else "no number of them is enough"
        return f"{about(one.estimate)}: {sample} without {against} would prove {figure_of(best)}; {more}"
    most = "no fail" if allowed == 0 else f"at most {count(allowed, 'fail')}"
    most = most if at_least is not None else most.replace("fail", "hit")
    return f"{about(one.estimate)}: more {unit}s, or {most} in {sample}"


def _edge(held: Sequence[Held]) -> Iterator[str]:
    """Yield which go is the nearest to being none."""
    found = [
        (abs(one.estimate.bound - one.estimate.threshold), about(one.estimate), one)
        for one in held
        if one.estimate.bound is not None and one.estimate.threshold is not None
    ]
    if found:
        _, name, one = min(found, key=lambda item: item[:2])
        bound, threshold = figure_of(one.estimate.bound), figure_of(one.estimate.threshold)
        yield f"nearest to the edge: {name}, proven {bound} where {threshold} is asked"
