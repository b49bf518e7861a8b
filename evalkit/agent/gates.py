"""The gates of the loop: what has been used of each limit, and which limit has been passed.

What comes in: replies, calls and working seconds as they are stored. What goes out: `Limited`, or None.
What a limit allows is allowed: the first reply, call or token beyond it stops the trial, and only when
the agent needs another reply, so that no history ends in an unanswered call.
"""

from __future__ import annotations

from evalkit.agent.prices import known_tokens
from evalkit.records.event import Limited, LimitName, Usage
from evalkit.records.suite import Limits


class Gates:
    """What one trial has used of its limits.

    Attributes:
        replies: Model replies so far.
        calls: Tool calls asked for so far, those that were answered without running included.
        tokens: Known tokens of all four buckets.
        cost_usd: Known US dollars.
        seconds: The agent's model and tool time, without evalkit's own waiting.
    """

    __slots__ = (
        "_alternations",
        "_asked",
        "_last",
        "_limits",
        "_most",
        "_worst",
        "calls",
        "cost_usd",
        "replies",
        "seconds",
        "tokens",
    )

    def __init__(self, limits: Limits) -> None:
        """Start with nothing used."""
        self.replies = 0
        self.calls = 0
        self.tokens = 0
        self.cost_usd = 0.0
        self.seconds = 0.0
        self._limits = limits
        self._asked: dict[str, int] = {}
        self._most = 0
        self._last = ("", "")
        self._alternations = 0
        self._worst = 0

    @property
    def seconds_left(self) -> float:
        """Seconds that the model may still take; 0.0 where none are left."""
        return max(0.0, self._limits.seconds - self.seconds)

    @property
    def calls_left(self) -> int:
        """How many more tool calls may run."""
        return max(0, self._limits.tool_calls - self.calls)

    def replied(self, usage: Usage | None) -> None:
        """Count one model reply and what it used."""
        self.replies += 1
        if usage is not None:
            self.tokens += known_tokens(usage)
            self.cost_usd += usage.cost_usd or 0.0

    def called(self, key: str) -> None:
        """Count one tool call.

        Args:
            key: Identity of the call: tool and arguments.
        """
        self.calls += 1
        asked = self._asked[key] = self._asked.get(key, 0) + 1
        self._most = max(self._most, asked)
        before, last = self._last
        if key == last:
            self._alternations = 0
        else:
            self._alternations = self._alternations + 1 if key == before else 1
        self._worst = max(self._worst, self._alternations)
        self._last = (last, key)

    def out_of_time(self) -> None:
        """Note that the model was cut because no seconds were left."""
        self.seconds = max(self.seconds, self._limits.seconds)

    def passed(self) -> Limited | None:
        """Return the first limit that another reply of the model would be beyond, or None.

        Alternations are the changes between two calls: A B A B holds three.
        """
        limits = self._limits
        if self.seconds >= limits.seconds:  # first: it may have cut what the others count
            return _limited("seconds", self.seconds, limits.seconds)
        if self.replies >= limits.turns:
            return _limited("turns", self.replies, limits.turns)
        return (
            _beyond("tool_calls", self.calls, limits.tool_calls)
            or _beyond("tokens", self.tokens, limits.tokens)
            or _beyond("cost_usd", self.cost_usd, limits.cost_usd)
            or _beyond("same_call", self._most, limits.same_call)
            or _beyond("oscillation", self._worst, limits.oscillation)
        )


def _beyond(name: LimitName, reached: float, allowed: float | None) -> Limited | None:
    return None if allowed is None or reached <= allowed else _limited(name, reached, allowed)


def _limited(name: LimitName, reached: float, allowed: float) -> Limited:
    return Limited(limit=name, reached=float(reached), allowed=float(allowed))
