"""The tests of one Terminal-Bench trial: which there are, and what became of them.

What comes in: `parser_results`. What goes out: test name -> status, and the share that passed.

The names are read off the last lines that pytest prints, so that some are not names alone. A failed test may
drag its reason behind it (`test_x - AssertionError: ...`): that is cut off, or it would be another test in
every trial. A file that could not be loaded stands there as `../tests/test_outputs.py`, and skipped tests as
`[2] path:line: reason`: they count as the failures that the authors take them for, in their own trial alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

Status = str
"""passed or failed."""

_FILE = re.compile(r".*\.py", re.DOTALL)
_SKIPPED = re.compile(r"\[\d+\] .*", re.DOTALL)


class Reported(NamedTuple):
    """What a trial reports of its task's tests.

    Attributes:
        statuses: Test -> passed or failed; "" where this trial does not report a test that others do.
        passed: How many passed.
        n: How many are reported.
        unloaded: A file of tests could not be loaded, so that none of its tests ran.
    """

    statuses: dict[str, Status]
    passed: int
    n: int
    unloaded: bool

    @property
    def missing(self) -> tuple[str, ...]:
        """Tests of the task that this trial does not report."""
        return tuple(name for name, status in self.statuses.items() if not status)

    @property
    def share(self) -> float | None:
        """Share of the tests that passed; None where that is not known.

        A trial that reports no failure, but not every test either, may have failed one of the others.
        """
        if not self.n or (self.passed == self.n and self.missing):
            return None
        return self.passed / self.n

    @property
    def any_passed(self) -> bool | None:
        """Whether a test passed; None where that is not known."""
        if self.passed:
            return True
        return None if not self.n or (self.missing and not self.unloaded) else False


def named(results: Mapping[str, Status]) -> dict[str, Status]:
    """Return results by the tests' own names; a name that would then stand there twice is left as it is.

    Args:
        results: As recorded.

    >>> named({"test_a - assert 1 == 2": "failed", "test_b[x - y]": "failed", "test_c - d": "passed"})
    {'test_a': 'failed', 'test_b[x - y]': 'failed', 'test_c - d': 'passed'}
    """
    found: dict[str, Status] = {}
    for name, status in results.items():
        own = _own(name) if status == "failed" else name
        found[name if own in found or (own != name and own in results) else own] = status
    return found


def _own(name: str) -> str:
    head, _, _ = name.partition(" - ")
    return head if head.count("[") == head.count("]") else name


def tests_in(results: Mapping[str, Status]) -> set[str]:
    """Return the tests that results name; a file or a skip is none.

    Args:
        results: As recorded.
    """
    return {name for name in named(results) if not (_FILE.fullmatch(name) or _SKIPPED.fullmatch(name))}


def reported(results: Mapping[str, Status], known: frozenset[str]) -> Reported:
    """Return what a trial reports, with the tests of its task that it does not report.

    Args:
        results: As recorded in the trial.
        known: The tests that any trial of the task reports.
    """
    own = named(results)
    statuses = {name: own.get(name, "") for name in sorted(known | own.keys())}
    return Reported(
        statuses,
        passed=sum(status == "passed" for status in own.values()),
        n=len(own),
        unloaded=any(_FILE.fullmatch(name) for name, status in own.items() if status == "failed"),
    )
