"""The declared graph: ancestors, what is below, an order to work in, and bridging."""

from collections.abc import Iterable

from tests.oracle.model import Case, Demand, Stage, Suite, Trial
from tests.oracle.reading import examinable, ran


def stage_named(suite: Suite, name: str) -> Stage:
    """Find a stage by its name."""
    return next(stage for stage in suite.stages if stage.name == name)


def in_suite_order(suite: Suite, names: Iterable[str]) -> tuple[str, ...]:
    """Give each of the names once, in the order in which the suite writes its stages."""
    wanted = set(names)
    return tuple(stage.name for stage in suite.stages if stage.name in wanted)


def ancestors(suite: Suite, name: str) -> frozenset[str]:
    """Find every stage that a stage needs, directly or through others, in the declared graph.

    Page: '*Ancestor* and *below* always mean the declared graph': never the bridged one.
    """
    found: set[str] = set()
    for need in stage_named(suite, name).needs:
        found |= {need} | ancestors(suite, need)
    return frozenset(found)


def below(suite: Suite, name: str) -> frozenset[str]:
    """Find every stage that has this one among its ancestors."""
    return frozenset(stage.name for stage in suite.stages if name in ancestors(suite, stage.name))


def topological(suite: Suite) -> tuple[Stage, ...]:
    """Order the stages so that each comes after all that it needs."""
    return tuple(sorted(suite.stages, key=lambda stage: len(ancestors(suite, stage.name))))


def demand_of(case: Case, stage: Stage) -> Demand:
    """Give what the case asks of a stage.

    Page: 'A case gives each stage a demand ... over the suite's default.'
    """
    return case.demands.get(stage.name, stage.demand)


def counts_as_ran(trial: Trial, name: str) -> bool:
    """Say whether a stage ran as far as needs go.

    Page: 'What ran in an earlier turn counts as ran for needs.'
    """
    return name in trial.earlier or ran(stage_named(trial.suite, name), trial.trace)


def is_bridged(trial: Trial, stage: Stage) -> bool:
    """Say whether a need on this stage gives way to the stage's own needs.

    Page: 'Needs on an optional or forbidden stage that did not run are bridged ... (a stage that is not
    examinable is never bridged).'
    """
    asked = demand_of(trial.case, stage) == "required"
    return not asked and not counts_as_ran(trial, stage.name) and examinable(stage, trial.trace)


def bridged_needs(trial: Trial, stage: Stage) -> tuple[str, ...]:
    """Give the needs of a stage in the suite's order, bridged until none of them gives way.

    Page: '... its own needs take its place': again and again, until no need is bridged.
    """
    found: set[str] = set()
    for name in stage.needs:
        need = stage_named(trial.suite, name)
        if is_bridged(trial, need):
            found |= set(bridged_needs(trial, need))
        else:
            found.add(name)
    return in_suite_order(trial.suite, found)
