"""What a suite declares, for everything that is checked against it.

What comes in: a suite without its cases. What goes out: names that may be used, and problems about those that
may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import InputError
from evalkit.records.metric import Metric, Scope
from evalkit.records.suite import Suite
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.function_refs import looked_up
from evalkit.suite.words import suggest


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a suite declares.

    Attributes:
        suite: The suite, as yet without cases.
        folder: Its folder, as the person gave it.
        tools: The tools that its world offers; None where that is not known.
    """

    suite: Suite
    folder: Path
    tools: frozenset[str] | None = None

    @property
    def changes_world(self) -> bool:
        """Whether the agent can change the suite's world, as far as the tools' annotations say."""
        return self.suite.has_world and any(tool.effect != "read" for tool in self.suite.tools)

    @property
    def deciding(self) -> Metric | None:
        """The primary of the deciding scope; None where there is not exactly one."""
        found = self.primaries(self.suite.deciding_scope)
        return found[0] if len(found) == 1 else None

    def primaries(self, scope: Scope) -> tuple[Metric, ...]:
        """Return the primaries of a scope."""
        return tuple(metric for metric in self.suite.metrics if metric.primary and metric.scope == scope)

    def decided_by_reply(self, metric: Metric, kind: str | None) -> bool:
        """Whether a kind of check, feeding a metric, would let the reply decide an outcome of the world."""
        return (
            metric.primary and metric.scope == "outcome" and kind in ("reply", "cites") and self.changes_world
        )

    def arguments_of(self, tool: str) -> frozenset[str] | None:
        """Return the names of all arguments that a tool takes; None where that is not known."""
        spec = next((spec for spec in self.suite.tools if spec.name == tool), None)
        if self.tools is None or spec is None or spec.parameters.get("additionalProperties") is not False:
            return None
        return frozenset(spec.parameters.get("properties", {}))

    def metric(self, name: str) -> Metric | None:
        """Return the metric of a name, or None."""
        return next((metric for metric in self.suite.metrics if metric.name == name), None)


def check_name(findings: Findings, path: KeyPath, what: str, name: str, known: Iterable[str]) -> bool:
    """Note a name that is not known.

    Args:
        findings: Where to.
        path: Where it stands.
        what: stage, fact, claim, metric, tool or case.
        name: The name.
        known: The names that are.

    Returns:
        Whether it is known.
    """
    names = tuple(known)
    if name in names:
        return True
    advice = suggest(name, names, none=f"the suite declares no {what}")
    findings.add(path, f"unknown-{what}", f"there is no {what} `{name}`", suggestion=advice, value=name)
    return False


def check_tool(findings: Findings, path: KeyPath, name: str, ground: Ground) -> None:
    """Note a tool that the suite's world does not offer, where that is known."""
    if ground.tools is not None:
        check_name(findings, path, "tool", name, ground.tools)


def check_pattern(findings: Findings, path: KeyPath, pattern: str | None) -> None:
    """Note a regular expression that does not compile."""
    try:
        re.compile(pattern or "")
    except (re.error, OverflowError, RecursionError) as error:
        said = f"this is not a regular expression: {error}"
        findings.add(
            path, "bad-pattern", said, suggestion="write a backslash before a sign that is meant as text"
        )


def check_function(findings: Findings, path: KeyPath, reference: str, ground: Ground) -> None:
    """Note a reference that leads to no function; nothing is run."""
    try:
        looked_up(reference, ground.folder)
    except InputError as error:
        for problem in error.problems:
            findings.add(path, problem.code, problem.message, suggestion=problem.suggestion, value=reference)


def exactly_one(findings: Findings, path: KeyPath, given: Iterable[str], of: tuple[str, ...]) -> bool:
    """Note that none or several of some keys are given.

    Args:
        findings: Where to.
        path: The mapping.
        given: Keys that are there.
        of: Keys of which one must be.

    Returns:
        Whether exactly one is.
    """
    found = [key for key in of if key in set(given)]
    if len(found) == 1:
        return True
    said = f"takes exactly one of {', '.join(of)}, and has {' and '.join(found) or 'none'}"
    advice = f"leave out {' or '.join(found)}" if found else f"add `{of[0]}: ...`"
    findings.add(path, "exactly-one", said, suggestion=advice)
    return False
