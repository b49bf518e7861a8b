"""What to type next about a run: one function for every page and file that says so.

What comes in: what a run is and came to, and what the person has before the eyes. What goes out: a command.
"""

from __future__ import annotations

import shlex
from typing import Final, Literal

from evalkit.records.board import Ending
from evalkit.records.decision import Counts
from evalkit.records.signature import Manifest

After = Literal["run", "show", "gate", "report"]
"""What the person has before the eyes: the final block, the board, a decision, a report without one."""

RETRIED: Final = frozenset({"environment", "harness", "judge_unavailable"})
"""Causes that another attempt may get rid of."""
MENDED: Final = frozenset({"broken_case", "fixture_missing"})
"""Causes that only a change of the suite gets rid of; what was measured by another suite is another run."""

_NOTHING_MORE = Ending()


def next_command(
    manifest: Manifest,
    arms: dict[str, Counts],
    *,
    complete: bool,
    ending: Ending = _NOTHING_MORE,
    after: After = "run",
) -> str:
    """Return what to type next: finish, measure again, mend, join, look at what fails, decide.

    Args:
        manifest: What the run is.
        arms: Trials by the deciding primary, for each arm.
        complete: Every planned trial has a closing line.
        ending: What else there is to tell.
        after: What the person has before the eyes. After a report without a decision: what leads to one.
    """
    run, flags = shlex.quote(ending.called or manifest.run), f" {ending.flags}" if ending.flags else ""
    can_run = manifest.signature.mode != "imported"
    if not complete and can_run:
        return f"evalkit resume {run}{flags}"
    if manifest.shard is None and after == "report":
        return _decide(arms, ending, run)
    found = {cause for counts in arms.values() for cause in counts.causes}
    if found & RETRIED and can_run and complete:
        return f"evalkit retry {run} --errors{flags}"
    if found & MENDED and complete:
        return f"evalkit show {run} {ending.broken}" if ending.broken else "mend the suite, then run it again"
    if manifest.shard is not None:
        return f"evalkit merge {run} ... (all {manifest.shard.of} shards)"
    return _look_or_decide(arms, ending, run, after) if complete else f"evalkit show {run}"


def _look_or_decide(arms: dict[str, Counts], ending: Ending, run: str, after: After) -> str:
    if any(counts.failed for counts in arms.values()):
        if after == "run" or not ending.failing:
            return f"evalkit blame {run}"
        return f"evalkit show {run} {shlex.quote(ending.failing)}"
    if ending.has_policy and not ending.is_current and after != "gate":
        return _decide(arms, ending, run)
    return f"evalkit report {run}" if after == "show" else f"evalkit show {run}"


def _decide(arms: dict[str, Counts], ending: Ending, run: str) -> str:
    which = "" if len(arms) == 1 else f" --arm {shlex.quote(next(iter(arms)))}"
    return f"evalkit gate {run}{which}{'' if ending.has_policy else ' --policy FILE'}"
