"""How strong the evidence of a verdict is: static < rule < isolated < live.

What comes in: the kind of a check, what it found, the mode. What goes out: a `Grade`.

- static: the shape of the transcript (schema, bounds, wording of a reply).
- rule: declared expectations held against facts of the trace (calls, order, results), and rules.
- isolated: the world itself answered, and it was a pinned one (mode mock).
- live: the world or an authority itself answered, and it was the real one (mode real).

An imported trace was not watched here: what its source says of a world is no stronger than a rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.checks import CheckKind
from evalkit.records.metric import Grade
from evalkit.records.policy import Mode
from evalkit.score.finding import Finding

ORDER: dict[Grade, int] = {"static": 0, "rule": 1, "isolated": 2, "live": 3}
"""Grade -> its place, weakest first."""

_STATIC: frozenset[CheckKind] = frozenset(
    {"schema", "within", "reply", "encoding", "repetition", "companion"}
)

_WORLD: dict[Mode, Grade] = {"mock": "isolated", "real": "live", "imported": "rule"}


def grade_of(kind: CheckKind, finding: Finding, mode: Mode, *, by_rule: bool = False) -> Grade:
    """Return the grade of one finding.

    Args:
        kind: The kind of the check.
        finding: What it found; `live` says that a world or an authority answered.
        mode: The mode of the trial.
        by_rule: The check is part of a metric's rule.
    """
    if finding.live:
        return _WORLD[mode]
    return "static" if kind in _STATIC and not by_rule else "rule"


def weakest(grades: Sequence[Grade]) -> Grade | None:
    """Return the grade of a pass: all of its evidence is needed. None where there is none."""
    return min(grades, key=ORDER.__getitem__, default=None)


def strongest(grades: Sequence[Grade]) -> Grade | None:
    """Return the grade of a fail: any of its evidence is enough. None where there is none."""
    return max(grades, key=ORDER.__getitem__, default=None)
