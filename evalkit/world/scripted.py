"""Scripted models: replies that are written down, or made by a Python policy with seeded chance.

What comes in: assignments, loaded policies. What goes out: a `ports.Model` for each.

Both kinds give steps: ``{call: {tool, args}}`` and ``{reply: text or object}``. Of a written list, a run of
calls is one model reply, and so is each `reply`; a call with a `delay_ms` begins a new model reply, and a
step with a `stop` ends one. What a policy returns is one model reply: calls and at most one text.

Usage is unknown (None) unless a step says what to pretend: nobody counted tokens, and an invented count
would be a wrong one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from msgspec import structs
from pydantic import ValidationError

from evalkit.errors import SuiteBug
from evalkit.records.arm import Arm
from evalkit.records.case import Case, Step
from evalkit.records.event import CallRequest, ModelReply, Timing, Usage
from evalkit.records.ports import Assignment, Clock, Model, ModelRequest, Policy
from evalkit.world.tools import ask
from evalkit.world.values import json_value

EVERY_CASE = "*"
"""The key of scripted replies for all cases that have none of their own."""


class Scripted:
    """Makes the scripted model of each trial of a run; what is written down is read once for all trials."""

    def __init__(self, functions: Mapping[str, Callable[..., object]], clock: Clock) -> None:
        """Take what all trials share.

        Args:
            functions: Reference -> loaded policy.
            clock: Where a `delay_ms` is waited out.
        """
        self._functions = functions
        self._clock = clock
        self._scripts: dict[tuple[str, str], Script] = {}

    def __call__(self, one: Assignment) -> Model:
        """Return a fresh model for one trial.

        Args:
            one: The trial; of its case only the id (for replies per case) and the reference solution are
                read.

        Raises:
            SuiteBug: The arm has no policy of that name, no replies for this case, or the case no solution.
        """
        spec = one.arm.model
        if spec.policy is not None:
            function = self._functions.get(spec.policy)
            if function is None:
                raise SuiteBug(f"arm {one.arm.arm} names the policy {spec.policy}, which was not loaded")
            return PolicyModel(spec.policy, cast("Policy", function), one.trial.seed, self._clock)
        key = (one.arm.arm, one.case.id)
        script = self._scripts.get(key)
        if script is None:
            script = self._scripts[key] = _script(one.arm, one.case)
        return StepsModel(script, self._clock)


class Script:
    """Written steps as the model replies that they are."""

    __slots__ = ("_groups", "_made", "who")

    def __init__(self, who: str, steps: Iterable[Step]) -> None:
        """Take the steps in order.

        Args:
            who: What they are, for messages.
            steps: Steps of a whole trial.
        """
        self.who = who
        self._groups = grouped(steps)
        self._made: dict[tuple[int, int], ModelReply] = {}

    def __len__(self) -> int:
        """Return the number of replies."""
        return len(self._groups)

    def reply(self, at: int, step: int) -> ModelReply:
        """Return one reply; its timing says how long it is to be waited for.

        Args:
            at: Its number, from 0.
            step: How many replies the trial has had before, for ids of calls.

        Raises:
            SuiteBug: The steps are no reply.
        """
        made = self._made.get((at, step))
        if made is None:
            made = self._made[at, step] = _reply(self.who, self._groups[at], step)
        # An object is handed out anew each time: whoever gets one may change it.
        return made if made.data is None else structs.replace(made, data=json_value(made.data))


class StepsModel:
    """Gives written replies one after the other; implements `ports.Model`."""

    __slots__ = ("_at", "_clock", "_script")

    def __init__(self, script: Script, clock: Clock) -> None:
        """Begin with the first.

        Args:
            script: What is given.
            clock: Where a `delay_ms` is waited out.
        """
        self._script = script
        self._clock = clock
        self._at = 0

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return the next reply.

        Args:
            request: What the model may see; only its step is read, for ids of calls.

        Raises:
            SuiteBug: There is no next one: who is asked for more than was written has not been examined.
        """
        script, at = self._script, self._at
        if at >= len(script):
            raise SuiteBug(f"{script.who} are used up after {at}, and one more was asked for")
        self._at = at + 1
        return await _after_its_delay(script.reply(at, request.step), self._clock)


class PolicyModel:
    """Asks a Python policy; implements `ports.Model`."""

    def __init__(self, who: str, policy: Policy, seed: int, clock: Clock) -> None:
        """Take a policy for one trial.

        Args:
            who: The policy's reference, for messages.
            policy: Request and seeded chance -> steps.
            seed: The trial's seed.
            clock: Where a `delay_ms` is waited out.
        """
        self._who = who
        self._policy = policy
        self._seed = seed
        self._clock = clock

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return the policy's reply; its chance depends on the trial's seed and the step alone.

        Args:
            request: What the model may see.

        Raises:
            SuiteBug: The policy raised, or returned what is no reply.
            DependencyError: The policy raised it, to play a provider that breaks.
        """
        who = f"policy {self._who}"
        steps = cast("tuple[Step, ...]", ask(who, self._decided, request))
        return await _after_its_delay(_reply(who, steps, request.step), self._clock)

    def _decided(self, request: ModelRequest) -> tuple[Step, ...]:
        """Ask the policy and read its answer, which is an object of its own making, too."""
        return _steps(self._who, self._policy(request, random.Random(f"{self._seed}:{request.step}")))


def grouped(steps: Iterable[Step]) -> tuple[tuple[Step, ...], ...]:
    """Return written steps as model replies, see the module.

    Args:
        steps: Steps in order.

    >>> call, reply = Step(call={"tool": "look"}), Step(reply="done")
    >>> [len(group) for group in grouped([call, call, reply, call, reply])]
    [2, 1, 1, 1]
    """
    groups: list[list[Step]] = []
    is_open = False
    for step in steps:
        joins = is_open and step.call is not None and step.delay_ms == 0
        if joins:
            groups[-1].append(step)
        else:
            groups.append([step])
        is_open = step.call is not None and step.stop is None
    return tuple(tuple(group) for group in groups)


def _script(arm: Arm, case: Case) -> Script:
    if not arm.model.solution:
        return Script(f"the replies of arm {arm.arm} for {case.id}", _replies(arm, case))
    if case.solution is None:
        raise SuiteBug(f"case {case.id} has no reference solution")
    return Script(f"the steps of the solution of {case.id}", case.solution)


def _replies(arm: Arm, case: Case) -> Sequence[Step]:
    replies = arm.model.replies
    if not isinstance(replies, dict):
        return replies or ()
    found = replies.get(case.id, replies.get(EVERY_CASE))
    if found is None:
        raise SuiteBug(f"arm {arm.arm} has replies neither for case {case.id} nor for {EVERY_CASE!r}")
    return found


def _steps(who: str, answer: object) -> tuple[Step, ...]:
    """Return what a policy returned as steps."""
    if not isinstance(answer, list | tuple) or not answer:
        raise SuiteBug(f"policy {who} returned no step: return a list of call and reply steps")
    try:
        steps = tuple(step if isinstance(step, Step) else Step.model_validate(step) for step in answer)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in detail["loc"])
        raise SuiteBug(f"policy {who} returned no step: {place} {detail['msg']}".strip()) from error
    if any(len(step.model_fields_set & {"call", "reply"}) != 1 for step in steps):
        raise SuiteBug(f"policy {who} returned no step: each has exactly one of call and reply")
    return steps


async def _after_its_delay(reply: ModelReply, clock: Clock) -> ModelReply:
    if reply.timing is not None:
        await clock.sleep(reply.timing.model)
    return reply


def _reply(who: str, steps: Sequence[Step], number: int) -> ModelReply:
    """Return steps as one model reply."""
    texts = [step.reply for step in steps if step.call is None]
    if len(texts) > 1:
        raise SuiteBug(f"{who} gives {len(texts)} replies at once; one reply answers one request")
    seconds = sum(step.delay_ms for step in steps) / 1000.0
    try:
        calls = _calls(steps, number)
        said = json_value(texts[0]) if texts else None
    except ValueError as error:
        raise SuiteBug(f"{who} gives what is no JSON value: {error}") from error
    stops = [step.stop for step in steps if step.stop is not None]
    return ModelReply(
        text=said if isinstance(said, str) else None,
        data=None if isinstance(said, str) else said,
        calls=calls,
        stop=stops[-1] if stops else "tool_use" if calls else "stop",
        usage=_usage(steps),
        timing=Timing(model=seconds) if seconds else None,
    )


def _usage(steps: Sequence[Step]) -> Usage | None:
    """Return what the last step that speaks of it says that their one reply spent."""
    said = [step.usage for step in steps if step.usage is not None]
    return Usage(**said[-1].model_dump()) if said else None


def _calls(steps: Sequence[Step], number: int) -> tuple[CallRequest, ...]:
    """Return the calls of one reply; text arguments pass as they are, to play malformed ones."""
    wanted = [step.call for step in steps if step.call is not None]
    return tuple(
        CallRequest(id=f"call_{number}_{at}", tool=call.tool, raw=_raw(call.args))
        for at, call in enumerate(wanted)
    )


def _raw(args: object) -> str:
    return args if isinstance(args, str) else json.dumps(json_value(args), ensure_ascii=False)
