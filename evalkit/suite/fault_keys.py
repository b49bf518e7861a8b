"""What each fault of a pinned answer needs, what it reads, and which tools it can befall.

What comes in: one written answer of a tool. What goes out: problems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.records.case import FaultKind
from evalkit.records.suite import ToolSpec
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.forms import AnswerFile, OtherwiseFile
from evalkit.suite.ground import Ground

_EXTRAS = ("text", "path", "length", "seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """What a fault reads beside its name.

    Attributes:
        needs: Keys that must be there.
        takes: Keys that may be there.
        result: It befalls an answer, so that a `return` may stand beside it.
    """

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    result: bool = False


FAULTS: dict[FaultKind, Reads] = {
    "timeout_before": Reads(),
    "timeout_after": Reads(),
    "http_429": Reads(),
    "http_500": Reads(),
    "forbidden": Reads(),
    "empty": Reads(),
    "malformed": Reads(takes=("text",), result=True),
    "truncated": Reads(needs=("length",), takes=("text", "path"), result=True),
    "inject": Reads(needs=("text",), takes=("path",), result=True),
    "slow": Reads(needs=("seconds",), result=True),
    "stale": Reads(result=True),
    "duplicate": Reads(),
    "lie": Reads(result=True),
    "delayed_persistence": Reads(needs=("seconds",), result=True),
}
"""Fault -> what it reads."""

# Faults that are nothing without an answer, faults of an effect, and those that need the tool itself.
_OF_ANSWER = frozenset({"truncated", "slow", "stale", "lie", "delayed_persistence"})
_OF_EFFECT = frozenset({"duplicate", "lie", "delayed_persistence"})
_OF_TOOL = frozenset({"duplicate", "delayed_persistence"})


def befalls_result(answer: AnswerFile | OtherwiseFile) -> bool:
    """Tell whether an answer is a result with a fault beside it.

    Args:
        answer: As written.
    """
    return answer.fault is not None and FAULTS[answer.fault].result and answer.returns is not None


def check_fault(
    findings: Findings, path: KeyPath, answer: AnswerFile | OtherwiseFile, tool: str, ground: Ground
) -> None:
    """Note keys that a fault needs or does not read, and faults that could never show.

    Args:
        findings: Where to.
        path: The answer.
        answer: As written.
        tool: The tool that answers.
        ground: What the suite declares.
    """
    reads = FAULTS[answer.fault] if answer.fault is not None else Reads()
    for key in reads.needs:
        if getattr(answer, key) in (None, ""):
            said = f"`{answer.fault}` needs its {key}"
            findings.add((*path, key), "missing-key", said, suggestion=f"add `{key}: ...`")
    for key in _EXTRAS:
        if key in answer.model_fields_set and key not in (*reads.needs, *reads.takes):
            findings.add((*path, key), "wrong-value", _unread(key), suggestion="leave it out")
    if answer.fault is not None:
        for said, advice in _never_shows(answer.fault, answer, tool, ground):
            findings.add((*path, "fault"), "wrong-value", said, suggestion=advice, value=answer.fault)


def _unread(key: str) -> str:
    readers = [fault for fault, reads in FAULTS.items() if key in (*reads.needs, *reads.takes)]
    return f"`{key}` is read with the faults {' and '.join(readers)} only"


def _never_shows(
    fault: FaultKind, answer: AnswerFile | OtherwiseFile, tool: str, ground: Ground
) -> Iterator[tuple[str, str]]:
    """Yield why a fault could never show, and what to do instead."""
    spec = next((spec for spec in ground.suite.tools if spec.name == tool), None)
    if not _stands(ground):
        if fault in _OF_TOOL:
            yield f"`{tool}` has nothing but pinned answers, and so no effect", "give the suite a database"
        elif fault in _OF_ANSWER and answer.returns is None:
            yield f"`{tool}` has nothing but pinned answers", "add `return: ...`, which the fault befalls"
    elif spec is not None:
        yield from _of_tool(fault, answer, spec)


def _of_tool(
    fault: FaultKind, answer: AnswerFile | OtherwiseFile, spec: ToolSpec
) -> Iterator[tuple[str, str]]:
    if fault in _OF_EFFECT and spec.effect == "read":
        yield f"`{spec.name}` only reads: it has no effect", "say what it changes: `@tool(effect=...)`"
    if fault == "stale" and spec.effect != "read" and answer.returns is None:
        yield f"`{spec.name}` changes something, and has no old answer", "write `lie`, or add `return: ...`"
    if fault == "slow" and (answer.seconds or 0.0) > spec.timeout:
        said = f"`{spec.name}` is cut after {spec.timeout:g} s, and no answer takes {answer.seconds:g} s"
        yield said, "write `timeout_after`, or fewer seconds"


def _stands(ground: Ground) -> bool:
    """Tell whether the suite's tools can answer for themselves in mode mock."""
    world = ground.suite.world
    return world is not None and world.database is not None and world.tools is not None
