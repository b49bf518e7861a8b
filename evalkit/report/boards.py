"""The board on a terminal: case x (stages, metrics), one red for each root, what hangs below it grey.

What comes in: a `Board`. What goes out: console text; every look differs in its sign, not only in its colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalkit.records.attribution import Cluster
from evalkit.records.board import Board, BoardRow, Cell
from evalkit.records.estimate import Estimate
from evalkit.report.console import Look, Tone, columns, cut, number, pad, wrap
from evalkit.report.runs import count_line

_LEGEND = "F root fail  f inherited  - explained above  ? unmeasured  ~ degraded pass  . pass  o not asked"
_MOST_ROWS = 60  # rows on one page; the rest is counted
_SIGN_WIDTH = 4  # sign, up to two digits, a space


def board_page(board: Board, look: Look) -> str:
    """Return a run at a glance.

    Args:
        board: The run.
        look: How it looks.
    """
    parts = [look.tone(f"run {cut(board.manifest.run, look.width - 4)}", "strong")]
    for arm, counts in board.counts.items():
        parts.append(f"  {cut(arm, 24)}: {count_line(counts)}")
    parts += ["", *_grid(board, look), ""]
    for arm in board.counts:
        parts += _clusters(arm, board.clusters.get(arm, ()), look)
        parts += _figures(arm, board.estimates.get(arm, ()), look)
    parts += [line for note in board.notes for line in wrap(f"note: {note}", look.width)]
    return "\n".join(parts).rstrip()


def _grid(board: Board, look: Look) -> list[str]:
    """Return the rows, as many columns side by side as fit, and what the column numbers mean."""
    shown = board.rows[:_MOST_ROWS]
    arms = len(board.counts) > 1
    names = [f"{row.case} [{row.arm}]" if arms else row.case for row in shown]
    room = max(12, look.width - 8 - _SIGN_WIDTH * len(board.columns))
    widest = max((len(name) * 2 for name in names), default=4)
    width = min(room, widest, 36)
    heads = "".join(pad(str(at), _SIGN_WIDTH) for at in range(1, len(board.columns) + 1))
    lines = [look.tone(f"{pad('case', width)} {pad('pass', 6)} {heads}".rstrip(), "strong")]
    lines += [_row(name, width, row, look) for name, row in zip(names, shown, strict=True)]
    if len(board.rows) > len(shown):
        lines.append(f"... and {len(board.rows) - len(shown)} more cases")
    legend = [
        f"{at} {column.name}{'*' if column.deciding else ''}" for at, column in enumerate(board.columns, 1)
    ]
    return [*lines, "", *wrap("  ".join(legend) + "  (* decides)", look.width), *wrap(_LEGEND, look.width)]


def _row(name: str, width: int, row: BoardRow, look: Look) -> str:
    passed, failed, errors = row.outcome
    tone: Tone = "bad" if failed else "warn" if errors else "good"
    head = look.tone(pad(f"{passed}/{row.trials}", 6), tone)
    signs = "".join(_sign(cell, row.trials, look) for cell in row.cells)
    waived = " (waived)" if row.waived else ""
    return f"{pad(name, width)} {head} {signs}".rstrip() + waived


def _sign(cell: Cell, trials: int, look: Look) -> str:
    """Return the worst that a cell holds, with how many trials where it is not all of them."""
    looks: tuple[tuple[int, str, Tone], ...] = (
        (cell.roots, "F", "bad"),
        (cell.unmeasured, "?", "warn"),
        (cell.below, "f", "dim"),
        (cell.explained, "-", "dim"),
        (cell.degraded, "~", "warn"),
        (cell.passed, ".", "good"),
        (cell.not_asked, "o", "dim"),
    )
    for count, sign, tone in looks:
        if count:
            text = sign if count == trials else f"{sign}{count}"
            return look.tone(pad(text, _SIGN_WIDTH), tone)
    return " " * _SIGN_WIDTH


def _clusters(arm: str, clusters: Sequence[Cluster], look: Look) -> list[str]:
    if not clusters:
        return []
    lines = [look.tone(f"{cut(arm, 24)}: {len(clusters)} root causes", "strong")]
    for one in clusters:
        lines += cluster_lines(one, look)
    return [*lines, ""]


def cluster_lines(one: Cluster, look: Look) -> list[str]:
    """Return one cluster: its roots and the cases that fall with them.

    Args:
        one: The cluster.
        look: How it looks.
    """
    why = " and ".join(f"{stage} ({one.reasons.get(stage, '')})" for stage in one.roots)
    head = f"  {why or 'unknown root'}: {one.trials} trials, {len(one.cases)} cases"
    shared = f" of {one.capability}" if one.capability else ""
    names = ", ".join(one.cases[:6]) + (" ..." if len(one.cases) > 6 else "")
    return [*wrap(head + shared, look.width, "  "), *wrap(names, look.width, "      ")]


def _figures(arm: str, figures: Iterable[Estimate], look: Look) -> list[str]:
    rows: list[tuple[str, ...]] = [("figure", "value", "95 % interval", "n", "worst", "best", "clean")]
    rows += [_figure(one) for one in figures]
    if len(rows) == 1:
        return []
    lines = columns(rows, look, right=frozenset({1, 3, 4, 5, 6}))
    return [look.tone(f"{cut(arm, 24)}:", "strong"), *(f"  {line}" for line in lines), ""]


def _figure(one: Estimate) -> tuple[str, ...]:
    name = f"{one.metric} {'of those that got there' if one.statistic == 'conditional' else one.statistic}"
    interval = f"{number(one.low)} to {number(one.high)}" if one.low is not None else "-"
    best = (number(one.worst), number(one.best), number(one.clean))
    return name, number(one.value), interval, str(one.n), *best
