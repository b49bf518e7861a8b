"""Scripted replies of arms that call what the suite does not have: to test the loop, or by mistake.

What comes in: a suite and its arms. What goes out: warnings.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evalkit.errors import Problem
from evalkit.records.arm import Arm
from evalkit.records.case import Step
from evalkit.records.suite import Suite
from evalkit.suite.document import Document, Findings, KeyPath
from evalkit.suite.ground import Ground
from evalkit.suite.steps import check_calls
from evalkit.suite.warning import warning


def unknown_calls(suite: Suite, arms: tuple[Arm, ...]) -> Iterator[Problem]:
    """Yield the calls of scripted replies that no tool of the suite could answer, each mistake once per arm.

    Args:
        suite: The suite; nothing is known of its tools where it has none.
        arms: Its arms.
    """
    if not suite.tools:
        return
    ground = Ground(suite=suite, folder=Path(), tools=frozenset(tool.name for tool in suite.tools))
    for arm in arms:
        file = f"arms/{arm.arm}.yaml"
        findings = Findings(Document(file=file))
        for path, steps in _lists(arm):
            check_calls(findings, path, steps, ground)
        for one in {one.message: one for one in reversed(findings.problems)}.values():
            advice = f"{one.suggestion}; leave it if it is there to test the loop"
            yield warning("unknown-call", file, one.key, one.value, one.message, advice)


def _lists(arm: Arm) -> Iterator[tuple[KeyPath, tuple[Step, ...]]]:
    """Yield the lists of steps that an arm has, with their places."""
    replies = arm.model.replies
    if isinstance(replies, tuple):
        yield ("model", "replies"), replies
    elif isinstance(replies, dict):
        yield from ((("model", "replies", case), steps) for case, steps in replies.items())
