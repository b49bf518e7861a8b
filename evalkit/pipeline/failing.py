"""Which cases failed or were not measured, in one pass over the verdicts.

What comes in: verdicts in plan order. What goes out: `FailingCase`s, for annotations and pull requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evalkit.records.document import Document
from evalkit.records.flat import FailingCase
from evalkit.records.verdict import Verdict


@dataclass(slots=True)
class _Seen:
    """What is known of one case of one arm while verdicts stream by."""

    trials: int = 0
    failed: int = 0
    unmeasured: int = 0
    fail: Verdict | None = None
    lost: Verdict | None = None
    roots: tuple[str, ...] = ()


def failing_cases(
    document: Document, verdicts: Iterable[Verdict], places: Mapping[str, str]
) -> tuple[FailingCase, ...]:
    """Return the cases of which a trial failed, or was not measured, by the deciding primary.

    Args:
        document: What the report is about, for its columns and waivers.
        verdicts: Verdicts of the arms that are shown, in plan order.
        places: Case -> file:line.

    Returns:
        One for each such case and arm, in plan order. A fail that is explained by a fail above is the
        agent's, and counts as failed.
    """
    deciding = next(column.name for column in document.board.columns if column.deciding)
    waived = {one.case for one in document.waivers if one.state == "active"}
    seen: dict[tuple[str, str], _Seen] = {}
    stages: dict[str, str] = {}
    index = -1
    for row in verdicts:
        if row.index != index:
            index, stages = row.index, {}
        if row.of == "stage":
            stages[row.name] = row.message
        elif row.name == deciding:
            _note(seen.setdefault((row.case, row.arm), _Seen()), row, stages)
    return tuple(
        _case(key, one, places.get(key[0], ""), waived=key[0] in waived)
        for key, one in seen.items()
        if one.failed or one.unmeasured
    )


def _note(one: _Seen, row: Verdict, stages: Mapping[str, str]) -> None:
    failed = row.outcome == "fail" or row.cause_class == "explained"
    unmeasured = row.cause_class == "unmeasured"
    one.trials += 1
    one.failed += failed
    one.unmeasured += unmeasured
    if failed and one.fail is None:
        one.fail = row
        one.roots = tuple(dict.fromkeys(said for root in row.roots if (said := stages.get(root, ""))))
    if unmeasured and one.lost is None:
        one.lost = row


def _case(key: tuple[str, str], one: _Seen, place: str, *, waived: bool) -> FailingCase:
    fail, lost = one.fail, one.lost
    return FailingCase(
        case=key[0],
        arm=key[1],
        place=place,
        trials=one.trials,
        failed=one.failed,
        unmeasured=one.unmeasured,
        message=fail.message if fail else "",
        roots=fail.roots if fail else (),
        root_says=one.roots,
        cause=lost.cause if lost else None,
        missing=lost.message if lost else "",
        waived=waived,
    )
