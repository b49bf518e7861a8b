"""What goes wrong elsewhere while trials run, and what happens here; each under the number of its line."""

from collections.abc import Sequence

import pytest

from evalkit.errors import DependencyError
from evalkit.records.event import Closed, Faulted, ModelReply, Replied, Usage
from evalkit.run.engine import execute_all
from evalkit.run.stop import Stop
from evalkit.world.clock import ManualClock
from tests.agent.fakes import Said, calls, echo, forever, says
from tests.run.fakes import Lab, assignments

DOWN = DependencyError(0, message="connection refused")


def run(lab: Lab, number: int = 1) -> list[Closed]:
    """Run trials; return their closing lines."""
    execute_all(assignments(number), lab.runner, concurrency=2, stop=Stop(lab.clock))
    return [body for body in lab.bodies if isinstance(body, Closed)]


def test_peer_09_a_provider_that_never_started_leaves_no_reply_to_judge() -> None:
    """There is no empty output on which "must not contain" could pass: a fault of the model, and no reply."""
    lab = Lab(said=[DOWN] * 3)
    assert [("fault", "environment")] == [(closed.end, closed.cause) for closed in run(lab)]
    assert not any(isinstance(body, Replied | ModelReply) for body in lab.bodies)


def test_peer_11_a_rate_limit_is_the_environment_after_a_bounded_wait() -> None:
    """However many trials meet it, and whatever it asks for, the run waits ten minutes in all at most."""
    lab = Lab(said=[DependencyError(429, 40.0)] * 3)
    assert {("fault", "environment", "rate")} == {(c.end, c.cause, c.sub) for c in run(lab, 40)}
    assert 600.0 == sum(lab.clock.slept)


@pytest.mark.parametrize("words", ["429 Too Many Requests", "status 429", "rate limit"])
def test_peer_11_a_word_in_a_message_is_no_status_code(words: str) -> None:
    """A model that says 429 has replied, and a fault is a rate limit by its status alone."""
    said = Lab(said=[says(words)])
    assert ["done"] == [closed.end for closed in run(said)]
    broken = Lab(said=[DependencyError(500, message=words)] * 3)
    assert [("environment", None)] == [(closed.cause, closed.sub) for closed in run(broken)]


def test_peer_14_a_trial_that_was_cut_does_not_look_closed() -> None:
    """What was under way when a run was stopped has no closing line, so resume owes it."""
    lab = Lab(said=[forever])
    stop = Stop(ManualClock(), grace=0.0)

    async def thinks(request: object) -> ModelReply:
        stop.ask()
        return await forever(request)

    lab.said = [thinks]
    done = execute_all(assignments(9), lab.runner, concurrency=1, stop=stop)
    assert (1, 0) == (done.begun, done.closed)
    assert "Closed" not in lab.kinds


@pytest.mark.parametrize(
    "said",
    [
        [DependencyError(429), says("x")],
        [DependencyError(429)] * 3,
        [calls("look"), DependencyError(429), says("x")],
        [KeyError("bug")],
    ],
)
def test_peer_15_every_trial_closes_exactly_once(said: Sequence[Said]) -> None:
    """Retries, faults and bugs give one closing line per execution, and it is the last one."""
    lab = Lab(said=said, tools={"look": echo})
    assert 5 == len(run(lab, 5))
    last = {event.execution: event.body for event in lab.events}
    assert all(isinstance(body, Closed) for body in last.values())
    assert 5 == len(last)


def test_peer_20_an_unknown_cost_is_not_nothing() -> None:
    """One reply without a known cost makes the trial's cost unknown; known buckets still sum."""
    priced = ModelReply(calls=calls("look").calls, usage=Usage(input=5, output=1, cost_usd=0.5))
    lab = Lab(said=[priced, ModelReply(text="x", usage=Usage(input=2, output=1))], tools={"look": echo})
    assert [Usage(input=7, output=2)] == [closed.usage for closed in run(lab)]


def test_a_fault_of_the_world_never_closes_as_the_agents_end() -> None:
    """Whatever breaks beside the agent closes as a fault with its cause, never as done, limit or crash."""
    for opening in ([DOWN] * 3, [ValueError("bug")]):
        lab = Lab(opening=opening)
        assert ["fault"] == [closed.end for closed in run(lab)]
        assert all(body.cause for body in lab.bodies if isinstance(body, Faulted | Closed))
