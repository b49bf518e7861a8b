"""The suite that a set of tau-bench tasks amounts to, and what is recorded of its outcome.

What comes in: tasks by their ids. What goes out: a `Suite` whose checks read the authors' findings.

A suite is no code, and the world is gone: what the authors found at the end of a trial is journalled as the
answer of a probe (`recorded reward`, and the part that it was made of), and a `state` check holds it against
1. The mode `imported` keeps the grade of such evidence at `rule`. Where nothing is recorded the probe has no
answer, and the verdict is the error `not_observed`.

Source: tau-bench, `calculate_reward` in envs/base.py: where a task names outputs, these alone make the
reward, else the end state of the database against that of the gold actions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from evalkit.exchange.tau_entries import SUCCESS, Task
from evalkit.records.case import Case, Source, Step, StepCall, Turn
from evalkit.records.checks import Expectation
from evalkit.records.metric import Metric
from evalkit.records.safe import storable
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import Suite

DECIDING = "task_success"
"""The metric that decides: the authors' reward."""

QUESTIONS: dict[str, str] = {
    DECIDING: "recorded reward",
    "end_state": "recorded r_actions",
    "outputs_told": "recorded r_outputs",
}
"""Metric -> the question that its probe is journalled under."""

_POLICY = re.compile(r"#\s*(\w+) agent policy", re.IGNORECASE)

_STAGES = (
    Stage(name="act", ran=Ran(always=True), description="What the agent did to the world."),
    Stage(name="reply", needs=("act",), ran=Ran(replied=True), description="What it told the user."),
)
_METRICS = (
    Metric(
        name=DECIDING,
        tier="gate",
        primary=True,
        stage="reply",
        needs=("reply",),
        check="state",
        description="The authors' reward is 1.",
    ),
    Metric(
        name="end_state",
        tier="compare",
        stage="act",
        needs=("act",),
        check="state",
        description="The authors found the database as the gold actions leave it.",
    ),
    Metric(
        name="outputs_told",
        tier="compare",
        stage="reply",
        needs=("reply",),
        check="state",
        description="The authors found every output that the task names in the replies.",
    ),
)


def domain_of(system: str | None) -> str:
    r"""Return the domain that a policy names itself, or "" where it names none.

    Args:
        system: The agent's system prompt.

    >>> domain_of("# Airline Agent Policy\n..."), domain_of(None)
    ('airline', '')
    """
    found = _POLICY.match(system or "")
    return found[1].lower() if found else ""


def case_id(domain: str, task: int) -> str:
    """Return the id of a task's case.

    >>> case_id("airline", 2), case_id("", 2)
    ('airline-2', 'task-2')
    """
    return f"{domain or 'task'}-{task}"


def suite_of(tasks: Mapping[int, Task | None], domain: str) -> Suite:
    """Return the suite; it depends on tasks and domain alone.

    Args:
        tasks: Task id -> task; None where no entry tells it.
        domain: airline, retail, or "".
    """
    return Suite(
        suite=f"tau-bench-{domain}" if domain else "tau-bench",
        stages=_STAGES,
        metrics=_METRICS,
        cases=tuple(_case(domain, number, tasks[number]) for number in sorted(tasks)),
    )


def _case(domain: str, number: int, task: Task | None) -> Case:
    part = "" if task is None else "outputs_told" if task.outputs else "end_state"
    told = "(the source does not tell the task)" if task is None else storable(task.instruction)
    return Case(
        id=case_id(domain, number),
        tags={"domain": domain, "decided_by": part or "unknown"},
        source=Source(origin="tau-bench"),
        turns=(Turn(user=told),),
        demand={"act": "required", "reply": "required"},
        expect=tuple(_expected(metric) for metric in (DECIDING, part) if metric),
        solution=_solution(task) if task is not None else None,
    )


def _expected(metric: str) -> Expectation:
    args = {"sql": QUESTIONS[metric], "equals": 1, "tolerance": SUCCESS}
    return Expectation(kind="state", args=args, metric=metric)


def _solution(task: Task) -> tuple[Step, ...]:
    return tuple(
        Step(call=StepCall(tool=storable(action.name), args=storable(action.kwargs)))
        for action in task.actions
    )
