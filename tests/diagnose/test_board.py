"""The board: one red for each root of a trial, what hangs below it grey."""

from __future__ import annotations

import datetime as dt
from typing import Any

from evalkit.diagnose.board import board_rows
from evalkit.records.board import BoardRow, Cell
from evalkit.records.event import Body, Replied
from evalkit.records.stage import Ran
from evalkit.records.suite import Suite, Waiver
from evalkit.records.verdict import Verdict
from tests.facts.events import call
from tests.score.building import Checks, judge, metric, outcome, stage, suite_of

DESK = suite_of(
    (stage("lookup"), stage("act", "lookup"), stage("reply", "lookup", ran=Ran(replied=True))),
    (
        outcome("act"),
        metric("exact", "lookup", scope="trace"),
        metric("kind", "reply", scope="turn", tier="observe", primary=True),
    ),
)


def _board(*trials: tuple[Body, ...], suite: Suite = DESK, **says: Any) -> BoardRow:
    rows: list[Verdict] = []
    for index, bodies in enumerate(trials):
        for row in judge(suite, *bodies, checks=Checks(says)).values():
            plain = {name: getattr(row, name) for name in row.__struct_fields__}
            rows.append(Verdict(**plain | {"index": index, "trial": index}))
    _, found = board_rows(suite, rows)
    (one,) = found
    return one


def _cells(row: BoardRow, suite: Suite = DESK) -> dict[str, Cell]:
    columns, _ = board_rows(suite, [])
    return dict(zip((column.name for column in columns), row.cells, strict=True))


RIGHT = (*call("lookup", 1), *call("act", 1), Replied(content="done"))


def test_columns_are_stages_then_metrics() -> None:
    """Stages, then metrics, in the suite's order; the one that decides is marked."""
    columns, rows = board_rows(DESK, [])
    assert ["lookup", "act", "reply", "outcome", "exact", "kind"] == [column.name for column in columns]
    assert ["outcome"] == [column.name for column in columns if column.deciding]
    assert () == rows


def test_one_missing_stage_is_one_red() -> None:
    """A missing stage is red; the outcome that fails with it and what it blocks are grey."""
    row = _board((Replied(content="sorry"),), outcome=False)
    cells = _cells(row)
    assert {"lookup": 1} == {name: cell.roots for name, cell in cells.items() if cell.roots}
    assert (1, 1, 1) == (cells["outcome"].below, cells["act"].explained, cells["exact"].explained)
    assert {"upstream_failed": 1} == cells["act"].causes
    assert (1, (0, 1, 0)) == (row.trials, row.outcome)


def test_one_root_is_red_once_even_where_a_metric_fails_there_too() -> None:
    """A stage that was passed over and a metric that is shown at it are one cause."""
    row = _board((*call("lookup", 1), Replied(content="done")), outcome=False)
    cells = _cells(row)
    assert (1, 0, 1) == (cells["act"].roots, cells["outcome"].roots, cells["outcome"].below)


def test_the_first_failing_metric_is_red_where_its_stage_ran() -> None:
    """Without a fail of the stage itself the metric is the red of its root."""
    cells = _cells(_board(RIGHT, outcome=False))
    assert (0, 1) == (cells["act"].roots, cells["outcome"].roots)


def test_every_trial_has_as_many_reds_as_roots() -> None:
    """Reds are counted trial by trial: two trials with one root each are two reds."""
    row = _board((Replied(content="sorry"),), (*call("lookup", 1), Replied(content="done")), outcome=False)
    cells = _cells(row)
    assert (1, 1, 2) == (cells["lookup"].roots, cells["act"].roots, sum(cell.roots for cell in row.cells))


def test_what_is_only_observed_is_never_red() -> None:
    """A fail of tier observe is grey even where nothing else failed."""
    cells = _cells(_board(RIGHT, kind=False))
    assert (0, 1) == (cells["kind"].roots, cells["kind"].below)
    assert 0 == sum(cell.roots for cell in cells.values())


def test_what_nobody_measured_is_neither_red_nor_grey() -> None:
    """An error that is not the agent's stands apart, with its cause."""
    row = Verdict(
        index=0,
        case="case",
        arm="a",
        trial=0,
        of="metric",
        name="outcome",
        outcome="error",
        cause="environment",
        cause_class="unmeasured",
    )
    _, (found,) = board_rows(DESK, [row])
    cell = _cells(found)["outcome"]
    assert (1, 0, {"environment": 1}) == (cell.unmeasured, cell.roots, cell.causes)
    assert (0, 0, 1) == found.outcome


def test_a_degraded_pass_shows() -> None:
    """A pass that was degraded is counted as both."""
    row = Verdict(
        index=0, case="case", arm="a", trial=0, of="metric", name="outcome", outcome="pass", degraded=True
    )
    _, (found,) = board_rows(DESK, [row])
    assert (1, 1) == (_cells(found)["outcome"].passed, _cells(found)["outcome"].degraded)


def test_a_waiver_that_ended_is_no_waiver() -> None:
    """A case is shown as waived while its waiver lasts."""
    waiver = Waiver(case="case", reason="r", owner="o", until=dt.date(2026, 11, 30))
    suite = DESK.model_copy(update={"known": (waiver,)})
    rows = list(judge(suite, *RIGHT).values())
    days = (None, dt.date(2026, 11, 30), dt.date(2026, 12, 1))
    assert [True, True, False] == [board_rows(suite, rows, day)[1][0].waived for day in days]
