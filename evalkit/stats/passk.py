"""pass^k and pass@k: the chance that k trials of a case all pass, and that at least one does.

Tallies in, figures out. Both are the unbiased estimators over the trials of a case, never powers of a rate;
k is never clipped, and a case with too few trials has no value.

A case with at least k measured trials uses those. A case with fewer, but with k or more asked, is an interval
over what its unmeasured trials may have been, and a point where both ends agree.
"""

from collections.abc import Callable, Sequence
from math import comb

from evalkit.stats.figure import CaseFigure, SuiteFigure, average
from evalkit.stats.tally import CaseTally

_Chance = Callable[[int, int, int], float]  # (passes, trials, k) -> chance


def case_pass_hat(tally: CaseTally, k: int) -> CaseFigure:
    """Return pass^k of one case: the chance that k trials drawn from its trials all passed.

    Args:
        tally: The counts of the case.
        k: Number of trials that must all pass, >= 1.

    Returns:
        C(c, k) / C(n, k) with c passes among n measured trials; with n < k <= n + ne the interval
        [C(c, k), C(c + ne, k)] / C(n + ne, k); None where fewer than k trials were asked.

    Raises:
        ValueError: If k < 1.

    Source: Yao et al. 2024 (tau-bench), arXiv 2406.12045, section 3.3 (pass^k).

    >>> case_pass_hat(CaseTally(n_pass=3, n_fail=2), 2).value
    0.3
    >>> case_pass_hat(CaseTally(n_pass=3, n_fail=0), 5).reason
    '3 trials asked, fewer than k = 5'
    """
    return _case_figure(tally, k, _all_pass, "pass^k, C(c,k)/C(n,k)")


def case_pass_at(tally: CaseTally, k: int) -> CaseFigure:
    """Return pass@k of one case: the chance that of k trials drawn from its trials at least one passed.

    Args:
        tally: The counts of the case.
        k: Number of trials of which one must pass, >= 1.

    Returns:
        1 - C(n - c, k) / C(n, k) with c passes among n measured trials; an interval or None as in
        `case_pass_hat`.

    Raises:
        ValueError: If k < 1.

    Source: Chen et al. 2021, arXiv 2107.03374, section 2.1, equation 1.

    >>> case_pass_at(CaseTally(n_pass=3, n_fail=2), 2).value
    0.9
    """
    return _case_figure(tally, k, _any_pass, "pass@k, 1-C(n-c,k)/C(n,k)")


def suite_pass_hat(tallies: Sequence[CaseTally], k: int) -> SuiteFigure:
    """Return pass^k of a suite: the unweighted mean over the cases of which at least k trials were asked.

    Args:
        tallies: One tally per case.
        k: Number of trials that must all pass, >= 1.

    Returns:
        The mean, a point if every case is one; else None with the interval in `least` and `most`.

    Raises:
        ValueError: If k < 1.

    Source: the case estimator of `case_pass_hat`, averaged; not a power of the suite's rate, because
    mean(p^k) >= (mean p)^k (Jensen).

    >>> suite_pass_hat([CaseTally(n_pass=3, n_fail=2), CaseTally(n_pass=5, n_fail=0)], 2).value
    0.65
    """
    return _suite_figure(tallies, k, case_pass_hat, "mean over cases of pass^k, C(c,k)/C(n,k)")


def suite_pass_at(tallies: Sequence[CaseTally], k: int) -> SuiteFigure:
    """Return pass@k of a suite: the unweighted mean over the cases of which at least k trials were asked.

    Args:
        tallies: One tally per case.
        k: Number of trials of which one must pass, >= 1.

    Returns:
        The mean, a point if every case is one; else None with the interval in `least` and `most`.

    Raises:
        ValueError: If k < 1.

    Source: the case estimator of `case_pass_at`, averaged.

    >>> suite_pass_at([CaseTally(n_pass=3, n_fail=2), CaseTally(n_pass=0, n_fail=5)], 2).value
    0.45
    """
    return _suite_figure(tallies, k, case_pass_at, "mean over cases of pass@k, 1-C(n-c,k)/C(n,k)")


def _all_pass(c: int, n: int, k: int) -> float:
    """Return C(c, k) / C(n, k), correctly rounded, for n >= k."""
    return comb(c, k) / comb(n, k)


def _any_pass(c: int, n: int, k: int) -> float:
    """Return 1 - C(n - c, k) / C(n, k), correctly rounded, for n >= k."""
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


def _case_figure(tally: CaseTally, k: int, chance: _Chance, method: str) -> CaseFigure:
    """Apply the estimator to the measured trials, or to both completions where too few were measured."""
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    c, n, asked = tally.n_pass, tally.n_measured, tally.n_asked
    if asked < k:
        reason = f"{asked} trials asked, fewer than k = {k}"
        return CaseFigure(
            value=None, least=None, most=None, worst=None, best=None, n=n, method=method, reason=reason
        )
    worst, best = chance(c, asked, k), chance(c + tally.n_unmeasured, asked, k)
    if n >= k:
        least = most = chance(c, n, k)
    else:
        least, most = worst, best
    return CaseFigure(
        value=least if least == most else None,
        least=least,
        most=most,
        worst=worst,
        best=best,
        n=n,
        method=method,
        reason=None if least == most else f"{n} trials measured, fewer than k = {k}, of {asked} asked",
    )


def _suite_figure(
    tallies: Sequence[CaseTally], k: int, case_figure: Callable[[CaseTally, int], CaseFigure], method: str
) -> SuiteFigure:
    """Average the case figures that exist, and say what was left out."""
    asked = [tally for tally in tallies if tally.n_asked]
    figures = [case_figure(tally, k) for tally in asked if tally.n_asked >= k]
    counts = {
        "n_cases": len(figures),
        "cases_below_k": len(asked) - len(figures),
        "cases_unmeasured": sum(not tally.n_measured for tally in asked),
        "cases_not_asked": len(tallies) - len(asked),
    }
    if not figures:
        reason = f"no case has k = {k} asked trials" if asked else "nothing was asked"
        return SuiteFigure(
            value=None, least=None, most=None, worst=None, best=None, method=method, reason=reason, **counts
        )
    open_cases = sum(figure.value is None for figure in figures)
    least = average(figure.least for figure in figures)
    return SuiteFigure(
        value=None if open_cases else least,
        least=least,
        most=average(figure.most for figure in figures),
        worst=average(figure.worst for figure in figures),
        best=average(figure.best for figure in figures),
        method=method,
        reason=_below(open_cases, k),
        **counts,
    )


def _below(cases: int, k: int) -> str | None:
    """Say how many cases have no point for want of measured trials."""
    have = "1 case has" if cases == 1 else f"{cases} cases have"
    return f"{have} fewer than k = {k} measured trials" if cases else None
