"""What a Terminal-Bench submission does not tell, in sentences for people.

What comes in: a census and the tests of each task. What goes out: the loss list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from evalkit.exchange.tbench_census import Census
from evalkit.exchange.tbench_events import seconds_of, usage_of
from evalkit.exchange.tbench_modes import MODES, ruling_of
from evalkit.exchange.tbench_tests import named, reported

_NAMED = 5  # things that a sentence names; the rest is counted


def losses(census: Census, tests: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return what the source does not tell, one sentence each.

    Args:
        census: What the submission holds.
        tests: Task -> the tests that any of its trials reports.
    """
    return (*_always(census), *_of_usage(census), *_of_tests(census, tests), *_of_trials(census))


def _always(census: Census) -> Iterator[str]:
    yield "trace: what the agent did, called and said is not recorded; only what its tests found at the end"
    yield "agent: neither its name nor its model is recorded; the arm is named after the folder"
    if len(census.files) > 1:
        yield f"submission: that the {len(census.files)} files are of one agent is taken from their folder"
    yield "limits: how much time an agent was given is not recorded; end `limit` says that it was over"
    yield "false completion: not examined (nothing is recorded of what the agent claimed)"
    untold = sum(text is None for text in census.tasks.values())
    if untold:
        yield f"tasks: the instructions of {untold} of {len(census.tasks)} are not recorded"


def _of_usage(census: Census) -> Iterator[str]:
    rows = census.rows
    unknown = [row for row in rows if usage_of(row) is None]
    zero = sum(row.total_input_tokens == 0 for row in unknown)
    if unknown:
        noted = f", of which {zero} say 0: the agent did not count" if zero else ""
        yield f"usage: tokens are not known for {len(unknown)} of {len(rows)} trials{noted}"
    if len(unknown) < len(rows):
        yield "usage: input tokens may hold tokens read from a cache; they are not told apart"
    yield "usage: money is not recorded"
    timed = sum(seconds_of(row) is not None for row in rows)
    if timed:
        yield "time: the agent's seconds are not told apart into model and tools; all stand under model"
    if timed < len(rows):
        yield f"time: not recorded for {len(rows) - timed} of {len(rows)} trials"


def _of_tests(census: Census, tests: Mapping[str, frozenset[str]]) -> Iterator[str]:
    distinct = set[str]().union(*tests.values())
    yield (
        f"tests: {sum(map(len, tests.values()))} of {len(tests)} tasks ({len(distinct)} names) feed the "
        "metrics tests_passed and some_test_passed together; none has a column of its own"
        "; each stands in the trace of its trial"
    )
    partial, cut = 0, 0
    for row in census.rows:
        results = row.parser_results or {}
        partial += bool(results) and bool(reported(results, tests[row.task_id]).missing)
        cut += len(results.keys() - named(results).keys())
    if partial:
        yield (
            f"tests: {partial} trials do not report every test that others of the task do; the missing ones "
            "are not_observed, and so is tests_passed where no reported test failed"
        )
    if cut:
        yield f"tests: {cut} names carried the reason of the failure; it was cut off to tell the test by"


def _of_trials(census: Census) -> Iterator[str]:
    counts = Counter(
        (str(ruling.cause), row.failure_mode)
        for row in census.rows
        if (ruling := ruling_of(row)).cause is not None
    )
    for (cause, word), n in sorted(counts.items()):
        known = "" if word in MODES else ", a word that evalkit does not know and does not guess at"
        yield f"outcome: {n} {'trial' if n == 1 else 'trials'} with {word}: {cause}{known}"
    if census.missing:
        names = ", ".join(f"{task} trial {trial}" for task, trial in census.missing[:_NAMED])
        more = ", ..." if len(census.missing) > _NAMED else ""
        yield f"trials: the files do not hold {len(census.missing)} ({names}{more}): not_observed"
