"""Laws that hold for whatever the strategies draw, and proof that they draw every row of the table."""

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings

from tests.oracle.drawing import Shape
from tests.oracle.finding import NOT_MEASURES
from tests.oracle.limits import last_rows_fit
from tests.oracle.model import Raw, Suite, Trace, Trial, TrialResult, Verdict
from tests.oracle.strategies import seeded_trials, trials
from tests.oracle.taints import undeclared_faults
from tests.oracle.trial import judge_trial

DRAWS = 800
"""Enough that the rarest row (the eighth) comes up several times over."""

WANTED = frozenset(
    {f"row {number}" for number in range(1, 13)}
    | {"metric pass ", "metric fail ", "metric error not_observed"}
    | {f"metric error {cause}" for cause in NOT_MEASURES if cause}
    | {f"metric error {cause}" for cause in ("environment", "fixture_missing", "broken_case", "harness")}
    | {f"reason {reason}" for reason in ("missing", "empty", "forbidden", "out_of_order")}
    | {f"state {state}" for state in ("ok", "soft", "failed", "not examined")}
    | {"degraded True", "degraded False", "emptied explained", "emptied not_asked"}
    | {"stage below what a fault emptied", "metric below what a fault emptied"}
)
RARE = frozenset({"explained before an allowed emptiness"})
"""One trial in a hundred: only the seeds draw enough of them."""


def features(trial: Trial) -> list[str]:
    """Name what the verdicts of a trial show of the page."""
    result = judge_trial(trial)
    seen = [f"degraded {result.degraded}"]
    for stage in result.stages.values():
        seen += [f"row {stage.row}", f"reason {stage.verdict.reason}", f"state {stage.state}"]
        if stage.verdict.cause == "upstream_empty":
            seen.append(f"emptied {stage.verdict.cause_class}")
    seen += starved(trial, result)
    return seen + [f"metric {verdict.outcome} {verdict.cause}" for verdict in result.metrics.values()]


def starved(trial: Trial, result: TrialResult) -> list[str]:
    """Name what stands below an emptiness that is not simply the first empty need's."""
    broken = {name for name, found in result.stages.items() if found.row == 2 and found.verdict.cause}
    allowed = {name for name, found in result.stages.items() if found.row == 2 and not found.verdict.roots}
    needs = {stage.name: (result.stages[stage.name].verdict, stage.needs) for stage in trial.suite.stages}
    asked = {
        metric.name: (result.metrics[metric.name], metric.needs or (metric.stage,))
        for metric in trial.suite.metrics
        if metric.name in result.metrics
    }
    seen = []
    for what, verdicts in (("stage", needs), ("metric", asked)):
        for verdict, needed in verdicts.values():
            if verdict.cause_class == "unmeasured" and broken & set(needed):
                seen.append(f"{what} below what a fault emptied")
            if verdict.cause == "upstream_empty" and verdict.roots and (allowed - broken) & set(needed):
                seen.append("explained before an allowed emptiness")
    return seen


def test_the_strategies_hit_every_row_of_the_table() -> None:
    """A property test over these trials leaves no row of the table unread."""
    hit: Counter[str] = Counter()

    @settings(max_examples=DRAWS, derandomize=True, database=None, deadline=None)
    @given(trials())
    def draw(trial: Trial) -> None:
        hit.update(features(trial))

    draw()
    assert frozenset() == WANTED - set(hit)


def test_the_seeds_hit_every_row_of_the_table_often() -> None:
    """Nothing of the page is so rare that a comparison over some thousand seeded trials would miss it."""
    hit: Counter[str] = Counter()
    for trial in seeded_trials(3000):
        hit.update(features(trial))
    assert frozenset() == {wanted for wanted in WANTED | RARE if hit[wanted] < 20}


def test_the_same_seed_makes_the_same_trials() -> None:
    """A difference that was found once is found again."""
    assert list(seeded_trials(20, seed=7)) == list(seeded_trials(20, seed=7))


def all_verdicts(trial: Trial) -> list[Verdict]:
    """Give the verdicts of every stage and every metric."""
    result = judge_trial(trial)
    return [*(stage.verdict for stage in result.stages.values()), *result.metrics.values()]


@given(trials())
def test_every_stage_and_every_fed_metric_has_one_verdict(trial: Trial) -> None:
    """Nothing leaves the count, and what the case does not feed does not enter it."""
    result = judge_trial(trial)
    assert {stage.name for stage in trial.suite.stages} == set(result.stages)
    assert trial.case.feeds == set(result.metrics)


@given(trials())
def test_a_verdict_has_exactly_the_parts_of_its_outcome(trial: Trial) -> None:
    """A pass carries nothing, an error has a cause and its class, and only emptiness names a stage."""
    for verdict in all_verdicts(trial):
        assert (verdict.outcome == "error") == bool(verdict.cause) == bool(verdict.cause_class)
        assert bool(verdict.naming) == (verdict.cause == "upstream_empty")
        if verdict.outcome == "pass":
            assert Verdict("pass") == verdict
        if verdict.outcome == "error":
            assert bool(verdict.roots) == (verdict.cause_class == "explained")


@given(trials())
def test_a_stages_fail_has_a_reason_and_roots(trial: Trial) -> None:
    """A fail is a root itself or hangs on one, never both."""
    result = judge_trial(trial)
    for name, stage in result.stages.items():
        failed = stage.verdict.outcome == "fail"
        assert failed == bool(stage.verdict.reason)
        if failed:
            assert set() < set(stage.verdict.roots) <= set(result.root_stages)
            assert stage.verdict.inherited == (name not in result.root_stages)


@given(trials())
def test_where_anything_but_an_observed_metric_fails_there_is_a_root(trial: Trial) -> None:
    """The board is red exactly where something failed."""
    result = judge_trial(trial)
    told = [
        result.metrics[metric.name].outcome
        for metric in trial.suite.metrics
        if metric.tier != "observe" and metric.name in result.metrics
    ]
    told += [stage.verdict.outcome for stage in result.stages.values()]
    assert ("fail" in told) == bool(result.root_stages)


@given(trials())
def test_the_last_two_rows_fit_what_the_others_leave(trial: Trial) -> None:
    """The set among which a limit picks its stage is worked apart from the table, and agrees with it."""
    result = judge_trial(trial)
    fitted = {name for name, stage in result.stages.items() if stage.row in (11, 12)}
    assert fitted == {stage.name for stage in trial.suite.stages if last_rows_fit(trial, stage)}


@given(trials(Shape(limits=False)))
def test_the_written_order_of_stages_moves_no_outcome(trial: Trial) -> None:
    """Only the choice among causes of one class, and the order of lists, may follow the suite's order."""
    turned = Suite(tuple(reversed(trial.suite.stages)), trial.suite.metrics)
    before, after = judge_trial(trial), judge_trial(replace(trial, suite=turned))
    for name, stage in before.stages.items():
        other = after.stages[name]
        assert (stage.row, stage.state, stage.verdict.outcome) == (
            other.row,
            other.state,
            other.verdict.outcome,
        )
        assert stage.verdict.cause_class == other.verdict.cause_class
        assert set(stage.verdict.roots) == set(other.verdict.roots) or stage.row == 8
    for name, metric in before.metrics.items():
        assert (metric.outcome, metric.cause_class) == (
            after.metrics[name].outcome,
            after.metrics[name].cause_class,
        )
    assert set(before.root_stages) == set(after.root_stages)
    assert before.degraded == after.degraded


@given(trials())
def test_without_undeclared_faults_and_blind_spots_nothing_is_unmeasured(trial: Trial) -> None:
    """An agent's failure is never excused as an error."""
    faults = {fault.position for fault in undeclared_faults(trial.trace)}
    clean = tuple(event for at, event in enumerate(trial.trace.events) if at not in faults)
    told: dict[str, Raw] = {name: "pass" if said == "pass" else "fail" for name, said in trial.raw.items()}
    verdicts = all_verdicts(replace(trial, trace=Trace(clean), raw=told))
    assert [] == [verdict for verdict in verdicts if verdict.cause_class == "unmeasured"]
