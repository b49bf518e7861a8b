"""What a suite's graph is, worked out once per suite: every set of stages is a bit mask in the suite's order.

What comes in: a suite, and of each case what it asks. What goes out: `Structure`, `Asked`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from evalkit.records.case import Case
from evalkit.records.event import Observable
from evalkit.records.stage import Demand, EmptyReturn, Ran, Stage
from evalkit.records.suite import Suite

RanKind = Literal["always", "called", "fact", "replied"]

_OBSERVED_BY: Mapping[RanKind, frozenset[Observable]] = {
    "always": frozenset(),
    "called": frozenset({"calls", "results"}),
    "fact": frozenset({"calls", "results"}),
    "replied": frozenset({"replies"}),
}
"""Kinds of event that must be observed for a stage to be examinable; a fact of the reply needs replies
alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One stage, with everything that can be known of it before a trial.

    Attributes:
        index: Position in the suite's order.
        bit: Its own mask, ``1 << index``.
        stage: The stage as declared.
        kind: What its `ran` names.
        tools: Tools that its `ran` names; for a fact the tool that the fact comes from.
        carried: For a fact of a call's arguments: its path, so that a call in vain can be told as an attempt.
        empty: What counts as nothing, where the suite says so.
        observed_by: Kinds of event that show it.
        needs: Mask of its declared needs.
        ancestors: Mask of all stages above it in the declared graph.
        below: Mask of all stages below it in the declared graph.
    """

    index: int
    bit: int
    stage: Stage
    kind: RanKind
    tools: tuple[str, ...]
    carried: str | None
    empty: EmptyReturn | None
    observed_by: frozenset[Observable]
    needs: int
    ancestors: int
    below: int

    @property
    def name(self) -> str:
        """The stage's name."""
        return self.stage.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """The declared graph of a suite.

    Attributes:
        nodes: Stages in the suite's order.
        order: Positions in topological order.
        index: Name -> position.
        by_tool: Tool -> mask of the stages whose `ran` names it.
        by_fact: Fact -> mask of the stages whose `ran` names it.
        replied: Mask of the stages that a reply shows.
        always: Mask of the stages that always run.
        whole: Mask of all stages.
    """

    nodes: tuple[Node, ...]
    order: tuple[int, ...]
    index: Mapping[str, int]
    by_tool: Mapping[str, int]
    by_fact: Mapping[str, int]
    replied: int
    always: int
    whole: int

    def mask(self, names: Iterator[str] | tuple[str, ...]) -> int:
        """Return the mask of some stages."""
        return sum({1 << self.index[name] for name in names})

    def names(self, mask: int) -> tuple[str, ...]:
        """Return the names in a mask, in the suite's order."""
        return tuple([self.nodes[position].name for position in positions(mask)]) if mask else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a case, or one turn of it, asks of the stages, as masks.

    Attributes:
        required: Stages that it requires.
        optional: Stages that may run.
        forbidden: Stages that must not run.
        allow_empty: Stages that may return nothing.
    """

    required: int
    optional: int
    forbidden: int
    allow_empty: int


@lru_cache(maxsize=4096)  # pure, asked dozens of times per trial, of few different masks
def positions(mask: int) -> tuple[int, ...]:
    """Return the positions in a mask, in the suite's order.

    >>> positions(0b1011)
    (0, 1, 3)
    """
    return tuple(position for position in range(mask.bit_length()) if mask >> position & 1)


def structure_of(suite: Suite) -> Structure:
    """Return the graph of a suite.

    Args:
        suite: A loaded suite: needs name stages, and there is no cycle.

    Returns:
        The graph; masks follow the order in which the suite declares its stages, whatever that is.
    """
    index = {stage.name: position for position, stage in enumerate(suite.stages)}
    needs = [sum({1 << index[name] for name in stage.needs}) for stage in suite.stages]
    ancestors = _closure(needs)
    below = [
        sum(1 << lower for lower, above in enumerate(ancestors) if above >> position & 1)
        for position in range(len(needs))
    ]
    nodes = tuple(
        _node(suite, stage, position, (needs[position], ancestors[position], below[position]))
        for position, stage in enumerate(suite.stages)
    )
    return Structure(
        nodes=nodes,
        order=tuple(sorted(range(len(nodes)), key=lambda position: ancestors[position].bit_count())),
        index=index,
        by_tool=_masks((tool, node.bit) for node in nodes for tool in node.tools),
        by_fact=_masks((node.stage.ran.fact, node.bit) for node in nodes if node.stage.ran.fact is not None),
        replied=sum(node.bit for node in nodes if node.kind == "replied"),
        always=sum(node.bit for node in nodes if node.kind == "always"),
        whole=(1 << len(nodes)) - 1,
    )


def asked_of(structure: Structure, case: Case) -> tuple[Asked, ...]:
    """Return what a case asks of the stages: once, or once per turn where its turns ask of their own.

    Args:
        structure: The suite's graph.
        case: A case of the suite.
    """
    if not case.by_turn:
        return (_asked(structure, case.demand, case.allow_empty),)
    return tuple(
        _asked(structure, turn.demand, (*case.allow_empty, *turn.allow_empty)) for turn in case.turns
    )


def _asked(structure: Structure, demand: Mapping[str, Demand], allow_empty: tuple[str, ...]) -> Asked:
    demands = [demand.get(node.name, node.stage.demand) for node in structure.nodes]
    masks = {kind: sum(1 << i for i, demand in enumerate(demands) if demand == kind) for kind in set(demands)}
    return Asked(
        required=masks.get("required", 0),
        optional=masks.get("optional", 0),
        forbidden=masks.get("forbidden", 0),
        allow_empty=structure.mask(allow_empty),
    )


def _closure(needs: list[int]) -> list[int]:
    """Everything above each stage; as many rounds as the longest chain, so that a cycle cannot hang it."""
    above = list(needs)
    for _ in needs:
        for position in range(len(above)):
            for need in positions(above[position]):
                above[position] |= above[need]
    return above


def _node(suite: Suite, stage: Stage, position: int, masks: tuple[int, int, int]) -> Node:
    kind = _kind(stage.ran)
    source = suite.facts.get(stage.ran.fact or "")
    from_call = source is not None and source.source == "call"
    path = source.path if source is not None and from_call else ""
    tool = source.tool if source is not None and from_call else None
    return Node(
        index=position,
        bit=1 << position,
        stage=stage,
        kind=kind,
        tools=((tool,) if tool else ()) if kind == "fact" else stage.ran.tools,
        carried=path if path.startswith("args.") else None,
        empty=stage.empty.returned if stage.empty is not None else None,
        observed_by=_OBSERVED_BY["replied" if kind == "fact" and not from_call else kind],
        needs=masks[0],
        ancestors=masks[1],
        below=masks[2],
    )


def _kind(ran: Ran) -> RanKind:
    if ran.always:
        return "always"
    if ran.called is not None:
        return "called"
    return "fact" if ran.fact is not None else "replied"


def _masks(pairs: Iterator[tuple[str, int]]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for name, bit in pairs:
        masks[name] = masks.get(name, 0) | bit
    return masks
