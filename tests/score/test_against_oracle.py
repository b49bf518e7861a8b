"""Every verdict of random trials against the oracle, which was written from the verdict page alone."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

import pytest
from hypothesis import given, settings

from evalkit.records.verdict import Verdict
from tests.oracle import model
from tests.oracle.drawing import EVERYTHING, Shape
from tests.oracle.strategies import seeded_trials, trials
from tests.oracle.trial import judge_trial
from tests.score.translation import representable, verdicts_of

MANY = 1_500
"""Trials by seed in every run: about three seconds."""


class Said(NamedTuple):
    """What both readings say of one stage or metric."""

    name: str
    outcome: str
    cause: str
    sub: str
    cause_class: str
    reason: str
    naming: str
    roots: tuple[str, ...]
    inherited: bool
    state: str
    degraded: bool


def by_oracle(trial: model.Trial) -> list[Said]:
    """What the oracle says, in the suite's order."""
    result = judge_trial(trial)
    stages = [
        _said(name, found.verdict, degraded=result.degraded)._replace(
            reason="out_of_order" if found.out_of_order else found.verdict.reason, state=found.state
        )
        for name, found in result.stages.items()
    ]
    return stages + [
        _said(name, verdict, degraded=result.degraded) for name, verdict in result.metrics.items()
    ]


def _said(name: str, verdict: model.Verdict, *, degraded: bool) -> Said:
    return Said(
        name=name,
        outcome=verdict.outcome,
        cause=verdict.cause,
        sub=verdict.sub,
        cause_class=verdict.cause_class,
        reason=verdict.reason,
        naming=verdict.naming,
        roots=verdict.roots,
        inherited=verdict.inherited,
        state="",
        degraded=degraded,
    )


def by_evalkit(trial: model.Trial) -> list[Said]:
    """What evalkit says, in the order of its verdicts."""
    return [_of(verdict) for verdict in verdicts_of(trial)]


def _of(verdict: Verdict) -> Said:
    return Said(
        name=verdict.name,
        outcome=verdict.outcome,
        cause=verdict.cause or "",
        sub=verdict.sub or "",
        cause_class=verdict.cause_class or "",
        reason="" if verdict.reason in (None, "check") else str(verdict.reason),
        naming=verdict.emptied_by or "",
        roots=verdict.roots,
        inherited=verdict.inherited,
        state=(verdict.state or "").replace("_", " "),
        degraded=verdict.degraded,
    )


@pytest.mark.parametrize("seed", range(5))
def test_many_trials_are_judged_as_the_oracle_judges_them(seed: int) -> None:
    """Outcome, cause, class, reason, roots, inheritance, state and degradation agree in every drawn trial."""
    for drawn in seeded_trials(MANY // 5, seed=seed):
        trial = representable(drawn)
        assert by_oracle(trial) == by_evalkit(trial), trial


@pytest.mark.parametrize("seed", range(5))
def test_many_conversations_are_judged_as_the_oracle_judges_them(seed: int) -> None:
    """The same where the turns ask of their own, the turn of every stage's verdict included."""
    for drawn in seeded_trials(MANY // 5, seed=seed, shape=Shape(turns=True)):
        trial = representable(drawn)
        assert by_oracle(trial) == by_evalkit(trial), trial
        assert _turns_by_oracle(trial) == _turns_by_evalkit(trial), trial


def _turns_by_oracle(trial: model.Trial) -> dict[str, int]:
    return {name: found.turn for name, found in judge_trial(trial).stages.items()}


def _turns_by_evalkit(trial: model.Trial) -> dict[str, int]:
    told = {v.name: re.match(r"turn (\d+): ", v.message) for v in verdicts_of(trial) if v.of == "stage"}
    return {name: int(found[1]) if found else 0 for name, found in told.items()}


@settings(max_examples=200)
@given(trials(Shape(turns=True)))
def test_a_conversation_is_judged_as_the_oracle_judges_it(drawn: model.Trial) -> None:
    """The same, with examples that shrink."""
    trial = representable(drawn)
    assert by_oracle(trial) == by_evalkit(trial)


@settings(max_examples=200)
@given(trials())
def test_a_trial_is_judged_as_the_oracle_judges_it(drawn: model.Trial) -> None:
    """The same, with examples that shrink."""
    trial = representable(drawn)
    assert by_oracle(trial) == by_evalkit(trial)


@pytest.mark.nightly
def test_very_many_trials_are_judged_as_the_oracle_judges_them() -> None:
    """The same at night, over tens of thousands of new trials."""
    seed = random.SystemRandom().randrange(2**32)
    for shape in (EVERYTHING, Shape(turns=True)):
        for drawn in seeded_trials(20_000, seed=seed, shape=shape):
            trial = representable(drawn)
            assert by_oracle(trial) == by_evalkit(trial), (seed, trial)
