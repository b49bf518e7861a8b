"""What a check said, made safe to count: values are what they must be, and `not_` turns what was examined.

What comes in: an entry and what its check returned. What goes out: a `Finding` that can be weighed.
"""

from __future__ import annotations

import math

from msgspec import structs

from evalkit.records.checks import CheckKind, Expectation
from evalkit.records.fact import FactSheet
from evalkit.records.verdict import ACTIONS, Cause
from evalkit.score.finding import Finding

_READS_REPLIES: frozenset[CheckKind] = frozenset({"reply", "cites", "encoding", "repetition"})


def fault_cause(kind: CheckKind) -> Cause:
    """Return whose bug a check without an answer is: the suite's, or ours."""
    return "broken_case" if kind == "python" else "harness"


def settled(entry: Expectation, found: object, sheet: FactSheet, turn: int | None) -> Finding:
    """Return a finding that is held, refuted or open with a cause, `not_` applied.

    Args:
        entry: The entry.
        found: What its check returned.
        sheet: The facts of the trial.
        turn: The user turn that the entry was asked about; None is the whole trial.
    """
    if not isinstance(found, Finding):
        return _no_answer(entry, f"a {type(found).__name__} instead of a finding")
    problem = _problem(found)
    if problem:
        return _no_answer(entry, problem)
    if found.held is None or not entry.negated:
        return found
    return negated(entry, found, sheet, turn)


def negated(entry: Expectation, found: Finding, sheet: FactSheet, turn: int | None) -> Finding:
    """Return the finding of a `not_` form: it holds where the check does not, on an output that exists.

    A reply that was never given does not "not contain" anything, and a tool that never returned did not "not
    return" a value: nothing to look at holds nothing.

    Args:
        entry: The entry.
        found: A finding that was examined.
        sheet: The facts of the trial.
        turn: The user turn; None is the whole trial.
    """
    if found.held is False and (found.absent or not _has_output(entry, sheet, turn)):
        return found
    return structs.replace(found, held=not found.held, reason=f"not_{entry.kind}: {found.reason}")


def _has_output(entry: Expectation, sheet: FactSheet, turn: int | None) -> bool:
    if entry.kind in _READS_REPLIES and entry.args.get("of") != "calls":
        return any(turn is None or reply.turn == turn for reply in sheet.replies)
    if entry.kind == "returned":
        tool = entry.args.get("tool")
        returned = (call for call in sheet.calls if call.tool == tool and call.status == "ok")
        return any(turn is None or call.turn == turn for call in returned)
    return True


def _no_answer(entry: Expectation, problem: str) -> Finding:
    reason = f"{entry.kind} gave no answer: {problem}"
    return Finding(held=None, reason=reason, cause=fault_cause(entry.kind))


def _problem(found: Finding) -> str:
    held: object = found.held
    if held is not None and not isinstance(held, bool):
        return "neither true nor false"
    if found.held is None and found.cause not in ACTIONS:
        return f"cause {found.cause!r} is not in the list"
    if found.measure is not None and not math.isfinite(found.measure.value):
        return f"{found.measure.value} is not a number that can be counted"
    return ""
