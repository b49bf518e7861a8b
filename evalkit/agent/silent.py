"""The agent that does nothing: it hears every turn and never answers.

What comes in: an `AgentTask`. What goes out: the user's turns and an end. A case that it passes is free.
"""

from __future__ import annotations

from evalkit.records.event import Closed, UserTurn
from evalkit.records.ports import AgentTask


class SilentAgent:
    """Does nothing; implements `ports.Agent`."""

    async def run(self, task: AgentTask) -> Closed:
        """Hear every turn and answer none.

        Args:
            task: The trial.

        Returns:
            An end without a word.
        """
        for number, turn in enumerate(task.case.turns):
            task.begin_turn(number)
            task.emit(UserTurn(content=turn.user))
        return Closed()
