"""The quantile functions against scipy, which computes them by other algorithms (cephes and Boost)."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from evalkit.stats.distributions import beta_cdf, beta_quantile, normal_quantile, t_quantile

SHAPES = st.floats(0.05, 5000)
INSIDE = st.floats(1e-6, 1 - 1e-6)


@given(x=st.floats(0, 1), a=SHAPES, b=SHAPES)
def test_the_beta_distribution_function_is_scipys(x: float, a: float, b: float) -> None:
    """The distribution function agrees with scipy to 1e-10, in the far tails too."""
    assert float(special.betainc(a, b, x)) == pytest.approx(beta_cdf(x, a, b), abs=1e-10)


@given(p=INSIDE, a=SHAPES, b=SHAPES)
def test_the_beta_quantile_is_scipys(p: float, a: float, b: float) -> None:
    """The quantile agrees with scipy to 1e-10."""
    assert float(special.betaincinv(a, b, p)) == pytest.approx(beta_quantile(p, a, b), abs=1e-10)


@given(p=INSIDE, a=st.floats(0.5, 5000), b=st.floats(0.5, 5000))
def test_the_beta_quantile_inverts_the_distribution_function(p: float, a: float, b: float) -> None:
    """What lies below the p quantile has probability p."""
    assert p == pytest.approx(beta_cdf(beta_quantile(p, a, b), a, b), abs=1e-9)


@given(p=INSIDE, df=st.floats(0.6, 10_000))
def test_the_t_quantile_is_scipys(p: float, df: float) -> None:
    """Student's quantile agrees with scipy to 1e-8, relative to its size or to 1."""
    assert float(special.stdtrit(df, p)) == pytest.approx(t_quantile(p, df), rel=1e-8, abs=1e-8)


@given(p=INSIDE)
def test_the_normal_quantile_is_scipys(p: float) -> None:
    """The normal quantile agrees with scipy to 1e-12."""
    assert float(special.ndtri(p)) == pytest.approx(normal_quantile(p), abs=1e-12, rel=1e-12)


@pytest.mark.parametrize(
    ("p", "df", "expected"),
    [
        (0.95, 7, 1.8946),
        (0.975, 4, 2.7764),
        (0.95, 1, 6.3138),
        (0.975, 11, 2.2010),
        (0.6, 5, 0.2672),
        (0.5, 3, 0.0),
    ],
)
def test_the_t_quantile_is_that_of_the_printed_table(p: float, df: float, expected: float) -> None:
    """Values of the table in NIST/SEMATECH e-Handbook 1.3.6.7.2, and 0 at the median."""
    assert expected == pytest.approx(t_quantile(p, df), abs=5e-5)


def test_the_ends_of_the_beta_distribution_are_exact() -> None:
    """At probability 0 and 1, and at x = 0 and 1, nothing is rounded."""
    assert [0.0, 1.0] == [beta_quantile(p, 2, 3) for p in (0.0, 1.0)]
    assert [0.0, 1.0] == [beta_cdf(x, 2, 3) for x in (0.0, 1.0)]


def test_what_a_double_cannot_tell_from_an_edge_is_the_edge() -> None:
    """A distribution that stands within rounding of 0 or 1 has its quantiles there, and raises nothing."""
    assert [1.0, 0.0] == [beta_quantile(0.8, 2, 1e-16), beta_quantile(0.5, 5e-324, 1)]


def test_quantiles_near_the_median_keep_their_digits() -> None:
    """A t of size 1e-8 is right to seven digits: the probability inside is small, not 1 minus the rest."""
    expected = 1e-8 * math.pi * math.sqrt(3) / 2  # 1e-8 over the density of t with 3 degrees of freedom at 0
    assert expected == pytest.approx(t_quantile(0.5 + 1e-8, 3), rel=1e-7)


def test_a_quantile_that_underflows_is_found() -> None:
    """A quantile of size 1e-66 is right to ten digits: the search does not stop at an absolute tolerance."""
    assert float(special.betaincinv(0.02, 3.0, 0.05)) == pytest.approx(
        beta_quantile(0.05, 0.02, 3.0), rel=1e-10
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: beta_cdf(-0.1, 1, 1),
        lambda: beta_cdf(1.1, 1, 1),
        lambda: beta_cdf(math.nan, 1, 1),
        lambda: beta_cdf(0.5, 0, 1),
        lambda: beta_cdf(0.5, 1, math.inf),
        lambda: beta_quantile(1.5, 1, 1),
        lambda: beta_quantile(math.nan, 1, 1),
        lambda: beta_quantile(0.5, 1, 0),
        lambda: t_quantile(0.0, 3),
        lambda: t_quantile(1.0, 3),
        lambda: t_quantile(0.9, 0),
        lambda: normal_quantile(0.0),
        lambda: normal_quantile(1.0),
    ],
)
def test_what_no_distribution_has_is_refused(call: Callable[[], float]) -> None:
    """Shapes, points and probabilities outside their range raise, NaN included."""
    with pytest.raises(ValueError, match="must"):
        call()
