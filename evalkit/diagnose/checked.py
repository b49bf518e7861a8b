"""Which checks of a case a failing metric rests on, where a suite has one stage and every root is the same.

What comes in: suite, case, why each root failed. What goes out: words for the checks, by root.
"""

from __future__ import annotations

from collections.abc import Mapping

from evalkit.records.case import Case
from evalkit.records.checks import Expectation
from evalkit.records.suite import Suite

_MOST = 3  # checks of different kinds; more of them would name no cause


def checks_of(suite: Suite, case: Case, reasons: Mapping[str, str]) -> dict[str, str]:
    """Return the checks of which at least one failed, so that failures with nothing in common stay apart.

    Args:
        suite: The loaded suite; nothing is said where it has several stages, for their names say more.
        case: The case.
        reasons: Root stage -> why it failed.

    Returns:
        Root stage -> checks, such as ``reply contains``; a root with a reason of its own is left out.
    """
    if len(suite.stages) > 1:
        return {}
    metrics = {metric.name for metric in suite.metrics}
    found = {
        stage: list(dict.fromkeys(_told(entry) for entry in case.expect if entry.metric == reason))
        for stage, reason in reasons.items()
        if reason in metrics
    }
    return {stage: " or ".join(checks) for stage, checks in found.items() if 0 < len(checks) <= _MOST}


def _told(entry: Expectation) -> str:
    """Return kind, arguments by name, and the field that it looks at."""
    field = entry.args.get("field")
    names = ", ".join(sorted(name for name in entry.args if name != "field"))
    kind = f"not_{entry.kind}" if entry.negated else entry.kind
    return f"{kind} {names}".rstrip() + (f" of {field}" if isinstance(field, str) else "")
