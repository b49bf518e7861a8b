"""What a case owes: its planned metrics, where each stands, and the entries that feed it.

What comes in: a suite, its graph, a case. What goes out: `Owed`, the same for every trial of the case.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from evalkit.records.case import Case
from evalkit.records.checks import Expectation
from evalkit.records.metric import Metric
from evalkit.records.suite import Suite
from evalkit.score.asking import Place
from evalkit.score.structure import Asked, Structure, asked_of


class Fed(Struct, frozen=True):
    """One planned metric.

    Attributes:
        place: Where it stands.
        entries: The entries that feed it.
        at_least: User turns that it is asked about although they were never begun.
    """

    place: Place
    entries: tuple[Expectation, ...]
    at_least: int = 0


class Owed(Struct, frozen=True):
    """What every trial of a case owes: what is asked of the stages, and of the planned metrics.

    Attributes:
        case: The case.
        asked: What is asked of the stages: once, or once per turn.
        fed: The planned metrics.
    """

    case: Case
    asked: tuple[Asked, ...]
    fed: tuple[Fed, ...]


def owed_by(suite: Suite, structure: Structure, places: Mapping[str, Place], case: Case) -> Owed:
    """Return what the trials of a case owe.

    Args:
        suite: The suite.
        structure: Its graph.
        places: Where its metrics stand.
        case: A case of the suite.

    Returns:
        The planned metrics in the suite's order; each is fed by the suite's own arguments, unless the case
        says `without`, and by the case's entries.
    """
    asked = asked_of(structure, case)
    every = len(case.turns)
    fed = [
        Fed(place, _entries(metric, case), every if place.unblocked or len(asked) > 1 else 0)
        for metric in suite.metrics_of(case)
        for place in (places[metric.name],)
    ]
    return Owed(case, asked, tuple(fed))


def _entries(metric: Metric, case: Case) -> tuple[Expectation, ...]:
    entries = tuple(entry for entry in case.expect if entry.metric == metric.name)
    own = _own_entry(metric) if metric.name not in case.without else None
    return (own, *entries) if own is not None else entries


def _own_entry(metric: Metric) -> Expectation | None:
    if metric.check is None or (metric.args is None and metric.check != "claim_matches_state"):
        return None
    return Expectation(kind=metric.check, args=metric.args or {}, metric=metric.name)
