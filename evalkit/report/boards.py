"""The board on a terminal: case x (stages, metrics), one red for each root, what hangs below it grey.

What comes in: a `Board`. What goes out: console text; every look differs in its sign, not only in its colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.attribution import Cluster
from evalkit.records.board import Board, BoardRow
from evalkit.records.waivers import told
from evalkit.report.console import Look, count, cut, wrap
from evalkit.report.figures import shown_lines
from evalkit.report.grid import grid
from evalkit.report.runs import arm_lines, plan_line

_MOST_ROWS = 60  # rows of an arm on one page; the rest is counted


def board_page(board: Board, look: Look) -> str:
    """Return a run at a glance.

    Args:
        board: The run.
        look: How it looks.
    """
    lines = [look.tone(cut(f"run {board.manifest.run}", look.width), "strong")]
    lines += wrap(plan_line(board.manifest), look.width, "  ", "    ")
    lines += [*arm_lines(board.counts, look), ""]
    for arm in board.counts:
        lines += _arm(board, arm, look)
    if board.waivers:
        lines.append(look.tone(f"known failures: {count(len(board.waivers), 'waiver')}", "strong"))
        lines += [line for one in board.waivers for line in wrap(told(one), look.width, "  ", "    ")]
        lines.append("")
    if board.notes:
        lines.append(look.tone("to know", "strong"))
        lines += [line for note in board.notes for line in wrap(note, look.width, "  ", "    ")]
        lines.append("")
    lines += wrap(f"next: {board.next}", look.width) if board.next else []
    return "\n".join(lines)


def _arm(board: Board, arm: str, look: Look) -> Iterator[str]:
    if len(board.counts) > 1:
        yield look.tone(cut(f"arm {arm}", look.width), "strong")
    rows = [row for row in board.rows if row.arm == arm]
    shown = _chosen(rows)
    yield from grid(board.columns, shown, look)
    if len(rows) > len(shown):
        bad = _not_passed(rows) - _not_passed(shown)
        yield f"... and {count(len(rows) - len(shown), 'case')} more, {bad} of them not wholly passed"
    yield ""
    yield from _clusters(board.clusters.get(arm, ()), look)
    yield from shown_lines(board.estimates.get(arm, ()), look)
    yield ""


def _chosen(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """Return the rows that fit on a page, in plan order: those that failed first, then the unmeasured."""
    if len(rows) <= _MOST_ROWS:
        return list(rows)
    worth = sorted(range(len(rows)), key=lambda at: (_rank(rows[at]), at))
    return [rows[at] for at in sorted(worth[:_MOST_ROWS])]


def _rank(row: BoardRow) -> int:
    _, failed, errors = row.outcome
    red = any(cell.roots for cell in row.cells)
    return 0 if failed else 1 if red else 2 if errors else 3


def _not_passed(rows: Sequence[BoardRow]) -> int:
    return sum(row.outcome[0] < row.trials for row in rows)


def _clusters(clusters: Sequence[Cluster], look: Look) -> Iterator[str]:
    if not clusters:
        return
    yield look.tone(f"failing trials have {count(len(clusters), 'root cause')}", "strong")
    for one in clusters:
        yield from cluster_lines(one, look)
    yield ""


def cluster_lines(one: Cluster, look: Look) -> list[str]:
    """Return one cluster: its roots and the cases that fall with them.

    Args:
        one: The cluster.
        look: How it looks.
    """
    why = " and ".join(f"{stage} ({one.reasons.get(stage, '')})" for stage in one.roots)
    of = f"{count(one.trials, 'trial')} of {count(len(one.cases), 'case')}"
    shared = f", capability {one.capability}" if one.capability else ""
    names = ", ".join(one.cases[:6]) + (f" and {len(one.cases) - 6} more" if len(one.cases) > 6 else "")
    head = wrap(f"{why or 'unknown root'}: {of}{shared}", look.width, "  ", "    ")
    return [*head, *wrap(names, look.width, "      ")]
