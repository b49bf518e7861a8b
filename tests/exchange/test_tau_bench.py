"""A result file becomes a suite, an arm, a plan's size, traces, figures and a list of losses."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evalkit.errors import InputError, Undecidable
from evalkit.exchange.tau_bench import read
from evalkit.records.event import Closed, Opened, Probed
from evalkit.records.suite import Suite
from tests.exchange.recordings import (
    DONE,
    HELLO,
    SYSTEM,
    bodies,
    entry,
    events,
    failed,
    imported,
    problems,
    task,
    unfinished,
    written,
)


def test_one_case_for_each_task(tmp_path: Path) -> None:
    """Cases come by task id, whatever the order of the file, and know what the authors looked at."""
    told = {"task": task(outputs=("23553",)), "reward_info": {"reward": 1.0, "info": {"r_outputs": 1.0}}}
    suite = imported(tmp_path, entry(16), entry(2, info=told)).suite
    assert "tau-bench-airline" == suite.suite
    assert [("airline-2", "outputs_told"), ("airline-16", "end_state")] == [
        (case.id, case.expect[-1].metric) for case in suite.cases
    ]
    assert ["task_success"] * 2 == [case.expect[0].metric for case in suite.cases]
    assert "You are Omar." == suite.cases[0].turns[0].user
    steps = suite.cases[0].solution or ()
    assert ["cancel_reservation"] == [step.call.tool for step in steps if step.call is not None]


def test_the_suite_comes_from_the_tasks_alone(tmp_path: Path) -> None:
    """Two recordings of the same tasks have the same suite, and a stored suite is read back equal."""
    one = imported(tmp_path, entry(2), entry(8)).suite
    other = imported(tmp_path, failed(8), unfinished(2), failed(2, 1), entry(8, 1)).suite
    assert one == other
    assert one == Suite.model_validate_json(one.model_dump_json(by_alias=True, exclude_defaults=True))


def test_the_same_file_gives_the_same_events(tmp_path: Path) -> None:
    """Reading is a function of the file; events can be asked for again."""
    found, again = (imported(tmp_path, entry(), failed(2, 1)) for _ in range(2))
    assert events(found) == events(found) == events(again)


def test_the_outcome_is_journalled_as_an_answer(tmp_path: Path) -> None:
    """The authors' findings stand at the end of the trace, and the closing line keeps their own words."""
    *_, reward, state, closed = bodies(imported(tmp_path, failed()))
    assert Probed(id="end:recorded reward", rows=[[0.0]]) == reward
    assert Probed(id="end:recorded r_actions", rows=[[0.0]]) == state
    assert isinstance(closed, Closed)
    assert ("done", "user") == (closed.end, closed.sub)
    assert (0.0, 0.002) == (closed.source["reward"], closed.source["user_cost"])


def test_no_outcome_is_no_answer(tmp_path: Path) -> None:
    """A trial that never came to an end has probes without an answer; reward 0 is not written down as one."""
    found = imported(tmp_path, unfinished())
    probes = [body for body in bodies(found) if isinstance(body, Probed)]
    assert [(None, "not_observed")] * 2 == [(body.rows, body.cause) for body in probes]
    assert any("1 trial (task 2 trial 0)" in loss for loss in found.losses)


def test_a_trial_that_the_file_lacks_observes_nothing(tmp_path: Path) -> None:
    """A file that stops early plans what it lacks, and says so."""
    found = imported(tmp_path, entry(2), entry(8), entry(2, 1))
    assert 2 == found.trials
    opened, closed = bodies(found, "airline-8", 1)
    assert isinstance(opened, Opened)
    assert isinstance(closed, Closed)
    assert ((), "not_observed", None) == (opened.observes, closed.cause, closed.source)
    assert any("does not hold 1 trial (task 8 trial 1)" in loss for loss in found.losses)


def test_a_trial_that_raised_is_not_measured(tmp_path: Path) -> None:
    """An entry with an error and no trace is no failure of the agent: whose error it was, nobody told."""
    raised = entry(8, traj=[], reward=0.0) | {"info": {"error": "RateLimitError", "traceback": "/home/me"}}
    found = imported(tmp_path, entry(2), raised)
    _, closed = bodies(found, "airline-8")
    assert isinstance(closed, Closed)
    assert "not_observed" == closed.cause
    assert closed.message.endswith("RateLimitError")
    assert "/home/me" not in json.dumps(closed.source)
    assert ["task_success"] == [one.metric for one in found.suite.cases[1].expect]


def test_the_authors_figure_by_their_own_convention(tmp_path: Path) -> None:
    """A trial without an outcome is a failure to the authors: 1 of 3, and C(1,2) = 0."""
    figures = imported(tmp_path, entry(), failed(2, 1), unfinished(2, 2)).figures
    assert [0.333333, 0.0, 0.0] == figures["authors pass^1..3"]
    assert "1 trial (task 2 trial 2) without a recorded outcome" in figures["why they differ"]


def test_where_nothing_is_missing_the_figures_agree(tmp_path: Path) -> None:
    """The explanation does not invent a difference."""
    assert "they do not" in imported(tmp_path, entry(), failed(2, 1)).figures["why they differ"]


def test_the_arm_is_named_after_the_file(tmp_path: Path) -> None:
    """The source names no model; a second system prompt is kept with its trial."""
    other = {"role": "system", "content": "# Airline Agent Policy\nBe rude."}
    found = imported(tmp_path, entry(), entry(2, 1, traj=[other, HELLO, DONE]))
    assert {"airline": {"arm": "airline", "system": SYSTEM["content"]}} == found.arms
    closed = bodies(found, trial=1)[-1]
    assert isinstance(closed, Closed)
    assert other["content"] == closed.source["system"]
    assert any("2 system prompts" in loss for loss in found.losses)


def test_without_a_policy_no_domain_is_claimed(tmp_path: Path) -> None:
    """A trace without a system prompt gives cases called task-N."""
    found = imported(tmp_path, entry(traj=[HELLO, DONE]))
    assert ("tau-bench", "task-2") == (found.suite.suite, found.suite.cases[0].id)


def test_an_unknown_task_can_still_be_asked_about(tmp_path: Path) -> None:
    """A task may be null in every entry; a half surrogate in an instruction can be stored."""
    found = imported(tmp_path, entry(info={"task": None}), entry(8, info={"task": task("\ud83d")}))
    assert ["task_success"] == [one.metric for one in found.suite.cases[0].expect]
    assert found.suite.model_dump_json()


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    """Each problem names file, line, entry and key."""
    wrong = entry(8, reward="1", traj=[SYSTEM, {"role": "user"}, {"role": "judge", "content": ""}])
    del wrong["trial"]
    path = written(tmp_path, [entry(), entry(), wrong, 7, entry(9, trial=-1), entry(10, reward=0.5)])
    found = problems(path)
    assert [
        ("[1]", "task 2 has a trial 0 already"),
        ("[2].trial", "Field required"),
        ("[2].reward", "Input should be a valid number"),
        ("[2].traj[1].content", "Field required"),
        ("[2].traj[2]", "Input tag 'judge' found using 'role' does not match any of the expected tags"),
        ("[3]", "Input should be an object"),
        ("[4].trial", "Input should be greater than or equal to 0"),
        ("[5].reward", "it contradicts info.reward_info.reward, which is 1.0"),
    ] == [(problem.key, problem.message.partition(":")[0]) for problem in found]
    assert {(str(path), 1)} == {(problem.file, problem.line) for problem in found}


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"reward": float("nan")}, "[0].reward"),
        ({"reward": 10**400}, "[0].reward"),
        ({"info": {"user_cost": float("inf")}}, "[0].info.user_cost"),
        ({"task_id": 10**12}, "[0].task_id"),
        ({"task_id": True}, "[0].task_id"),
        ({"trial": 1000}, "[0].trial"),
        ({"info": {"reward_info": None}}, "[0].reward"),
        ({"info": {"task": {"instruction": "x", "actions": {}, "outputs": []}}}, "[0].info.task.actions"),
        ({"traj": []}, "[0].traj"),
        ({"traj": "x"}, "[0].traj"),
        ({"info": {"reward_info": {"reward": 1.0}}}, "[0].info.reward_info.info"),
    ],
)
def test_a_wrong_value_is_named_by_its_key(tmp_path: Path, more: dict[str, Any], key: str) -> None:
    """Numbers out of range, wrong kinds, missing keys and contradictions are refused, each once."""
    assert [key] == [problem.key for problem in problems(written(tmp_path, [entry(**more)]))]


@pytest.mark.parametrize("name", ["task", "reward_info"])
def test_a_missing_finding_is_not_taken_for_null(tmp_path: Path, name: str) -> None:
    """Null says that a trial never ended; no key at all says that the file is not what it seems."""
    one = entry(reward=0.0)
    del one["info"][name]
    assert f"[0].info.{name}" in [problem.key for problem in problems(written(tmp_path, [one]))]


def test_a_task_is_the_same_in_all_of_its_trials(tmp_path: Path) -> None:
    """Results of two versions of a task are not averaged."""
    path = written(tmp_path, [entry(), entry(2, 1, info={"task": task("You are Ann.")})])
    assert ["[1].info.task"] == [problem.key for problem in problems(path)]


def test_a_file_that_lacks_most_trials_is_refused(tmp_path: Path) -> None:
    """One entry with number 999 does not plan a thousand trials."""
    assert "holds 1" in problems(written(tmp_path, [entry(trial=999)]))[0].message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "this cannot be read: the file must be one JSON array, with one entry per trial"),
        (b"{}", "this cannot be read: the file must be one JSON array, with one entry per trial"),
        (b"[{", "this cannot be read: Expecting property name enclosed in double quotes"),
        (b"[\xff]", "this is not UTF-8"),
        (b"[" * 100_000, "this cannot be read: nested too deep to be read"),
    ],
)
def test_what_is_no_result_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """The message says what was expected."""
    assert [message] == [problem.message for problem in problems(written(tmp_path, content))]


def test_problems_before_a_torn_end_are_told_too(tmp_path: Path) -> None:
    """A file that was cut off in the middle names its wrong entries and the place of the cut."""
    text = json.dumps([entry(reward="1"), entry(2, 1)])[:-30]
    assert ["[0].reward", ""] == [problem.key for problem in problems(written(tmp_path, text))]


def test_a_flood_of_problems_is_cut_short(tmp_path: Path) -> None:
    """Nobody reads more than a thousand."""
    found = problems(written(tmp_path, [7] * 5000))
    assert (1001, "the rest was not looked at") == (len(found), found[-1].message)


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    """A folder is refused as none, and nothing at all with the reason of the system."""
    for path, said in ((tmp_path, "a file is wanted"), (tmp_path / "none.json", "cannot be read")):
        with pytest.raises(InputError, match=said):
            read(path)


def test_an_empty_file_measures_nothing(tmp_path: Path) -> None:
    """No trial is not a success: there is nothing to decide about."""
    with pytest.raises(Undecidable):
        imported(tmp_path)


def test_a_byte_order_mark_is_let_be(tmp_path: Path) -> None:
    """Editors put it there."""
    path = written(tmp_path, b"\xef\xbb\xbf" + msgspec.json.encode([entry()]))
    assert 1 == len(read(path).suite.cases)
