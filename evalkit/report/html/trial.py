"""One trial for a page: its graph, verdicts, facts, probes and trace, within the room that the page has.

What comes in: a `ShownTrial`. What goes out: a `TrialPart` that a template lays out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evalkit.records.board import Column, TrialView
from evalkit.records.document import ShownTrial, StageNode
from evalkit.records.event import Event
from evalkit.records.verdict import Verdict
from evalkit.report.events import content, has_times, in_words
from evalkit.report.facts import facts_in_words
from evalkit.report.html.graph import Graph, StageLooks, graph
from evalkit.report.html.signs import PASSED, ROOT, UNMEASURED, Sign, of_verdicts
from evalkit.report.html.text import Listed, Passage, listed, passage
from evalkit.report.trials import action, marks, verdict_word, why

T = TypeVar("T")

_FIRST = 700  # characters of an event that are shown at once
_MOST = 8000  # characters of an event that are in the page at all
_LINES, _MOST_LINES = 12, 100  # facts or probes that are shown at once; that are in the page at all
_MOST_EVENTS = 400  # of one trial
_MOST_CITES = 24  # links beside a verdict
_MOST_VERDICTS = 300  # of one trial


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictLine:
    """One verdict.

    Attributes:
        of: stage or metric.
        name: Which.
        sign: How it looks.
        word: Outcome with its cause.
        message: Why; "" for a pass.
        marks: What else is known of it.
        action: What to do; "".
        cites: Events that show it, and whether each is in the page.
        more_cites: How many further events show it.
        deciding: It decides whether the trial passed.
    """

    of: str
    name: str
    sign: Sign
    word: str
    message: str
    marks: str
    action: str
    cites: tuple[tuple[int, bool], ...]
    more_cites: int
    deciding: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """One event.

    Attributes:
        seq: Its position.
        at: When, in seconds; - where no time was recorded.
        who: Who did it.
        kind: Class in the style sheet.
        said: What happened.
        cited: A fail cites it.
    """

    seq: int
    at: str
    who: str
    kind: str
    said: Passage
    cited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeLine:
    """What the world answered.

    Attributes:
        seq: Its event, and whether that is in the page.
        question: What was asked.
        answer: What came back.
    """

    seq: tuple[int, bool]
    question: Passage
    answer: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPart:
    """One trial.

    Attributes:
        id: Its id in the page.
        view: The trial.
        sign: How it came out.
        headline: What it came to, in words.
        graph: The dependency graph; None where the suite has one stage.
        why: Why it failed: name -> text.
        verdicts: Its verdicts.
        facts: Sentences.
        probes: What the world answered.
        events: What happened.
        events_left: Events that are not in the page.
    """

    id: str
    view: TrialView
    sign: Sign
    headline: str
    graph: Graph | None
    why: dict[str, str]
    verdicts: Listed[VerdictLine]
    facts: Listed[Passage]
    probes: Listed[ProbeLine]
    events: tuple[EventLine, ...]
    events_left: int


def trial_part(
    one: ShownTrial, name: str, places: tuple[Sequence[StageNode], Sequence[Column]], room: int
) -> TrialPart:
    """Return one trial.

    Args:
        one: The trial.
        name: Its id in the page.
        places: Stages of the suite, and columns of the board.
        room: Bytes that its trace and probes may take; what a fail cites is shown first.
    """
    stages, columns = places
    view = one.view
    signs = of_verdicts(view.verdicts, columns)
    events, left = _events(view, room)
    there = frozenset(line.seq for line in events)
    rows = zip(view.verdicts, signs, strict=True)
    deciding = {column.name for column in columns if column.deciding}
    lines = [_verdict(row, sign, view, there, deciding=_decides(row, deciding)) for row, sign in rows]
    return TrialPart(
        id=name,
        view=view,
        sign={"failed": ROOT, "error": UNMEASURED, "passing": PASSED}[one.why],
        headline=_headline(one, deciding),
        graph=_graph(view, signs, stages, columns) if len(stages) > 1 else None,
        why=why(view.attribution) if view.attribution is not None else {},
        verdicts=listed(lines, _MOST_VERDICTS, _MOST_VERDICTS),
        facts=_within(_facts(view), lambda one: one.size, room // 4),
        probes=_within(_probes(view, there), lambda one: one.question.size + one.answer.size, room // 4),
        events=tuple(events),
        events_left=left,
    )


def _decides(row: Verdict, deciding: set[str]) -> bool:
    return row.of == "metric" and row.name in deciding


def _headline(one: ShownTrial, deciding: set[str]) -> str:
    found = one.view.attribution
    if one.why == "failed" and found is not None:
        return "falls at " + " and ".join(
            f"{stage} ({found.reasons.get(stage, '')})" for stage in found.primary
        )
    row = next((row for row in one.view.verdicts if _decides(row, deciding)), None)
    return verdict_word(row) if row is not None else one.why


def _graph(
    view: TrialView, signs: Sequence[Sign], stages: Sequence[StageNode], columns: Sequence[Column]
) -> Graph:
    """Return the graph with each stage's own verdict and the metrics that failed there."""
    shown_at = {column.name: column.stage for column in columns if column.of == "metric"}
    own: dict[str, Sign] = {}
    failed: dict[str, list[str]] = {}
    for row, sign in zip(view.verdicts, signs, strict=True):
        if row.of == "stage":
            own[row.name] = sign
        elif row.outcome == "fail" and sign is ROOT:
            failed.setdefault(shown_at.get(row.name, ""), []).append(row.name)
    roots = frozenset(view.attribution.primary) if view.attribution is not None else frozenset()
    return graph(stages, StageLooks(signs=own, failed=failed, roots=roots))


def _verdict(
    row: Verdict, sign: Sign, view: TrialView, there: frozenset[int], *, deciding: bool
) -> VerdictLine:
    return VerdictLine(
        of=row.of,
        name=row.name,
        sign=sign,
        word=verdict_word(row),
        message=row.message if row.outcome != "pass" else "",
        marks="; ".join(marks(row)),
        action=action(row, view),
        cites=tuple((seq, seq in there) for seq in row.cites[:_MOST_CITES]),
        more_cites=max(0, len(row.cites) - _MOST_CITES),
        deciding=deciding,
    )


def _events(view: TrialView, room: int) -> tuple[list[EventLine], int]:
    """Return the events that there is room for: first those that a fail cites, then the others in order."""
    if view.trace is None:
        return [], 0
    events = view.trace.events
    cited = frozenset(seq for row in view.verdicts if row.outcome == "fail" for seq in row.cites)
    timed = has_times(events)
    kept: dict[int, EventLine] = {}
    for event in sorted(events, key=lambda event: (event.seq not in cited, event.seq)):
        line = _event(event, cited, room, timed=timed)
        if len(kept) == _MOST_EVENTS or line.said.size > room:
            break
        kept[event.seq] = line
        room -= line.said.size + 120  # the markup around it
    return [kept[seq] for seq in sorted(kept)], len(events) - len(kept)


def _event(event: Event, cited: frozenset[int], room: int, *, timed: bool) -> EventLine:
    who, text = in_words(event)
    most = min(_MOST, room // 4)
    return EventLine(
        seq=event.seq,
        at=f"{event.at:.3f} s" if timed else "-",
        who=who,
        kind=type(event.body).__name__.lower(),
        said=passage(text, min(_FIRST, most), most),
        cited=event.seq in cited,
    )


def _within(lines: Iterator[T], size: Callable[[T], int], room: int) -> Listed[T]:
    """Return the beginning of a list for which there is room; the rest is counted."""
    kept: list[T] = []
    left = 0
    for line in lines:
        room -= size(line)
        if room < 0 or left or len(kept) == _MOST_LINES:
            left += 1
        else:
            kept.append(line)
    return Listed(first=kept[:_LINES], more=kept[_LINES:], left=left)


def _facts(view: TrialView) -> Iterator[Passage]:
    for text in facts_in_words(view.sheet) if view.sheet is not None else ():
        yield passage(text, 400, 2000)


def _probes(view: TrialView, there: frozenset[int]) -> Iterator[ProbeLine]:
    for probe in view.sheet.probes.values() if view.sheet is not None else ():
        answer = (
            content(list(probe.rows))
            if probe.rows is not None
            else f"no answer ({probe.cause}): {probe.message}"
        )
        yield ProbeLine(
            seq=(probe.seq, probe.seq in there),
            question=passage(probe.id, 300, 1000),
            answer=passage(answer, 300, 1000),
        )
