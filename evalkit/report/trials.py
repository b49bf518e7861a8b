"""One case and one trial on a terminal: verdicts, facts, and the trace with its cited events marked.

What comes in: `TrialView`s. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.attribution import Attribution
from evalkit.records.board import TrialView
from evalkit.records.verdict import ACTIONS, Verdict
from evalkit.report.console import Look, Tone, cut, pad, wrap
from evalkit.report.events import trace_lines
from evalkit.report.facts import fact_lines
from evalkit.report.tables import table

_TONES: dict[str, Tone] = {"pass": "good", "fail": "bad", "error": "warn"}
_NOTES = " " * 9  # what is said of a verdict stands below its name
_OURS = frozenset({"broken_case", "harness"})  # causes that can be mended for a trial recorded elsewhere too
_MOST_CITED = 8  # events that are named beside a verdict


def case_page(views: Sequence[TrialView], look: Look) -> str:
    """Return the trials of one case, and of the first that failed its verdicts and why.

    Args:
        views: Its trials, all arms.
        look: How it looks.
    """
    lines = [look.tone(cut(f"case {views[0].case}", look.width), "strong")]
    rows = [("arm", "trial", "attempts", "verdicts", "falls at"), *(_summary(view) for view in views)]
    lines += [*table(rows, look.width, right=frozenset({1, 2})), ""]
    shown = next((view for view in views if _failed(view)), views[0])
    lines += [*_judged(shown, look), ""]
    arm = f" --arm {shown.arm}" if len({view.arm for view in views}) > 1 else ""
    command = f"evalkit show {shown.run or 'RUN'} {shown.case} {shown.trial}{arm}"
    lines += wrap(f"its trace and facts: {command}", look.width)
    return "\n".join(lines)


def _failed(view: TrialView) -> bool:
    return view.attribution is not None and not view.attribution.passed


def _summary(view: TrialView) -> tuple[str, ...]:
    tally = {name: sum(row.outcome == name for row in view.verdicts) for name in ("pass", "fail", "error")}
    words = ", ".join(f"{number} {name}" for name, number in tally.items() if number)
    roots = ", ".join(view.attribution.primary) if view.attribution is not None else "-"
    return view.arm, str(view.trial), str(view.attempts), words, roots


def trial_page(view: TrialView, look: Look) -> str:
    """Return one trial with all of its evidence.

    Args:
        view: The trial.
        look: How it looks.
    """
    lines = [*_judged(view, look), "", look.tone("facts", "strong")]
    lines += fact_lines(view.sheet, look) if view.sheet is not None else ["  none: it was never closed"]
    lines += [line for note in view.notes for line in wrap(note, look.width, "  ", "    ")]
    lines += ["", look.tone("trace (> is cited by a fail)", "strong")]
    if view.trace is None:
        told = "the trial was never closed: evalkit resume finishes it"
        return "\n".join([*lines, *wrap(told, look.width, "  ")])
    cited = frozenset(seq for row in view.verdicts if row.outcome == "fail" for seq in row.cites)
    return "\n".join([*lines, *trace_lines(view.trace.events, cited, look)])


def _judged(view: TrialView, look: Look) -> list[str]:
    """Return the verdicts of a trial, and why it failed."""
    title = f"{view.case} #{view.trial} [{view.arm}]"
    lines = [*(look.tone(line, "strong") for line in wrap(title, look.width)), ""]
    for row in view.verdicts:
        lines += [*_verdict(row, look), *_action(row, view, look)]
    if view.attribution is not None:
        lines += ["", *attribution_lines(view.attribution, look)]
    return lines


def _verdict(row: Verdict, look: Look) -> Iterator[str]:
    word = verdict_word(row)
    grey = row.inherited or row.cause_class in ("explained", "not_asked")
    name = pad(row.name, min(24, look.width - 24))
    yield f"{row.of:<6} {name} " + look.tone(
        cut(word, look.width - 32 if look.width > 60 else 15), "dim" if grey else _TONES[row.outcome]
    )
    if row.outcome != "pass" and row.message:
        yield from wrap(row.message, look.width, _NOTES)
    more = "; ".join([*marks(row), *_cited(row)])
    if more:
        yield from wrap(more, look.width, _NOTES)


def verdict_word(row: Verdict) -> str:
    """Return the outcome of a verdict with its cause.

    Args:
        row: The verdict.
    """
    word = row.outcome if row.cause is None else f"{row.outcome} {row.cause}"
    return f"{word}/{row.sub}" if row.sub else word


def _action(row: Verdict, view: TrialView, look: Look) -> list[str]:
    told = action(row, view)
    return wrap(f"what to do: {told}", look.width, _NOTES) if told else []


def action(row: Verdict, view: TrialView) -> str:
    """Return what to do about what was not measured; a recording made elsewhere is not redone.

    Args:
        row: One of the trial's verdicts.
        view: The trial.
    """
    imported = view.trace is not None and view.trace.opened.mode == "imported"
    if row.cause_class != "unmeasured" or row.cause is None or (imported and row.cause not in _OURS):
        return ""
    return ACTIONS[row.cause].replace("RUN", view.run or "RUN")


def marks(row: Verdict) -> Iterator[str]:
    """Yield what else is known of a verdict but its events; of a pass its measure, and what is odd.

    Args:
        row: The verdict.
    """
    if row.degraded and row.outcome == "pass":
        yield "degraded: by a fallback, or after a fault that passed"
    if row.measure is not None and (row.outcome != "pass" or row.measure.threshold is not None):
        asked = f", asked {row.measure.threshold:g}" if row.measure.threshold is not None else ""
        yield f"measured {row.measure.value:g} {row.measure.unit}{asked}"
    if row.outcome == "pass":
        return
    if row.roots:
        follows = row.inherited or row.outcome == "error"
        yield f"{'follows from' if follows else 'root'} {', '.join(row.roots)}"


def _cited(row: Verdict) -> Iterator[str]:
    if row.cites and row.outcome != "pass":
        more = " ..." if len(row.cites) > _MOST_CITED else ""
        yield f"events {', '.join(str(seq) for seq in row.cites[:_MOST_CITED])}{more}"


def attribution_lines(one: Attribution, look: Look, *, titled: bool = True) -> list[str]:
    """Return why a trial failed, in words.

    Args:
        one: Its attribution record.
        look: How it looks.
        titled: Say first whether the trial failed.
    """
    title = f"it passed all the same; {_what_failed(one)}" if one.passed else "why"
    lines = [look.tone(line, "strong") for line in wrap(title, look.width)] if titled else []
    for name, text in why(one).items():
        lines += wrap(text, look.width, f"  {name:<8}", " " * 10)
    return lines


def why(one: Attribution) -> dict[str, str]:
    """Return why a trial failed: what was seen, its root, where it left the path, stages, what to do.

    Args:
        one: Its attribution record.
    """
    where = f"event {one.process}, {one.process_text}" if one.process is not None else one.process_text
    states = ", ".join(_state(one, stage, state) for stage, state in one.states.items())
    falls = " and ".join(f"{stage} ({one.reasons.get(stage, '')})" for stage in one.primary)
    return {
        "seen": one.phenomenon,
        "root": falls + (f"; below it also {', '.join(one.secondary)}" if one.secondary else ""),
        "left at": where,
        "stages": states,
        one.grade: f"{one.suggestion} ({one.owner})",
    }


def _state(one: Attribution, stage: str, state: str) -> str:
    """Return a stage's state; one that only a metric failed at is not called failed."""
    metrics = one.failed_by.get(stage)
    if metrics is not None:
        return f"{stage}: {metrics} failed"
    return f"{stage} {state.replace('_', ' ')}"


def _what_failed(one: Attribution) -> str:
    """Return what failed in a trial that passed: stages by themselves, or metrics that explain."""
    failed = [stage for stage, state in one.states.items() if state == "failed"]
    stages = [stage for stage in failed if stage not in one.failed_by]
    names = ", ".join([*stages, *dict.fromkeys(one.failed_by.values())])
    return f"{names} failed" if names else "something on the way failed"
