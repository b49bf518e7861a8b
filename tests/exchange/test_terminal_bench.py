"""The run files of a Terminal-Bench submission become a suite, an arm, trials, figures and losses."""

from pathlib import Path
from typing import Any

import pytest

from evalkit.errors import InputError, Undecidable
from evalkit.exchange.tbench_modes import MODES
from evalkit.exchange.terminal_bench import read
from evalkit.records.event import Opened, Probed, Timing, Usage
from evalkit.records.suite import Suite
from evalkit.records.verdict import Measure
from tests.exchange.submissions import (
    HALF,
    PASSED,
    TIMES,
    answers,
    bodies,
    closed,
    events,
    failing,
    imported,
    keys,
    null,
    problems,
    result,
    run_file,
    written,
)

UNMEASURED = {
    "test_timeout": "not_observed",
    "parse_error": "not_observed",
    "unknown_agent_error": "not_observed",
    "agent_installation_failed": "environment",
    "unknown": "not_observed",
}
JUDGED = {
    "unset": "done",
    "none": "done",
    "agent_timeout": "limit",
    "context_length_exceeded": "crash",
    "output_length_exceeded": "crash",
    "fatal_llm_parse_error": "crash",
}


def test_one_case_for_each_task(tmp_path: Path) -> None:
    """Cases come by task; variants of a task stand or fall together."""
    suite = imported(tmp_path, result("maze.hard"), result("maze"), failing("csv")).suite
    assert ["csv", "maze", "maze.hard"] == [case.id for case in suite.cases]
    assert ["csv", "maze", "maze"] == [case.cluster_name for case in suite.cases]
    assert ("terminal-bench", "resolved") == (suite.suite, suite.deciding.name)


def test_the_suite_comes_from_the_tasks_alone(tmp_path: Path) -> None:
    """Whatever the tests are called and however trials ended, two submissions have the same suite."""
    one = imported(tmp_path, result("maze"), result("csv", parser_results={"test_other": "passed"})).suite
    other = imported(tmp_path, null("parse_error", "csv"), failing("maze")).suite
    assert one == other
    assert one == Suite.model_validate_json(one.model_dump_json(by_alias=True, exclude_defaults=True))


def test_no_metric_but_the_first_may_decide(tmp_path: Path) -> None:
    """What the tests say in detail explains and never votes."""
    tiers = {metric.name: metric.tier for metric in imported(tmp_path, result()).suite.metrics}
    assert {"resolved": "gate", "tests_passed": "observe", "some_test_passed": "observe"} == tiers


def test_the_same_files_give_the_same_events(tmp_path: Path) -> None:
    """Reading is a function of the files; events can be asked for again."""
    found, again = (imported(tmp_path, result(**TIMES), failing("csv")) for _ in range(2))
    assert events(found) == events(found) == events(again)


def test_trials_go_on_from_file_to_file(tmp_path: Path) -> None:
    """Two files with two trials of each task make trials 0 to 3."""
    first = run_file(failing("maze", 2, 2), result("maze", 1, 2))
    second = run_file(result("maze", 1, 2), failing("maze", 2, 2))
    found = read(written(tmp_path, first, second))
    assert 4 == found.trials
    assert [True, False, True, False] == [answers(found, trial=n)["is_resolved"] for n in range(4)]
    assert ["run-1.json", "run-2.json"] == [closed(found, trial=n).source["file"] for n in (1, 2)]


def test_the_tenth_file_comes_after_the_ninth(tmp_path: Path) -> None:
    """Files are counted, not spelled."""
    files = [run_file(failing() if number == 9 else result(), id=str(number)) for number in range(10)]
    found = read(written(tmp_path, *files))
    assert [9] == [n for n in range(10) if answers(found, trial=n)["is_resolved"] is False]


def test_the_arm_is_named_after_the_folder(tmp_path: Path) -> None:
    """The source names no agent; of a single file its own name is kept beside the folder's."""
    place = written(tmp_path, run_file(result()))
    assert ["agent-x"] == list(read(place).arms)
    assert ["agent-x-run-1"] == list(read(place / "run-1.json").arms)


@pytest.mark.parametrize(("word", "end"), JUDGED.items())
@pytest.mark.parametrize("resolved", [True, False])
def test_the_agents_own_endings_are_judged_on_what_was_reached(
    tmp_path: Path, word: str, end: str, *, resolved: bool
) -> None:
    """A time-out, a context overflow or a crash of the agent's own changes nothing about the verdict."""
    row = result(failure_mode=word) if resolved else failing(failure_mode=word)
    found = imported(tmp_path, row)
    last = closed(found)
    assert (end, None) == (last.end, last.cause)
    assert (None if word in ("unset", "none") else word) == last.sub
    assert resolved is answers(found)["is_resolved"]


@pytest.mark.parametrize(("word", "cause"), UNMEASURED.items())
@pytest.mark.parametrize("make", [null, failing, result])
def test_what_is_not_the_agents_is_unmeasured(tmp_path: Path, word: str, cause: str, make: Any) -> None:
    """Whatever the verdict says, or whether there is one: the word decides, and is the sub-cause."""
    row = make(word) if make is null else make(failure_mode=word)
    found = imported(tmp_path, row)
    last = closed(found)
    assert ("cancelled", cause, word) == (last.end, last.cause, last.sub)
    assert any(f"1 trial with {word}: {cause}" in loss for loss in found.losses)


def test_every_word_is_tested_here() -> None:
    """A word that is added to the table is added to the tests."""
    assert set(MODES) == set(UNMEASURED) | set(JUDGED)


@pytest.mark.parametrize("word", JUDGED)
def test_no_verdict_is_no_failure(tmp_path: Path, word: str) -> None:
    """Where nothing was found, nothing is known, however the trial ended."""
    last = closed(imported(tmp_path, null(word)))
    assert ("not_observed", word) == (last.cause, last.sub)


def test_a_word_that_nobody_knows_is_not_guessed_at(tmp_path: Path) -> None:
    """Not even where there is a verdict; the loss list says so."""
    found = imported(tmp_path, result(failure_mode="cosmic_ray"))
    assert ("not_observed", "cosmic_ray") == (closed(found).cause, closed(found).sub)
    assert any("with cosmic_ray: not_observed, a word that evalkit does not know" in x for x in found.losses)


def test_resolved_without_a_test_is_not_a_pass(tmp_path: Path) -> None:
    """All of no tests passed: nothing was examined."""
    assert "not_observed" == closed(imported(tmp_path, result(parser_results={}))).cause


def test_each_test_stands_in_the_trace(tmp_path: Path) -> None:
    """By its own name, and the share with the number of tests that it was taken over."""
    found = imported(tmp_path, failing())
    expected = {
        "test test_file": "passed",
        "test test_text": "failed",
        "is_resolved": False,
        "share of tests passed": 0.5,
        "that a test passed": True,
    }
    assert expected == answers(found)
    (share,) = [
        b for b in bodies(found) if isinstance(b, Probed) and b.id == "end:recorded share of tests passed"
    ]
    assert Measure(value=0.5, unit="share of tests passed", n=2, threshold=1.0) == share.measure


def test_a_test_that_others_report_is_missed(tmp_path: Path) -> None:
    """It is not_observed there; the share is known all the same where a reported test failed."""
    short = failing("maze", 1, 3, parser_results={"test_text": "failed"})
    found = imported(tmp_path, short, failing("maze", 2, 3), result("maze", 3, 3))
    assert ("not_observed", 0.0, "not_observed") == (
        answers(found)["test test_file"],
        answers(found)["share of tests passed"],
        answers(found)["that a test passed"],
    )
    assert any("1 trials do not report every test" in loss for loss in found.losses)


def test_all_that_are_reported_is_not_all(tmp_path: Path) -> None:
    """A trial that leaves out a test has not shown that every test passed."""
    short = result("maze", 1, 2, parser_results={"test_file": "passed"})
    said = answers(imported(tmp_path, short, failing("maze", 2, 2)))
    assert (True, "not_observed", True) == (
        said["is_resolved"],
        said["share of tests passed"],
        said["that a test passed"],
    )


def test_a_file_that_does_not_load_passes_nothing(tmp_path: Path) -> None:
    """It is no test of the task: other trials do not miss it, and of its own tests none ran."""
    unloaded = {"../tests/test_outputs.py - TypeError: no": "failed"}
    found = imported(tmp_path, failing("maze", 1, 2, parser_results=unloaded), result("maze", 2, 2))
    assert {"share of tests passed": 0.0, "that a test passed": False, "test test_text": "not_observed"} == {
        name: said
        for name, said in answers(found).items()
        if name in ("share of tests passed", "that a test passed", "test test_text")
    }
    assert not [name for name in answers(found, trial=1) if "test_outputs" in name]


def test_the_reason_is_no_part_of_a_tests_name(tmp_path: Path) -> None:
    """A test that fails with a reason in one trial and passes in another is one test."""
    reasoned = {"test_file": "passed", "test_text - AssertionError: a - b": "failed"}
    found = imported(tmp_path, failing("maze", 1, 2, parser_results=reasoned), result("maze", 2, 2))
    assert [{"test test_file", "test test_text"}] * 2 == [
        {name for name in answers(found, trial=trial) if name.startswith("test ")} for trial in (0, 1)
    ]
    assert any("1 names carried the reason" in loss for loss in found.losses)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ((900, 40), Usage(input=900, output=40)),
        ((900, 0), Usage(input=900, output=0)),
        ((900, None), Usage(input=900)),
        ((0, 40), Usage(output=40)),
        ((0, 0), None),
        ((None, None), None),
    ],
)
def test_unknown_tokens_are_not_zero(
    tmp_path: Path, tokens: tuple[int | None, int | None], expected: Usage | None
) -> None:
    """A model that read nothing was not counted."""
    found = imported(tmp_path, result(total_input_tokens=tokens[0], total_output_tokens=tokens[1]))
    opened = bodies(found)[0]
    assert isinstance(opened, Opened)
    assert expected == closed(found).usage
    assert (expected is not None) == ("usage" in opened.observes)


def test_times_are_told_from_the_start_of_the_trial(tmp_path: Path) -> None:
    """The agent's own seconds are its timing; the clock never goes back."""
    found = imported(tmp_path, result(**TIMES))
    assert Timing(model=50.0) == closed(found).timing
    assert [0.0, 65.0, 65.0, 65.0, 65.0, 65.0, 69.0] == [event.at for event in events(found)]


def test_times_that_are_not_recorded_are_unknown(tmp_path: Path) -> None:
    """No timing is made up, and of an agent that was never installed none is claimed."""
    missing, never = result(), result("csv", failure_mode="agent_installation_failed", **TIMES)
    found = imported(tmp_path, missing, never)
    assert [None, None] == [closed(found).timing, closed(found, "csv").timing]


def test_a_trial_that_no_file_holds_observes_nothing(tmp_path: Path) -> None:
    """It is planned all the same, and told."""
    found = imported(tmp_path, result("maze", 1, 2), result("maze", 2, 2), result("csv", 1, 2))
    opened = bodies(found, "csv", 1)[0]
    assert isinstance(opened, Opened)
    assert ((), "not_observed") == (opened.observes, closed(found, "csv", 1).cause)
    assert any("do not hold 1 (csv trial 1)" in loss for loss in found.losses)
    assert "1 planned trials are not held" in found.figures["why they differ"]


def test_the_authors_figures_by_their_own_convention(tmp_path: Path) -> None:
    """No verdict counts as failure: 2 of 8, pass@2 = mean(1 - C(3,2)/C(4,2), 1 - C(3,2)/C(4,2)) = .5."""
    rows = [result("maze", 1, 4), *(null("test_timeout", "maze", n, 4) for n in (2, 3, 4))]
    rows += [result("csv", 1, 4), *(failing("csv", n, 4) for n in (2, 3, 4))]
    found = imported(tmp_path, *rows)
    assert (0.25, [0.5, 1.0]) == (found.figures["authors accuracy"], found.figures["authors pass@2,4"])
    assert (2, 4) == found.pass_at
    assert "3 test_timeout with no verdict (not_observed)" in found.figures["why they differ"]


def test_where_everything_is_measured_the_figures_agree(tmp_path: Path) -> None:
    """The explanation does not invent a difference."""
    assert "they do not" in imported(tmp_path, result(), failing("csv")).figures["why they differ"]


def test_what_a_file_states_is_worked_out_again(tmp_path: Path) -> None:
    """Never echoed: a figure that the rows do not make is named with both values."""
    stated = {"accuracy": 0.75, "n_resolved": 1, "n_unresolved": 1, "resolved_ids": ["maze"]}
    found = read(written(tmp_path, run_file(result(), failing("csv"), **stated)))
    said = found.figures["what the files state"]
    assert "equal: n_resolved, n_unresolved, resolved_ids" in said
    assert "run-1.json states accuracy 0.75, its rows make 0.5" in said
    assert 0.5 == found.figures["authors accuracy"]


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    """Each problem names its file and key, over all files of the submission."""
    wrong = result(trial_name="maze", total_input_tokens="900", is_resolved="yes")
    place = written(
        tmp_path, run_file(wrong, 7, accuracy="0.25"), "{", run_file(result("a b"), failing(number=0))
    )
    assert [
        ("run-1.json", "accuracy"),
        ("run-1.json", "results[0].is_resolved"),
        ("run-1.json", "results[0].total_input_tokens"),
        ("run-1.json", "results[1]"),
        ("run-2.json", ""),
        ("run-3.json", "results[0].task_id"),
        ("run-3.json", "results[1].trial_name"),
    ] == [(Path(problem.file).name, problem.key) for problem in problems(place)]


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"is_resolved": 1}, "is_resolved"),
        ({"is_resolved": "true"}, "is_resolved"),
        ({"is_resolved": False}, "is_resolved"),
        ({"parser_results": HALF}, "is_resolved"),
        ({"parser_results": {"test_file": "skipped"}}, "parser_results.test_file"),
        ({"parser_results": ["passed"]}, "parser_results"),
        ({"failure_mode": None}, "failure_mode"),
        ({"failure_mode": "\x1b[31m"}, "failure_mode"),
        ({"total_input_tokens": float("nan")}, "total_input_tokens"),
        ({"total_output_tokens": float("inf")}, "total_output_tokens"),
        ({"total_output_tokens": -1}, "total_output_tokens"),
        ({"total_output_tokens": 10**400}, "total_output_tokens"),
        ({"task_id": "../etc"}, "task_id"),
        ({"trial_name": "other.1-of-1"}, "trial_name"),
        ({"trial_name": "maze.2-of-1"}, "trial_name"),
        ({"trial_name": "maze.1-of-9999"}, "trial_name"),
        ({"trial_ended_at": "yesterday"}, "trial_ended_at"),
        ({"agent_started_at": 7}, "agent_started_at"),
        (TIMES | {"agent_ended_at": TIMES["trial_started_at"]}, "agent_ended_at"),
    ],
)
def test_a_wrong_value_is_named_by_its_key(tmp_path: Path, more: dict[str, Any], key: str) -> None:
    """Wrong kinds, numbers out of range and contradictions are refused, each once."""
    place = written(tmp_path, run_file(result(**more)))
    assert [f"results[0].{key}"] == keys(place)


@pytest.mark.parametrize("name", ["trial_name", "task_id", "is_resolved", "failure_mode", "parser_results"])
def test_a_missing_key_is_not_taken_for_null(tmp_path: Path, name: str) -> None:
    """Null says that nothing was found; no key at all says that the file is not what it seems."""
    row = result()
    del row[name]
    assert f"results[0].{name}" in keys(written(tmp_path, run_file(row)))


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"accuracy": "0.5"}, "accuracy"),
        ({"accuracy": float("nan")}, "accuracy"),
        ({"n_resolved": -1}, "n_resolved"),
        ({"n_unresolved": 0.5}, "n_unresolved"),
        ({"resolved_ids": "maze"}, "resolved_ids"),
        ({"pass_at_k": {"two": 0.5}}, "pass_at_k.two"),
        ({"pass_at_k": {"2": "0.5"}}, "pass_at_k.2"),
    ],
)
def test_a_wrong_statement_is_named_by_its_key(tmp_path: Path, more: dict[str, Any], key: str) -> None:
    """What a file says of itself is checked like its results."""
    assert [key] == keys(written(tmp_path, run_file(result(), **more)))


def test_a_trial_stands_there_once(tmp_path: Path) -> None:
    """The same trial of the same task twice in one file: which of them counts, nobody knows."""
    (problem,) = problems(written(tmp_path, run_file(result(), failing())))
    assert "task maze has a trial 1 already" == problem.message


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (run_file(result("maze", 1, 5), id="b"), "its tasks have 5 trials, those of run-1.json 1"),
        (
            run_file(result(trial_name="maze.1-of-1.other-agent2"), id="b"),
            "its trials are labelled 'other-agent2', those of run-1.json 'agent-x1'",
        ),
        (run_file(failing(trial_name="maze.1-of-1.agent-x2"), id="a"), "run-1.json is of the same run"),
        (run_file(result(trial_name="maze.1-of-1.agent-x1"), id="a"), "it is the same file as run-1.json"),
    ],
)
def test_two_submissions_in_one_folder_are_not_mixed(tmp_path: Path, second: object, message: str) -> None:
    """Runs that cannot be of one agent, and runs that are there twice, are refused."""
    first = run_file(result(trial_name="maze.1-of-1.agent-x1"), id="a")
    (problem,) = problems(written(tmp_path, first, second))
    assert ("run-2.json", message) == (Path(problem.file).name, problem.message.partition(": two")[0])


def test_runs_of_one_agent_differ_in_number_and_date(tmp_path: Path) -> None:
    """Labels that count runs or say when they were do not make two submissions."""
    for labels in (("x-sonnet", "x-sonnet2"), ("2025-08-10__05-27-18", "2025-08-11__01-42-18")):
        rows = (result(trial_name=f"maze.1-of-1.{label}") for label in labels)
        assert 2 == read(written(tmp_path, *(run_file(row) for row in rows))).trials


def test_two_runs_in_one_file_are_told(tmp_path: Path) -> None:
    """Another label, or another number of trials, inside one file."""
    rows = (result(), result("csv", 1, 2), result("csv.hard", trial_name="csv.hard.1-of-1.b"))
    assert ["trial csv.1-of-2", "trial csv.hard.1-of-1.b"] == keys(written(tmp_path, run_file(*rows)))


def test_files_without_common_tasks_are_refused(tmp_path: Path) -> None:
    """Most planned trials would be missing: that is no submission that lacks some."""
    files = [run_file(result(name), id=name) for name in ("maze", "csv", "git")]
    assert (
        "3 tasks with 3 trials each make 9, but it holds 3" == problems(written(tmp_path, *files))[0].message
    )


def test_a_folder_of_submissions_names_them(tmp_path: Path) -> None:
    """One level too high: the message says which folders can be imported."""
    written(tmp_path, run_file(result()))
    (problem,) = problems(tmp_path)
    assert "import one of its folders: agent-x" == problem.suggestion


def test_a_folder_without_runs_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Both are bad input that names the path."""
    for path in (tmp_path, tmp_path / "run-9.json"):
        with pytest.raises(InputError, match=path.name):
            read(path)


def test_no_trial_is_nothing_measured(tmp_path: Path) -> None:
    """An empty list of results is not bad input, and no result either."""
    with pytest.raises(Undecidable, match="holds no trial"):
        read(written(tmp_path, run_file()))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "this cannot be read: Expecting value"),
        (b"[]", "a run file is an object whose `results` is a list of trials"),
        (b'{"results": {}}', "a run file is an object whose `results` is a list of trials"),
        (b'{"results": []} x', "this cannot be read: nothing may follow the value"),
        (b'{"results": [\xff]}', "this is not UTF-8"),
        (b"[" * 100_000, "this cannot be read: nested too deep to be read"),
        (b'{"results": [], "id": "a", "id": "b"}', "a key stands twice in this object"),
    ],
)
def test_what_is_no_run_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """The message says what was expected."""
    assert [message] == [problem.message for problem in problems(written(tmp_path, content))]


def test_instructions_are_kept_where_they_are_recorded(tmp_path: Path) -> None:
    """They are the case's turn; half a surrogate pair can be stored."""
    found = imported(tmp_path, result(instruction="Leave the maze. \ud83d"), result("csv"))
    told = {case.id: case.turns[0].user for case in found.suite.cases}
    assert told["maze"].startswith("Leave the maze.")
    assert "(the source does not tell the task)" == told["csv"]
    assert found.suite.model_dump_json()


def test_passed_names_keep_their_dashes(tmp_path: Path) -> None:
    """Only a failed test drags its reason behind it."""
    odd = PASSED | {"test_a - b": "passed"}
    assert "passed" == answers(imported(tmp_path, result(parser_results=odd)))["test test_a - b"]
