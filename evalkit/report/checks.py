"""What `check` says, on a terminal: problems with their places, and what the sample size can prove.

What comes in: `SuiteCheck`s. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.errors import Problem
from evalkit.records.checkup import Proof, SuiteCheck
from evalkit.report.console import Look, Tone, columns, cut, number, wrap


def check_page(checks: Sequence[SuiteCheck], look: Look) -> str:
    """Return what was found in some suites.

    Args:
        checks: One for each suite.
        look: How it looks.
    """
    return "\n\n".join("\n".join(_suite(one, look)) for one in checks)


def _suite(one: SuiteCheck, look: Look) -> Iterator[str]:
    errors = sum(not problem.warning for problem in one.problems)
    warnings = len(one.problems) - errors
    verdict = f"{errors} problems" if errors else "sound" if one.cases else "has no cases: nothing to measure"
    tone: Tone = "bad" if errors else "good" if one.cases else "warn"
    name = one.suite or one.path
    yield f"{cut(name, look.width - 40)}: {one.cases} cases, {look.tone(verdict, tone)}, {warnings} warnings"
    for problem in one.problems:
        yield from _problem(problem, look)
    yield from _proofs(one.proofs, look)


def _problem(problem: Problem, look: Look) -> Iterator[str]:
    place = ":".join(str(part) for part in (problem.file, problem.line, problem.column) if part)
    word = look.tone("warning", "warn") if problem.warning else look.tone("error", "bad")
    yield f"  {word} [{problem.code}] {cut(place, look.width - 30)}"
    yield from wrap(": ".join(part for part in (problem.key, problem.message) if part), look.width, "      ")
    if problem.value:
        yield from wrap(f"got: {problem.value}", look.width, "      ")
    if problem.suggestion:
        yield from wrap(problem.suggestion, look.width, "      ")


def _proofs(proofs: Sequence[Proof], look: Look) -> Iterator[str]:
    if not proofs:
        return
    yield "  what this size can prove:"
    rows: list[tuple[str, ...]] = [("slice", "asked", "units", "a faultless run proves", "fails allowed")]
    rows += [_proof(one) for one in proofs]
    for line in columns(rows, Look(width=look.width - 4), right=frozenset({2, 3, 4})):
        yield f"    {line}"


def _proof(one: Proof) -> tuple[str, ...]:
    allowed = "" if not one.asks else "can never pass" if one.fails is None else str(one.fails)
    return f"{one.metric} {one.slice}", one.asked, str(one.units), number(one.provable), allowed
