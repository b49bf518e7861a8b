"""Scripted steps: reference solutions and replies of scripted arms.

What comes in: steps as written, or the file that holds them. What goes out: steps, and problems.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evalkit.records.case import Step
from evalkit.suite.document import Document, Findings, KeyPath
from evalkit.suite.faults import validated
from evalkit.suite.files import beside
from evalkit.suite.forms import CaseFile, SolutionFile
from evalkit.suite.ground import Ground, check_tool, exactly_one
from evalkit.suite.reach import check_argument
from evalkit.suite.reading import Reading


def check_steps(findings: Findings, path: KeyPath, steps: tuple[Step, ...]) -> None:
    """Note steps that are not exactly one of call and reply, and lists without any.

    Args:
        findings: Where to.
        path: The list.
        steps: Its steps.
    """
    if not steps:
        findings.add(path, "wrong-value", "there are no steps", suggestion="add `- reply: ...`")
    for number, step in enumerate(steps):
        exactly_one(findings, (*path, number), step.model_fields_set, ("call", "reply"))


def check_calls(findings: Findings, path: KeyPath, steps: tuple[Step, ...], ground: Ground | None) -> None:
    """Note calls of a reference solution that no tool of the suite could answer.

    Args:
        findings: Where to.
        path: The list.
        steps: Its steps.
        ground: What the suite declares; None where that is not known.
    """
    for number, step in enumerate(steps):
        if step.call is None or ground is None:
            continue
        here: KeyPath = (*path, number, "call")
        check_tool(findings, (*here, "tool"), step.call.tool, ground)
        for name in step.call.args if isinstance(step.call.args, dict) else ():
            check_argument(findings, (*here, "args", name), step.call.tool, name, ground)


def solution_of(
    reading: Reading, document: Document, form: CaseFile, ground: Ground | None
) -> tuple[Step, ...] | None:
    """Return the steps of a case's reference solution, read from its file where it is one.

    Args:
        reading: Where to read and note.
        document: The case.
        form: Its form.
        ground: What the suite declares; None where that is not known.
    """
    if form.solution is None:
        return None
    if not isinstance(form.solution, str):
        inside = Findings(document, reading.problems)
        check_steps(inside, ("solution",), form.solution)
        check_calls(inside, ("solution",), form.solution, ground)
        return form.solution
    path = beside(Path(document.file).parent, form.solution)
    found = reading.yaml(path, (document, ("solution",)))
    listed = _listed(found)
    steps, problems = validated(listed, SolutionFile)
    noted = Findings(listed, list(problems))
    if steps is not None:
        check_steps(noted, ("steps",), steps.steps)
        check_calls(noted, ("steps",), steps.steps, ground)
    reading.problems += [replace(one, key=one.key.removeprefix("steps")) for one in noted.problems]
    return steps.steps if steps is not None else None


def _listed(document: Document) -> Document:
    """Return a document whose list stands under `steps`, so that a form can have it."""
    if document.unreadable or document.value is None:
        return document
    doubts = tuple(replace(doubt, path=("steps", *doubt.path)) for doubt in document.doubts)
    mark = document.mark
    outer = replace(mark, text="", keys={"steps": (mark.line, mark.column)}, inner={"steps": mark})
    return replace(document, value={"steps": document.value}, marks=lambda: outer, doubts=doubts)
