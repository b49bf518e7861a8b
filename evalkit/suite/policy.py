"""The gate policy: `gate.yaml` -> `GatePolicy`.

What comes in: the file and the suite that it is about. What goes out: the policy, or all problems of the
file.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evalkit.errors import InputError
from evalkit.records.case import Case
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.suite import Suite
from evalkit.suite.document import Findings, KeyPath, read_order
from evalkit.suite.faults import validated
from evalkit.suite.files import Files
from evalkit.suite.ground import Ground, check_name
from evalkit.suite.reading import Reading
from evalkit.suite.where import parse_where

NAME = "gate.yaml"
"""The policy's file, beside suite.yaml."""


def load_policy(path: Path, suite: Suite) -> GatePolicy:
    """Return a gate policy.

    Args:
        path: Its file.
        suite: The suite that it is about, loaded.

    Returns:
        The policy.

    Raises:
        InputError: All problems of the file.
    """
    reading = Reading(Files.around(path.parent, path.parent))
    policy = read_policy(reading, path, Ground(suite=suite, folder=path.parent), suite.cases)
    if policy is None or reading.problems:
        raise InputError(read_order(reading.problems))
    return policy


def read_policy(
    reading: Reading, path: Path, ground: Ground | None, cases: Iterable[Case]
) -> GatePolicy | None:
    """Return a policy, or None where its form is wrong; problems are noted.

    Args:
        reading: Where to read and note.
        path: Its file.
        ground: What the suite declares; None where that is not known.
        cases: The suite's cases.
    """
    document = reading.yaml(path)
    policy, problems = validated(document, GatePolicy)
    reading.problems += problems
    if policy is not None:
        findings = Findings(document, reading.problems)
        known = tuple(cases)
        for number, require in enumerate(policy.require):
            _check_require(findings, ("require", number), require, ground, known)
    return policy


def _check_require(
    findings: Findings, path: KeyPath, require: Require, ground: Ground | None, cases: tuple[Case, ...]
) -> None:
    if ground is not None:
        names = [metric.name for metric in ground.suite.metrics]
        check_name(findings, (*path, "metric"), "metric", require.metric, names)
        metric = ground.metric(require.metric)
        if metric is not None and metric.tier == "observe":
            said = f"`{metric.name}` is of tier observe, which may decide nothing"
            advice = "require another metric, or give it another tier"
            findings.add((*path, "metric"), "observed-metric", said, suggestion=advice)
    if require.where is None:
        return
    try:
        where = parse_where(require.where)
    except InputError as error:
        for problem in error.problems:
            findings.add((*path, "where"), problem.code, problem.message, suggestion=problem.suggestion)
        return
    for key, advice in where.unknown_keys(cases) if cases else ():
        findings.add((*path, "where"), "unknown-tag", f"no case has a tag `{key}`", suggestion=advice)
