"""The pages of `show` and `blame`, by name.

What comes in: records. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.board import Blamed
from evalkit.report.boards import board_page, cluster_lines
from evalkit.report.console import Look, cut
from evalkit.report.trials import attribution_lines, case_page, trial_page

__all__ = ["blame_page", "board_page", "case_page", "trial_page"]


def blame_page(blamed: Sequence[Blamed], look: Look) -> str:
    """Return the root causes of a run, each with one trial as example.

    Args:
        blamed: Root causes, most trials first.
        look: How it looks.
    """
    if not blamed:
        return "no trial failed"
    lines: list[str] = []
    for one in blamed:
        example = f"{one.example.case} #{one.example.trial}"
        lines += [look.tone(f"[{cut(one.arm, 24)}]", "strong"), *cluster_lines(one.cluster, look)]
        lines += [f"  example: {cut(example, look.width - 11)}", *attribution_lines(one.example, look), ""]
    return "\n".join(lines).rstrip()
