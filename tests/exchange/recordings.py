"""Small tau-bench result files, as the readers under test meet them.

Comes in: what differs from a plain success. Goes out: entries, files, and what a reader makes of them.
"""

import json
from pathlib import Path
from typing import Any

from evalkit.errors import InputError, Problem
from evalkit.exchange.imported import Imported
from evalkit.exchange.tau_bench import read
from evalkit.records.event import Body, Event
from evalkit.records.plan import PlannedTrial

SYSTEM = {"role": "system", "content": "# Airline Agent Policy\nBe kind."}
HELLO = {"role": "user", "content": "Cancel A7, please."}
BYE = {"role": "user", "content": "Thanks. ###STOP###"}
DONE = {"role": "assistant", "content": "It is cancelled."}
REWARDED = {"reward": 1.0, "info": {"r_actions": 1.0, "gt_data_hash": "4a02"}, "actions": []}


def asks(
    *calls: tuple[str, str], tool: str = "cancel_reservation", text: str | None = None
) -> dict[str, Any]:
    """Return an assistant message that asks for calls, each an id and its arguments."""
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {"id": name, "type": "function", "function": {"name": tool, "arguments": raw}}
            for name, raw in calls
        ],
    }


def answers(call: str, content: str, tool: str = "cancel_reservation") -> dict[str, Any]:
    """Return the observation of a call."""
    return {"role": "tool", "tool_call_id": call, "name": tool, "content": content}


def task(instruction: str = "You are Omar.", outputs: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a task that is solved by one cancellation."""
    actions = [{"name": "cancel_reservation", "kwargs": {"reservation_id": "A7"}}]
    return {
        "user_id": "omar",
        "instruction": instruction,
        "actions": actions,
        "outputs": list(outputs),
    }


def entry(task_id: int = 2, trial: int = 0, **more: Any) -> dict[str, Any]:
    """Return one successful trial; `info` and other keys are laid over it."""
    call = ("call_1", '{"reservation_id": "A7"}')
    info = {"task": task(), "source": "user", "user_cost": 0.002, "reward_info": REWARDED}
    plain = {
        "task_id": task_id,
        "reward": 1.0,
        "info": info | more.pop("info", {}),
        "traj": [SYSTEM, HELLO, asks(call), answers("call_1", '{"status": "cancelled"}'), DONE, BYE],
        "trial": trial,
    }
    return plain | more


def failed(task_id: int = 2, trial: int = 0) -> dict[str, Any]:
    """Return a trial with reward 0."""
    info = {"reward_info": {"reward": 0.0, "info": {"r_actions": 0.0, "gt_data_hash": "4a02"}}}
    return entry(task_id, trial, reward=0.0, info=info)


def unfinished(task_id: int = 2, trial: int = 0) -> dict[str, Any]:
    """Return a trial that never came to an end."""
    info = {"reward_info": None, "user_cost": None, "source": "cancel_reservation"}
    return entry(task_id, trial, reward=0.0, info=info)


def written(folder: Path, entries: object) -> Path:
    """Write a result file; text and bytes are written as they are."""
    path = folder / "airline.json"
    if isinstance(entries, bytes):
        path.write_bytes(entries)
    else:
        path.write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return path


def imported(folder: Path, *entries: object) -> Imported:
    """Return what a reader makes of entries."""
    return read(written(folder, list(entries)))


def problems(path: Path) -> tuple[Problem, ...]:
    """Return why a file is refused; () where it is not."""
    try:
        read(path)
    except InputError as error:
        return error.problems
    return ()


def events(found: Imported, case: str = "airline-2", trial: int = 0) -> list[Event]:
    """Return the events of one trial."""
    planned = PlannedTrial(index=0, case=case, arm="airline", mode="imported", trial=trial, seed=0)
    return list(found.events(planned))


def bodies(found: Imported, case: str = "airline-2", trial: int = 0) -> list[Body]:
    """Return what happened in one trial."""
    return [event.body for event in events(found, case, trial)]


def of_messages(folder: Path, *messages: object) -> list[Body]:
    """Return what happened in a trial with these messages after the system prompt, probes and ends apart."""
    found = imported(folder, entry(traj=[SYSTEM, *messages]))
    return bodies(found)[1:-3]
