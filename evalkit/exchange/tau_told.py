"""What a tau-bench result file tells and does not tell, in sentences and figures for people.

What comes in: a census. What goes out: the loss list, and the authors' own figures with the reason why ours
differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evalkit.exchange.tau_census import Census, Key
from evalkit.records.written import Json
from evalkit.stats.passk import suite_pass_hat
from evalkit.stats.tally import CaseTally

_NAMED = 5  # trials that a sentence names; the rest is counted


def losses(census: Census) -> tuple[str, ...]:
    """Return what the source does not tell, one sentence each.

    Args:
        census: What the file holds.
    """
    return (*_always(census), *_of_the_traces(census), *_of_the_trials(census))


def _always(census: Census) -> Iterator[str]:
    yield "time: when anything happened, and how long it took, is not recorded"
    yield "usage: tokens and money of the agent are not recorded; the user simulator's cost is kept apart"
    yield "agent: model, sampling and tool schemas are not recorded; the arm is named after the file"
    yield "user: simulated; a case's input is the simulator's instruction, the turns are what it made of it"
    yield "end: why a trial stopped is not recorded, beyond who spoke last; every end is written as done"
    yield "world: its state is not recorded, only the authors' finding of it, which is evidence of grade rule"
    asking = sum(bool(task.outputs) for task in census.tasks.values() if task is not None)
    if asking:
        yield (
            f"world: {asking} of {len(census.tasks)} tasks name outputs; there the authors looked at the "
            "replies alone, and of the end state nothing is recorded"
        )
    yield "false completion: not examined (what the replies claim was not held against the world)"


def _of_the_traces(census: Census) -> Iterator[str]:
    counts = census.counts
    if counts["errors"]:
        yield (
            f"errors: {counts['errors']} of {counts['observations']} observations begin with Error; a "
            "refusal, wrong arguments and a broken tool look alike, all are taken for refusals"
        )
    if counts["repeated ids"]:
        yield f"call ids: {counts['repeated ids']} calls repeat an id of their own trial; they got a number"
    if counts["unanswered calls"]:
        yield f"calls: {counts['unanswered calls']} have no observation; whether they ran is not recorded"
    if counts["unreadable arguments"]:
        yield f"arguments: those of {counts['unreadable arguments']} calls are no JSON object; kept as text"
    texts = [text for text in census.systems if text is not None]
    if len(texts) > 1:
        yield f"agent: there are {len(texts)} system prompts; the arm has the first, trials keep their own"


def _of_the_trials(census: Census) -> Iterator[str]:
    if census.unrecorded:
        yield f"outcome: not recorded for {_named(tuple(census.unrecorded))}: not_observed"
    if census.missing:
        yield f"trials: the file does not hold {_named(census.missing)}: not_observed"
    untold = sum(task is None for task in census.tasks.values())
    if untold:
        yield f"tasks: {untold} are not told by any entry; only their outcome can be asked about"


def figures(census: Census, digest: str) -> dict[str, Json]:
    """Return the authors' own figures, by their own convention, and why ours differ.

    Args:
        census: What the file holds.
        digest: sha256 of the file.

    Source: tau-bench, `display_metrics` in run.py: C(c, k) / C(n, k) averaged over the tasks, n the number of
    different trial numbers in the file, c the trials with reward 1; a trial without an outcome has reward 0.
    """
    numbers = len({trial for _, trial in census.places})
    passes = Counter(task for task, _ in census.succeeded)
    tallies = [CaseTally(n_pass=passes[task], n_fail=numbers - passes[task]) for task in census.tasks]
    values = [suite_pass_hat(tallies, k).value for k in range(1, numbers + 1)]
    return {
        "file": f"sha256 {digest}",
        f"authors pass^1..{numbers}": [round(value, 6) for value in values if value is not None],
        "why they differ": _why(census),
    }


def _why(census: Census) -> str:
    parts = []
    if census.unrecorded:
        parts.append(f"{_named(tuple(census.unrecorded))} without a recorded outcome")
    if census.missing:
        parts.append(f"{_named(census.missing)} that the file does not hold")
    if not parts:
        return "they do not: the outcome of every trial is recorded"
    return (
        f"the authors count {' and '.join(parts)} as a failure with reward 0; evalkit counts it as an error "
        "(not_observed), neither pass nor fail: pass^k of a task rests on its measured trials, and where "
        "they are fewer than k, on what the others may have been"
    )


def _named(keys: tuple[Key, ...]) -> str:
    names = ", ".join(f"task {task} trial {trial}" for task, trial in keys[:_NAMED])
    more = ", ..." if len(keys) > _NAMED else ""
    return f"{len(keys)} {'trial' if len(keys) == 1 else 'trials'} ({names}{more})"
