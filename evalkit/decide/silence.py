"""Claims that no trial made: a check that examined nothing proves nothing, however green it is.

What comes in: suite, tallies. What goes out: sentences for a reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalkit.decide.tally import Tallies
from evalkit.records.metric import Metric
from evalkit.records.suite import Suite


def silences(suite: Suite, tallies: Tallies) -> Iterator[str]:
    """Yield the claims that a false-completion metric looks for and that no trial made.

    Args:
        suite: The loaded suite.
        tallies: The arm's tallies.
    """
    for metric in suite.metrics:
        made: Mapping[str, int] = tallies.claimed.get(metric.name, {})
        passed = sum(one.passed for one in tallies.metrics[metric.name])
        if metric.check != "claim_matches_state" or not made or made[""] < passed:
            continue
        lost = sum(one.unmeasured + one.explained for one in tallies.metrics[metric.name])
        where = "no trial that was measured" if lost else "no trial"
        for claim in _looked_for(suite, metric):
            if not made.get(claim):
                yield f"claim `{claim}` was made in {where}: {metric.name} rests on silence"


def _looked_for(suite: Suite, metric: Metric) -> tuple[str, ...]:
    """Return the claims that a metric looks for, in the suite's order; naming none means all."""
    own = [metric.args or {}]
    own += [entry.args for case in suite.cases for entry in case.expect if entry.metric == metric.name]
    named = [args.get("claims") or [] for args in own]
    if not all(named):
        return tuple(suite.claims)
    wanted = {str(name) for names in named if isinstance(names, list) for name in names}
    return tuple(claim for claim in suite.claims if claim in wanted)
