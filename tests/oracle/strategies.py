"""Random suites, cases and trials for property tests: as hypothesis strategies, and by the seed.

The strategies shrink; the seeds are many times faster, for comparing two readings over thousands of trials.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from tests.oracle.drawing import EVERYTHING, Chance, Shape, make_case, make_suite, make_trial, make_trial_of
from tests.oracle.model import Case, Suite, Trial


@lru_cache(maxsize=64)
def _integers_below(number: int) -> st.SearchStrategy[int]:
    """One strategy for each bound: making them anew would cost more than all else."""
    return st.integers(0, number - 1)


def _chance(draw: st.DrawFn) -> Chance:
    return Chance(lambda number: draw(_integers_below(number)))


@st.composite
def suites(draw: st.DrawFn, shape: Shape = EVERYTHING) -> Suite:
    """Draw a suite of one to seven stages and one to five metrics."""
    return make_suite(_chance(draw), shape)


@st.composite
def cases(draw: st.DrawFn, suite: Suite, name: str = "case", shape: Shape = EVERYTHING) -> Case:
    """Draw what a case asks of a suite."""
    return make_case(_chance(draw), suite, name, shape)


@st.composite
def trials_of(draw: st.DrawFn, suite: Suite, case: Case, shape: Shape = EVERYTHING) -> Trial:
    """Draw one trial of a case."""
    return make_trial_of(_chance(draw), suite, case, shape)


@st.composite
def trials(draw: st.DrawFn, shape: Shape = EVERYTHING) -> Trial:
    """Draw a suite, a case and one trial of it."""
    return make_trial(_chance(draw), shape)


def seeded_trials(number: int, seed: int = 0, shape: Shape = EVERYTHING) -> Iterator[Trial]:
    """Give so many trials that are the same for the same seed."""
    chance = Chance(Random(seed).randrange)
    for _ in range(number):
        yield make_trial(chance, shape)
