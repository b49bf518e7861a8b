"""The decision on a terminal: what, why, what would change it, and every figure that was asked for.

What comes in: a `Decision`. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.decision import EXIT_CODES, Decision
from evalkit.records.estimate import Estimate
from evalkit.report.console import Look, Tone, causes, columns, cut, number, wrap
from evalkit.report.runs import count_line

_TONES: dict[str, Tone] = {"go": "good", "no-go": "bad", "undecided": "warn"}
_MOST = 12  # reasons of one kind; the rest is counted


def decision_page(decision: Decision, look: Look, *, explain: bool = False) -> str:
    """Return a decision.

    Args:
        decision: What was decided.
        look: How it looks.
        explain: Also every default of the policy and how each figure was computed.
    """
    word = look.tone(decision.decision.upper(), _TONES[decision.decision])
    lines = [f"{word}  {cut(decision.arm, 24)} in {cut(decision.run, look.width - 40)}", ""]
    for reason in decision.reasons[:_MOST]:
        lines += wrap(reason, look.width, "  ")
    if len(decision.reasons) > _MOST:
        lines.append(f"  ... and {len(decision.reasons) - _MOST} more of the kind")
    lines += ["", f"  {count_line(decision.counts)}"]
    if decision.counts.errors:
        lines += wrap(f"errors: {causes(decision.counts.causes)}", look.width, "    ")
    lines += ["", *_figures(decision, look)]
    lines += _roots(decision, look)
    lines += _list("would change it", decision.changes, look)
    lines += _list("know", (*decision.warnings, *_waived(decision)), look)
    lines += _explained(decision, look) if explain else []
    code = EXIT_CODES[decision.decision]
    lines.append(f"next: evalkit show {decision.run}   (exit code {code})")
    return "\n".join(lines)


def _figures(decision: Decision, look: Look) -> list[str]:
    rows: list[tuple[str, ...]] = [("figure", "value", "bound", "asked", "n", "worst", "best", "decides")]
    rows += [_figure(one) for one in decision.estimates]
    lines = columns(rows, look, right=frozenset({1, 2, 4, 5, 6}))
    return [look.tone(lines[0], "strong"), *lines[1:], ""]


def _figure(one: Estimate) -> tuple[str, ...]:
    where = "" if one.slice == "suite" else f" {one.slice.removeprefix('capability=')}"
    statistic = "got there" if one.statistic == "conditional" else one.statistic
    asked = number(one.threshold) if one.threshold is not None else ""
    ends = (number(one.worst), number(one.best))
    bound = number(one.bound) if one.threshold is not None else ""
    return (
        f"{one.metric} {statistic}{where}",
        number(one.value),
        bound,
        asked,
        str(one.n),
        *ends,
        one.decision or "",
    )


def _roots(decision: Decision, look: Look) -> Iterator[str]:
    if not decision.roots:
        return
    yield look.tone("roots", "strong")
    for root in decision.roots:
        tags = "; ".join(f"{name} {', '.join(values)}" for name, values in root.tags.items())
        text = f"{root.stage} ({root.cause}): {root.trials} trials of {len(root.cases)} cases; {tags}"
        yield from wrap(text, look.width, "  ")
    yield ""


def _list(title: str, texts: tuple[str, ...], look: Look) -> Iterator[str]:
    if not texts:
        return
    yield look.tone(title, "strong")
    for text in texts[:_MOST]:
        yield from wrap(text, look.width, "  ")
    if len(texts) > _MOST:
        yield f"  ... and {len(texts) - _MOST} more"
    yield ""


def _waived(decision: Decision) -> tuple[str, ...]:
    if not decision.waived:
        return ()
    return (f"{len(decision.waived)} cases are waived: {', '.join(decision.waived)}",)


def _explained(decision: Decision, look: Look) -> Iterator[str]:
    """Yield the policy with its defaults, and the method of every figure."""
    yield look.tone("policy", "strong")
    for name, value in decision.policy.items():
        yield from wrap(f"{name}: {value}", look.width, "  ")
    yield ""
    yield look.tone("how each figure was computed", "strong")
    for one in decision.estimates:
        flags = f"; {', '.join(one.flags)}" if one.flags else ""
        effective = f"; n* = {one.n_effective:.2f}" if one.n_effective is not None else ""
        name = f"{one.metric} {one.statistic} [{one.slice}], estimand {one.estimand}"
        yield from wrap(f"{name}: {one.method}{effective}{flags}", look.width, "  ")
    yield ""
    same = ("suite_hash", "mode", "scoring_version", "judge", "limits")
    yield from wrap(
        f"signature: {', '.join(f'{n} {getattr(decision.signature, n)}' for n in same)}", look.width
    )
    yield ""
