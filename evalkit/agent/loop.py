"""The reference loop: model, tools, gates, and nothing else in the way.

What comes in: an `AgentTask`. What goes out: events, and a `Closed`. The rules, and where each is kept:

1. Truncated replies run nothing (`_Conversation._answered`; `on_truncated: execute` keeps the older way, and
   the trace shows which by the outcomes that follow the reply).
2. Failures are messages: unknown tool, unreadable or invalid arguments, blocked, refused, raised, timed out
   (`arguments`, `messages`; the session answers for what happens inside a tool). A tool that breaks in a
   way that its suite never declared does not stop the trial either: the facts tell what it spoilt. Only a
   call that no fixture answers ends the trial.
3. Run in parallel, write back in order, record each outcome when it happens (`batch`).
4. Gates after write-back (`gates`): no history ends in an unanswered call.
5. Errors and aborts stop hard (`_Conversation._broken`): no tool of that message runs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from msgspec import structs

from evalkit.agent import messages
from evalkit.agent.batch import ReadCall, Toolbox, read_calls
from evalkit.agent.gates import Gates
from evalkit.agent.prices import priced
from evalkit.records.event import (
    CallRequest,
    Closed,
    Limited,
    ModelReply,
    Replied,
    Timing,
    ToolReturned,
    UserTurn,
)
from evalkit.records.ports import AgentTask, Message, ModelRequest
from evalkit.records.written import Json
from evalkit.world.late import Late, within

_HARD_STOPS: Final = frozenset({"error", "aborted", "safety"})


class Retry(Protocol):
    """Ask a dependency again where it broke."""

    async def __call__(self, attempt: Callable[[], Awaitable[ModelReply]]) -> ModelReply:
        """Return what the first attempt that succeeds returns.

        Raises:
            DependencyError: What the last attempt raised.
        """
        ...


StopHook = Callable[[Sequence[Message]], str | None]
"""A caller's own gate, asked with the history so far: why the trial stops here, or None."""


class _OutOfTimeError(Exception):
    """The seconds of the trial ran out while the model was at work."""


class ReferenceLoop:
    """An agent that is a model with tools; implements `ports.Agent`. One object serves one trial."""

    def __init__(self, retry: Retry, *, stop: StopHook | None = None) -> None:
        """Make an agent.

        Args:
            retry: How a model that broke is asked again.
            stop: A gate of the caller's own.
        """
        self._retry = retry
        self._stop = stop

    async def run(self, task: AgentTask) -> Closed:
        """Work through the case's turns.

        Args:
            task: What to do and where to record it.

        Returns:
            How it ended: `done`, `limit`, `crash`, or `fault` where no fixture answered a call.

        Raises:
            DependencyError: The model stayed broken after all retries.
            SuiteBug: The case's history is none, or a scripted model is wrong.
        """
        conversation = _Conversation(task, self._retry, self._stop)
        for number, turn in enumerate(task.case.turns):
            closed = conversation.gated() if number else None
            closed = closed or await conversation.turn(number, turn.user)
            if closed is not None:
                return closed
        return Closed(end="done")


class _Conversation:
    """The state of one trial: history, tools and what was used."""

    def __init__(self, task: AgentTask, retry: Retry, stop: StopHook | None) -> None:
        arm, offered = task.arm, task.session.tools
        if arm.tools is not None:
            offered = tuple(spec for spec in offered if spec.name in arm.tools)
        self._task = task
        self._retry = retry
        self._stop = stop
        self._gates = Gates(task.limits)
        self._history = messages.opening(task.case, arm)
        self._ids: set[str] = set()
        self._tools = Toolbox(
            session=task.session,
            offered=offered,
            closed_list=arm.tools is not None,
            emit=task.emit,
            clock=task.clock,
        )

    def gated(self) -> Closed | None:
        """Ask the gates; record the limit that was passed and return the closing body."""
        limited = self._gates.passed()
        if limited is not None:
            return self._limited(limited)
        why = self._stop(tuple(self._history)) if self._stop else None
        return None if why is None else Closed(end="done", message=f"stopped by the caller: {why}")

    async def turn(self, number: int, content: Json) -> Closed | None:
        """Answer one user turn; return a closing body where the trial ends in it."""
        self._task.begin_turn(number)
        self._task.emit(UserTurn(content=content))
        self._history.append(Message(role="user", content=content))
        while True:
            try:
                reply = await self._asked(number)
            except _OutOfTimeError:
                self._gates.out_of_time()
                return self.gated()
            if reply.stop in _HARD_STOPS:
                return self._broken(reply)
            if not reply.calls:
                self._task.emit(Replied(content=(reply.text or "") if reply.data is None else reply.data))
                return None
            closed = await self._answered(reply) or self.gated()
            if closed is not None:
                return closed

    async def _asked(self, number: int) -> ModelReply:
        """Ask the model, count, record and remember its reply."""
        task, worked = self._task, 0.0
        request = ModelRequest(
            messages=tuple(self._history),
            tools=self._tools.offered,
            sampling=task.arm.sampling,
            seed=task.trial.seed,
            turn=number,
            step=self._gates.replies,
        )

        async def attempt() -> ModelReply:
            nonlocal worked
            begun = task.clock.now()
            reply = await self._in_time(request)
            worked = task.clock.now() - begun
            return reply

        begun = task.clock.now()
        reply = await self._retry(attempt)
        waited = max(0.0, task.clock.now() - begun - worked)
        reply = self._completed(reply, Timing(queue=waited, model=worked))
        task.emit(reply)
        self._history.append(messages.asked(reply))
        return reply

    async def _in_time(self, request: ModelRequest) -> ModelReply:
        # Only an attempt that brings a reply is the agent's time: what broke, and waiting for it, is not.
        try:
            return await within(self._gates.seconds_left, self._task.model.reply(request))
        except Late:
            raise _OutOfTimeError from None

    def _completed(self, reply: ModelReply, measured: Timing) -> ModelReply:
        """Count a reply; add its price and timing where it has none, and make its call ids unique."""
        timing = reply.timing or measured
        usage = None if reply.usage is None else priced(reply.usage, self._task.arm.prices)
        self._gates.replied(usage)
        self._gates.seconds += timing.model
        return structs.replace(reply, usage=usage, timing=timing, calls=self._named(reply.calls))

    def _named(self, calls: tuple[CallRequest, ...]) -> tuple[CallRequest, ...]:
        """Return the calls under ids that no call of the trial had before."""
        named = []
        for call in calls:
            fresh, again = call.id or "call", 1
            while fresh in self._ids:
                again += 1
                fresh = f"{call.id or 'call'}-{again}"
            self._ids.add(fresh)
            named.append(call if fresh == call.id else structs.replace(call, id=fresh))
        return tuple(named)

    async def _answered(self, reply: ModelReply) -> Closed | None:
        """Answer every call of a reply and write the answers back in source order."""
        if reply.stop == "length" and self._task.arm.on_truncated == "refuse":
            outcomes = self._recorded([messages.truncated(call) for call in reply.calls])
        else:
            outcomes = await self._ran(read_calls(reply.calls))
        self._history += [messages.told(outcome) for outcome in outcomes]
        missing = next((outcome for outcome in outcomes if outcome.status == "missing"), None)
        if missing is None:
            return None
        return Closed(end="fault", cause=missing.cause or "fixture_missing", message=missing.message)

    async def _ran(self, calls: Sequence[ReadCall]) -> tuple[ToolReturned, ...]:
        """Run the calls that the limit on tool calls still allows, and block the others."""
        allowed = self._gates.calls_left
        for call in calls:
            self._gates.called(call.key)
        batch = await self._tools.run(calls[:allowed], self._gates.seconds_left)
        self._gates.seconds += batch.seconds
        beyond = [messages.beyond_limit(call.request) for call in calls[allowed:]]
        return batch.outcomes + self._recorded(beyond)

    def _recorded(self, outcomes: Sequence[ToolReturned]) -> tuple[ToolReturned, ...]:
        for outcome in outcomes:
            self._task.emit(outcome)
        return tuple(outcomes)

    def _broken(self, reply: ModelReply) -> Closed:
        """Stop hard: the reply itself is broken, which is the agent's own doing."""
        why = f"the model's reply ended with `{reply.stop}`"
        self._recorded([messages.stopped(call, why) for call in reply.calls])
        return Closed(end="crash", message=f"{why}: {reply.message}" if reply.message else why)

    def _limited(self, limited: Limited) -> Closed:
        self._task.emit(limited)
        if limited.limit == "seconds" and self._task.limits.on_timeout == "error":
            return Closed(end="limit", cause="environment", sub="no_reply", message="the seconds ran out")
        return Closed(
            end="limit", message=f"limit {limited.limit}: {limited.reached:g} of {limited.allowed:g}"
        )
