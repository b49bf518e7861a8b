"""What `check` says, on a terminal: problems with their places, and what the sample size can prove.

What comes in: `SuiteCheck`s. What goes out: console text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from evalkit.errors import Problem
from evalkit.records.checkup import Proof, SuiteCheck
from evalkit.report.console import Look, Tone, count, number, wrap
from evalkit.report.tables import table

_UNITS = "what this size can prove (units are independent cases, or trials of one):"


def check_page(checks: Sequence[SuiteCheck], look: Look) -> str:
    """Return what was found in some suites.

    Args:
        checks: One for each suite.
        look: How it looks.
    """
    return "\n\n".join("\n".join(_suite(one, look)) for one in checks)


def _suite(one: SuiteCheck, look: Look) -> Iterator[str]:
    errors = sum(not problem.warning for problem in one.problems)
    warnings = count(len(one.problems) - errors, "warning")
    loaded = bool(one.suite)
    if errors:
        verdict, tone = count(errors, "problem"), "bad"
    else:
        verdict, tone = ("sound", "good") if one.cases else ("no cases: nothing to measure", "warn")
    cases = f"{count(one.cases, 'case')}, " if loaded and one.cases else ""
    title = f"{one.suite or one.path}: {cases}{verdict}, {warnings}"
    yield from (look.tone(line, _tone(tone)) for line in wrap(title, look.width, "", "  "))
    for problem in one.problems:
        yield from _problem(problem, look)
    yield from _proofs(one.proofs, look)


def _tone(word: str) -> Tone:
    tones: dict[str, Tone] = {"bad": "bad", "good": "good", "warn": "warn"}
    return tones[word]


def _problem(problem: Problem, look: Look) -> Iterator[str]:
    place = ":".join(str(part) for part in (problem.file, problem.line, problem.column) if part)
    word = "warning" if problem.warning else "error"
    first, *rest = wrap(f"{word} [{problem.code}] {place}", look.width, "  ", "      ")
    yield look.tone(first, "warn" if problem.warning else "bad")
    yield from rest
    told = [": ".join(part for part in (problem.key, problem.message) if part)]
    told += [f"got: {problem.value}"] if problem.value else []
    told += [problem.suggestion] if problem.suggestion else []
    for text in told:
        yield from wrap(text, look.width, "      ", "        ")


def _proofs(proofs: Sequence[Proof], look: Look) -> Iterator[str]:
    """Yield what can be proven; the slices of one require stand under it."""
    if not proofs:
        return
    yield from wrap(_UNITS, look.width, "  ", "    ")
    rows: list[tuple[str, ...]] = [("asked for", "units", "proves at best", "fails allowed")]
    for (metric, asked), group in groupby(proofs, key=lambda one: (one.metric, one.asked)):
        found = list(group)
        if len(found) == 1 and found[0].slice == "suite":
            rows.append((f"{metric} {asked}", *_proof(found[0])))
        else:
            rows.append((f"{metric} {asked}", "", "", ""))
            rows += [(f"- {one.slice}", *_proof(one)) for one in found]
    for line in table(rows, look.width - 4, right=frozenset({1, 2})):
        yield f"    {line}"


def _proof(one: Proof) -> tuple[str, str, str]:
    allowed = "" if not one.asks else "can never pass" if one.fails is None else str(one.fails)
    return str(one.units), number(one.provable), allowed
