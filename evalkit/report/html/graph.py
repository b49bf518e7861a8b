"""The execution dependency graph of one trial, laid out from top to bottom.

What comes in: stages, and how each looks in the trial. What goes out: boxes and lines with coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalkit.records.document import StageNode
from evalkit.report.console import cut
from evalkit.report.html.signs import Sign

_WIDE, _HIGH, _LINE = 150, 44, 15  # a box; one more line of text in it
_BESIDE, _BELOW = 18, 30  # between boxes
_EDGE = 10  # around the drawing
_NAME = 17  # cells of a name in a box


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One stage.

    Attributes:
        x: Left edge.
        y: Upper edge.
        width: Its width.
        height: Its height.
        name: The stage, cut.
        whole: The stage.
        sign: How it looks; None where it has no verdict.
        note: Metrics that failed there, cut; "".
        root: It is a root of this trial.
        kind: What the suite says of it: optional, forbidden, fallback; "".
    """

    x: int
    y: int
    width: int
    height: int
    name: str
    whole: str
    sign: Sign | None
    note: str
    root: bool
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A drawing.

    Attributes:
        width: Of the drawing.
        height: Of the drawing.
        boxes: Stages.
        lines: Path data, from a stage to one that needs it.
        heads: Path data of the arrow heads.
        told: The drawing in words.
    """

    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    heads: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLooks:
    """How stages look in one trial.

    Attributes:
        signs: Stage -> its own verdict.
        failed: Stage -> names of the metrics that failed there.
        roots: Root stages.
    """

    signs: Mapping[str, Sign]
    failed: Mapping[str, Sequence[str]]
    roots: frozenset[str]


def graph(stages: Sequence[StageNode], looks: StageLooks) -> Graph:
    """Return the drawing of one trial.

    Args:
        stages: In the suite's order.
        looks: How they look in the trial.
    """
    rows = _rows(stages)
    widest = max((len(row) for row in rows), default=0)
    width = 2 * _EDGE + widest * (_WIDE + _BESIDE) - _BESIDE
    boxes: dict[str, Box] = {}
    y = _EDGE
    for row in rows:
        high = _HIGH + (_LINE if any(looks.failed.get(one.name) for one in row) else 0)
        x = _EDGE + (widest - len(row)) * (_WIDE + _BESIDE) // 2
        for at, one in enumerate(row):
            boxes[one.name] = _box(one, looks, (x + at * (_WIDE + _BESIDE), y, high))
        y += high + _BELOW
    edges = [(boxes[need], boxes[one.name]) for one in stages for need in one.needs if need in boxes]
    return Graph(
        width=width,
        height=y - _BELOW + _EDGE,
        boxes=tuple(boxes.values()),
        lines=tuple(_line(above, below, boxes.values()) for above, below in edges),
        heads=tuple(_head(below) for _, below in edges),
        told="; ".join(_told(one) for one in boxes.values()),
    )


def _rows(stages: Sequence[StageNode]) -> list[list[StageNode]]:
    """Return the stages by how many stand above them on the longest way."""
    depth = {one.name: 0 for one in stages}
    for _ in stages:  # as many rounds as the longest way can have steps
        for one in stages:
            depth[one.name] = max([0, *(depth[need] + 1 for need in one.needs if need in depth)])
            depth[one.name] = min(depth[one.name], len(stages) - 1)
    rows: dict[int, list[StageNode]] = {}
    for one in stages:
        rows.setdefault(depth[one.name], []).append(one)
    return [rows[at] for at in sorted(rows)]


def _box(one: StageNode, looks: StageLooks, place: tuple[int, int, int]) -> Box:
    failed = looks.failed.get(one.name, ())
    kind = "fallback" if one.fallback else "" if one.demand == "required" else one.demand
    return Box(
        x=place[0],
        y=place[1],
        width=_WIDE,
        height=place[2],
        name=cut(one.name, _NAME),
        whole=one.name,
        sign=looks.signs.get(one.name),
        note=cut(f"✕ {', '.join(failed)}", _NAME + 2) if failed else "",
        root=one.name in looks.roots,
        kind=kind,
    )


def _line(above: Box, below: Box, boxes: Iterable[Box]) -> str:
    """Return a line from a stage to one that needs it; what stands between them is gone round."""
    x1, y1 = above.x + above.width // 2, above.y + above.height
    x2, y2 = below.x + below.width // 2, below.y - 5
    between = [one for one in boxes if one.y > above.y and one.y < below.y and one.y >= y1]
    if not between:
        half = (y1 + y2) // 2
        return f"M{x1} {y1}C{x1} {half} {x2} {half} {x2} {y2}"
    sides = max(one.x + one.width for one in between) + _EDGE - 1, min(one.x for one in between) - _EDGE + 1
    by = min(sides, key=lambda side: abs(side - x2))
    start = x1 + (12 if by > x1 else -12)
    out = f"M{start} {y1}C{start} {y1 + 18} {by} {y1 + 8} {by} {y1 + 28}"
    return f"{out}V{y2 - 26}C{by} {y2 - 8} {x2} {y2 - 18} {x2} {y2}"


def _head(below: Box) -> str:
    return f"M{below.x + below.width // 2} {below.y}l-4 -7h8z"


def _told(one: Box) -> str:
    word = one.sign.word if one.sign is not None else "no verdict"
    root = ", a root" if one.root else ""
    return f"{one.whole}: {word}{root}"
