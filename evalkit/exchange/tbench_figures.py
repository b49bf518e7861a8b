"""The authors' own figures of a Terminal-Bench submission, worked out again and held against what they state.

What comes in: a census. What goes out: figures by the authors' convention, whether the files state the same,
and why ours differ.

Source: `BenchmarkResults` of laude-institute/terminal-bench, terminal_bench/harness/models.py: accuracy is
the share of results with `is_resolved` true, null counts like false; pass@k is 1 - C(n - c, k) / C(n, k)
averaged over the tasks with at least k results, for k = 2, 4, 8 ... up to the fewest results that a task has,
and 5 and 10 where it has as many.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from evalkit.exchange.tbench_census import Census, RunFile
from evalkit.exchange.tbench_entries import Row
from evalkit.exchange.tbench_modes import ruling_of
from evalkit.records.written import Json
from evalkit.stats.passk import suite_pass_at
from evalkit.stats.tally import CaseTally

_EXACT = 1e-9  # how far a stated figure may lie from ours: the order of their additions
_DECIMALS = 6
_NAMED = 5  # trials or statements that a sentence names; the rest is counted


def accuracy_of(rows: Sequence[Row]) -> float:
    """Return the share of results that are resolved.

    Args:
        rows: At least one result.
    """
    return sum(row.is_resolved is True for row in rows) / len(rows)


def chosen_ks(rows: Sequence[Row]) -> tuple[int, ...]:
    """Return the k for which the authors' harness works out pass@k.

    Args:
        rows: At least one result.
    """
    fewest = min(Counter(row.task_id for row in rows).values())
    powers = (2**i for i in range(1, fewest.bit_length()))
    return tuple(sorted({*powers, *(k for k in (5, 10) if fewest >= k)}))


def pass_at(rows: Sequence[Row], k: int) -> float | None:
    """Return the authors' pass@k; None where no task has k results.

    Args:
        rows: Results.
        k: Number of trials of which one must pass, >= 1.
    """
    held = Counter(row.task_id for row in rows)
    passes = Counter(row.task_id for row in rows if row.is_resolved)
    tallies = [CaseTally(n_pass=passes[task], n_fail=n - passes[task]) for task, n in held.items()]
    return suite_pass_at(tallies, k).value


def figures(census: Census) -> dict[str, Json]:
    """Return the authors' figures, and how they stand to what is stated and to ours.

    Args:
        census: What the submission holds.
    """
    rows, ks = census.rows, chosen_ks(census.rows)
    found: dict[str, Json] = {
        "files": {one.name: f"sha256 {one.digest}" for one in census.files},
        "authors accuracy": round(accuracy_of(rows), _DECIMALS),
    }
    if len(census.files) > 1:
        each = [round(accuracy_of(one.rows), _DECIMALS) for one in census.files if one.rows]
        found["authors accuracy, file by file"] = each
    if ks:
        values = [pass_at(rows, k) for k in ks]
        listed = ",".join(map(str, ks))
        found[f"authors pass@{listed}"] = [round(one, _DECIMALS) for one in values if one is not None]
    return {**found, "what the files state": _agreement(census.files), "why they differ": _why(census)}


def _agreement(files: Sequence[RunFile]) -> str:
    """Return whether what the files state follows from their rows."""
    wrong, right = [], Counter[str]()
    for one in files:
        for name, stated, worked_out in _statements(one):
            if _same(stated, worked_out):
                right[name] += 1
            else:
                wrong.append(f"{one.name} states {name} {_shown(stated)}, its rows make {_shown(worked_out)}")
    agree = ", ".join(f"{name} ({times})" if times > 1 else name for name, times in right.items())
    parts = [f"worked out again from the rows and equal: {agree}"] if right else []
    more = f" and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
    parts += [f"not equal: {'; '.join(wrong[:_NAMED])}{more}"] if wrong else []
    return "; ".join(parts) or "nothing: no accuracy, no count and no pass@k"


def _statements(one: RunFile) -> Iterator[tuple[str, Json, Json]]:
    """Yield name, stated value and the value that the rows make."""
    if not one.rows:
        return
    said = one.stated
    resolved = sorted(row.task_id for row in one.rows if row.is_resolved)
    others = sorted(row.task_id for row in one.rows if not row.is_resolved)
    yield "accuracy", said.accuracy, accuracy_of(one.rows)
    yield "n_resolved", said.n_resolved, len(resolved)
    yield "n_unresolved", said.n_unresolved, len(others)
    yield "resolved_ids", None if said.resolved_ids is None else sorted(said.resolved_ids), resolved
    yield "unresolved_ids", None if said.unresolved_ids is None else sorted(said.unresolved_ids), others
    for k, value in said.pass_at_k.items():
        yield f"pass@{k}", value, pass_at(one.rows, int(k))


def _same(stated: Json, worked_out: Json) -> bool:
    if isinstance(stated, float) and isinstance(worked_out, float):
        return math.isclose(stated, worked_out, rel_tol=0, abs_tol=_EXACT)
    return bool(stated == worked_out)


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return f"{len(value)} tasks"
    return f"{round(value, _DECIMALS):g}" if isinstance(value, float) else str(value)


def _why(census: Census) -> str:
    """Return why the authors' figures are not ours."""
    parts = []
    unmeasured = [row for row in census.rows if ruling_of(row).cause is not None]
    words = Counter((str(ruling_of(row).cause), row.failure_mode, row.is_resolved) for row in unmeasured)
    for (cause, word, verdict), n in sorted(words.items(), key=lambda one: (one[0][0], one[0][1], -one[1])):
        said = {None: "no verdict", True: "resolved", False: "not resolved"}[verdict]
        parts.append(f"{n} {word} with {said} ({cause})")
    held = f"{len(unmeasured)} of {len(census.rows)} trials are unmeasured to evalkit: {', '.join(parts)}"
    told = [f"{held}; to the authors no verdict is a failure, and any verdict counts"] if unmeasured else []
    if census.missing:
        told.append(
            f"{len(census.missing)} planned trials are not held: not_observed to evalkit, none to the authors"
        )
    if not told:
        return "they do not: every trial has a verdict"
    return (
        f"{'; '.join(told)}. Ours rest on measured trials; pass@k of a task with fewer than k of them lies "
        "between what the others may have been"
    )
