"""Which companion metrics the type of a suite brings, as far as the suite can show them.

What comes in: what a suite declares, resolved. What goes out: metrics of tier observe, which explain and
never decide: they have no vote, stand in no root, and a suite's own metric of the same name takes
their place.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.companions import Figure
from evalkit.records.metric import Metric
from evalkit.records.stage import Stage
from evalkit.records.suite import Suite, SuiteType, ToolSpec
from evalkit.records.written import Json

# Type -> figure -> what it tells, for readers of reports.
_OF_TYPE: dict[SuiteType, dict[Figure, str]] = {
    "knowledge_qa": {
        "citation_hit": "Share of the citations that a tool had returned.",
        "retrieval_rounds": "Rounds of retrieval; what is asked for at once is one round.",
    },
    "task_execution": {"call_chain": "Share of the required steps with a call that were done."},
    "reasoning": {"steps_skipped": "Required steps that were skipped."},
    "creative": {"human_acceptance": "Whether a person accepts it; nothing else can say."},
    "guidance": {
        "clarifying_rounds": "Replies that asked something back, and were answered.",
        "repeated_questions": "Questions that the agent had asked before, word for word.",
        "re_ask_rate": "Share of the later turns in which the agent asked again.",
    },
    "multi_agent": {"repeated_context": "Share of the tokens of context that had been read before."},
}


def companions(suite: Suite) -> tuple[Metric, ...]:
    """Return the companion metrics of a suite.

    Args:
        suite: The suite with the metrics that it declares itself, exactly one of them deciding; its cases are
            not read.

    Returns:
        Metrics of scope trace and tier observe, shown at the stage of the deciding primary and fed by the
        suite for every case that is not `without` them. Where the suite has no metric of scope trace,
        the first of them is its primary.
    """
    about = _OF_TYPE[suite.type]
    taken = {metric.name for metric in suite.metrics}
    alone = not any(metric.scope == "trace" for metric in suite.metrics)
    shown = [(name, args) for name, args in _shown(suite) if name in about and name not in taken]
    stage = suite.deciding.stage
    return tuple(
        Metric(
            name=name,
            scope="trace",
            tier="observe",
            primary=alone and number == 0,
            stage=stage,
            needs=(stage,) if stage else (),
            check="companion",
            args={"figure": name, **args},
            companion=True,
            description=about[name],
        )
        for number, (name, args) in enumerate(shown)
    )


def _shown(suite: Suite) -> Iterator[tuple[Figure, dict[str, Json]]]:
    """Yield the figures that a suite can show, with the arguments that it measures them by."""
    by_call = [stage for stage in suite.stages if stage.ran.tools]
    of_calls = [stage for stage in suite.stages if _source(stage, suite) == "call"]
    of_replies = [stage for stage in suite.stages if _source(stage, suite) == "reply"]
    citing = [name for stage in of_replies if (name := stage.ran.fact) and suite.facts[name].matches]
    if citing and (by_call or suite.tools):
        yield "citation_hit", {"fact": citing[0]}
    looking = _retrieving(by_call, suite.tools)
    if looking:
        yield "retrieval_rounds", {"tools": list(looking)}
    if by_call or of_calls:
        yield "call_chain", {}
    if by_call or of_calls or of_replies:
        yield "steps_skipped", {}
    yield from ((name, {}) for name in _ALWAYS)


_ALWAYS: tuple[Figure, ...] = (
    "clarifying_rounds",
    "repeated_questions",
    "re_ask_rate",
    "repeated_context",
    "human_acceptance",
)
"""Figures that every suite of their type can show: replies, and the usage of the model."""


def _source(stage: Stage, suite: Suite) -> str:
    fact = suite.facts.get(stage.ran.fact) if stage.ran.fact is not None else None
    return fact.source if fact is not None else ""


def _retrieving(by_call: list[Stage], tools: tuple[ToolSpec, ...]) -> tuple[str, ...]:
    """Return the tools that retrieve: those that stages name and that change nothing, else all of these."""
    effects = {tool.name: tool.effect for tool in tools}
    named = dict.fromkeys(name for stage in by_call for name in stage.ran.tools)
    reading = tuple(name for name in named if effects.get(name, "read") == "read")
    return reading or tuple(name for name, effect in effects.items() if effect == "read")
