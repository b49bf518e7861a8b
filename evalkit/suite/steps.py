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
from evalkit.suite.ground import exactly_one
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


def solution_of(reading: Reading, document: Document, form: CaseFile) -> tuple[Step, ...] | None:
    """Return the steps of a case's reference solution, read from its file where it is one.

    Args:
        reading: Where to read and note.
        document: The case.
        form: Its form.
    """
    if form.solution is None:
        return None
    if not isinstance(form.solution, str):
        check_steps(Findings(document, reading.problems), ("solution",), form.solution)
        return form.solution
    path = beside(Path(document.file).parent, form.solution)
    found = reading.yaml(path, (document, ("solution",)))
    listed = _listed(found)
    steps, problems = validated(listed, SolutionFile)
    reading.problems += [replace(problem, key=problem.key.removeprefix("steps")) for problem in problems]
    if steps is None:
        return None
    check_steps(Findings(listed, reading.problems), ("steps",), steps.steps)
    return steps.steps


def _listed(document: Document) -> Document:
    """Return a document whose list stands under `steps`, so that a form can have it."""
    if document.unreadable or document.value is None:
        return document
    doubts = tuple(replace(doubt, path=("steps", *doubt.path)) for doubt in document.doubts)
    mark = document.mark
    outer = replace(mark, text="", keys={"steps": (mark.line, mark.column)}, inner={"steps": mark})
    return replace(document, value={"steps": document.value}, marks=lambda: outer, doubts=doubts)
