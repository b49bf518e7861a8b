"""The messages of one tau-bench trial as events: who said what, what was called, what came back.

What comes in: checked messages. What goes out: bodies of events with their user turns. A trace is damaged,
and refused, where an observation answers no call; what an agent may do wrong (arguments that are no JSON, a
call that was never answered) is kept as it is.

Source: sierra-research/tau-bench, tau_bench/agents/tool_calling_agent.py (a message with calls is not shown
to the user, its text included) and tau_bench/envs/base.py (`Error: ...`, `Unknown action ...`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from evalkit.exchange.strict_json import value_of
from evalkit.exchange.tau_entries import Assistant, Call, Message, System, Tool, User
from evalkit.records.event import Body, CallRequest, ModelReply, Replied, ToolCalled, ToolReturned, UserTurn

Flaw = Callable[[str, str, str], None]
"""Takes key, sentence and value of what makes a trace unreadable."""

_WRITTEN_CALL = "API output: "
"""Begins the observation of an agent that writes its calls as text. Source: agents/chat_react_agent.py."""


@dataclass(slots=True)
class TraceReader:
    """Reads the messages of one trial, in order.

    Attributes:
        flaw: Told what makes the trace unreadable.
        counts: What a reader should know of the trace: observations, errors, unanswered calls ...
        turn: User turn, from 0; -1 before the user spoke.
    """

    flaw: Flaw
    counts: Counter[str]
    turn: int = -1
    _said: str = ""
    _used: Counter[str] = field(default_factory=Counter)
    _waiting: list[tuple[str, CallRequest]] = field(default_factory=list)

    def bodies(self, messages: Sequence[Message]) -> Iterator[tuple[int, Body]]:
        """Yield what happened, each with its user turn; the system prompt belongs to the arm.

        Args:
            messages: All messages of the trial.
        """
        for position, message in enumerate(messages):
            for body in self._read(f".traj[{position}]", message):
                yield max(self.turn, 0), body
        self._cut()

    def _read(self, key: str, message: Message) -> Iterator[Body]:
        if isinstance(message, Assistant):
            return self._assistant(message)
        if isinstance(message, Tool):
            return self._tool(key, message)
        if isinstance(message, User):
            return self._user(key, message)
        return self._system(key, message)

    def _system(self, key: str, message: System) -> Iterator[Body]:
        if key != ".traj[0]":
            self.flaw(key, "a system message may only be the first", message.content)
        yield from ()

    def _user(self, key: str, message: User) -> Iterator[Body]:
        if message.content.startswith(_WRITTEN_CALL) and "Action:" in self._said:
            told = "calls are written as text here; only traces of a tool-calling agent can be read"
            self.flaw(f"{key}.content", told, message.content)
        self._cut()
        self.turn += 1
        yield UserTurn(content=message.content)

    def _assistant(self, message: Assistant) -> Iterator[Body]:
        self._cut()
        self._said = message.content or ""
        asked = [(call.id, self._request(call)) for call in message.tool_calls or ()]
        calls = tuple(request for _, request in asked)
        yield ModelReply(text=message.content, calls=calls, stop="tool_use" if calls else "stop")
        if not calls:
            yield Replied(content=self._said)
        self._waiting = asked

    def _request(self, call: Call) -> CallRequest:
        """An id that was used before in the trial gets a number, so that ids are unique as they must be."""
        self._used[call.id] += 1
        times = self._used[call.id]
        self.counts["repeated ids"] += times > 1
        name = call.id if times == 1 else f"{call.id}#{times}"
        return CallRequest(id=name, tool=call.function.name, raw=call.function.arguments)

    def _tool(self, key: str, message: Tool) -> Iterator[Body]:
        self.counts["observations"] += 1
        found = next((at for at, one in enumerate(self._waiting) if one[0] == message.tool_call_id), None)
        if found is None:
            told = "this observation answers no call of the assistant's message before it"
            self.flaw(f"{key}.tool_call_id", told, message.tool_call_id)
            return
        _, request = self._waiting.pop(found)
        if message.name not in {None, request.tool}:
            self.flaw(f"{key}.name", f"the call was of {request.tool}", message.name or "")
        args = value_of(request.raw)
        self.counts["unreadable arguments"] += not isinstance(args, dict)
        known = args if isinstance(args, dict) else None
        yield ToolCalled(id=request.id, tool=request.tool, raw=request.raw, args=known)
        yield self._outcome(request, message.content)

    def _outcome(self, request: CallRequest, content: str) -> ToolReturned:
        if content.startswith("Error"):
            self.counts["errors"] += 1
            return ToolReturned(id=request.id, tool=request.tool, status="refused", message=content)
        if content == f"Unknown action {request.tool}":
            return ToolReturned(id=request.id, tool=request.tool, status="unknown", message=content)
        return ToolReturned(id=request.id, tool=request.tool, status="ok", value=value_of(content))

    def _cut(self) -> None:
        """Calls that nothing answered before somebody spoke again stay unanswered."""
        self.counts["unanswered calls"] += len(self._waiting)
        self._waiting = []
