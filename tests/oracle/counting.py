"""The counting law of section 2: what many verdicts of one question come to, as exact fractions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.model import Case, Mode, TrialResult, Verdict

CANCELLED = Verdict("error", cause="cancelled", cause_class="unmeasured")
"""The verdict of a planned trial that never came to a result."""


@dataclass(frozen=True)
class Counted:
    """One planned trial's verdict on one question."""

    case: str
    verdict: Verdict
    degraded: bool = False


@dataclass(frozen=True)
class Tally:
    """How often each thing happened; the class counts split the errors, the clean counts the passes."""

    n_planned: int
    n_pass: int
    n_fail: int
    n_error: int
    explained: int
    not_asked: int
    unmeasured: int
    clean_passes: int
    degraded_passes: int
    degraded_fails: int


def planned_cases(cases: Sequence[Case], mode: Mode) -> tuple[Case, ...]:
    """Find the cases that a mode plans.

    Page: 'Real mode ignores fixtures, and a case that declares a fault is not planned there, and
    counted.'
    """
    return tuple(case for case in cases if mode == "mock" or not case.declared_faults)


def left_out_cases(cases: Sequence[Case], mode: Mode) -> int:
    """The number of cases that the mode leaves unplanned."""
    return len(cases) - len(planned_cases(cases, mode))


def n_planned_of_metric(cases: Sequence[Case], mode: Mode, trials_per_case: int, metric: str) -> int:
    """Count the planned trials of a metric, known before anything runs.

    Page: 'The trials of every case that has an expectation for it', known before anything runs.
    """
    return trials_per_case * sum(metric in case.feeds for case in planned_cases(cases, mode))


def n_planned_of_stage(cases: Sequence[Case], mode: Mode, trials_per_case: int) -> int:
    """Count the planned trials of a stage's own verdict.

    Page: 'For a stage's own did-it-run verdict: every trial.'
    """
    return trials_per_case * len(planned_cases(cases, mode))


Results = Mapping[tuple[str, int], TrialResult]
"""(case name, trial number) to the trial's verdicts; a planned trial may be absent."""


def count_metric(
    cases: Sequence[Case], mode: Mode, trials_per_case: int, results: Results, metric: str
) -> tuple[Counted, ...]:
    """Give one verdict for each planned trial of a metric."""
    fed = [case for case in planned_cases(cases, mode) if metric in case.feeds]
    return _count(fed, trials_per_case, results, lambda result: result.metrics[metric])


def count_stage(
    cases: Sequence[Case], mode: Mode, trials_per_case: int, results: Results, stage: str
) -> tuple[Counted, ...]:
    """Give one verdict for each planned trial of a stage."""
    planned = planned_cases(cases, mode)
    return _count(planned, trials_per_case, results, lambda result: result.stages[stage].verdict)


def _count(
    cases: Sequence[Case], trials_per_case: int, results: Results, read: Callable[[TrialResult], Verdict]
) -> tuple[Counted, ...]:
    rows = []
    for case in cases:
        for number in range(trials_per_case):
            result = results.get((case.name, number))
            if result is None:
                rows.append(Counted(case.name, CANCELLED))
            else:
                rows.append(Counted(case.name, read(result), result.degraded))
    return tuple(rows)


def tally(rows: Sequence[Counted]) -> Tally:
    """Count every outcome, every class of cause, and the clean and degraded apart."""
    return Tally(
        n_planned=len(rows),
        n_pass=_outcomes(rows, "pass"),
        n_fail=_outcomes(rows, "fail"),
        n_error=_outcomes(rows, "error"),
        explained=_classes(rows, "explained"),
        not_asked=_classes(rows, "not_asked"),
        unmeasured=_classes(rows, "unmeasured"),
        clean_passes=_outcomes([row for row in rows if not row.degraded], "pass"),
        degraded_passes=_outcomes([row for row in rows if row.degraded], "pass"),
        degraded_fails=_outcomes([row for row in rows if row.degraded], "fail"),
    )


def _outcomes(rows: Sequence[Counted], outcome: str) -> int:
    return sum(row.verdict.outcome == outcome for row in rows)


def _classes(rows: Sequence[Counted], cause_class: str) -> int:
    return sum(row.verdict.cause_class == cause_class for row in rows)


def ratio(part: int, whole: int) -> Fraction | None:
    """A rate, or None where there is nothing to divide by: undefined is not zero."""
    return Fraction(part, whole) if whole else None


def coverage(rows: Sequence[Counted]) -> Fraction | None:
    """Give the share of what was asked that was measured, over all trials together.

    Page: '1 - unmeasured / (n_planned - not asked)', over all trials together.
    """
    counts = tally(rows)
    missed = ratio(counts.unmeasured, counts.n_planned - counts.not_asked)
    return None if missed is None else 1 - missed


def over_cases(rows: Sequence[Counted], rate: Callable[[Tally], Fraction | None]) -> Fraction | None:
    """Work a rate per case and average it; a case where it is undefined leaves the average.

    Page: 'Worked per case and then averaged over cases'; a case where it is undefined leaves the
    average.
    """
    names = dict.fromkeys(row.case for row in rows)
    rates = [rate(tally([row for row in rows if row.case == name])) for name in names]
    known = [value for value in rates if value is not None]
    return sum(known, Fraction(0)) / len(known) if known else None


def measured(counts: Tally) -> int:
    """Count what stands in the denominator of every deciding rate.

    Page: 'n_pass + n_fail + explained': 'a failure upstream never leaves the denominator'.
    """
    return counts.n_pass + counts.n_fail + counts.explained


def deciding_rate(rows: Sequence[Counted]) -> Fraction | None:
    """Give the rate of gates and comparisons.

    Page: 'n_pass / (n_pass + n_fail + explained), worked per case and then averaged over cases.'
    """
    return over_cases(rows, lambda counts: ratio(counts.n_pass, measured(counts)))


def conditional_rate(rows: Sequence[Counted]) -> Fraction | None:
    """Give the rate of those that got there, over all trials together.

    Page: 'n_pass / (n_pass + n_fail)', over all trials together (README, choice 25).
    """
    counts = tally(rows)
    return ratio(counts.n_pass, counts.n_pass + counts.n_fail)


def worst_rate(rows: Sequence[Counted]) -> Fraction | None:
    """Give the deciding rate with the unmeasured as fails.

    Page: The deciding rate with 'the unmeasured as fail'.
    """
    return over_cases(rows, lambda counts: ratio(counts.n_pass, measured(counts) + counts.unmeasured))


def best_rate(rows: Sequence[Counted]) -> Fraction | None:
    """Give the deciding rate with the unmeasured as passes.

    Page: The deciding rate with 'the unmeasured ... as pass'.
    """
    return over_cases(
        rows,
        lambda counts: ratio(counts.n_pass + counts.unmeasured, measured(counts) + counts.unmeasured),
    )


def clean_rate(rows: Sequence[Counted]) -> Fraction | None:
    """Give the part of the deciding rate that was not degraded.

    Page: 'Passes are clean passes plus degraded passes, printed apart': the clean part of the deciding
    rate.
    """
    return over_cases(rows, lambda counts: ratio(counts.clean_passes, measured(counts)))


def degraded_pass_rate(rows: Sequence[Counted]) -> Fraction | None:
    """The degraded part of the deciding rate."""
    return over_cases(rows, lambda counts: ratio(counts.degraded_passes, measured(counts)))


def degradation_rate(rows: Sequence[Counted]) -> Fraction | None:
    """Give the share of degraded trials, per case and averaged like the deciding rate.

    Page: 'Degraded trials, passed or failed, over pass + fail + explained', per case and averaged like
    the rate beside which it stands (README, choice 25).
    """
    return over_cases(
        rows, lambda counts: ratio(counts.degraded_passes + counts.degraded_fails, measured(counts))
    )
