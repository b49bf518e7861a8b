"""The decision on a terminal: what, why, what would change it, and every figure that was asked for.

What comes in: a `Decision`. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.decision import EXIT_CODES, Decision, RootSummary
from evalkit.report.console import Look, Tone, causes, count, cut, wrap
from evalkit.report.explaining import explained
from evalkit.report.figures import asked_lines, shown_lines
from evalkit.report.runs import count_line

_TONES: dict[str, Tone] = {"go": "good", "no-go": "bad", "undecided": "warn"}
_MOST = 12  # sentences of one kind; the rest is counted


def decision_page(decision: Decision, look: Look, *, explain: bool = False) -> str:
    """Return a decision.

    Args:
        decision: What was decided.
        look: How it looks.
        explain: Also every default of the policy and how each figure was computed.
    """
    word = decision.decision.upper()
    rest = cut(f"arm {decision.arm}, run {decision.run}", look.width - len(word) - 2)
    lines = [f"{look.tone(word, _TONES[decision.decision])}  {rest}", ""]
    lines += [*_list("why", decision.reasons, look), *_counts(decision, look), ""]
    asked = [one for one in decision.estimates if one.threshold is not None]
    shown = [one for one in decision.estimates if one.threshold is None]
    for figures in (asked_lines(asked, look), shown_lines(shown, look)):
        lines += [*figures, ""] if figures else []
    lines += _roots(decision.roots, look)
    lines += _list("what would change it", decision.changes, look)
    lines += _list("to know", (*decision.warnings, *waived_line(decision)), look)
    lines += explained(decision, look) if explain else _explain_hint(decision)
    return "\n".join([*lines, *_next(decision, look)])


def _counts(decision: Decision, look: Look) -> Iterator[str]:
    yield look.tone("trials", "strong")
    yield from wrap(count_line(decision.counts), look.width, "  ", "    ")
    if decision.counts.errors:
        yield from wrap(f"errors: {causes(decision.counts.causes)}", look.width, "  ", "    ")


def _roots(roots: Sequence[RootSummary], look: Look) -> Iterator[str]:
    if not roots:
        return
    yield look.tone("roots", "strong")
    for root in roots:
        tags = "; ".join(f"{name} {', '.join(values)}" for name, values in root.tags.items())
        of = f"{count(root.trials, 'trial')} of {count(len(root.cases), 'case')}"
        text = f"{root.stage} ({root.cause}): {of}" + (f"; {tags}" if tags else "")
        yield from wrap(text, look.width, "  ", "    ")
    yield ""


def _list(title: str, texts: Sequence[str], look: Look) -> Iterator[str]:
    if not texts:
        return
    yield look.tone(title, "strong")
    for text in texts[:_MOST]:
        first, *rest = wrap(text, look.width, "  ", "    ")
        yield look.tone(first, _tone(text))
        yield from rest
    if len(texts) > _MOST:
        yield f"  ... and {len(texts) - _MOST} more (--json has all)"
    yield ""


def _tone(text: str) -> Tone:
    """Return the tone of a sentence that begins with a choice."""
    return _TONES.get(text.partition(":")[0], "plain")


def waived_line(decision: Decision) -> tuple[str, ...]:
    """Return in a sentence the cases that a waiver left out; nothing where there is none."""
    if not decision.waived:
        return ()
    names = ", ".join(decision.waived)
    return (f"{count(len(decision.waived), 'case')} left out of what is asked of each case: {names}",)


def _explain_hint(decision: Decision) -> tuple[str, ...]:
    return ("every default, and how each figure was computed: --explain",) if decision.estimates else ()


def _next(decision: Decision, look: Look) -> list[str]:
    bad = next((case for root in decision.roots for case in root.cases), "")
    verb = decision.next or f"evalkit show {decision.run} {bad}".rstrip()
    return [f"exit code {EXIT_CODES[decision.decision]}", *wrap(f"next: {verb}", look.width)]
