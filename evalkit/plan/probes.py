"""The questions that the world will be asked in a trial: state is read once, by these probes.

What comes in: a suite and a case. What goes out: `Probe`s, each once, start probes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from evalkit.records.case import Case
from evalkit.records.checks import Expectation
from evalkit.records.metric import Metric
from evalkit.records.probe import Probe, probe_id
from evalkit.records.suite import Suite
from evalkit.records.written import Json

When = Literal["start", "end"]
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


def probes_of(suite: Suite, case: Case) -> tuple[Probe, ...]:
    """Return the probes of one case.

    Args:
        suite: The loaded suite.
        case: One of its cases.

    Returns:
        Probes without repetition; () for a suite without a world.
    """
    if not suite.has_world:
        return ()
    asked = dict.fromkeys(_questions(suite, case))
    ordered = sorted(asked, key=lambda question: question[1] != "start")
    return tuple(_probe(sql, when, case) for sql, when in ordered)


def _questions(suite: Suite, case: Case) -> Iterator[tuple[str, When]]:
    for entry in case.expect:
        yield from _of_check(entry.kind, entry.args)
    for metric in suite.metrics_of(case):
        yield from _of_metric(metric)
        if metric.check == "claim_matches_state":
            yield from ((claim.holds.sql, "end") for claim in suite.claims.values())


def _of_metric(metric: Metric) -> Iterator[tuple[str, When]]:
    if metric.check is not None and metric.args is not None:
        yield from _of_check(metric.check, metric.args)
    entries: tuple[Expectation, ...] = metric.rule.pass_when + metric.rule.fail_when if metric.rule else ()
    for entry in entries:
        yield from _of_check(entry.kind, entry.args)


def _of_check(kind: str, args: dict[str, Json]) -> Iterator[tuple[str, When]]:
    if kind == "state":
        yield args["sql"], "end"
    elif kind == "unchanged":
        yield args["sql"], "start"
        yield args["sql"], "end"
    elif kind == "reconcile":
        yield args["authority"], "end"


def _probe(sql: str, when: When, case: Case) -> Probe:
    named = _VARIABLE.findall(sql)
    return Probe(
        id=probe_id(sql, when),
        sql=sql,
        when=when,
        vars={name: case.vars[name] for name in named if name in case.vars},
    )
