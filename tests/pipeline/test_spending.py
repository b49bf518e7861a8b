"""A budget ends a run before it is overspent by more than what is under way, and says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import InputError
from evalkit.pipeline.spending import NO_BUDGET, RunBudget, Spending, refuse_unpriced
from evalkit.records.arm import Arm
from evalkit.records.event import Event, ModelReply, Usage
from evalkit.world.clock import ManualClock


def arm(prices: dict[str, float] | None) -> Arm:
    """Return a scripted arm with such prices."""
    return Arm.model_validate({"arm": "a", "model": {"replies": [{"reply": "x"}]}, "prices": prices})


def reply(cost: float | None) -> Event:
    """Return a model reply of such a cost; None: unknown."""
    usage = None if cost is None else Usage(input=1, cost_usd=cost)
    return Event(execution="e", seq=1, body=ModelReply(text="x", usage=usage))


def begun(budget: RunBudget, costs: list[float | None]) -> tuple[int, str]:
    """Return how many of so many trials are begun one after the other, and what ended them."""
    spending = Spending(budget, ManualClock())
    sink = spending.watching(lambda _event: None)
    number = 0
    for cost in spending.within(costs):
        sink(reply(cost))
        number += 1
    return number, spending.ended_by


@given(st.lists(st.floats(0.001, 1.0), max_size=30), st.floats(0.01, 5.0))
def test_nothing_begins_once_the_money_is_spent(costs: list[float], usd: float) -> None:
    """All but the last begun trial together cost less than the budget; a trial left over says why."""
    number, why = begun(RunBudget(usd=usd), list(costs))
    assert sum(costs[: number - 1]) < usd
    assert (number < len(costs)) == bool(why)
    assert number == len(costs) or sum(costs[:number]) >= usd - 1e-8


def test_a_reply_of_unknown_cost_ends_the_run() -> None:
    """What is not known is not nothing: nothing new begins after a reply whose cost nobody told."""
    expected = (2, "a reply of unknown cost under a budget of 9.00 USD")
    assert expected == begun(RunBudget(usd=9.0), [0.5, None, 0.5])


def test_without_a_budget_everything_begins() -> None:
    """Neither money nor time ends a run that has no budget."""
    assert (3, "") == begun(NO_BUDGET, [None, 1e9, None])


def test_minutes_are_those_of_the_clock() -> None:
    """A budget of two minutes lets a trial begin at 1:59 and none at 2:00."""
    clock = ManualClock()
    spending = Spending(RunBudget(minutes=2.0), clock)
    seen = []
    for trial in spending.within(range(9)):
        seen.append(trial)
        clock.advance(59.5 if trial else 60.0)
    assert [0, 1, 2] == seen
    assert "budget of 2 min reached" == spending.ended_by


def test_a_budget_that_ends_with_the_plan_ends_nothing() -> None:
    """Where the last trial spends the last cent nothing was left out, and nothing is said."""
    assert (2, "") == begun(RunBudget(usd=1.0), [0.5, 0.5])


def test_ten_times_a_tenth_is_one() -> None:
    """A budget of a dollar pays for ten trials of ten cents, not for eleven."""
    assert (10, "budget of 1.00 USD reached") == begun(RunBudget(usd=1.0), [0.1] * 12)


def test_what_is_spent_is_told() -> None:
    """The line has both limits, and is empty without any."""
    clock = ManualClock()
    spending = Spending(RunBudget(usd=2.0, minutes=10.0), clock)
    spending.watching(lambda _event: None)(reply(1.25))
    clock.advance(90.0)
    assert "; spent 1.25 of 2.00 USD, 1.5 of 10 min" == spending.line()
    assert "" == Spending(NO_BUDGET, clock).line()


def test_dollars_without_prices_are_refused() -> None:
    """Every arm without prices is named; minutes need none."""
    arms = {"cheap": arm({"input": 1.0}), "one": arm(None), "two": arm(None)}
    with pytest.raises(InputError) as caught:
        refuse_unpriced(RunBudget(usd=1.0), arms)
    assert ["arms/one.yaml", "arms/two.yaml"] == [problem.file for problem in caught.value.problems]
    refuse_unpriced(RunBudget(minutes=1.0), arms)
    refuse_unpriced(RunBudget(usd=1.0), {"cheap": arms["cheap"]})


def test_the_flags_can_be_typed_again() -> None:
    """What a budget was said with is what going on is said with."""
    assert "--budget-usd 2.5 --budget-minutes 3" == RunBudget(usd=2.5, minutes=3.0).flags
    assert "" == NO_BUDGET.flags
