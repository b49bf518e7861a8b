"""The counting law: the page's two examples, and the law itself on random runs."""

from collections.abc import Mapping
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import counting
from tests.oracle.building import fault, judge, reply_stage, tool_stage
from tests.oracle.counting import Counted, Results, Tally, count_metric, count_stage, tally
from tests.oracle.model import Call, Case, Metric, Mode, Raw, Reply, Suite, TrialResult, Verdict
from tests.oracle.strategies import cases, suites, trials_of
from tests.oracle.trial import judge_trial

FAITHFUL = Metric("faithful", stage="answer", needs=("retrieve",))
STAGES = (tool_stage("retrieve"), reply_stage("answer", "retrieve"))


def hundred(retrieved: int, faithful: int) -> tuple[Counted, ...]:
    """Count a hundred cases of one trial, of which some retrieve and some of those are faithful."""
    results: dict[tuple[str, int], TrialResult] = {}
    planned = tuple(Case(f"c{number}", feeds=frozenset({"faithful"})) for number in range(100))
    for number, case in enumerate(planned):
        events = (Call("retrieve"), Reply()) if number < retrieved else (Reply(),)
        said: Raw = "pass" if number < faithful else "fail"
        results[case.name, 0] = judge(STAGES, events, case, {FAITHFUL: said})
    return count_metric(planned, "mock", 1, results, "faithful")


def test_a_challenger_that_retrieves_less_does_not_win_by_it() -> None:
    """Champion and challenger of section 2: the conditional rate rises while the deciding rate falls."""
    champion, challenger = hundred(100, 85), hundred(60, 57)
    assert Fraction(85, 100) == counting.conditional_rate(champion)
    assert Fraction(95, 100) == counting.conditional_rate(challenger)
    assert Fraction(85, 100) == counting.deciding_rate(champion)
    assert Fraction(57, 100) == counting.deciding_rate(challenger)
    assert Fraction(1) == counting.coverage(challenger)
    blocked = [row.verdict for row in challenger if row.verdict.outcome == "error"]
    assert [("retrieve",)] * 40 == [verdict.roots for verdict in blocked]


def test_ninety_passes_of_which_thirty_are_degraded() -> None:
    """The degraded example of section 2: .90, clean .60, degraded .30."""
    planned = tuple(Case(f"c{number}", feeds=frozenset({"faithful"})) for number in range(100))
    results: dict[tuple[str, int], TrialResult] = {}
    for number, case in enumerate(planned):
        first = (fault("retrieve"),) if number < 30 else ()
        said: Raw = "pass" if number < 90 else "fail"
        results[case.name, 0] = judge(STAGES, (*first, Call("retrieve"), Reply()), case, {FAITHFUL: said})
    rows = count_metric(planned, "mock", 1, results, "faithful")
    assert Fraction(90, 100) == counting.deciding_rate(rows)
    assert Fraction(60, 100) == counting.clean_rate(rows)
    assert Fraction(30, 100) == counting.degraded_pass_rate(rows) == counting.degradation_rate(rows)


def test_a_rate_is_worked_per_case_and_then_averaged() -> None:
    """A case of one trial weighs as much as a case of three, and one without a measured trial leaves."""
    passed = judge((tool_stage("a"),), (Call("a"),)).stages["a"].verdict
    failed = judge((tool_stage("a"),), ()).stages["a"].verdict
    broken = judge((tool_stage("a"),), (fault("a"),)).stages["a"].verdict
    rows = (
        *(Counted("one", passed),),
        *(Counted("three", verdict) for verdict in (failed, failed, passed)),
        *(Counted("none", broken),),
    )
    assert Fraction(2, 3) == counting.deciding_rate(rows)
    assert Fraction(2, 4) == counting.conditional_rate(rows)
    assert Fraction(4, 5) == counting.coverage(rows)
    assert Fraction(4, 9) == counting.worst_rate(rows)
    assert Fraction(7, 9) == counting.best_rate(rows)


def test_every_class_of_error_has_its_place_in_the_rates() -> None:
    """Explained errors stay in the denominator, unmeasured ones lean both ways, not asked ones leave."""
    explained = Verdict("error", "upstream_failed", cause_class="explained", roots=("a",))
    idle = Verdict("error", "not_required", cause_class="not_asked")
    broken = Verdict("error", "environment", cause_class="unmeasured")
    told = (Verdict("pass"), Verdict("pass"), Verdict("fail", roots=("a",)), explained, broken, broken, idle)
    rows = tuple(Counted("one", verdict, degraded=number in {1, 2, 3}) for number, verdict in enumerate(told))
    assert Tally(7, 2, 1, 4, 1, 1, 2, 1, 1, 1) == tally(rows)
    assert Fraction(2, 4) == counting.deciding_rate(rows)
    assert Fraction(2, 3) == counting.conditional_rate(rows)
    assert Fraction(2, 6) == counting.worst_rate(rows)
    assert Fraction(4, 6) == counting.best_rate(rows)
    assert Fraction(4, 6) == counting.coverage(rows)
    assert Fraction(1, 4) == counting.clean_rate(rows) == counting.degraded_pass_rate(rows)
    assert Fraction(2, 4) == counting.degradation_rate(rows)


def test_a_trial_without_a_result_is_cancelled_and_counted() -> None:
    """The plan is fixed by the cases that feed the metric, before anything runs."""
    planned = (Case("fed", feeds=frozenset({"faithful"})), Case("starved"))
    result = judge(STAGES, (Call("retrieve"), Reply()), planned[0], {FAITHFUL: "pass"})
    rows = count_metric(planned, "mock", 2, {("fed", 0): result}, "faithful")
    assert (Counted("fed", Verdict("pass")), Counted("fed", counting.CANCELLED)) == rows
    assert 2 == counting.n_planned_of_metric(planned, "mock", 2, "faithful")
    assert 4 == counting.n_planned_of_stage(planned, "mock", 2)


def test_nothing_asked_gives_no_rate() -> None:
    """Undefined is not zero: rate and coverage are None."""
    verdict = judge((tool_stage("a"),), (), Case(demands={"a": "optional"})).stages["a"].verdict
    rows = (Counted("one", verdict),)
    assert counting.deciding_rate(rows) is None
    assert counting.conditional_rate(rows) is None
    assert counting.coverage(rows) is None
    assert counting.best_rate(rows) is None


def test_a_case_that_declares_a_fault_is_not_planned_in_real_mode() -> None:
    """Real mode ignores fixtures; the case that is left out is counted."""
    both = (Case("plain"), Case("faulty", declared_faults=frozenset({"a"})))
    assert 3 * 2 == counting.n_planned_of_stage(both, "mock", 3)
    assert 3 * 1 == counting.n_planned_of_stage(both, "real", 3)
    assert ("plain",) == tuple(case.name for case in counting.planned_cases(both, "real"))
    assert 1 == counting.left_out_cases(both, "real")


@st.composite
def runs(draw: st.DrawFn) -> tuple[Suite, tuple[Case, ...], Mode, int, Results]:
    """Draw a run of up to three cases by up to two trials, some of which never came to a result."""
    suite = draw(suites())
    planned = tuple(draw(cases(suite, name=f"c{number}")) for number in range(draw(st.integers(1, 3))))
    times = draw(st.integers(1, 2))
    results = {
        (case.name, number): judge_trial(draw(trials_of(suite, case)))
        for case in planned
        for number in range(times)
        if draw(st.integers(0, 5))
    }
    return suite, planned, draw(st.sampled_from(("real", "mock"))), times, results


def questions(
    run: tuple[Suite, tuple[Case, ...], Mode, int, Results],
) -> Mapping[str, tuple[int, list[Counted]]]:
    """Give what was planned and what was counted for every metric and every stage."""
    suite, planned, mode, times, results = run
    asked: dict[str, tuple[int, list[Counted]]] = {}
    for metric in suite.metrics:
        plan = counting.n_planned_of_metric(planned, mode, times, metric.name)
        asked[metric.name] = (plan, list(count_metric(planned, mode, times, results, metric.name)))
    for stage in suite.stages:
        plan = counting.n_planned_of_stage(planned, mode, times)
        asked[stage.name] = (plan, list(count_stage(planned, mode, times, results, stage.name)))
    return asked


@given(runs())
def test_the_three_outcomes_make_up_the_plan(run: tuple[Suite, tuple[Case, ...], Mode, int, Results]) -> None:
    """n_pass + n_fail + n_error = n_planned, and each error has exactly one class."""
    for plan, rows in questions(run).values():
        counts = tally(rows)
        assert plan == counts.n_planned
        assert plan == counts.n_pass + counts.n_fail + counts.n_error
        assert counts.n_error == counts.explained + counts.not_asked + counts.unmeasured
        assert counts.n_pass == counts.clean_passes + counts.degraded_passes


@given(runs())
def test_the_deciding_rate_lies_between_worst_and_best(
    run: tuple[Suite, tuple[Case, ...], Mode, int, Results],
) -> None:
    """With one case the worst never exceeds the rate, nor the rate the best; at full coverage all agree."""
    for _, rows in questions(run).values():
        one = [row for row in rows if row.case == "c0"]
        worst, rate, best = counting.worst_rate(one), counting.deciding_rate(one), counting.best_rate(one)
        if rate is not None:
            assert worst is not None
            assert best is not None
            assert worst <= rate <= best
        if counting.coverage(rows) == 1:
            assert counting.worst_rate(rows) == counting.deciding_rate(rows) == counting.best_rate(rows)
        clean, degraded = counting.clean_rate(rows), counting.degraded_pass_rate(rows)
        if clean is not None and degraded is not None:
            assert clean + degraded == counting.deciding_rate(rows)
