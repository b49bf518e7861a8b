"""What the model is told: messages made from the case, from replies and from the outcomes of calls.

What comes in: case, arm, replies, outcomes. What goes out: `Message`s, and the sentences that a model reads
where a call did not do what it asked for: what went wrong, why, and what to do next.
"""

from __future__ import annotations

import msgspec

from evalkit.errors import SuiteBug
from evalkit.records.arm import Arm
from evalkit.records.case import Case
from evalkit.records.event import CallRequest, CallStatus, ModelReply, ToolReturned
from evalkit.records.ports import Message

# For an outcome of the world that brings no message of its own. `ok` is never told in words.
_UNEXPLAINED: dict[CallStatus, str] = {
    "refused": "The tool refused the call and gave no reason. Change the request, or tell the user.",
    "blocked": "The call was not run: it was blocked. Go on without it.",
    "invalid": "The call was not run: its arguments do not fit the schema. Correct them and call again.",
    "unknown": "The call was not run: there is no such tool. Call one of the tools that you were given.",
    "unanswered": "The call was not run. Call again if you still need it.",
    "fault": "The tool could not be reached. It may or may not have acted; look before you call again.",
    "missing": "Nothing answers this call.",
    "broken": "The tool broke while it ran. It may or may not have acted; look before you call again.",
}


def opening(case: Case, arm: Arm) -> list[Message]:
    """Return the messages that lie before the first user turn: the system prompt and the case's history.

    Args:
        case: The case.
        arm: The arm.

    Returns:
        Messages in order.

    Raises:
        SuiteBug: A message of the history is none.
    """
    system = [Message(role="system", content=arm.system)] if arm.system else []
    try:
        return system + [msgspec.convert(message, Message) for message in case.start.history]
    except msgspec.ValidationError as error:
        raise SuiteBug(f"start.history of case {case.id} holds what is no message: {error}") from error


def asked(reply: ModelReply) -> Message:
    """Return a model reply as the model sees it later."""
    calls = tuple({"id": call.id, "tool": call.tool, "raw": call.raw} for call in reply.calls)
    return Message(role="assistant", content=reply.text if reply.data is None else reply.data, calls=calls)


def told(returned: ToolReturned) -> Message:
    """Return the outcome of a call as the model sees it: the result, or what went wrong."""
    if returned.status == "ok":
        return Message(role="tool", content=returned.value, call=returned.id, tool=returned.tool)
    words = returned.message or _UNEXPLAINED[returned.status]
    return Message(role="tool", content=words, call=returned.id, tool=returned.tool, error=True)


def truncated(call: CallRequest) -> ToolReturned:
    """Answer a call of a reply that stopped for length: its arguments may be cut off, so it did not run."""
    return _not_run(
        call,
        "unanswered",
        f"{call.tool} was not run: your reply reached its length limit, so the arguments may be incomplete. "
        "Send the call again with all of its arguments, in a shorter reply.",
    )


def stopped(call: CallRequest, why: str) -> ToolReturned:
    """Answer a call that never ran, or was cut while it ran, because the trial stopped.

    Args:
        call: The call.
        why: What stopped it, as the end of a sentence.
    """
    return _not_run(call, "unanswered", f"{call.tool} did not finish: {why}. Nothing is left to be done.")


def unreadable(call: CallRequest, problem: str) -> ToolReturned:
    """Answer a call whose arguments could not be read.

    Args:
        call: The call.
        problem: What is wrong with them.
    """
    words = f"{call.tool} was not run: its arguments could not be read, because {problem}. "
    return _not_run(call, "invalid", words + "Call again with one JSON object that fits the tool's schema.")


def unknown(call: CallRequest, offered: tuple[str, ...]) -> ToolReturned:
    """Answer a call of a tool that this arm does not have.

    Args:
        call: The call.
        offered: Names of the tools that it has.
    """
    known = ", ".join(offered) or "none"
    words = f"{call.tool} was not run: you have no tool of that name. Call one of these, or go on: {known}."
    return _not_run(call, "unknown", words)


def beyond_limit(call: CallRequest) -> ToolReturned:
    """Answer a call that is one more than the limit on tool calls allows."""
    words = f"{call.tool} was not run: the limit on tool calls is reached. No further call will run."
    return _not_run(call, "blocked", words)


def _not_run(call: CallRequest, status: CallStatus, words: str) -> ToolReturned:
    return ToolReturned(id=call.id, tool=call.tool, status=status, message=words, tries=0)
