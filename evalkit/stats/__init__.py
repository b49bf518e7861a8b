"""Statistics of the harness: plain numbers in, numbers with their method and their reason out.

The room knows no record of evalkit. What is undefined is None with a reason, never 0, NaN or -1, and
averaging a None raises. Trials are never the unit of analysis: a case is first brought to one number, then
cases are averaged with equal weight, and uncertainty is counted over cases or over the declared clusters of
cases.

Modules (import them directly; the package itself stays empty, so that it costs nothing to import):

- ``figure``: what every function returns: a number with interval, n, method, estimand and reason.
- ``tally``: the counts of one case, coverage, and the completion of what was not measured.
- ``passk``: pass^k and pass@k, per case and over the suite.
- ``rate``: the deciding rate, per case and over the suite, with worst and best.
- ``interval``: Wilson, Clopper-Pearson and Jeffreys intervals, and the one-sided bounds.
- ``suite_mean``: standard error over cases and clusters, and the effective number of cases.
- ``case_values``: one number per case, with its cluster.
- ``evidence``: what these are worth, in independent units: the choice of the unit of a claim.
- ``bounds``: the one-sided bounds that decide, and the intervals that are displayed.
- ``power``: what a sample of this size can prove at all.
- ``percentile``: p50, p90 and p99 of measured quantities.
- ``distributions``: the three quantile functions that all of this rests on.
"""
