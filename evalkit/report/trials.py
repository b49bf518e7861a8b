"""One case and one trial on a terminal: verdicts, facts, and the trace with its cited events marked.

What comes in: `TrialView`s. What goes out: console text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from evalkit.records.attribution import Attribution
from evalkit.records.board import TrialView
from evalkit.records.event import Event
from evalkit.records.verdict import ACTIONS, Verdict
from evalkit.report.console import Look, Tone, columns, cut, pad, wrap

_TONES: dict[str, Tone] = {"pass": "good", "fail": "bad", "error": "warn"}
_LONGEST = 1200  # characters of one event's content; the journal has the rest


def case_page(views: Sequence[TrialView], look: Look) -> str:
    """Return the trials of one case.

    Args:
        views: Its trials, all arms.
        look: How it looks.
    """
    lines = [look.tone(f"case {cut(views[0].case, look.width - 5)}", "strong")]
    rows = [("arm", "trial", "attempts", "verdict", "roots"), *(_summary(view) for view in views)]
    lines += columns(rows, look, right=frozenset({1, 2}))
    first = next((view for view in views if view.attribution is not None), views[0])
    return "\n".join([*lines, "", trial_page(first, look)])


def _summary(view: TrialView) -> tuple[str, ...]:
    bad = [row for row in view.verdicts if row.outcome != "pass"]
    fails = [row for row in bad if row.outcome == "fail"]
    roots = sorted({root for row in fails for root in row.roots})
    word = f"{len(fails)} fail, {len(bad) - len(fails)} error" if bad else "all pass"
    return view.arm, str(view.trial), str(view.attempts), word, ", ".join(roots)


def trial_page(view: TrialView, look: Look) -> str:
    """Return one trial with all of its evidence.

    Args:
        view: The trial.
        look: How it looks.
    """
    title = f"{view.case} #{view.trial} [{view.arm}]"
    lines = [look.tone(cut(title, look.width), "strong"), ""]
    for row in view.verdicts:
        lines += _verdict(row, look)
    if view.attribution is not None:
        lines += ["", *attribution_lines(view.attribution, look)]
    cited = {seq for row in view.verdicts if row.outcome == "fail" for seq in row.cites}
    lines += ["", look.tone("trace (> is cited by a fail)", "strong")]
    if view.trace is None:
        lines.append("  the trial was never closed: evalkit resume finishes it")
    else:
        for event in view.trace.events:
            lines += _event(event, look, cited=event.seq in cited)
    return "\n".join(lines)


def _verdict(row: Verdict, look: Look) -> Iterator[str]:
    word = row.outcome if row.cause is None else f"{row.outcome} {row.cause}"
    word += f"/{row.sub}" if row.sub else ""
    tone: Tone = (
        "dim" if row.inherited or row.cause_class in ("explained", "not_asked") else _TONES[row.outcome]
    )
    marks = [f"roots {', '.join(row.roots)}"] if row.roots and row.outcome != "pass" else []
    marks += ["inherited"] if row.inherited else []
    marks += ["degraded"] if row.degraded else []
    marks += [f"events {', '.join(str(seq) for seq in row.cites[:8])}"] if row.cites else []
    head = f"{pad(row.of, 6)} {pad(row.name, 20)} "
    yield head + look.tone(cut(word, look.width - 28), tone)
    notes = "; ".join([*([row.message] if row.message else []), *marks])
    if notes and row.outcome != "pass":
        yield from wrap(notes, look.width, "         ")
    if row.cause_class == "unmeasured" and row.cause is not None:
        yield from wrap(f"action: {ACTIONS[row.cause]}", look.width, "         ")


def attribution_lines(one: Attribution, look: Look) -> list[str]:
    """Return why a trial failed, in words.

    Args:
        one: Its attribution record.
        look: How it looks.
    """
    where = f"event {one.process}: {one.process_text}" if one.process is not None else one.process_text
    lines = [look.tone("why", "strong")]
    lines += wrap(f"seen: {one.phenomenon}", look.width, "  ")
    lines += wrap(f"left the path at {where}", look.width, "  ")
    states = ", ".join(f"{stage} {state.replace('_', ' ')}" for stage, state in one.states.items())
    lines += wrap(f"stages: {states}", look.width, "  ")
    lines += wrap(f"suggestion ({one.grade}): {one.suggestion}", look.width, "  ")
    return lines


def _event(event: Event, look: Look, *, cited: bool) -> Iterator[str]:
    body = msgspec.to_builtins(event.body)
    kind = body.pop("type")
    text = json.dumps(body, ensure_ascii=False) if body else ""
    head = f"{'>' if cited else ' '}{event.seq:>4} {event.at:8.3f}s {pad(kind, 14)}"
    tone: Tone = "bad" if cited else "plain"
    first, *rest = wrap(text[:_LONGEST], look.width - 31) if text else [""]
    yield look.tone(f"{head} {first}".rstrip(), tone)
    for line in rest[:6]:
        yield " " * 31 + line
    if len(rest) > 6 or len(text) > _LONGEST:
        yield " " * 31 + "..."
