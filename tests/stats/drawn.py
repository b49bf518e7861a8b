"""Inputs for the property tests of the statistics, as hypothesis draws them."""

from hypothesis import strategies as st

from evalkit.stats.tally import CaseTally

TALLIES = st.builds(
    CaseTally,
    n_pass=st.integers(0, 6),
    n_fail=st.integers(0, 6),
    n_unmeasured=st.integers(0, 3),
    cluster=st.none() | st.sampled_from("abc"),
)
SUITES = st.lists(TALLIES, max_size=8)

# (successes, trials), both fractional, with many whole numbers and edges among them.
COUNTS = st.tuples(
    st.floats(0, 1).map(lambda share: round(share, 6)), st.integers(1, 60) | st.floats(0.3, 300)
).map(lambda drawn: (drawn[0] * drawn[1], drawn[1])) | st.integers(1, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n))
)

CONFIDENCES = st.sampled_from([0.8, 0.9, 0.95, 0.99])

# (value in [0, 1], cluster label) per case.
CLUSTERED = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8, 1.0]), st.integers(0, 4)), min_size=1, max_size=20
)
