"""Small Terminal-Bench submissions, as the reader under test meets them.

Comes in: what differs from a plain success. Goes out: results, run files, and what the reader makes of them.
"""

import json
from pathlib import Path
from typing import Any

from evalkit.errors import InputError, Problem
from evalkit.exchange.imported import Imported
from evalkit.exchange.terminal_bench import read
from evalkit.records.event import Body, Closed, Event, Probed
from evalkit.records.plan import PlannedTrial

PASSED = {"test_file": "passed", "test_text": "passed"}
HALF = {"test_file": "passed", "test_text": "failed"}
TIMES: dict[str, Any] = {
    "trial_started_at": "2025-07-12T07:40:00+00:00",
    "agent_started_at": "2025-07-12T07:40:10+00:00",
    "agent_ended_at": "2025-07-12T07:41:00+00:00",
    "test_started_at": "2025-07-12T07:41:02+00:00",
    "test_ended_at": "2025-07-12T07:41:05+00:00",
    "trial_ended_at": "2025-07-12T07:41:09+00:00",
}


def result(task: str = "maze", number: int = 1, of: int = 1, **more: Any) -> dict[str, Any]:
    """Return one resolved trial; other keys are laid over it."""
    plain = {
        "trial_name": f"{task}.{number}-of-{of}",
        "task_id": task,
        "is_resolved": True,
        "failure_mode": "unset",
        "parser_results": dict(PASSED),
        "total_input_tokens": 900,
        "total_output_tokens": 40,
    }
    return plain | more


def failing(task: str = "maze", number: int = 1, of: int = 1, **more: Any) -> dict[str, Any]:
    """Return a trial in which one of two tests failed."""
    return result(task, number, of, **({"is_resolved": False, "parser_results": dict(HALF)} | more))


def null(word: str, task: str = "maze", number: int = 1, of: int = 1, **more: Any) -> dict[str, Any]:
    """Return a trial without a verdict."""
    nothing = {"is_resolved": None, "failure_mode": word, "parser_results": None}
    return result(task, number, of, **(nothing | more))


def run_file(*results: object, **more: Any) -> dict[str, Any]:
    """Return a run file that states nothing of itself."""
    return {"results": list(results), **more}


def written(folder: Path, *files: object) -> Path:
    """Write run-1.json, run-2.json ... into a folder; text and bytes are written as they are."""
    place = folder / "agent-x"
    place.mkdir(exist_ok=True)
    for number, one in enumerate(files, start=1):
        path = place / f"run-{number}.json"
        if isinstance(one, bytes):
            path.write_bytes(one)
        else:
            path.write_text(one if isinstance(one, str) else json.dumps(one))
    return place


def imported(folder: Path, *results: object) -> Imported:
    """Return what the reader makes of one run file with results."""
    return read(written(folder, run_file(*results)))


def problems(path: Path) -> tuple[Problem, ...]:
    """Return why a submission is refused; () where it is not."""
    try:
        read(path)
    except InputError as error:
        return error.problems
    return ()


def keys(path: Path) -> list[str]:
    """Return where a submission is wrong."""
    return [problem.key for problem in problems(path)]


def events(found: Imported, case: str = "maze", trial: int = 0) -> list[Event]:
    """Return the events of one trial."""
    (arm,) = found.arms
    planned = PlannedTrial(index=0, case=case, arm=arm, mode="imported", trial=trial, seed=0)
    return list(found.events(planned))


def bodies(found: Imported, case: str = "maze", trial: int = 0) -> list[Body]:
    """Return what happened in one trial."""
    return [event.body for event in events(found, case, trial)]


def closed(found: Imported, case: str = "maze", trial: int = 0) -> Closed:
    """Return the closing line of one trial."""
    last = bodies(found, case, trial)[-1]
    assert isinstance(last, Closed)
    return last


def answers(found: Imported, case: str = "maze", trial: int = 0) -> dict[str, object]:
    """Return what each probe of a trial answered, or the cause where it gave none."""
    asked = [body for body in bodies(found, case, trial) if isinstance(body, Probed)]
    return {
        one.id.removeprefix("end:recorded "): one.cause if one.rows is None else one.rows[0][0]
        for one in asked
    }
