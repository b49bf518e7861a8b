"""The gate against a slow reading of the pages: random tallies, random policies, the same choice."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evalkit.decide.gate import decide
from evalkit.records.policy import Require
from tests.decide.building import Asking, Drawn, question_of
from tests.decide.drawing import drawn_cases, like_cases
from tests.decide.reference import Asked, choice, together

# Odd on purpose: no bound of a small sample is exactly one of these, so that rounding decides nothing.
_THRESHOLDS = (0.0, 0.0713, 0.3171, 0.5173, 0.7331, 0.8837, 1.0)


@st.composite
def requires(draw: st.DrawFn) -> Require:
    """One require over the suite."""
    statistic = draw(st.sampled_from(("rate", "rate", "degraded", "pass^1", "pass^2", "pass^3")))
    estimand = None if statistic.startswith("pass^") else draw(st.sampled_from((None, "suite", "population")))
    side = draw(st.sampled_from(("at_least", "at_most")))
    return Require(
        metric="solved",
        statistic=statistic,
        estimand=estimand,  # type: ignore[arg-type]
        confidence=draw(st.sampled_from((0.8, 0.9, 0.95, 0.99))),
        **{side: draw(st.sampled_from(_THRESHOLDS))},  # type: ignore[arg-type]
    )


def _reference(drawn: tuple[Drawn, ...], require: Require, coverage: float) -> str:
    threshold = require.at_least if require.at_least is not None else require.at_most
    assert threshold is not None
    asked = Asked(
        statistic=require.statistic,
        threshold=threshold,
        at_least=require.at_least is not None,
        estimand=require.estimand or "population",
        confidence=require.confidence,
        coverage=coverage,
    )
    return choice(drawn, asked)


def _agree(drawn: tuple[Drawn, ...], asked: tuple[Require, ...], coverage: float) -> str:
    found = decide(question_of(drawn, Asking(require=asked, policy={"coverage": coverage})))
    expected = [_reference(drawn, require, coverage) for require in asked]
    assert expected == [one.decision for one in found.estimates[: len(asked)]]
    assert together(expected) == found.decision
    return found.decision


_ASKED = st.tuples(requires()) | st.tuples(requires(), requires())
_COVERAGE = st.sampled_from((0.9, 0.95, 0.98, 1.0))


@given(drawn_cases(most=8), _ASKED, _COVERAGE)
def test_the_gate_decides_as_the_page_says(
    drawn: tuple[Drawn, ...], asked: tuple[Require, ...], coverage: float
) -> None:
    """Any outcomes: every require and the whole come to the choice of the slow reading."""
    _agree(drawn, asked, coverage)


@given(like_cases(), _ASKED, _COVERAGE)
def test_the_gate_decides_as_the_page_says_where_there_is_evidence(
    drawn: tuple[Drawn, ...], asked: tuple[Require, ...], coverage: float
) -> None:
    """Suites that are good or bad nearly throughout, so that go and no-go are met and not only undecided."""
    _agree(drawn, asked, coverage)


@given(like_cases(), _COVERAGE)
def test_a_choice_survives_the_best_and_the_worst_that_is_not_known(
    drawn: tuple[Drawn, ...], coverage: float
) -> None:
    """Below the asked coverage no completion of the unmeasured turns a go into a no-go or back."""
    require = Require(metric="solved", at_least=0.5173)
    found = _agree(drawn, (require,), coverage)
    full = _agree(drawn, (require,), 1.0)
    assert full in (found, "undecided")


def test_the_random_suites_meet_every_choice() -> None:
    """Self-test: the drawn suites come to go, no-go and undecided, so that the property says something."""
    met: Counter[str] = Counter()

    @given(like_cases())
    def look(drawn: tuple[Drawn, ...]) -> None:
        require = Require(metric="solved", at_least=0.5173)
        met[_agree(drawn, (require,), 0.98)] += 1

    look()
    assert {"go", "no-go", "undecided"} <= set(met)
