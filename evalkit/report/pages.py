"""The pages of `show` and `blame`, by name.

What comes in: records. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.board import Blamed
from evalkit.report.boards import board_page, cluster_lines
from evalkit.report.console import Look, count, wrap
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
    lines = [*wrap(_counted(blamed), look.width), ""]
    arms = ("", *(one.arm for one in blamed))
    for one, before in zip(blamed, arms, strict=False):
        if one.arm != before:
            lines += (look.tone(line, "strong") for line in wrap(f"arm {one.arm}", look.width))
        lines += cluster_lines(one.cluster, look)
        passed = ", which passed all the same" if one.example.passed else ""
        lines += wrap(
            f"for example {one.example.case} #{one.example.trial}{passed}:", look.width, "  ", "    "
        )
        told = attribution_lines(one.example, _narrower(look), titled=False)
        lines += [*(f"  {line}" for line in told), ""]
    return "\n".join(lines).rstrip()


def _counted(blamed: Sequence[Blamed]) -> str:
    """Return how many causes there are; what only explains, in trials that passed, is counted apart."""
    failed = [one for one in blamed if not one.example.passed]
    passed = [one for one in blamed if one.example.passed]
    parts = [_causes(failed, "of failing trials") if passed else _causes(failed, "")] if failed else []
    parts += [_causes(passed, "of trials that passed all the same")] if passed else []
    return "; ".join(parts)


def _causes(blamed: Sequence[Blamed], of: str) -> str:
    cases = {(one.arm, case) for one in blamed for case in one.cluster.cases}
    return f"{count(len(blamed), 'root cause')}{' ' if of else ''}{of} in {count(len(cases), 'case')}"


def _narrower(look: Look) -> Look:
    return Look(width=look.width - 2, colour=look.colour)
