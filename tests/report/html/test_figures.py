"""Figures: intervals, curves, bars and spreads keep to their numbers; the unknown is counted, never 0."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evalkit.records.decision import Counts
from evalkit.records.document import Spread
from evalkit.records.estimate import Estimate
from evalkit.report.html.plots import bar, beside_curves, curves, interval, quantity, spread_plot
from tests.report.html.making import asked, document, estimates
from tests.report.html.reading import page

_share = st.none() | st.floats(0, 1)


@given(st.tuples(_share, _share, _share, _share, _share))
def test_what_is_undefined_is_not_drawn(numbers: tuple[float | None, ...]) -> None:
    """Every known number of an estimate has a place on the line, in order; what is None has none."""
    value, low, high, bound, threshold = numbers
    made = interval(Estimate(metric="m", value=value, low=low, high=high, bound=bound, threshold=threshold))
    drawn = (made.value, made.low, made.high, made.bound, made.asked)
    assert [number is None for number in numbers] == [place is None for place in drawn]
    known = sorted((n, p) for n, p in zip(numbers, drawn, strict=True) if n is not None and p is not None)
    assert sorted(place for _, place in known) == [place for _, place in known]
    assert all(6 <= place <= 154 for _, place in known)


def test_a_figure_above_one_has_a_longer_line() -> None:
    """A latency or a cost stays inside its drawing."""
    made = interval(Estimate(metric="m", statistic="p95:latency", value=4.0, threshold=8.0))
    assert (80.0, 154.0) == (made.value, made.asked)


def test_a_curve_needs_more_than_one_point() -> None:
    """One trial a case makes no curve, and its figure stays in the table."""
    one = estimates("m", 1)
    assert [] == curves(one)
    assert [figure.statistic for figure in one] == [figure.statistic for figure in beside_curves(one)]


def test_a_curve_falls_as_its_figures_fall() -> None:
    """A smaller figure stands lower; every k has its point, and the table does not repeat it."""
    (made,) = curves(estimates("m", 5))
    assert [1, 2, 3, 4, 5] == [point.k for point in made.points]
    heights = [point.y for point in made.points]
    assert sorted(heights) == heights
    assert ["rate", "conditional"] == [one.statistic for one in beside_curves(estimates("m", 5))]


def test_the_numbers_of_a_curve_stand_beside_it() -> None:
    """The curve has a table with the same numbers."""
    text = page(document(2, 3))
    assert '<td class="n">.729</td><td>.614 to .857</td>' in text


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_a_bar_shows_every_trial_once(
    passed: int, failed: int, explained: int, unmeasured: int, rest: int
) -> None:
    """The parts of a bar add up to what was planned, each with its own sign."""
    errors = explained + unmeasured + rest
    planned = passed + failed + errors
    made = bar(
        Counts(
            planned=planned,
            passed=passed,
            failed=failed,
            errors=errors,
            causes={},
            coverage=None,
            asked=planned - rest,
            unmeasured=unmeasured,
        )
    )
    expected = {"p": passed, "r": failed, "e": explained, "u": unmeasured, "o": rest}
    assert {code: number for code, number in expected.items() if number} == {
        one.sign.code: one.number for one in made
    }
    assert pytest.approx(1000 if planned else 0, abs=1) == sum(one.width for one in made)


def test_an_unknown_spread_is_not_drawn() -> None:
    """Where nothing is known there is no line, a dash, and the count of the unknown."""
    assert spread_plot(Spread(name="cost", unit="USD", n=0, unknown=7)) is None
    assert "-" == quantity(None, "USD")
    assert "<strong>100</strong>" in page(document(2, 1))


def test_a_spread_that_is_zero_throughout_stays_at_zero() -> None:
    """Quantiles that are all 0 are known, and are drawn at 0."""
    made = spread_plot(Spread(name="queue", unit="s", n=3, unknown=0, total=0.0, p50=0.0, p90=0.0, p99=0.0))
    assert made is not None
    assert (6, 6, 6) == (made.p50, made.p90, made.p99)


def test_what_stands_against_a_go_is_shown_first() -> None:
    """Of what was asked, no-go comes before undecided before go, each with sign and word."""
    text = page(document(2, 1))
    table = text[text.index("What was asked") : text.index("What would change it")]
    places = [table.index(f"</b> {word}</span>") for word in ("no-go", "undecided", "go")]
    assert sorted(places) == places
    assert 3 == table.count('<svg class="iv"')


def test_very_many_requires_are_counted() -> None:
    """A gate on each of thousands of cases shows those against a go, and counts the rest."""
    made = document(2, 1)
    assert made.decision is not None
    many = (*(asked(f"c{at}", "go") for at in range(3000)), asked("bad", "no-go"))
    text = page(replace(made, decision=replace(made.decision, estimates=many)))
    assert "<bdi>bad</bdi>" in text
    assert "2851 more figures that were asked for" in text
