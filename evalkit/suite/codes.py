"""The stable names of everything that can be wrong with what people write, each with one line of explanation.

What comes in: nothing. What goes out: `CODES`, which docs and tests read.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    # reading a file
    "no-file": "A file or folder that is named does not exist, or is not what it must be.",
    "outside": "A path leads out of the project or the suite's folder, by `..` or by a symbolic link.",
    "too-large": "A file is larger than anything of its kind should be.",
    "encoding": "A file is not UTF-8, or holds characters that text cannot hold.",
    "empty-file": "A file says nothing.",
    "syntax": "A file is not YAML, JSON or CSV; one such problem is reported per file.",
    "tab": "A line is indented by a tab.",
    "too-deep": "Lists and mappings are nested deeper than anything that people write.",
    "directive": "A YAML directive (`%YAML`, `%TAG`) would change how the file is read.",
    "anchor": "An anchor or alias (`&x`, `*x`) would copy values out of sight.",
    "merge-key": "A merge key (`<<`) would copy values out of sight.",
    "tag": "A YAML tag (`!x`) would change what a value is.",
    "not-finite": "A number is not finite (.nan, .inf, 1e999).",
    "many-documents": "A file holds more than one YAML document; only the first would be read.",
    "duplicate-key": "A mapping has the same key twice.",
    "quote-it": "A plain value means one thing to people and another to YAML; it is read only in quotes.",
    "duplicate-column": "A table has the same column twice.",
    "ragged-row": "A row of a table has more or fewer fields than the header.",
    "exists": "A file that would be written is there already.",
    "unread-file": "A file lies among the cases, and nothing reads it.",
    # the written form
    "unknown-key": "A key is not known where it stands.",
    "missing-key": "A key that must be there is not.",
    "wrong-type": "A value is of another type than its key takes.",
    "wrong-value": "A value is of the right type, and not allowed.",
    "exactly-one": "Exactly one of several keys must be given.",
    "bad-pattern": "A regular expression does not compile.",
    "bad-path": "A path into a value is no chain of keys joined by dots, with `[n]` or `[]` for items.",
    "bad-schema": "A JSON Schema is none, misspells a keyword, or leads to something outside of it.",
    "bad-function": "A reference `file.py:name` leads to no function.",
    "bad-expression": "An expression that selects cases cannot be read.",
    "tools-file": "The suite's tools cannot be read.",
    # the suite
    "cycle": "Stages need one another in a circle.",
    "unknown-stage": "A stage is named that the suite does not declare.",
    "unknown-fact": "A fact is named that the suite does not declare.",
    "unknown-tool": "A tool is named that the suite does not have.",
    "unknown-argument": "An argument of a tool is named that the tool does not take.",
    "unknown-claim": "A claim is named that the suite does not declare.",
    "unknown-metric": "A metric is named that the suite does not declare.",
    "two-primaries": "A scope has more than one primary metric.",
    "no-primary": "A scope that has metrics, or the deciding one, has no primary.",
    "many-gates": "More than five metrics are of tier gate.",
    "metric-without-stage": "A metric is shown at no stage.",
    "metric-without-check": "A metric has neither check nor rule nor judge, and no expectation names it.",
    "reply-decides": "The agent can change a world, and the outcome would be read from its reply.",
    "target-without-baseline": "A goal has a target and does not say what is reached today.",
    "no-world": "Something asks a database, and the suite has none.",
    # the cases
    "duplicate-id": "Two cases have the same id.",
    "two-demands": "A stage stands in two of requires, optional and forbids.",
    "turn-demands": "A case and its turns both say what must run, or turns ask and none `requires`.",
    "unbound": "An expectation feeds no metric.",
    "doubly-bound": "An expectation could feed more than one metric.",
    "no-expectation": "A case has nothing that could fail.",
    "undecided-case": "A case does not feed the metric that decides whether a trial passed.",
    "optional-stage": "An expectation is shown at an optional stage: skipping the stage would excuse it.",
    "empty-expectation": "An expectation expects nothing, so that nothing could fail it.",
    "unbound-var": "SQL names a `$variable` that the case does not give.",
    "unknown-turn": "An expectation names a user turn that the case does not have.",
    "empty-gold": "Gold SQL gives no rows, so that any SQL that gives none would equal it.",
    "bad-sql": "SQL does not run on the suite's world; found by building and asking it, without an agent.",
    "free-case": "A case passes on an empty transcript; found by running its probes without an agent.",
    # arms and the gate
    "unknown-case": "A case is named that the suite does not have.",
    "unknown-tag": "An expression asks for a tag that no case has.",
    "observed-metric": "A gate requires a metric of tier observe, which may decide nothing.",
    "shared-root": "Two entries of a gate would fail by one root stage: one cause, two votes.",
    "empty-selection": "An entry of a gate selects no case that feeds its metric.",
    "cannot-prove": "An entry of a gate asks for more than its sample can prove, even without a fail.",
    "too-few-trials": "An entry of a gate asks for pass^k with fewer than k trials.",
    # what stands, and should be known
    "unknown-waiver": "A waiver names a case that the suite does not have.",
    "expired-waiver": "A waiver has ended.",
    "no-claims": "The suite has a world and declares no claims: false completion is not examined.",
    "open-fixtures": "A tool has nothing but pinned answers, and does not say what answers otherwise.",
    "not-in-real-mode": "A case declares a fault and is not planned in real mode.",
    "unfed-metric": "No case feeds a metric, so that it is never planned.",
    "no-solution": "An arm answers with the reference solution, and a case has none.",
    "forbidden-place": "A case feeds a metric whose place it forbids: only a wrong agent would be examined.",
    "claim-holds-at-start": "A claim holds before anything was done: whoever makes it is believed.",
    # what a suite measures
    "near-duplicate": "Two cases are one situation: intervals take them for two, and become too narrow.",
    "declared-recipe": "A user says what the agent should find out: a tool, a choice or the answer.",
    "recipe-in-prompt": "A prompt prescribes the calls that a case expects: obedience is measured.",
}
"""Code -> what it means."""

WARNINGS = frozenset(
    {
        "shared-root",
        "empty-selection",
        "cannot-prove",
        "too-few-trials",
        "unknown-waiver",
        "expired-waiver",
        "no-claims",
        "open-fixtures",
        "not-in-real-mode",
        "unfed-metric",
        "no-solution",
        "forbidden-place",
        "claim-holds-at-start",
        "near-duplicate",
        "declared-recipe",
        "recipe-in-prompt",
    }
)
"""The codes that do not refuse a file."""
