"""A run as Markdown for a pull request or a step summary of GitHub: the decision first.

What comes in: a `Document`, and the cases that failed or were not measured. What goes out: lines of GitHub
Flavored Markdown, fewer characters than a comment may have, every foreign text inert.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from evalkit.records.decision import Choice
from evalkit.records.document import Document
from evalkit.records.flat import FailingCase
from evalkit.records.waivers import WaiverLine, ending
from evalkit.report.console import causes, count, number
from evalkit.report.inert import cell, code, prose
from evalkit.report.markdown_figures import arm_table, asked_table, shown_table

MOST = 60_000
"""Characters of the whole; a comment on GitHub may have 65,536, and others write into it, too."""

_SIGNS: Final[dict[Choice, str]] = {"go": "✅ go", "no-go": "❌ no-go", "undecided": "⚠️ undecided"}
_MOST_SENTENCES = 15
_MOST_ROOTS = 20
_MOST_CASES = 40
_MOST_NAMED = 5  # cases that one root names
_ROOM_FOR_CLOSING = 200  # characters kept for saying that something was cut


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """One part of the report.

    Attributes:
        title: Its heading; "" for none.
        lines: Its lines; none leaves the heading out, too.
        folded: Shown folded.
    """

    title: str
    lines: Sequence[str]
    folded: bool = False

    def opened(self) -> str:
        """Return what stands before the lines."""
        if self.folded:
            return f"<details><summary>{self.title}</summary>\n\n"
        return f"### {self.title}\n\n" if self.title else ""

    def closed(self) -> str:
        """Return what stands behind them."""
        return "\n</details>\n\n" if self.folded else "\n"


def markdown(document: Document, failing: Sequence[FailingCase]) -> Iterator[str]:
    """Yield a run as Markdown.

    Args:
        document: What the report is about.
        failing: Cases that failed or were not measured, in plan order.

    Yields:
        Pieces of at most `MOST` characters in all.
    """
    left = MOST
    for section in _sections(document, failing):
        if not section.lines:
            continue
        frame = len(section.opened()) + len(section.closed()) + _ROOM_FOR_CLOSING
        kept = list(_fitting(section.lines, left - frame))
        cut = len(section.lines) - len(kept)
        if not kept:
            yield _cut(document, f"{section.title} and what follows")
            return
        text = section.opened() + "".join(kept) + section.closed()
        left -= len(text)
        yield text
        if cut:
            yield _cut(document, f"{count(cut, 'line')} and what follows")
            return


def _fitting(lines: Iterable[str], room: int) -> Iterator[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield f"{line}\n"


def _cut(document: Document, what: str) -> str:
    return f"_Cut: {what}; all of it:_ {code(f'evalkit show {document.board.manifest.run}', 200)}\n"


def _sections(document: Document, failing: Sequence[FailingCase]) -> Iterator[_Section]:
    failed = [one for one in failing if one.failed]
    missing = [one for one in failing if one.unmeasured]
    decision = document.decision
    yield _Section(title="", lines=list(_head(document)))
    if decision is not None:
        asked = [one for one in decision.estimates if one.threshold is not None]
        yield _Section(title="Asked for", lines=asked_table(asked))
        yield _Section(title="What would change it", lines=list(_sentences(decision.changes)))
    yield _Section(title="Trials", lines=arm_table(document.board.counts))
    yield _Section(title="Where failures began", lines=list(_roots(document)))
    title = f"Cases with failed trials ({len(failed)})"
    yield _Section(title=title, lines=list(_cases(failed, failed=True)), folded=True)
    title = f"Cases that were not measured everywhere ({len(missing)})"
    yield _Section(title=title, lines=list(_cases(missing, failed=False)), folded=True)
    yield _Section(title="Known failures", lines=[_waiver(one) for one in document.waivers])
    for arm, estimates in document.board.estimates.items():
        title = "Figures" if len(document.board.estimates) == 1 else f"Figures of {code(arm)}"
        yield _Section(title=title, lines=shown_table(estimates))
    yield _Section(title="To know", lines=list(_sentences(_notes(document))))
    yield _Section(title="", lines=[_signature(document)])


def _head(document: Document) -> Iterator[str]:
    """Yield the decision and its reasons, or that nothing was decided."""
    manifest, decision = document.board.manifest, document.decision
    arms = ", ".join(code(arm) for arm in document.board.counts)
    sign = "not decided" if decision is None else _SIGNS[decision.decision]
    yield f"## {sign}: suite {code(manifest.suite)}, arm {arms if decision is None else code(decision.arm)}"
    yield ""
    if not manifest.complete:
        yield "**The run is incomplete: not every planned trial has an end.**"
        yield ""
    if decision is None:
        yield f"{prose(document.undecided)}{f' Next: {code(document.ask, 300)}' if document.ask else ''}"
    else:
        yield from _sentences(decision.reasons)


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    yield from (f"- {prose(text)}" for text in texts[:_MOST_SENTENCES])
    if len(texts) > _MOST_SENTENCES:
        yield f"- and {len(texts) - _MOST_SENTENCES} more"


def _roots(document: Document) -> Iterator[str]:
    """Yield the clusters of every arm as a table."""
    several = len(document.board.counts) > 1
    clusters = [(arm, one) for arm, found in document.board.clusters.items() for one in found]
    if not clusters:
        return
    head = ["arm"] if several else []
    head += ["root", "why", "capability", "trials", "cases"]
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for arm, one in clusters[:_MOST_ROOTS]:
        named = ", ".join(cell(case, 80) for case in one.cases[:_MOST_NAMED])
        more = f" and {len(one.cases) - _MOST_NAMED} more" if len(one.cases) > _MOST_NAMED else ""
        why = ", ".join(sorted(set(one.reasons.values())))
        cells = [cell(arm)] if several else []
        cells += [cell(", ".join(one.roots)), cell(why), cell(one.capability) if one.capability else ""]
        yield f"| {' | '.join([*cells, str(one.trials), named + more])} |"
    if len(clusters) > _MOST_ROOTS:
        yield ""
        yield f"and {count(len(clusters) - _MOST_ROOTS, 'more root')}"


def _cases(found: Sequence[FailingCase], *, failed: bool) -> Iterator[str]:
    for one in islice(found, _MOST_CASES):
        n, word = (one.failed, "failed") if failed else (one.unmeasured, "not measured")
        waived = " (waived)" if one.waived else ""
        place = f", {code(one.place, 200)}" if one.place else ""
        where = f"{code(one.case)}, {code(one.arm)}: {n} of {count(one.trials, 'trial')} {word}"
        why = _failed(one) if failed else _missing(one)
        yield f"- {where}{waived}{place}{'. ' if why else ''}{why}"
    if len(found) > _MOST_CASES:
        yield f"- and {len(found) - _MOST_CASES} more"


def _failed(one: FailingCase) -> str:
    root = f"root {code(', '.join(one.roots))}" if one.roots else ""
    between = ": " if one.root_says else "; "
    return between.join(part for part in (root, "; ".join(map(code, one.said))) if part)


def _missing(one: FailingCase) -> str:
    return ": ".join(part for part in (one.cause or "", one.missing and code(one.missing)) if part)


def _waiver(one: WaiverLine) -> str:
    state = {
        "active": f"waived until {one.until}, {ending(one.days_left or 0)}",
        "expired": f"**expired** on {one.until}: waives nothing any more",
        "unknown_case": "**no such case**",
    }[one.state]
    hidden = f"{one.failed} of {count(one.trials, 'trial')} failed"
    hidden += ", **no longer needed**" if one.needed is False else ""
    return f"- {code(one.case)}: {state}; {hidden}; {prose(one.reason)} ({prose(one.owner)})"


def _notes(document: Document) -> tuple[str, ...]:
    decision = document.decision
    told = () if decision is None else decision.warnings
    errors = {arm: one.causes for arm, one in document.board.counts.items() if one.causes}
    errors_told = tuple(f"errors of {arm}: {causes(found)}" for arm, found in errors.items())
    return tuple(dict.fromkeys((*told, *document.left_out, *errors_told, *document.board.notes)))


def _signature(document: Document) -> str:
    manifest, signature = document.board.manifest, document.board.manifest.signature
    coverage = ", ".join(number(one.coverage) for one in document.board.counts.values())
    parts = [f"Run {code(manifest.run)}", f"mode {signature.mode}", f"seed {signature.seed}"]
    parts += [f"coverage {coverage}", f"suite {code(signature.suite_hash[:12])}"]
    parts += [f"scoring {signature.scoring_version}", f"evalkit {code(signature.evalkit or 'unknown')}"]
    return f"<sub>{', '.join(parts)}</sub>"
