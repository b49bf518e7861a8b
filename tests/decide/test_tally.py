"""Counting: the law of the counts, and that nothing depends on the order of verdicts."""

from __future__ import annotations

import random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from evalkit.decide.counts import counts, coverage, total
from evalkit.decide.estimates import shown
from evalkit.decide.tally import Tallies, tally
from evalkit.records.case import Case, Turn
from evalkit.records.metric import Grade
from evalkit.records.verdict import Verdict
from tests.decide.building import Drawn, cases, suite_of, tallies_of, verdicts_of
from tests.decide.drawing import drawn_cases


@given(drawn_cases())
def test_planned_is_pass_fail_and_error(drawn: tuple[Drawn, ...]) -> None:
    """For every case and metric: planned = pass + fail + error, in five classes, and causes sum to errors."""
    for one, found in zip(drawn, tallies_of(drawn).metrics["solved"], strict=True):
        errors = found.explained + found.not_asked + found.unmeasured
        assert one.planned == found.planned == found.passed + found.failed + errors
        assert errors == sum(found.causes.values())
        assert (one.passed, one.failed, one.explained) == (found.passed, found.failed, found.explained)
        assert one.degraded_passed <= found.passed
        assert one.degraded_passed + one.degraded_failed == found.degraded


@given(drawn_cases())
def test_the_law_holds_for_the_suite(drawn: tuple[Drawn, ...]) -> None:
    """What every command prints adds up: planned = passed + failed + errors."""
    found = counts(suite_of(drawn), tallies_of(drawn))
    assert sum(one.planned for one in drawn) == found.planned == found.passed + found.failed + found.errors
    assert found.errors == sum(found.causes.values())
    assert found.asked == found.planned - sum(one.not_asked for one in drawn)
    both = total((found, found))
    assert 2 * found.planned == both.planned
    assert found.coverage == both.coverage


@given(drawn_cases(most=5), st.randoms(use_true_random=False))
def test_the_order_of_verdicts_changes_no_figure(drawn: tuple[Drawn, ...], chance: random.Random) -> None:
    """Permuting the verdicts of a run changes neither a count nor an estimate."""
    suite = suite_of(drawn)
    rows = [*verdicts_of(drawn), *verdicts_of(drawn, "faithful"), *verdicts_of(drawn, "retrieve", of="stage")]
    mixed = list(rows)
    chance.shuffle(mixed)
    plain, shuffled = tally(suite, rows)["a"], tally(suite, mixed)["a"]
    assert plain == shuffled
    assert shown(suite, plain, 3) == shown(suite, shuffled, 3)


@given(drawn_cases(most=5), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_no_figure(drawn: tuple[Drawn, ...], chance: random.Random) -> None:
    """Permuting the cases of a suite changes no estimate, not even in its last digit."""
    mixed = list(drawn)
    chance.shuffle(mixed)
    plain = shown(suite_of(drawn), _all(drawn), 3)
    assert plain == shown(suite_of(mixed), _all(mixed), 3)


def _all(drawn: tuple[Drawn, ...] | list[Drawn]) -> Tallies:
    suite = suite_of(drawn)
    rows = [*verdicts_of(drawn), *verdicts_of(drawn, "faithful"), *verdicts_of(drawn, "retrieve", of="stage")]
    return tally(suite, rows)["a"]


def test_arms_are_counted_apart() -> None:
    """Verdicts of two arms never meet."""
    drawn = cases(2, passed=1)
    rows = [*verdicts_of(drawn, arm="a"), *verdicts_of(drawn, arm="b"), *verdicts_of(drawn, arm="b")]
    found = tally(suite_of(drawn), rows)
    assert ["a", "b"] == list(found)
    assert [1, 1] == [one.planned for one in found["a"].metrics["solved"]]
    assert [2, 2] == [one.planned for one in found["b"].metrics["solved"]]


def test_an_error_without_a_class_is_unmeasured() -> None:
    """What nobody classed was not measured; it excuses nothing and leaves no denominator."""
    row = Verdict(
        index=0, case="c1", arm="a", trial=0, of="metric", name="solved", outcome="error", cause="harness"
    )
    (found,) = tally(suite_of(cases(1)), [row])["a"].metrics["solved"]
    assert (1, 1) == (found.planned, found.unmeasured)


def test_an_unmeasured_trial_is_not_degraded() -> None:
    """Degradation is counted over pass, fail and explained, and over nothing else."""
    row = Verdict(
        index=0,
        case="c1",
        arm="a",
        trial=0,
        of="metric",
        name="solved",
        outcome="error",
        cause="environment",
        cause_class="unmeasured",
        degraded=True,
    )
    (found,) = tally(suite_of(cases(1)), [row])["a"].metrics["solved"]
    assert 0 == found.degraded


def test_the_weakest_grade_counts() -> None:
    """A figure rests on the weakest evidence of its cases; errors rest on none."""
    drawn = cases(2, passed=1)
    graded: tuple[tuple[str, Grade], ...] = (("c1", "isolated"), ("c1", "static"), ("c2", "live"))
    (plain,) = verdicts_of(cases(1, passed=1))
    rows = [msgspec.structs.replace(plain, case=case, grade=grade) for case, grade in graded]
    found = tally(suite_of(drawn), rows)["a"]
    assert "static" == found.weakest("solved", ("c1", "c2"))
    assert "live" == found.weakest("solved", ("c2",))
    assert found.weakest("faithful", ("c1",)) is None


def test_the_steps_that_decided_are_counted() -> None:
    """What share each step decided is kept, over passes and fails."""
    drawn = cases(1, passed=2, failed=1, unmeasured=1)
    found = tally(suite_of(drawn), verdicts_of(drawn, decided_by="check"))["a"]
    assert {"check": 3} == found.steps["solved"]


def test_roots_come_in_the_suites_order() -> None:
    """The roots of a metric's fails and explained errors are kept, each once."""
    found = tallies_of(cases(2, failed=1, explained=1))
    assert ("retrieve", "answer") == found.roots["solved"]


def test_a_null_capability_is_none() -> None:
    """A tag that is null is no capability called None."""
    case = Case(id="c1", turns=(Turn(user="go"),), tags={"capability": None})
    suite = suite_of(cases(1)).model_copy(update={"cases": (case,)})
    (found,) = tally(suite, verdicts_of(cases(1, passed=1)))["a"].metrics["solved"]
    assert "" == found.capability


def test_coverage_is_one_division() -> None:
    """A coverage of 98 in 100 is exactly the .98 that a policy writes, for any number of hundreds."""
    assert all(0.98 == coverage(50 * n, n) and 0.9 == coverage(10 * n, n) for n in range(1, 2000))
    assert coverage(0, 0) is None
