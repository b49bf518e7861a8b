"""The questions that the world will be asked in a trial: state is read once, by these probes.

What comes in: a suite and a case. What goes out: `Probe`s, each once, start probes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import structs

from evalkit.records.case import Case
from evalkit.records.checks import CheckArgs, Expectation, Reconcile, State, Unchanged
from evalkit.records.metric import Metric
from evalkit.records.probe import Probe, probe_id, stated_id, window_id
from evalkit.records.suite import Suite
from evalkit.records.watching import Eventually, SqlEquals

_Turns = Iterable[int | None]
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
    asked: dict[str, Probe] = {}
    for probe in _questions(suite, case):
        asked.setdefault(probe.id, probe)
    ordered = sorted(asked.values(), key=lambda probe: probe.when != "start")
    return tuple(structs.replace(probe, vars=_vars(probe.sql, case)) for probe in ordered)


def _questions(suite: Suite, case: Case) -> Iterator[Probe]:
    by_turn = {metric.name for metric in suite.metrics if metric.scope == "turn"}
    for entry in case.expect:
        yield from _of_entry(entry, _turns(case, by_turn=entry.metric in by_turn))
    for metric in suite.metrics_of(case):
        yield from _of_metric(metric, _turns(case, by_turn=metric.name in by_turn))
        if metric.check == "claim_matches_state":
            yield from (_probe(claim.holds.sql) for claim in suite.claims.values())


def _turns(case: Case, *, by_turn: bool) -> _Turns:
    """Return the turns that an entry is about which names none."""
    return range(len(case.turns)) if by_turn else (None,)


def _of_metric(metric: Metric, turns: _Turns) -> Iterator[Probe]:
    if metric.check is not None and metric.args is not None:
        yield from _of_entry(Expectation(kind=metric.check, args=metric.args), turns)
    for entry in metric.rule.pass_when + metric.rule.fail_when if metric.rule else ():
        yield from _of_entry(entry, turns)


def _of_entry(entry: Expectation, turns: _Turns) -> Iterator[Probe]:
    yield from _of_check(entry.arguments, turns if entry.turn is None else (entry.turn,))


def _of_check(arguments: CheckArgs, turns: _Turns) -> Iterator[Probe]:
    if isinstance(arguments, State):
        yield _probe(arguments.sql)
    elif isinstance(arguments, Unchanged):
        yield from _both_ends(arguments.sql)
    elif isinstance(arguments, Reconcile):
        yield _probe(arguments.authority)
    elif isinstance(arguments, Eventually):
        window = arguments.window
        yield Probe(id=window_id(arguments.sql, window), sql=arguments.sql, window=window)
    elif isinstance(arguments, SqlEquals):
        # At the start, too: an answer that only the agent emptied is not the suite's fault.
        yield from _both_ends(arguments.gold)
        for turn in turns:
            yield Probe(id=stated_id(arguments.value, turn), sql="", stated=arguments.value, turn=turn)


def _both_ends(sql: str) -> Iterator[Probe]:
    yield Probe(id=probe_id(sql, "start"), sql=sql, when="start")
    yield _probe(sql)


def _probe(sql: str) -> Probe:
    return Probe(id=probe_id(sql), sql=sql)


def _vars(sql: str, case: Case) -> dict[str, str | int | float | bool | None]:
    return {name: case.vars[name] for name in _VARIABLE.findall(sql) if name in case.vars}
