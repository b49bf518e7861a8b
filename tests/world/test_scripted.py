"""Scripted models."""

import asyncio
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import DependencyError, SuiteBug
from evalkit.records.arm import Arm
from evalkit.records.case import Case, Step
from evalkit.records.event import ModelReply, Usage
from evalkit.records.ports import Assignment, Model, ModelRequest
from evalkit.world.clock import ManualClock
from evalkit.world.scripted import PolicyModel, Script, Scripted, StepsModel, grouped
from tests.world import shop

LOOK: dict[str, object] = {"call": {"tool": "look", "args": {"id": "A"}}}
DONE: dict[str, object] = {"reply": "done"}


def _arm(**model: object) -> Arm:
    return Arm.model_validate({"arm": "a", "model": model})


def _replies(model: Model, count: int, *, turn: int = 0) -> list[ModelReply]:
    async def ask() -> list[ModelReply]:
        return [await model.reply(ModelRequest(messages=(), step=step, turn=turn)) for step in range(count)]

    return asyncio.run(ask())


def _steps(*steps: dict[str, object]) -> tuple[Step, ...]:
    return tuple(Step.model_validate(step) for step in steps)


def _model(arm: Arm, case: Case | None = None, clock: ManualClock | None = None) -> Model:
    functions = {"policies.py:p": lambda request, rng: [{"reply": f"{request.step} {rng.random()}"}]}
    one = Assignment(trial=shop.trial(), case=case or shop.case(), arm=arm)
    return Scripted(functions, clock or ManualClock())(one)


def test_a_run_of_calls_is_one_reply() -> None:
    """Consecutive calls form one reply with several calls, whose ids are unique in the trial."""
    first, second, third = _replies(_model(_arm(replies=[LOOK, LOOK, DONE, LOOK])), 3)
    assert [("look", '{"id": "A"}')] * 2 == [(call.tool, call.raw) for call in first.calls]
    assert ("tool_use", None) == (first.stop, first.text)
    assert ("stop", "done", ()) == (second.stop, second.text, second.calls)
    ids = [call.id for reply in (first, second, third) for call in reply.calls]
    assert 3 == len(set(ids))


def test_usage_and_time_are_unknown_unless_given() -> None:
    """No tokens are invented; a reply without a delay has no model time."""
    (reply,) = _replies(_model(_arm(replies=[DONE])), 1)
    assert (None, None) == (reply.usage, reply.timing)


def test_a_reply_pretends_the_usage_that_is_written() -> None:
    """What a step says was spent is spent by its reply, once; what it leaves out stays unknown."""
    steps = [LOOK, {**LOOK, "usage": {"input": 30, "output": 2}}, {**DONE, "usage": {"cost_usd": 0.25}}]
    first, second = _replies(_model(_arm(replies=steps)), 2)
    assert (Usage(input=30, output=2), Usage(cost_usd=0.25)) == (first.usage, second.usage)


def test_a_delay_begins_a_reply_and_is_waited_out() -> None:
    """Time passes on the injected clock, and is model time."""
    clock = ManualClock()
    model = _model(_arm(replies=[LOOK, {**LOOK, "delay_ms": 1500}, LOOK]), clock=clock)
    first, second = _replies(model, 2)
    assert (1, 2, [1.5]) == (len(first.calls), len(second.calls), clock.slept)
    assert second.timing is not None
    assert 1.5 == second.timing.model


def test_a_stop_ends_a_reply_and_overrides_its_reason() -> None:
    """A truncated reply can be played, and what follows is another reply."""
    first, second = _replies(_model(_arm(replies=[{**LOOK, "stop": "length"}, LOOK])), 2)
    assert ("length", 1, "tool_use", 1) == (first.stop, len(first.calls), second.stop, len(second.calls))


def test_text_arguments_pass_raw() -> None:
    """Malformed arguments reach the loop as they were written."""
    (reply,) = _replies(_model(_arm(replies=[{"call": {"tool": "t", "args": '{"a": 1,'}}])), 1)
    assert '{"a": 1,' == reply.calls[0].raw


def test_an_object_reply_is_data() -> None:
    """Objects, lists and numbers are data, text is text; no word is lost."""
    found = _replies(
        _model(_arm(replies=[{"reply": {"status": "退款"}}, {"reply": "退款"}, {"reply": 7}])), 3
    )
    assert [(None, {"status": "退款"}), ("退款", None), (None, 7)] == [(r.text, r.data) for r in found]


def test_replies_may_stand_per_case() -> None:
    """A case has its own replies, all others those of `*`; where neither is there, the suite is wrong."""
    replies = {"c": [DONE], "*": [{"reply": "any"}]}
    arm = _arm(replies=replies)
    assert "done" == _replies(_model(arm), 1)[0].text
    assert "any" == _replies(_model(arm, shop.case(id="other")), 1)[0].text
    with pytest.raises(SuiteBug, match="neither for case c"):
        _model(_arm(replies={"x": [DONE]}))


def test_a_solution_answers_for_its_case() -> None:
    """The reference solution is a model like any other, if the case has one."""
    arm = _arm(solution=True)
    assert "done" == _replies(_model(arm, shop.case(solution=[DONE])), 1)[0].text
    with pytest.raises(SuiteBug, match="case c has no reference solution"):
        _model(arm)


def test_written_replies_that_are_used_up_are_the_suites_bug() -> None:
    """Silence that nobody wrote would look like an answer."""
    with pytest.raises(SuiteBug, match="used up after 1"):
        _replies(_model(_arm(replies=[DONE])), 2)


def test_every_trial_has_a_model_of_its_own() -> None:
    """Replies start from the first in each trial."""
    arm = _arm(replies=[DONE])
    assert ["done", "done"] == [_replies(_model(arm), 1)[0].text for _ in range(2)]


def test_a_policy_must_be_loaded() -> None:
    """A name that leads to no function is told."""
    with pytest.raises(SuiteBug, match=r"policies\.py:gone"):
        _model(_arm(policy="policies.py:gone"))


def test_a_policys_chance_is_the_seed_and_the_step_alone() -> None:
    """The same trial gives the same replies, whatever was asked before, in whatever turn."""
    arm = _arm(policy="policies.py:p")
    whole = _replies(_model(arm), 3)
    again = _replies(_model(arm), 3, turn=2)
    assert whole == again
    late = asyncio.run(_model(arm).reply(ModelRequest(messages=(), step=2)))
    assert whole[2] == late
    assert 3 == len({reply.text for reply in whole})


@given(st.integers(), st.integers())
def test_other_seeds_give_other_chance(one: int, two: int) -> None:
    """Trials vary with their seed, and only with it."""

    def draw(seed: int) -> str | None:
        model = PolicyModel("p", lambda _, rng: [{"reply": str(rng.random())}], seed, ManualClock())
        return asyncio.run(model.reply(ModelRequest(messages=()))).text

    assert (one == two) == (draw(one) == draw(two))


def _policy(answer: object) -> Model:
    def policy(request: ModelRequest, rng: random.Random) -> Sequence[dict[str, object]]:
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    return PolicyModel("policies.py:p", policy, 1, ManualClock())


def test_a_policy_gives_one_reply_at_a_time() -> None:
    """Calls and a text may come together; they are one reply."""
    (reply,) = _replies(_policy([LOOK, {"reply": "let me see"}, LOOK]), 1)
    assert ("let me see", 2, "tool_use") == (reply.text, len(reply.calls), reply.stop)


@pytest.mark.parametrize(
    "answer",
    [
        [],
        None,
        "text",
        [DONE, DONE],
        [{}],
        [{"rely": "x"}],
        [{**LOOK, **DONE}],
        ["x"],
        [{"reply": b"x"}],
        [{"call": {"tool": "t", "args": {"n": float("nan")}}}],
        KeyError("x"),
    ],
)
def test_a_policy_that_gives_no_reply_is_the_suites_bug(answer: object) -> None:
    """What a policy raises, and what is no step, is named with the policy."""
    with pytest.raises(SuiteBug, match=r"policy policies\.py:p"):
        _replies(_policy(answer), 1)


def test_a_policy_can_play_a_provider_that_breaks() -> None:
    """A DependencyError is the environment's, and passes as it is."""
    with pytest.raises(DependencyError):
        _replies(_policy(DependencyError(429)), 1)


_ANY_STEP = st.sampled_from([LOOK, DONE, {**LOOK, "stop": "length"}, {**LOOK, "delay_ms": 5}])


@given(st.lists(_ANY_STEP, max_size=12))
def test_grouping_loses_no_step(steps: list[dict[str, object]]) -> None:
    """Groups hold the steps in order; a reply stands alone, and a cut ends a group of calls."""
    written = _steps(*steps)
    groups = grouped(written)
    assert list(written) == [step for group in groups for step in group]
    for group in groups:
        assert len(group) == 1 or all(step.call is not None for step in group)
        assert all(step.stop is None for step in group[:-1])
        assert all(step.delay_ms == 0 for step in group[1:])


def test_an_empty_script_asks_for_mending() -> None:
    """No replies at all are used up at once."""
    with pytest.raises(SuiteBug, match="used up after 0"):
        _replies(StepsModel(Script("nothing", ()), ManualClock()), 1)


def test_trials_share_a_script_and_nothing_else() -> None:
    """Every trial hears the script from its beginning, and what one does with a reply reaches no other."""
    arm = _arm(replies=[LOOK, {"reply": {"status": "done", "notes": []}}])
    make = Scripted({}, ManualClock())
    one = Assignment(trial=shop.trial(), case=shop.case(), arm=arm)
    first = _replies(make(one), 2)
    first[1].data["notes"].append("mine")
    assert {"status": "done", "notes": []} == _replies(make(one), 2)[1].data
    assert [call.id for call in first[0].calls] == [call.id for call in _replies(make(one), 1)[0].calls]
