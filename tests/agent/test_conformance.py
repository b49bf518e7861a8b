"""The vectors of another loop: what its model saw at every call is what ours sees.

The scripts were recorded by running the agent loop of pi 0.84.4; those that need its hooks, its steering
queue or its `terminate` flag have no counterpart here.
"""

import json
from pathlib import Path

import pytest

from evalkit.records.event import CallRequest, ModelReply, StopReason, ToolReturned
from evalkit.records.suite import ToolSpec
from evalkit.records.written import Json
from tests.agent.fakes import Play, after, outcome

STOPS: dict[str, StopReason] = {"stop": "stop", "length": "length", "toolUse": "tool_use", "error": "error"}
SCRIPTS = (
    "no_tool_calls_stops",
    "parallel_source_order",
    "sequential_if_any_tool_sequential",
    "length_refuses_batch",
    "length_without_tools_stops",
    "error_stops_tools_not_run",
    "toolcalls_with_stop_reason_stop_are_executed",
)
TOOLS = {
    "slow": after(9),
    "seq": after(3),
    "fast": after(2),
    "boom": outcome(ToolReturned(id="", tool="", status="refused", message="boom!")),
}


def reply_of(turn: dict[str, Json]) -> ModelReply:
    """One of their replies as one of ours."""
    texts = [block["text"] for block in turn["content"] if block["type"] == "text"]
    asked = [block for block in turn["content"] if block["type"] == "toolCall"]
    return ModelReply(
        text="".join(texts) or None,
        calls=tuple(CallRequest(id=c["id"], tool=c["name"], raw=json.dumps(c["arguments"])) for c in asked),
        stop=STOPS[turn["stopReason"]],
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_model_sees_what_it_saw_there(shared_data: Path, name: str) -> None:
    """Same script, same roles and results in the same order at every model call, same errors."""
    scripts = json.loads((shared_data / "pi" / "conformance.json").read_text(encoding="utf-8"))
    script = next(script for script in scripts if script["name"] == name)
    played = Play([reply_of(turn) for turn in script["turns"]], TOOLS, [ToolSpec(name="seq", serial=True)])()
    seen = [
        [f"toolResult:{m.call}" if m.role == "tool" else m.role for m in request.messages]
        for request in played.model.requests
    ]
    assert script["llm_calls"] == seen
    failed = {
        e.split(":")[1] for e in script["events"] if e.startswith("tool_execution_end") and e.endswith("ERR")
    }
    assert failed == {i for i, status in played.statuses.items() if status != "ok"} - unanswered_there(script)


def unanswered_there(script: dict[str, Json]) -> set[str]:
    """Calls of a broken reply: they leave orphans in that loop, and unanswered calls in ours."""
    broken = [turn for turn in script["turns"] if turn["stopReason"] == "error"]
    return {block["id"] for turn in broken for block in turn["content"] if block["type"] == "toolCall"}
