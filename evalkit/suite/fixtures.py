"""The pinned answers of a case: its `mock` -> fixtures by tool.

What comes in: the written answers. What goes out: `ToolFixtures`, and problems.
"""

from __future__ import annotations

from typing import Literal

from evalkit.records.case import Fixture, ToolFixtures
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.fault_keys import befalls_result, check_fault
from evalkit.suite.forms import AnswerFile, CaseFile, OtherwiseFile
from evalkit.suite.ground import Ground, check_tool, exactly_one
from evalkit.suite.reach import check_argument, check_path

_ANSWERS = ("return", "error", "fault")


def fixtures(findings: Findings, form: CaseFile, ground: Ground) -> dict[str, ToolFixtures]:
    """Return the pinned answers of a case.

    Args:
        findings: Where problems are noted.
        form: The case as written.
        ground: What the suite declares.

    Returns:
        Tool -> its answers in order and what answers otherwise.
    """
    found = {}
    for tool, written in form.mock.items():
        check_tool(findings, ("mock", tool), tool, ground)
        _check_reach(findings, tool, written, ground)
        found[tool] = _of_tool(findings, tool, written, ground)
    return found


def _check_reach(findings: Findings, tool: str, written: tuple[AnswerFile, ...], ground: Ground) -> None:
    """Note arguments that the tool does not take, so that the answer would never be given, and paths."""
    for number, answer in enumerate(written):
        here: KeyPath = ("mock", tool, number)
        for name in answer.when or {}:
            check_argument(findings, (*here, "when", name), tool, name, ground)
        check_path(findings, (*here, "path"), answer.path)
        if isinstance(answer.otherwise, OtherwiseFile):
            check_path(findings, (*here, "otherwise", "path"), answer.otherwise.path)


def _of_tool(findings: Findings, tool: str, written: tuple[AnswerFile, ...], ground: Ground) -> ToolFixtures:
    last = len(written) - 1
    for number, answer in enumerate(written):
        here: KeyPath = ("mock", tool, number)
        if not exactly_one(findings, here, _given(answer), (*_ANSWERS, "otherwise")):
            continue
        if answer.otherwise is None:
            check_fault(findings, here, answer, tool, ground)
            continue
        if isinstance(answer.otherwise, OtherwiseFile):
            below = (*here, "otherwise")
            if exactly_one(findings, below, _given(answer.otherwise), _ANSWERS):
                check_fault(findings, below, answer.otherwise, tool, ground)
        if number != last or answer.model_fields_set != {"otherwise"}:
            said = "`otherwise` closes the list and stands alone"
            findings.add(here, "wrong-value", said, suggestion="make it the last entry, with no other key")
    answers = tuple(_fixture(answer) for answer in written if answer.otherwise is None)
    return ToolFixtures(answers=answers, otherwise=_otherwise(written[-1]) if written else None)


def _given(answer: AnswerFile | OtherwiseFile) -> list[str]:
    """Return the keys that are there; a result that a fault befalls goes without saying."""
    told = befalls_result(answer)
    return [
        "return" if name == "returns" else name
        for name in answer.model_fields_set
        if not (told and name == "returns")
    ]


def _fixture(answer: AnswerFile | OtherwiseFile) -> Fixture:
    given = {key: getattr(answer, key) for key in answer.model_fields_set if key != "otherwise"}
    return Fixture.model_validate(given, by_name=True)


def _otherwise(answer: AnswerFile) -> Fixture | Literal["missing"] | None:
    return _fixture(answer.otherwise) if isinstance(answer.otherwise, OtherwiseFile) else answer.otherwise
