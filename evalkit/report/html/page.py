"""A report as one HTML file, chunk by chunk: the decision first, then what it rests on.

What comes in: a `Document`. What goes out: text of one file; a function of the document alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, Template

from evalkit.records.attribution import Attribution, Cluster
from evalkit.records.decision import Counts
from evalkit.records.document import Document, Spread
from evalkit.records.estimate import Estimate
from evalkit.report.console import causes, count, number
from evalkit.report.decisions import waived_line
from evalkit.report.events import content
from evalkit.report.explaining import methods_in_words, policy_in_words
from evalkit.report.figures import asked_cells, family, figure_name, slice_name, undefined
from evalkit.report.html import signs
from evalkit.report.html.plots import bar, beside_curves, curves, interval, quantity, spread_plot
from evalkit.report.html.rows import ArmBoard, BoardPrinter
from evalkit.report.html.sealed import environment, seal
from evalkit.report.html.text import Listed, NameRoom, Names, brief, listed
from evalkit.report.html.trial import TrialPart, trial_part
from evalkit.report.runs import count_line, duration, plain, plan_line

_EVIDENCE = 5_000_000  # bytes that the traces of all shown trials may take
_CHUNK = 1 << 16  # characters
_MOST_CLUSTERS = 100  # of an arm that are shown with their cases; as many again as lines
_MOST_SLICES = 150  # figures that were asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPart:
    """One root cause.

    Attributes:
        cluster: The trials that fail alike.
        title: Its roots with their reasons.
        tags: What its cases share.
        cases: Case ids.
        example: Why the trial that is shown for it failed; None where none is.
        links: Ids and names of the trials that are shown for it.
        share: Its trials among the failing ones, 0 to 1000.
    """

    cluster: Cluster
    title: str
    tags: str
    cases: Names
    example: Attribution | None
    links: tuple[tuple[str, str], ...]
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmPart:
    """What a page shows of one arm.

    Attributes:
        name: The arm.
        counts: Its trials.
        board: Its board.
        clusters: Root causes.
        estimates: Figures that are shown; nothing was asked of them.
        spreads: Costs and latencies.
    """

    name: str
    counts: Counts
    board: ArmBoard
    clusters: Listed[ClusterPart]
    estimates: Listed[Estimate]
    spreads: tuple[Spread, ...]


def html_page(document: Document) -> Iterator[str]:
    """Yield a report as one HTML file.

    Args:
        document: What to show.

    Yields:
        Chunks of text that UTF-8 can hold.
    """
    jinja = _jinja()
    template = jinja.get_template("page.html.j2")
    yield from _chunks(template.generate(_context(document, jinja)))


@cache
def _jinja() -> Environment:
    """Return the templates, compiled once per process: that takes longer than a small page."""
    jinja = environment()
    jinja.globals.update(_words())
    return jinja


def _words() -> dict[str, object]:
    """Return what templates may call: words of the console, and drawings."""
    return {
        "asked_cells": asked_cells,
        "bar": bar,
        "beside_curves": beside_curves,
        "brief": brief,
        "causes": causes,
        "content": content,
        "count": count,
        "count_line": count_line,
        "curves": curves,
        "duration": duration,
        "family": family,
        "figure_name": figure_name,
        "interval": interval,
        "listed": listed,
        "number": number,
        "plain": plain,
        "plan_line": plan_line,
        "quantity": quantity,
        "signs": signs.SIGNS,
        "slice_name": slice_name,
        "spread_plot": spread_plot,
        "undefined": undefined,
    }


def _context(document: Document, jinja: Environment) -> dict[str, object]:
    names = tuple(f"t{at}" for at in range(1, len(document.trials) + 1))
    decision = document.decision
    asked = [one for one in decision.estimates if one.threshold is not None] if decision is not None else []
    return {
        "document": document,
        "manifest": document.board.manifest,
        "decision": decision,
        "asked": listed(sorted(asked, key=_order), 40, _MOST_SLICES),
        "reasons": listed(decision.reasons if decision is not None else (), 12, 200),
        "changes": listed(decision.changes if decision is not None else (), 8, 100),
        "policy": list(policy_in_words(decision.policy)) if decision is not None else [],
        "methods": listed(methods_in_words(decision) if decision is not None else (), 40, 300),
        "arms": _arms(document, names, jinja.get_template("macros.html.j2")),
        "trials": _trials(document, names),
        "waivers": listed(document.waivers, 60, 500),
        "notes": listed(_notes(document), 40, 300),
        "seal": seal(),
    }


def _order(one: Estimate) -> int:
    """Return how early a figure stands: what stands against a go comes first."""
    return ("no-go", "undecided", None, "go").index(one.decision)


def _arms(document: Document, names: tuple[str, ...], macros: Template) -> list[ArmPart]:
    board = document.board
    links: dict[tuple[str, str], str] = {}
    for one, name in zip(document.trials, names, strict=True):
        links.setdefault((one.view.arm, one.view.case), name)
    printer = BoardPrinter(board, links, getattr(macros.module, "cell"))  # noqa: B009 - a macro has no type
    room = NameRoom(600_000)
    return [
        ArmPart(
            name=arm,
            counts=counts,
            board=printer.arm(arm),
            clusters=_clusters(document, arm, names, room),
            estimates=listed(board.estimates.get(arm, ()), 200, 200),
            spreads=document.spreads.get(arm, ()),
        )
        for arm, counts in board.counts.items()
    ]


def _clusters(document: Document, arm: str, names: tuple[str, ...], room: NameRoom) -> Listed[ClusterPart]:
    found = document.board.clusters.get(arm, ())
    most = max((one.trials for one in found), default=1)
    shown = [_cluster(one, document, (arm, names, most), room) for one in found[: 2 * _MOST_CLUSTERS]]
    left = len(found) - len(shown)
    return Listed(first=shown[:_MOST_CLUSTERS], more=shown[_MOST_CLUSTERS:], left=left)


def _cluster(
    one: Cluster, document: Document, among: tuple[str, tuple[str, ...], int], room: NameRoom
) -> ClusterPart:
    arm, names, most = among
    examples = [
        (shown.view, name)
        for shown, name in zip(document.trials, names, strict=True)
        if shown.view.arm == arm and shown.cluster == one.id
    ]
    return ClusterPart(
        cluster=one,
        title=" and ".join(f"{stage} ({one.reasons.get(stage, '')})" for stage in one.roots)
        or "unknown root",
        tags=_tags(one, document),
        cases=room.take(one.cases),
        example=next((view.attribution for view, _ in examples if view.attribution is not None), None),
        links=tuple((name, f"{view.case} #{view.trial}") for view, name in examples),
        share=round(1000 * one.trials / max(1, most)),
    )


def _tags(one: Cluster, document: Document) -> str:
    """Return the tags that the decision found the cases of a root to share."""
    roots = document.decision.roots if document.decision is not None else ()
    for root in roots:
        if one.reasons.get(root.stage) == root.cause and set(one.cases) <= set(root.cases):
            return "; ".join(f"{name} {', '.join(values)}" for name, values in root.tags.items())
    return f"capability {one.capability}" if one.capability else ""


def _trials(document: Document, names: tuple[str, ...]) -> Iterator[TrialPart]:
    """Yield the trials one at a time; each has an equal share of the room."""
    room = min(400_000, _EVIDENCE // max(1, len(names)))
    places = document.stages, document.board.columns
    for one, name in zip(document.trials, names, strict=True):
        yield trial_part(one, name, places, room)


def _notes(document: Document) -> Iterator[str]:
    yield from document.board.notes
    decision = document.decision
    if decision is not None:
        known = set(document.board.notes)
        yield from (text for text in (*decision.warnings, *waived_line(decision)) if text not in known)


def _chunks(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces joined to chunks of a size that is worth a write."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)
