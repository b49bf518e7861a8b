"""Laws that hold for every trial: what is planned is what is reported, and order changes nothing."""

from __future__ import annotations

import random
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from evalkit.facts.derive import derive
from evalkit.records.checks import Expectation
from evalkit.records.fact import FactSheet
from evalkit.records.verdict import Verdict
from evalkit.score.finding import CheckView, Finding
from evalkit.score.scorer import Scorer
from tests.oracle import model
from tests.oracle.drawing import Shape
from tests.oracle.strategies import seeded_trials, trials
from tests.score.building import planned
from tests.score.translation import examine_by, representable, suite_of, trace_of

TALK = Shape(turns=True)
"""Conversations whose turns ask of their own."""

SAYS = st.sampled_from(("pass", "fail", "unseen", "raises", "nonsense"))


def sheet_of(trial: model.Trial) -> FactSheet:
    """The facts of a drawn trial."""
    suite = suite_of(trial)
    return derive(suite, suite.cases[0], trace_of(trial))


@given(trials() | trials(TALK), st.lists(SAYS, min_size=5, max_size=5), st.booleans())
def test_every_planned_metric_has_exactly_one_verdict(
    drawn: model.Trial,
    says: list[str],
    closed: bool,  # noqa: FBT001
) -> None:
    """n_pass + n_fail + n_error = n_planned, whatever the checks do and however the trial ended."""
    trial = representable(drawn)
    suite = suite_of(trial)

    def examine(entry: Expectation, view: CheckView) -> Finding:
        said = says[int(entry.metric[1:])]
        if said == "raises":
            raise ValueError(said)
        if said == "nonsense":
            return None  # type: ignore[return-value]
        return Finding(held={"pass": True, "fail": False, "unseen": None}[said], cause="not_observed")

    verdicts = Scorer(suite, {}, examine)(planned(), sheet_of(trial) if closed else None)
    names = [(v.of, v.name) for v in verdicts]
    expected = [("stage", stage.name) for stage in suite.stages]
    expected += [("metric", metric.name) for metric in suite.metrics_of(suite.cases[0])]
    assert expected == names
    for verdict in verdicts:
        assert (
            (verdict.outcome == "error") == (verdict.cause is not None) == (verdict.cause_class is not None)
        )
        assert verdict.outcome in ("pass", "fail", "error")
        assert verdict.message or verdict.of == "metric"


def test_explained_errors_have_roots_that_fail() -> None:
    """Explained means: the agent's own doing, shown red at its root."""
    for drawn in chain(seeded_trials(500, seed=11), seeded_trials(500, seed=11, shape=TALK)):
        trial = representable(drawn)
        suite = suite_of(trial)
        verdicts = Scorer(suite, {}, examine_by(trial))(planned(), sheet_of(trial))
        places = {metric.name: metric.stage for metric in suite.metrics}
        red = {v.name if v.of == "stage" else places[v.name] for v in verdicts if v.outcome == "fail"}
        for verdict in verdicts:
            if verdict.cause_class == "explained":
                assert verdict.roots
                assert set(verdict.roots) <= red, trial


def _key(verdict: Verdict) -> tuple[object, ...]:
    named = (verdict.of, verdict.name, verdict.outcome, verdict.cause, verdict.sub, verdict.reason)
    return (
        *named,
        verdict.inherited,
        verdict.emptied_by,
        verdict.cause_class,
        verdict.degraded,
        verdict.state,
        frozenset(verdict.roots),
    )


def test_the_order_in_which_metrics_and_entries_are_written_changes_nothing() -> None:
    """Metrics and entries may be shuffled; each keeps its verdict."""
    chance = random.Random(3)
    for drawn in seeded_trials(300, seed=12):
        trial = representable(drawn)
        suite = suite_of(trial)
        case = suite.cases[0]
        shuffled = suite.model_copy(
            update={
                "metrics": tuple(chance.sample(suite.metrics, len(suite.metrics))),
                "cases": (
                    case.model_copy(update={"expect": tuple(chance.sample(case.expect, len(case.expect)))}),
                ),
            }
        )
        sheet = sheet_of(trial)
        told = {_key(v) for v in Scorer(suite, {}, examine_by(trial))(planned(), sheet)}
        assert told == {_key(v) for v in Scorer(shuffled, {}, examine_by(trial))(planned(), sheet)}


def test_the_order_in_which_stages_are_written_changes_no_outcome_without_a_limit() -> None:
    """The suite's order only chooses among causes of one class, and the stage that a limit stopped."""
    chance = random.Random(4)
    for drawn in seeded_trials(300, seed=13):
        trial = representable(drawn)
        if any(isinstance(event, model.LimitStop) for event in trial.trace.events):
            continue
        suite = suite_of(trial)
        shuffled = suite.model_copy(update={"stages": tuple(chance.sample(suite.stages, len(suite.stages)))})
        sheet = sheet_of(trial)
        told = {v.name: v.outcome for v in Scorer(suite, {}, examine_by(trial))(planned(), sheet)}
        other = {v.name: v.outcome for v in Scorer(shuffled, {}, examine_by(trial))(planned(), sheet)}
        assert told == other


def test_scoring_again_gives_the_same() -> None:
    """The same facts always give the same verdicts, from a scorer that judged others in between."""
    for first, second in zip(seeded_trials(50, seed=14), seeded_trials(50, seed=15), strict=True):
        one = representable(first)
        scorer = Scorer(suite_of(one), {}, examine_by(one))
        before = scorer(planned(), sheet_of(one))
        scorer(planned(), sheet_of(representable(second)))
        assert before == scorer(planned(), sheet_of(one))
