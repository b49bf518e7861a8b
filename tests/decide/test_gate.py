"""The gate: go, no-go or undecided, never green by default."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalkit.decide.gate import decide
from evalkit.records.decision import EXIT_CODES, Decision, RootSummary
from evalkit.records.estimate import Estimate
from evalkit.records.policy import Require
from evalkit.records.suite import Waiver
from tests.decide.building import Asking, Drawn, cases, decided, question_of, verdicts_of

HALF = Require(metric="solved", at_least=0.5)


def _asks(**more: object) -> Require:
    return Require(metric="solved", **{"at_least": 0.5, **more})  # type: ignore[arg-type]


def _asked(decision: Decision) -> list[Estimate]:
    return [one for one in decision.estimates if one.threshold is not None]


def _choices(decision: Decision) -> dict[str, str | None]:
    return {one.slice: one.decision for one in _asked(decision)}


@pytest.mark.parametrize(
    ("passed", "failed", "bound", "choice"),
    [(5, 0, 0.549, "go"), (7, 1, 0.529, "go"), (0, 5, 0.451, "no-go"), (40, 0, 0.928, "go")],
)
def test_what_a_sample_proves(passed: int, failed: int, bound: float, choice: str) -> None:
    """5 of 5 prove .549, 7 of 8 .529, 40 of 40 .928, and 0 of 5 show at most .451."""
    found = decided((*cases(passed, passed=1), *cases(failed, failed=1, start=passed + 1)))
    assert choice == found.decision
    assert pytest.approx(bound, abs=5e-4) == found.estimates[0].bound


def test_trials_are_no_cases() -> None:
    """Twenty trials of one case prove nothing of cases like it; of the case itself they prove .861."""
    drawn = cases(1, passed=20)
    assert "undecided" == decided(drawn).decision
    suite = decided(drawn, Asking(require=(_asks(estimand="suite"),)))
    assert "go" == suite.decision
    assert pytest.approx(0.861, abs=5e-4) == suite.estimates[0].bound


def test_per_case_speaks_of_these_very_cases() -> None:
    """`per: case` is estimand suite unless said otherwise: five trials of a case prove .549 of it."""
    found = decided(cases(2, passed=5), Asking(require=(_asks(per="case"),)))
    assert {"case=c1": "go", "case=c2": "go"} == _choices(found)
    assert {"suite"} == {one.estimand for one in _asked(found)}


def test_pass_hat_of_a_case_is_refused() -> None:
    """`pass^k` takes `population` only: 5 of 5 trials of one case prove nothing of cases like it."""
    with pytest.raises(ValidationError, match="ask for the rate of each case"):
        _asks(per="case", statistic="pass^3")


def test_a_no_go_shows_the_bound_that_decided() -> None:
    """A go shows the lower bound and a no-go the upper; at_most mirrors both."""
    good, bad = cases(10, passed=1), cases(10, failed=1)
    least, most = HALF, Require(metric="solved", at_most=0.5)
    shown = [
        decided(drawn, Asking(require=(asked,))).estimates[0]
        for asked, drawn in ((least, good), (least, bad), (most, bad), (most, good))
    ]
    assert ["go", "no-go", "go", "no-go"] == [one.decision for one in shown]
    assert [0.741, 0.259, 0.259, 0.741] == [pytest.approx(one.bound, abs=5e-4) for one in shown]


def test_degraded_at_most_says_no_go() -> None:
    """90 of 100 pass, 30 degraded; `degraded <= .10` says no-go, however good the rate is."""
    drawn = tuple(
        Drawn(case=f"c{at}", passed=int(at < 90), failed=int(at >= 90), degraded_passed=int(at < 30))
        for at in range(100)
    )
    asked = Require(metric="solved", statistic="degraded", at_most=0.1)
    found = decided(drawn, Asking(require=(_asks(at_least=0.8), asked)))
    assert "no-go" == found.decision
    assert ["go", "no-go"] == [one.decision for one in _asked(found)]
    assert (0.9, 0.6, 0.3) == (
        found.estimates[0].value,
        found.estimates[0].clean,
        found.estimates[0].degraded,
    )


def test_the_unmeasured_count_as_degraded_where_that_is_asked() -> None:
    """Coverage .97: `degraded <= .04` does not hold with the unmeasured taken for degraded."""
    clean = (*cases(97, passed=1), *cases(3, unmeasured=1, start=98))
    asked = Require(metric="solved", statistic="degraded", at_most=0.04)
    found = decided(clean, Asking(require=(asked,)))
    assert "undecided" == found.decision
    assert "coverage .970: go does not hold with the unmeasured taken for degraded" in found.reasons[0]
    assert "go" == decided(cases(97, passed=1), Asking(require=(asked,))).decision


@pytest.mark.parametrize(
    ("good", "lost", "choice"),
    [(98, 2, "go"), (97, 3, "undecided"), (90, 10, "undecided"), (50, 6, "undecided")],
)
def test_coverage_decides_whether_a_go_may_stand(good: int, lost: int, choice: str) -> None:
    """From .98 on the measured decide; below, a go must hold in the worst case too; below .90 nothing."""
    drawn = (*cases(good, passed=1), *cases(lost, unmeasured=1, start=good + 1))
    assert choice == decided(drawn, Asking(require=(_asks(at_least=0.95),))).decision


def test_a_go_may_stand_in_the_worst_case() -> None:
    """Coverage .95, and .90 itself: a go that holds with the unmeasured as fails is a go."""
    for good in (95, 90):
        drawn = (*cases(good, passed=1), *cases(100 - good, unmeasured=1, start=good + 1))
        assert "go" == decided(drawn, Asking(require=(_asks(at_least=0.8),))).decision, good


def test_a_no_go_must_hold_in_the_best_case() -> None:
    """Coverage .95: 5 of 19 are at most .476; had the unmeasured case passed, 6 of 20 were at most .508."""
    sure = (*cases(19, failed=1), *cases(1, unmeasured=1, start=20))
    assert "no-go" == decided(sure).decision
    close = (*cases(5, passed=1), *cases(14, failed=1, start=6), *cases(1, unmeasured=1, start=20))
    asked = Asking(require=(_asks(at_least=0.49),))
    assert "no-go" == decided(close[:-1], asked).decision
    assert "undecided" == decided(close, asked).decision


def test_the_measured_bound_and_the_worst_case_must_both_hold() -> None:
    """With clusters a fail more can raise a bound (.106 -> .196): what was measured has to prove it too."""
    shape = (("k0", 8, 1, 1), ("k1", 10, 0, 0), ("k1", 7, 2, 1), ("k1", 8, 1, 1), ("k2", 8, 1, 1))
    drawn = [
        Drawn(case=f"c{at}", cluster=cluster, passed=passed, failed=failed, unmeasured=lost)
        for at, (cluster, passed, failed, lost) in enumerate(shape)
    ]
    worst = [
        Drawn(case=one.case, cluster=one.cluster, passed=one.passed, failed=one.failed + one.unmeasured)
        for one in drawn
    ]
    asked = Asking(require=(_asks(at_least=0.15),))
    assert "go" == decided(worst, asked).decision
    assert "undecided" == decided(drawn, asked).decision
    assert "go" == decided(drawn, Asking(require=(_asks(at_least=0.1),))).decision


@pytest.mark.parametrize("lost", [{"not_asked": 1}, {"not_asked": 2, "explained": 0}])
def test_nothing_asked_is_undecided(lost: dict[str, int]) -> None:
    """Nothing asked: rate and coverage are None and the require is undecided."""
    found = decided(cases(3, **lost))
    assert ("undecided", None, None) == (
        found.decision,
        found.estimates[0].value,
        found.estimates[0].coverage,
    )
    assert "nothing was asked" in found.reasons[0]


def test_an_empty_selection_is_undecided_beside_a_go() -> None:
    """A require whose `where` selects nothing is undecided, for any `per`, even where another one is go."""
    for per in ("suite", "capability", "case"):
        empty = _asks(where="risk=none", per=per)
        found = decided(cases(10, passed=1), Asking(require=(HALF, empty)))
        assert "undecided" == found.decision, per
        assert {"suite": "go", "risk=none": "undecided"} == _choices(found)


def test_any_no_go_then_any_undecided_then_go() -> None:
    """Of several requires any no-go decides, else any undecided, else go."""
    drawn = (
        *cases(10, passed=5, capability="good"),
        *cases(10, failed=5, capability="bad", start=11),
        *cases(1, passed=5, capability="few", start=21),
    )
    per = {name: _asks(where=f"capability={name}") for name in ("good", "bad", "few")}
    asked = {names: tuple(per[name] for name in names) for names in (("good",), ("good", "few"), tuple(per))}
    found = [decided(drawn, Asking(require=require)).decision for require in asked.values()]
    assert ["go", "undecided", "no-go"] == found


def test_per_capability_holds_each_on_its_own() -> None:
    """Each capability has its own figure, in the suite's order; cases without one stand together."""
    drawn = (
        *cases(5, passed=1, capability="x"),
        *cases(5, failed=1, capability="y", start=6),
        *cases(5, passed=1, start=11),
    )
    found = decided(drawn, Asking(require=(_asks(per="capability"),)))
    assert {"capability=x": "go", "capability=y": "no-go", "capability=(none)": "go"} == _choices(found)
    assert list(_choices(found)) == ["capability=x", "capability=y", "capability=(none)"]


def test_where_narrows_what_per_capability_asks() -> None:
    """The slice names both, so that two requires are never taken for one another."""
    drawn = (
        *cases(5, passed=1, capability="x", tags={"risk": "high"}),
        *cases(5, failed=1, capability="x", tags={"risk": "low"}, start=6),
    )
    found = decided(drawn, Asking(require=(_asks(per="capability", where="risk=high"),)))
    assert {"capability=x and risk=high": "go"} == _choices(found)


def _waiver(case: str, until: dt.date = dt.date(2026, 12, 31)) -> Waiver:
    return Waiver(case=case, reason="under review", owner="returns team", until=until)


def test_a_waiver_leaves_the_case_out_of_case_level_requires() -> None:
    """It changes no verdict and no rate; `per: case` leaves the case out, counted."""
    drawn = (*cases(1, failed=5), *cases(1, passed=5, start=2))
    asked = Asking(require=(_asks(per="case"),), waivers=(_waiver("c1"),))
    found = decided(drawn, asked)
    assert ("go", ("c1",)) == (found.decision, found.waived)
    assert {"case=c2": "go"} == _choices(found)
    assert 0.5 == next(one.value for one in found.estimates if one.slice == "suite")
    told = "waived until 2026-12-31, ends in 31 days: c1, under review (returns team); 5 of 5 trials failed"
    assert told in found.warnings
    assert [("c1", "active", 5, 5, True)] == [
        (one.case, one.state, one.failed, one.trials, one.needed) for one in found.waivers
    ]


def test_a_waiver_that_ended_counts_no_more() -> None:
    """A waiver holds through its last day and not a day longer."""
    drawn = (*cases(1, failed=5), *cases(1, passed=5, start=2))
    last = [dt.date(2026, 11, 30), dt.date(2026, 11, 29)]
    found = [decided(drawn, Asking(require=(_asks(per="case"),), waivers=(_waiver("c1", d),))) for d in last]
    assert ["go", "no-go"] == [one.decision for one in found]
    told = "the waiver of c1 ended on 2026-11-29 (returns team): it counts again"
    assert f"{told}; 5 of 5 trials failed" in found[1].warnings
    assert [False, True] == [told in one.reasons for one in found]


def test_an_ended_waiver_of_a_passing_case_is_no_reason() -> None:
    """What has ended and does no harm is told, and does not stand among the reasons."""
    ended = _waiver("c1", dt.date(2026, 11, 29))
    found = decided(cases(2, passed=5), Asking(require=(_asks(per="case"),), waivers=(ended,)))
    assert ("go", False) == (found.decision, any("ended" in text for text in found.reasons))
    assert any("no longer needed: all 5 trials passed" in text for text in found.warnings)


def test_waivers_that_waive_nothing_stand_first() -> None:
    """An ended waiver and one of no case are told before those that hold."""
    waivers = (_waiver("c1"), _waiver("gone"), _waiver("c2", dt.date(2020, 1, 1)))
    found = decided(cases(2, passed=5), Asking(waivers=waivers))
    assert ["expired", "unknown_case", "active"] == [one.state for one in found.waivers]


@given(st.data())
def test_a_waiver_changes_no_verdict_and_no_rate(data: st.DataObject) -> None:
    """Counts, roots and every figure that is not asked of each case are the same with and without waivers."""
    trials = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=6))
    drawn = tuple(
        case for at, n in enumerate(trials) for case in cases(1, passed=n, failed=5 - n, start=at + 1)
    )
    ids = st.sampled_from([one.case for one in drawn])
    days = st.dates(dt.date(2026, 11, 28), dt.date(2026, 12, 2))
    waivers = tuple(data.draw(st.lists(st.builds(_waiver, ids, days), max_size=4)))
    asking = (_asks(per="suite"), _asks(per="case"))
    without, waived = (decided(drawn, Asking(require=asking, waivers=some)) for some in ((), waivers))
    assert without.counts == waived.counts
    shared = [one for one in without.estimates if not one.slice.startswith("case=")]
    assert [] == [one for one in shared if one not in waived.estimates]
    left = {one.slice: one for one in waived.estimates if one.slice.startswith("case=")}
    whole = {one.slice: one for one in without.estimates}
    assert left == {name: whole[name] for name in left}
    gone = {f"case={one.case}" for one in waivers if one.until >= dt.date(2026, 11, 30)}
    assert {name for name in whole if name.startswith("case=")} - set(left) == gone


def test_a_waiver_changes_no_suite_figure() -> None:
    """Requires over the suite or a capability count a waived case like any other."""
    drawn = cases(10, failed=1)
    waivers = tuple(_waiver(one.case) for one in drawn)
    assert "no-go" == decided(drawn, Asking(waivers=waivers)).decision


def test_waiving_every_case_is_no_go_ahead() -> None:
    """Where all cases are waived nothing is asked, and that is undecided."""
    drawn = cases(2, failed=5)
    waivers = tuple(_waiver(one.case) for one in drawn)
    assert "undecided" == decided(drawn, Asking(require=(_asks(per="case"),), waivers=waivers)).decision


def test_cases_that_were_left_out_are_unmeasured() -> None:
    """A selection cannot make a gate green: what the policy asks about and the run lacks is not measured."""
    hidden = cases(5, start=11, capability="y", failed=1)
    drawn = cases(10, passed=1, capability="x")
    assert "go" == decided(drawn).decision
    found = decided(drawn, Asking(not_run=hidden))
    assert "undecided" == found.decision
    assert "5 of 15 cases are not in this run" in found.reasons[0]
    per = decided(drawn, Asking(require=(_asks(per="capability"),), not_run=hidden))
    assert {"capability=x": "go", "capability=y": "undecided"} == _choices(per)


def test_cases_that_no_require_asks_about_may_be_left_out() -> None:
    """What the policy does not speak of is not missed, but said."""
    drawn, hidden = cases(10, passed=1, capability="x"), cases(5, start=11, capability="y")
    found = decided(drawn, Asking(require=(_asks(where="capability=x"),), not_run=hidden))
    assert "go" == found.decision
    assert "5 cases left out by selection" in found.warnings


def test_an_incomplete_run_is_undecided_even_where_it_looks_bad() -> None:
    """Who stops a run for what it shows decides by looking; each figure still says what it came to."""
    for drawn in (cases(10, passed=1), cases(10, failed=1)):
        found = decided(drawn, Asking(complete=False))
        assert ("undecided", 3) == (found.decision, EXIT_CODES[found.decision])
        assert found.reasons[0].endswith("evalkit resume r1")
        assert "finish the run: evalkit resume r1" == found.changes[0]


def test_verdicts_that_are_missing_or_double_are_undecided() -> None:
    """Verdicts are those of the plan, each once."""
    drawn = cases(10, passed=1)
    rows = list(verdicts_of(drawn))
    for found in (rows[:-1], [*rows, rows[0]]):
        decision = decide(question_of(drawn, Asking(), rows=found))
        assert "undecided" == decision.decision
        assert "verdicts are missing or double" in decision.reasons[0]


@pytest.mark.parametrize(
    ("mode", "choice"), [("mock", "undecided"), ("imported", "undecided"), ("real", "go")]
)
def test_a_release_needs_a_real_run(mode: str, choice: str) -> None:
    """Mock alone is undecided: strategy proven, environment not."""
    found = decided(cases(10, passed=1), Asking(policy={"purpose": "release"}, mode=mode))  # type: ignore[arg-type]
    assert choice == found.decision
    assert (choice == "undecided") == ("strategy proven, environment not" in found.reasons[0])


def test_a_strategy_that_failed_needs_no_environment() -> None:
    """A no-go in mock stays one under purpose release."""
    assert "no-go" == decided(cases(10, failed=1), Asking(policy={"purpose": "release"})).decision


def test_a_policy_for_real_runs_is_not_met_by_a_mock_one() -> None:
    """A run in another mode than the policy asks for decides nothing green, unless a flag said so."""
    asked = {"mode": "real"}
    assert "undecided" == decided(cases(10, passed=1), Asking(policy=asked)).decision
    told = decided(
        cases(10, passed=1), Asking(policy=asked, overrides=("--mode mock instead of the policy's real",))
    )
    assert "go" == told.decision
    assert "--mode mock instead of the policy's real" in told.warnings
    assert ["--mode mock instead of the policy's real"] == told.policy["overrides"]


@pytest.mark.parametrize(
    ("least", "choice"), [(None, "go"), ("static", "go"), ("isolated", "go"), ("live", "undecided")]
)
def test_weak_evidence_decides_nothing(least: str | None, choice: str) -> None:
    """Evidence below `min_grade` may not decide, neither for nor against."""
    policy = {} if least is None else {"min_grade": least}
    assert choice == decided(cases(10, passed=1), Asking(policy=policy)).decision


def test_only_the_evidence_of_the_slice_counts() -> None:
    """Weak evidence of a case that a require does not ask about does not bar it."""
    drawn = cases(10, passed=1, capability="x") + cases(1, passed=1, capability="y", start=11)
    rows = [
        *verdicts_of(drawn[:10]),
        *verdicts_of((Drawn(case="c11", failed=1),), grade="static"),
    ]
    asking = Asking(require=(_asks(where="capability=x"),), policy={"min_grade": "isolated"})
    assert "go" == decide(question_of(drawn, asking, rows=rows)).decision
    whole = Asking(policy={"min_grade": "isolated"})
    assert "undecided" == decide(question_of(drawn, whole, rows=rows)).decision


def test_roots_are_named_where_it_falls() -> None:
    """The reason of a no-go names the roots of its slice, and what to mend is what would change it."""
    drawn = (*cases(6, failed=5, capability="x"), *cases(6, passed=5, capability="y", start=7))
    root = RootSummary(
        stage="answer", cause="missing", cases=tuple(f"c{at}" for at in range(1, 7)), trials=30
    )
    found = decided(drawn, Asking(require=(_asks(per="capability"),), roots=(root,)))
    assert found.reasons[0].endswith("it falls at answer (missing)")
    assert "go: 1 figure of 2 that were asked for" == found.reasons[1]
    assert ("mend answer (missing): 30 trials of 6 cases fall there",) == found.changes
    assert (root,) == found.roots


def test_what_would_be_needed_is_said() -> None:
    """An undecided require says what its sample can prove at best, and how many it would take."""
    found = decided(cases(10, passed=1), Asking(require=(_asks(at_least=0.9),)))
    assert (
        "10 independent cases without a fail prove .741; .900 needs 29 independent cases" in found.changes[0]
    )
    most = Require(metric="solved", statistic="degraded", at_most=0.1)
    mirrored = decided(cases(10, passed=1), Asking(require=(most,)))
    assert (
        "10 independent cases without a hit prove .259; .100 needs 29 independent cases"
        in mirrored.changes[0]
    )
    mixed = decided(
        (*cases(7, passed=1), *cases(1, failed=1, start=8)), Asking(require=(_asks(at_least=0.6),))
    )
    told = "of 8 independent cases 1 has a fail; more independent cases, or no fail in 8 independent cases"
    assert told in mixed.changes[0]


def test_a_go_says_which_figure_is_nearest_to_the_edge() -> None:
    """What would undo a go is worth knowing too."""
    drawn = (*cases(5, passed=1, capability="x"), *cases(9, passed=1, capability="y", start=6))
    found = decided(drawn, Asking(require=(_asks(per="capability"),)))
    assert (
        "nearest to the edge: solved rate, capability x, proven .549 where .500 is asked",
    ) == found.changes


def test_what_was_not_measured_is_acted_upon() -> None:
    """Each unmeasured cause comes with the action that it points to, for the run by name."""
    found = decided((*cases(5, passed=1), *cases(2, unmeasured=1, start=6)))
    action = "fix the environment, then `evalkit retry r1 --errors`"
    assert f"2 trials unmeasured by environment: {action}" in found.changes


def test_two_votes_for_one_cause_are_told() -> None:
    """Two required metrics that fall at the same root get a warning."""
    asked = (HALF, Require(metric="faithful", at_least=0.5))
    found = decided(cases(6, failed=1), Asking(require=asked))
    assert "solved and faithful both fall at answer: one cause, two votes" in found.warnings


def test_defaults_are_told_from_what_was_written() -> None:
    """The decision keeps the whole policy, names of defaults and what each require is about included."""
    found = decided(cases(5, passed=5), Asking(require=(_asks(per="case"),)))
    assert {"purpose", "coverage", "mode", "min_grade"} <= set(found.policy["defaults"])  # type: ignore[call-overload]
    assert "trials" not in found.policy["defaults"]  # type: ignore[operator]
    assert "suite" == found.policy["require"][0]["estimand"]  # type: ignore[index]
    assert "require[0].estimand" in found.policy["defaults"]  # type: ignore[operator]


def test_peer_03_half_of_it_lost_is_undecided() -> None:
    """One case passes, one ends in a provider error, half is asked: coverage .5, .5 to 1, undecided."""
    found = decided((*cases(1, passed=1), *cases(1, unmeasured=1, start=2)))
    assert ("undecided", 3) == (found.decision, EXIT_CODES[found.decision])
    figure = found.estimates[0]
    assert (0.5, 0.5, 1.0) == (figure.coverage, figure.worst, figure.best)
    assert "coverage .500 is below .900; it lies between .500 and 1.000" in found.reasons[0]


def test_peer_16_all_trials_in_error_is_undecided() -> None:
    """Every trial an error: exit 3, and no figure that looks like one."""
    found = decided(cases(5, unmeasured=2))
    assert ("undecided", 3) == (found.decision, EXIT_CODES[found.decision])
    assert (None, 0.0) == (found.estimates[0].value, found.counts.coverage)
    assert {"go": 0, "no-go": 1, "undecided": 3} == EXIT_CODES


def test_peer_22_a_case_that_fails_ten_times_of_ten_is_seen() -> None:
    """A threshold over the suite hides it: the case is named, and the gate can ask per case."""
    drawn = (*cases(40, passed=10), *cases(1, failed=10, start=41))
    whole = decided(drawn)
    assert "go" == whole.decision
    assert "1 of 41 cases never passed: c41" in whole.warnings
    per = decided(drawn, Asking(require=(HALF, _asks(per="case"))))
    assert "no-go" == per.decision
    assert ["case=c41"] == [name for name, choice in _choices(per).items() if choice == "no-go"]
