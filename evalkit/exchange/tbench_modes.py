"""What each word for the end of a Terminal-Bench trial means for its verdict.

What comes in: a result. What goes out: a `Ruling`: judged on what was recorded, or unmeasured with a cause.

| `failure_mode` | verdict | why |
|---|---|---|
| `unset`, `none` | as recorded | the agent ended, the tests ran |
| `agent_timeout` | as recorded | its time was over; judged on what was reached |
| `context_length_exceeded` | as recorded | it asked more than its model takes: its own doing |
| `output_length_exceeded` | as recorded | its model wrote more than was allowed: its own doing |
| `fatal_llm_parse_error` | as recorded | it could not read what its own model wrote |
| `test_timeout` | `not_observed` | the tests did not end: the outcome is not known |
| `parse_error` | `not_observed` | what the tests printed could not be read |
| `unknown_agent_error` | `not_observed` | anything that was raised while it ran: whose fault, nobody told |
| `agent_installation_failed` | `environment` | it never began; the tests judged an untouched container |
| `unknown`, any other word | `not_observed` | not told, and not guessed at |
| the first five, `is_resolved` null | `not_observed` | no verdict was recorded |
| the same, true, and not one test | `not_observed` | nothing was examined |

A lost model or container raises `unknown_agent_error` as well as the agent's own crash, so that what the
tests then say of the container says nothing of the agent.
The word is kept as the sub-cause. Whether a trial is measured depends on the word alone wherever there is a
verdict, never on what the verdict says: leaving out the failures of a word and keeping its passes would
flatter.

Source: `FailureMode` of laude-institute/terminal-bench, terminal_bench/agents/failure_mode.py, and where
terminal_bench/harness/harness.py sets it.
"""

from __future__ import annotations

from typing import NamedTuple

from evalkit.exchange.tbench_entries import Row
from evalkit.records.event import End
from evalkit.records.verdict import Cause


class Ruling(NamedTuple):
    """How a trial ended, and why nothing follows from it (None: it is judged)."""

    end: End
    cause: Cause | None
    message: str


MODES: dict[str, Ruling] = {
    "unset": Ruling("done", None, ""),
    "none": Ruling("done", None, ""),
    "agent_timeout": Ruling("limit", None, "the agent's time was over; judged on what it had reached"),
    "context_length_exceeded": Ruling("crash", None, "the agent asked more than its model's context holds"),
    "output_length_exceeded": Ruling("crash", None, "the model's answer was cut off at its longest"),
    "fatal_llm_parse_error": Ruling("crash", None, "the agent could not read its own model's answer"),
    "test_timeout": Ruling("cancelled", "not_observed", "the tests did not end in their time"),
    "parse_error": Ruling("cancelled", "not_observed", "what the tests printed could not be read"),
    "unknown_agent_error": Ruling(
        "cancelled",
        "not_observed",
        "something was raised while the agent ran; whose fault it was is not recorded",
    ),
    "agent_installation_failed": Ruling("cancelled", "environment", "the agent could not be installed"),
    "unknown": Ruling("cancelled", "not_observed", "how the trial ended is not told"),
}
"""Word -> what it means."""

PLAIN = frozenset({"unset", "none"})
"""Words that say nothing beyond an ordinary end."""


def ruling_of(row: Row) -> Ruling:
    """Return what a result's words mean for its verdict.

    Args:
        row: A checked result.
    """
    known = MODES.get(row.failure_mode)
    if known is None:
        return Ruling("cancelled", "not_observed", f"{row.failure_mode} is no word that evalkit knows")
    if known.cause is not None:
        return known
    if row.is_resolved is None:
        return Ruling("cancelled", "not_observed", "the source records no verdict")
    if row.is_resolved and row.parser_results is not None and not row.parser_results:
        return Ruling("cancelled", "not_observed", "the source says resolved, and that not one test was run")
    return known
