"""The suite that a set of Terminal-Bench tasks amounts to.

What comes in: task ids, with instructions where they are recorded. What goes out: a `Suite` whose checks read
what the authors found.

The metrics are the same for every set of tasks, so that two submissions have the same suite and can be
compared. A metric for each test would differ from submission to submission, since a submission shows only the
tests that it got as far as (and would make some 350 columns of one or two cases each); so the tests of a
trial feed two metrics together, and each stands by its own name in the trace.
"""

from __future__ import annotations

from collections.abc import Mapping

from evalkit.records.case import Case, Source, Turn
from evalkit.records.checks import Expectation
from evalkit.records.metric import Metric
from evalkit.records.safe import storable
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import Suite

DECIDING = "resolved"
"""The metric that decides: the authors' `is_resolved`."""

QUESTIONS: dict[str, str] = {
    DECIDING: "recorded is_resolved",
    "tests_passed": "recorded share of tests passed",
    "some_test_passed": "recorded that a test passed",
}
"""Metric -> the question that its answer is journalled under."""

ONE_TEST = "recorded test "
"""Begins the question about one test."""

_ANSWERS: dict[str, bool | int] = {DECIDING: True, "tests_passed": 1, "some_test_passed": True}

_STAGES = (Stage(name="act", ran=Ran(always=True), description="What the agent did in the container."),)
_METRICS = (
    Metric(
        name=DECIDING,
        tier="gate",
        primary=True,
        stage="act",
        needs=("act",),
        check="state",
        description="The authors found that every test passed.",
    ),
    Metric(
        name="tests_passed",
        tier="observe",
        stage="act",
        needs=("act",),
        check="state",
        description="The share of the task's tests that passed is 1; the share is the measure.",
    ),
    Metric(
        name="some_test_passed",
        tier="observe",
        stage="act",
        needs=("act",),
        check="state",
        description="At least one of the task's tests passed: told apart from nothing at all.",
    ),
)


def suite_of(tasks: Mapping[str, str | None]) -> Suite:
    """Return the suite; it depends on the tasks alone.

    Args:
        tasks: Task id -> instruction; None where it is not recorded.
    """
    return Suite(
        suite="terminal-bench",
        stages=_STAGES,
        metrics=_METRICS,
        cases=tuple(_case(name, tasks[name]) for name in sorted(tasks)),
    )


def _case(name: str, instruction: str | None) -> Case:
    """Variants of a task (`x`, `x.easy`, `x.hard`) stand or fall together: one cluster."""
    told = "(the source does not tell the task)" if instruction is None else storable(instruction)
    return Case(
        id=name,
        cluster=name.partition(".")[0],
        source=Source(origin="terminal-bench"),
        turns=(Turn(user=told),),
        demand={"act": "required"},
        expect=tuple(_expected(metric) for metric in QUESTIONS),
    )


def _expected(metric: str) -> Expectation:
    args = {"sql": QUESTIONS[metric], "equals": _ANSWERS[metric]}
    return Expectation(kind="state", args=args, metric=metric)
