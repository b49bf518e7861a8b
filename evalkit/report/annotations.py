"""Annotations for GitHub Actions: failing cases shown at their place in the files of a pull request.

What comes in: a `Document`, and the cases that failed or were not measured. What goes out: lines of workflow
commands. GitHub shows ten errors and ten warnings of a step; no more are written, the rest is counted.
Source of form and escaping: GitHub, "Workflow commands for GitHub Actions", and `command.ts` of
actions/toolkit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from evalkit.records.document import Document
from evalkit.records.flat import FailingCase
from evalkit.records.safe import printable
from evalkit.report.console import count

Level = Literal["error", "warning", "notice"]
"""What GitHub knows, the worst first."""

_MOST = 10  # annotations of one level that GitHub shows for a step
_MOST_TEXT = 1000  # characters of one message

_IN_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def workflow_commands(document: Document, failing: Sequence[FailingCase]) -> Iterator[str]:
    """Yield workflow commands: errors for failing cases, warnings for unmeasured ones, notices for waived.

    Args:
        document: What the report is about.
        failing: Cases that failed or were not measured, in plan order.

    Yields:
        Lines without line end; at most ten of each level.
    """
    suite = document.board.manifest.suite
    levels: dict[Level, list[FailingCase]] = {"error": [], "warning": [], "notice": []}
    for one in failing:
        levels[_level(one)].append(one)
    heads = dict(_heads(document))
    for level, cases in levels.items():
        head = heads.get(level)
        if head is not None:
            yield command(level, head, title=f"evalkit: {suite}")
        room = _MOST - (head is not None)
        shown = cases if len(cases) <= room else cases[: room - 1]
        yield from (_case(level, one, suite) for one in shown)
        if len(cases) > len(shown):
            rest = f"{len(cases) - len(shown)} more cases are not shown here"
            yield command(level, rest, title=f"evalkit: {suite}")


def command(level: Level, message: str, *, title: str, place: str = "") -> str:
    r"""Return one workflow command.

    >>> command("error", "50 %\n::stop", title="a:b", place="golden/a,b.yaml:7")
    '::error file=golden/a%2Cb.yaml,line=7,title=a%3Ab::50 %25 ::stop'
    """
    file, _, line = place.rpartition(":")
    where = {"file": file, "line": line} if file and line.isdecimal() else {}
    known = {**where, "title": title}
    written = ",".join(f"{name}={printable(value).translate(_IN_PROPERTY)}" for name, value in known.items())
    return f"::{level} {written}::{printable(message[:_MOST_TEXT]).translate(_IN_MESSAGE)}"


def _level(one: FailingCase) -> Level:
    if one.failed:
        return "notice" if one.waived else "error"
    return "warning"


def _heads(document: Document) -> Iterator[tuple[Level, str]]:
    """Yield what is said of the run as a whole: an error for a no-go, a warning where nothing is settled."""
    decision = document.decision
    if decision is not None and decision.decision == "no-go":
        yield "error", f"no-go: {decision.reasons[0] if decision.reasons else decision.arm}"
    if not document.board.manifest.complete:
        told = "the run is incomplete: not every planned trial has an end"
        yield "warning", f"{told}. {document.dropped}".rstrip(". ")
    elif decision is not None and decision.decision == "undecided":
        yield "warning", f"undecided: {decision.reasons[0] if decision.reasons else decision.arm}"
    elif document.dropped:
        yield "warning", document.dropped


def _case(level: Level, one: FailingCase, suite: str) -> str:
    if one.failed:
        roots = f"root {', '.join(one.roots)}" if one.roots else ""
        between = ": " if one.root_says else "; "
        why = between.join(part for part in (roots, "; ".join(one.said)) if part)
        parts = [f"{one.failed} of {count(one.trials, 'trial')} failed", why]
    else:
        parts = [
            f"{one.unmeasured} of {count(one.trials, 'trial')} not measured",
            one.cause or "",
            one.missing,
        ]
    told = ": ".join(part for part in parts if part)
    waived = ", waived" if one.waived else ""
    return command(level, told, title=f"{suite}: {one.case} ({one.arm}{waived})", place=one.place)
