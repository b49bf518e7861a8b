"""What failed in trials that passed: the deciding primary alone says that a trial passed.

What comes in: suite, policy, verdicts trial by trial. What goes out: counts of metrics that could decide and
failed all the same, and that no require of the policy asks about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from evalkit.records.policy import GatePolicy
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict

Unasked = dict[str, Counter[str]]
"""Metric -> case -> passing trials in which the metric failed; only what failed is there."""


def unasked(suite: Suite, policy: GatePolicy, verdicts: Iterable[Verdict]) -> Unasked:
    """Count where metrics of tier gate failed in passing trials, and the policy does not ask about them.

    Args:
        suite: The loaded suite.
        policy: What must be proven.
        verdicts: Verdicts of one arm; those of one trial stand together. Read only where a metric is unasked.

    Returns:
        Metrics and cases in the order in which they came.
    """
    deciding, asked = suite.deciding.name, {require.metric for require in policy.require}
    watched = {one.name for one in suite.metrics if one.tier == "gate"} - asked - {deciding}
    found: Unasked = {}
    if not watched:
        return found
    rows = (row for row in verdicts if row.of == "metric")
    for _, group in groupby(rows, key=lambda row: row.index):
        trial = {row.name: row for row in group}
        if deciding in trial and trial[deciding].outcome == "pass":
            for name, row in trial.items():
                if name in watched and row.outcome == "fail":
                    found.setdefault(name, Counter())[row.case] += 1
    return found
