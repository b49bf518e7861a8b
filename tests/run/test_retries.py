"""Retries below the agent, their two budgets, and which trials may be attempted again."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import DependencyError, SuiteBug
from evalkit.records.verdict import Cause, CauseClass, Outcome, Verdict
from evalkit.run.retries import Retries, RetryBudget, RetryPolicy, next_attempts
from evalkit.world.clock import ManualClock

DOWN = DependencyError(503)


class Flaky:
    """A dependency that raises what it was given, and then answers."""

    def __init__(self, errors: Sequence[Exception]) -> None:
        self.errors = list(errors)
        self.asked = 0

    async def __call__(self) -> str:
        """Raise the next error, or answer."""
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def ask(flaky: Flaky, clock: ManualClock, budget: RetryBudget, policy: RetryPolicy | None = None) -> str:
    """Ask once with retries."""

    async def work() -> str:
        return await Retries(policy or RetryPolicy(), budget, clock)(flaky)

    return asyncio.run(work())


def test_two_retries_with_doubling_waits() -> None:
    """A dependency that is back at the third attempt costs two waits."""
    clock = ManualClock()
    assert "answer" == ask(Flaky([DOWN, DOWN]), clock, RetryBudget())
    assert [1.0, 2.0] == clock.slept


def test_after_the_retries_the_last_error_comes_out() -> None:
    """Three attempts in all, and then it is broken."""
    flaky, last = Flaky([DOWN, DOWN, DependencyError(429)]), ManualClock()
    with pytest.raises(DependencyError) as raised:
        ask(flaky, last, RetryBudget())
    assert 429 == raised.value.status
    assert 3 == flaky.asked


def test_retry_after_lengthens_a_wait_and_never_shortens_it() -> None:
    """The dependency's own wish counts where it is longer than ours."""
    clock = ManualClock()
    ask(Flaky([DependencyError(429, 30.0), DependencyError(429, 0.1)]), clock, RetryBudget())
    assert [30.0, 2.0] == clock.slept


@pytest.mark.parametrize("error", [DependencyError(400), DependencyError(404), SuiteBug("wrong")])
def test_what_does_not_pass_is_not_asked_again(error: Exception) -> None:
    """A wrong request stays wrong, and a bug of the suite is no weather."""
    flaky = Flaky([error])
    with pytest.raises(type(error)):
        ask(flaky, ManualClock(), RetryBudget())
    assert 1 == flaky.asked


@pytest.mark.parametrize("wish", [61.0, float("inf")])
def test_a_wait_beyond_the_trials_budget_is_not_begun(wish: float) -> None:
    """A trial waits 60 seconds in all at most; a wish for more is an error at once, and costs nothing."""
    clock, budget = ManualClock(), RetryBudget()
    with pytest.raises(DependencyError):
        ask(Flaky([DependencyError(429, wish)]), clock, budget)
    assert [] == clock.slept
    assert 600.0 == budget.left


def test_the_budget_of_the_run_is_shared_and_ends() -> None:
    """Ten minutes over all trials; then errors come out without waiting."""
    clock, budget = ManualClock(), RetryBudget()
    for _ in range(10):
        assert "answer" == ask(Flaky([DependencyError(429, 60.0)]), clock, budget)
    with pytest.raises(DependencyError):
        ask(Flaky([DependencyError(429, 60.0)]), clock, budget)
    assert 600.0 == sum(clock.slept)


@given(st.lists(st.floats(min_value=0, max_value=500) | st.just(float("nan")), max_size=60))
def test_no_row_of_wishes_waits_beyond_the_budgets(wishes: list[float]) -> None:
    """Whatever dependencies ask for, one trial waits 60 seconds at most, and the clock shows it."""
    clock, budget = ManualClock(), RetryBudget(100.0)

    async def work() -> None:
        retries = Retries(RetryPolicy(retries=100), budget, clock)
        flaky = Flaky([DependencyError(429, wish) for wish in wishes])
        while flaky.errors:
            try:
                await retries(flaky)
            except DependencyError:
                continue

    asyncio.run(work())
    assert clock.now() <= 60.0
    assert budget.left == pytest.approx(100.0 - clock.now())


def verdict(
    index: int,
    outcome: Outcome,
    cause: Cause | None = None,
    cause_class: CauseClass | None = None,
    name: str = "refunded",
) -> Verdict:
    """A verdict on a metric."""
    return Verdict(
        index=index,
        case="c",
        arm="champion",
        trial=index,
        attempt=1,
        of="metric",
        name=name,
        outcome=outcome,
        cause=cause,
        cause_class=cause_class,
    )


def test_only_trials_of_which_nothing_decides_may_be_attempted_again() -> None:
    """Unmeasured by the deciding primary: yes. Passed, failed or explained: never, whatever else is open."""
    rows = [
        verdict(0, "pass"),
        verdict(0, "error", "environment", "unmeasured", name="tone"),
        verdict(1, "fail"),
        verdict(2, "error", "environment", "unmeasured"),
        verdict(3, "error", "upstream_failed", "explained"),
        verdict(4, "error", "not_required", "not_asked"),
        verdict(5, "error", "harness", "unmeasured"),
    ]
    assert {2: 2, 5: 2} == next_attempts(rows, "refunded")
    assert {2: 2, 5: 2} == next_attempts(reversed(rows), "refunded")
