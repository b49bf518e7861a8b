"""The spread of what trials used: the unknown is counted, and never 0."""

from __future__ import annotations

from evalkit.diagnose.spending import Spending
from evalkit.records.document import Spread
from evalkit.records.event import Timing, Usage


def _named(spending: Spending) -> dict[str, Spread]:
    return {one.name: one for one in spending.spreads()}


def test_the_agent_s_time_is_model_and_tools_without_the_queue() -> None:
    """The percentiles of `agent` are those of model plus tool seconds."""
    spending = Spending()
    for seconds in (1.0, 2.0, 3.0, 4.0):
        spending.add(Timing(model=seconds, tool=1.0, queue=50.0), None)
    agent = _named(spending)["agent"]
    assert (4, 0, 14.0, 3.5) == (agent.n, agent.unknown, agent.total, agent.p50)


def test_an_unknown_bucket_makes_the_tokens_of_a_trial_unknown() -> None:
    """A sum with an unknown part is unknown, and counted as such."""
    spending = Spending()
    spending.add(None, Usage(input=5, cache_read=0, cache_write=0, output=3))
    spending.add(None, Usage(input=5, output=3))
    tokens = _named(spending)["tokens"]
    assert (1, 1, 8.0) == (tokens.n, tokens.unknown, tokens.total)


def test_of_nothing_known_there_is_no_figure() -> None:
    """A run that tells no cost has no cost of 0."""
    spending = Spending()
    spending.add(None, None)
    cost = _named(spending)["cost"]
    assert (0, 1, None, None, None) == (cost.n, cost.unknown, cost.total, cost.p50, cost.p99)
