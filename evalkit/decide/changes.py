"""What would change a decision: what to mend, what to measure, how large the sample would have to be.

What comes in: requires held against slices, root causes, counts. What goes out: sentences, the most useful
first.
"""

from __future__ import annotations

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
        return (
            *_finishing(question),
            *_mending_suite(question),
            *_environment(question),
            *_edge(held),
        )
    found = [
        *_finishing(question),
        *_mending_suite(question),
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


def _mending_suite(question: GateQuestion) -> Iterator[str]:
    """Yield what is broken in the suite: as long as it is, nothing else can be believed of these trials."""
    metrics = dict.fromkeys([question.suite.deciding.name, *(one.metric for one in question.policy.require)])
    for metric in metrics:
        first = question.tallies.broken.get(metric)
        if first is None:
            continue
        number = sum(one.causes.get("broken_case", 0) for one in question.tallies.metrics[metric])
        trials = "1 trial is" if number == 1 else f"{number} trials are"
        which = f"the first is {first.case} #{first.trial}, {metric}: {first.message}"
        yield f"mend the suite: {trials} broken_case; {which}"


def _mending(question: GateQuestion) -> Iterator[str]:
    for root in question.roots:
        where = f"{count(root.trials, 'trial')} of {count(len(root.cases), 'case')}"
        yield f"mend {root.stage} ({root.cause}): {where} {'falls' if root.trials == 1 else 'fall'} there"


def _measuring(question: GateQuestion, counts: Counts) -> Iterator[str]:
    known: dict[str, Cause] = {cause: cause for cause in ACTIONS}
    for name, number in counts.causes.items():
        cause = known.get(name)
        if cause is None or cause == "broken_case" or cause_class(cause, ()) != "unmeasured":
            continue
        action = ACTIONS[cause].replace("RUN", question.manifest.run)
        if question.manifest.signature.mode == "imported":
            action = "the recording is all there is; another one would have to show it"
        yield f"{count(number, 'trial')} unmeasured by {cause}: {action}"


def _proving(one: Held) -> str:
    """Return what would have to be mended, and how large the sample would have to be, to decide."""
    by_case = one.estimate.estimand == "population"
    unit = "independent case" if by_case else "trial"
    sample, name = count(one.units, unit), about(one.estimate)
    word = "fail" if one.require.at_least is not None else "hit"
    found = f"of {sample} {one.against} {word}{'s' if one.against == 1 else ''}"
    if (
        by_case
    ):  # one fail speaks against a case that passed in other trials, which is not to say that it failed
        found = f"of {sample} {one.against} {'has' if one.against == 1 else 'have'} a {word}"
    if one.against and _is_beyond(one):
        value, threshold = figure_of(one.estimate.value), figure_of(one.estimate.threshold)
        return f"{name}: {found}: mend them; {value} is not {threshold}"
    allowed, best, needed = _provable(one)
    if allowed is None:
        head = f"{found}; mended, {one.units} prove" if one.against else f"{sample} without a {word} prove"
        wanted = figure_of(one.estimate.threshold)
        more = f"{wanted} needs {count(needed, unit)}" if needed else f"no number of them proves {wanted}"
        return f"{name}: {head} {figure_of(best)}; {more}"
    most = f"no {word}" if allowed == 0 else f"at most {count(allowed, word)}"
    head = f"{found}; " if one.against else ""
    return f"{name}: {head}more {unit}s, or {most} in {sample}, would decide"


def _is_beyond(one: Held) -> bool:
    """Return whether the figure itself is on the wrong side of what is asked: no sample would mend that."""
    value, threshold = one.estimate.value, one.estimate.threshold
    if value is None or threshold is None:
        return False
    return value < threshold if one.require.at_least is not None else value > threshold


def _provable(one: Held) -> tuple[int | None, float, int | None]:
    """Return how many units may speak against it, what none would prove, and how many units that takes."""
    at_least, at_most, sure = one.require.at_least, one.require.at_most, one.estimate.confidence
    if at_least is not None:
        allowed = most_fails(one.units, at_least, sure)
        return allowed, provable_at_least(one.units, sure), units_needed(at_least, 0, sure)
    threshold = at_most or 0.0
    allowed = most_hits(one.units, threshold, sure)
    return allowed, provable_at_most(one.units, sure), units_needed(1 - threshold, 0, sure)


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
