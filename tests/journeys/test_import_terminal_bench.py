"""Four leaderboard submissions as runs: imported, shown, scored again, held against their own figures.

The recordings are of laude-institute/terminal-bench-leaderboard: 80 tasks with 5 trials each. What is
expected is worked out here from the raw files, by other code than the importer's.
"""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.exchange.submissions import failing, null, result, run_file, written
from tests.journeys.walking import Said, Walker

SUBMISSIONS = ["orch-qwen", "openhands", "cursor-cli", "goose-sonnet"]
INFRASTRUCTURE = {
    "test_timeout": "not_observed",
    "parse_error": "not_observed",
    "unknown_agent_error": "not_observed",
    "agent_installation_failed": "environment",
}


def brought_in(walk: Walker, shared_data: Path, name: str) -> Said:
    """Import a submission."""
    return walk("import", "terminal-bench", shared_data / "terminal-bench" / name, "--json")


def raw(shared_data: Path, name: str) -> list[dict[str, Any]]:
    """Return the files of a submission."""
    folder = shared_data / "terminal-bench" / name
    return [json.loads(path.read_text()) for path in sorted(folder.glob("run-*.json"))]


def raw_rows(shared_data: Path, name: str) -> list[dict[str, Any]]:
    """Return the results of a submission."""
    return [row for one in raw(shared_data, name) for row in one["results"]]


def enumerated_pass_at(rows: list[dict[str, Any]], k: int) -> float:
    """Return pass@k by drawing every k of the trials of each task; null is a failure."""
    tasks: dict[str, list[bool]] = {}
    for row in rows:
        tasks.setdefault(row["task_id"], []).append(row["is_resolved"] is True)
    shares = []
    for trials in tasks.values():
        drawn = list(combinations(trials, k))
        shares.append(sum(map(any, drawn)) / len(drawn))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_every_trial_is_counted(walk: Walker, shared_data: Path, name: str) -> None:
    """400 planned; what the infrastructure did is unmeasured by its cause, all else as recorded; exit 3."""
    rows = raw_rows(shared_data, name)
    causes = Counter(INFRASTRUCTURE[r["failure_mode"]] for r in rows if r["failure_mode"] in INFRASTRUCTURE)
    judged = [row["is_resolved"] for row in rows if row["failure_mode"] not in INFRASTRUCTURE]
    said = brought_in(walk, shared_data, name)
    found = said.object
    assert (3, 400) == (said.code, found["planned"])
    assert (judged.count(True), judged.count(False)) == (found["pass"], found["fail"])
    assert (dict(causes), 400 - len(judged)) == (found["causes"], found["error"])


def test_the_unmeasured_of_orch_qwen(walk: Walker, shared_data: Path) -> None:
    """13 + 20 + 9 + 1 = 43 of 400, the source's word kept as sub-cause."""
    run = walk.run_folder(brought_in(walk, shared_data, "orch-qwen").run)
    rows = [json.loads(line) for line in (run / "verdicts.jsonl").read_bytes().splitlines()]
    subs = Counter(
        (r["cause"], r["sub"]) for r in rows if r["name"] == "resolved" and r["outcome"] == "error"
    )
    expected = {"test_timeout": 13, "parse_error": 20, "unknown_agent_error": 9 + 1}
    assert {("not_observed", word): n for word, n in expected.items()} == subs
    assert 43 == sum(subs.values())


def test_an_agent_that_was_not_installed_is_environment(walk: Walker, shared_data: Path) -> None:
    """Four trials of openhands say false where nothing of the agent was at work."""
    run = brought_in(walk, shared_data, "openhands").run
    (view,) = walk("show", run, "oom", 2, "--json").object["trials"]
    (row,) = [one for one in view["verdicts"] if one["name"] == "resolved"]
    assert ("error", "environment", "agent_installation_failed") == (row["outcome"], row["cause"], row["sub"])


def test_time_outs_are_judged_on_what_was_reached(walk: Walker, shared_data: Path) -> None:
    """Of orch-qwen's 172 agent_timeout trials 20 pass, the others fail."""
    rows = raw_rows(shared_data, "orch-qwen")
    timed_out = {
        (row["task_id"], int(row["trial_name"].rpartition(".")[2].partition("-")[0]) - 1): row["is_resolved"]
        for row in rows
        if row["failure_mode"] == "agent_timeout"
    }
    assert (172, 20) == (len(timed_out), sum(timed_out.values()))
    run = walk.run_folder(brought_in(walk, shared_data, "orch-qwen").run)
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").read_bytes().splitlines()]
    found = {
        (row["case"], row["trial"]): row["outcome"] == "pass"
        for row in verdicts
        if row["name"] == "resolved" and (row["case"], row["trial"]) in timed_out
    }
    assert timed_out == found


def test_the_stated_figures_of_orch_qwen(walk: Walker, shared_data: Path) -> None:
    """Accuracy .1925 and pass@2, 4, 5 = .2725, .3575, .3875, reproduced and explained; ours beside them."""
    source = brought_in(walk, shared_data, "orch-qwen").object["source"]
    assert 0.1925 == source["authors accuracy"]
    assert [0.2725, 0.3575, 0.3875] == source["authors pass@2,4,5"]
    assert "not equal" not in source["what the files state"]
    assert "pass@2, pass@4, pass@5" in source["what the files state"]
    assert "43 of 400 trials are unmeasured" in source["why they differ"]
    for said in ("20 parse_error", "13 test_timeout", "9 unknown_agent_error", "1 unknown_agent_error"):
        assert said in source["why they differ"]
    ours = source["evalkit pass@2,4,5, orch-qwen"]
    assert all(low >= stated for (low, _), stated in zip(ours, (0.2725, 0.3575, 0.3875), strict=True))


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_the_authors_figures_are_worked_out_again(walk: Walker, shared_data: Path, name: str) -> None:
    """By their convention, over all trials and file by file; every file agrees with its own rows."""
    source, rows = brought_in(walk, shared_data, name).object["source"], raw_rows(shared_data, name)
    accuracy = sum(row["is_resolved"] is True for row in rows) / len(rows)
    assert round(accuracy, 6) == source["authors accuracy"]
    expected = [enumerated_pass_at(rows, k) for k in (2, 4, 5)]
    assert pytest.approx(expected, abs=1e-6) == source["authors pass@2,4,5"]
    files = raw(shared_data, name)
    if len(files) > 1:
        assert [one["accuracy"] for one in files] == source["authors accuracy, file by file"]
    assert "not equal" not in source["what the files state"]


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_every_test_stands_in_the_traces(walk: Walker, shared_data: Path, name: str) -> None:
    """As many results of tests as the files hold, with the same statuses."""
    results = [row["parser_results"] or {} for row in raw_rows(shared_data, name)]
    expected = Counter(status for one in results for status in one.values())
    run = walk.run_folder(brought_in(walk, shared_data, name).run)
    found: Counter[str] = Counter()
    for line in (run / "events-0000.jsonl").read_bytes().splitlines():
        body = json.loads(line)["body"]
        if body.get("id", "").startswith("end:recorded test ") and body.get("rows"):
            found[body["rows"][0][0]] += 1
    assert expected == found


def test_tokens_are_kept_and_zero_is_unknown(walk: Walker, shared_data: Path) -> None:
    """orch-qwen counted in 203 trials; the other agents wrote 0 for what they did not count."""
    for name, known in (("orch-qwen", 203), ("openhands", 0)):
        run = walk.run_folder(brought_in(walk, shared_data, name).run)
        lines = (json.loads(line)["body"] for line in (run / "events-0000.jsonl").read_bytes().splitlines())
        used = [body["usage"]["input"] for body in lines if body["type"] == "closed" and body.get("usage")]
        rows = raw_rows(shared_data, name)
        assert known == len(used)
        assert sum(row["total_input_tokens"] or 0 for row in rows) == sum(used)


def test_all_submissions_have_one_suite(walk: Walker, shared_data: Path) -> None:
    """So that two of them can be compared case by case."""
    hashes = {brought_in(walk, shared_data, name).object["signature"]["suite_hash"] for name in SUBMISSIONS}
    assert 1 == len(hashes)


def test_one_file_of_a_submission(walk: Walker, shared_data: Path) -> None:
    """A single run is a run of one trial for each task."""
    path = shared_data / "terminal-bench" / "goose-sonnet" / "run-1.json"
    found = walk("import", "terminal-bench", path, "--json").object
    assert (80, ["goose-sonnet-run-1"]) == (found["planned"], list(found["arms"]))
    assert 0.4 == found["source"]["authors accuracy"]


def test_scoring_again_gives_the_same_bytes(walk: Walker, shared_data: Path) -> None:
    """`score` needs nothing but the run."""
    run = walk.run_folder(brought_in(walk, shared_data, "orch-qwen").run)
    before = (run / "verdicts.jsonl").read_bytes()
    (run / "verdicts.jsonl").unlink()
    assert 3 == walk("score", run.name).code
    assert before == (run / "verdicts.jsonl").read_bytes()


def test_a_trial_shows_its_tests(walk: Walker) -> None:
    """`show RUN CASE TRIAL` lists each test, and the share that was measured."""
    run = walk("import", "terminal-bench", written(walk.folder, run_file(failing())), "--json").run
    out = walk("show", run, "maze", 0).out
    assert 'recorded test test_text -> [["failed"]]' in out
    assert "measured 0.5 share of tests passed, asked 1" in out


def test_what_a_person_reads(walk: Walker) -> None:
    """Losses, the authors' figures, ours, and why they differ."""
    place = written(
        walk.folder, run_file(result("maze", 1, 2), null("parse_error", "maze", 2, 2), accuracy=0.5)
    )
    out = walk("import", "terminal-bench", place).out
    for word in (
        "what the source does not tell:",
        "1 trial with parse_error: not_observed",
        "authors accuracy: 0.5",
        "authors pass@2: 1.0",
        "evalkit pass@2, agent-x: 1.0",
        "worked out again from the rows and equal: accuracy",
        "why they differ",
    ):
        assert word in out


def test_exit_codes(walk: Walker) -> None:
    """All measured: 0; something not: 3; wrong files: 2, and nothing is left behind."""
    files: list[tuple[object, int]] = [
        (run_file(result(), failing("csv")), 0),
        (run_file(result(), null("parse_error", "csv")), 3),
        (run_file(), 3),
        (run_file(result(), result()), 2),
        ("{", 2),
    ]
    for content, code in files:
        said = walk("import", "terminal-bench", written(walk.folder, content))
        assert code == said.code, said.err
    assert 2 == len(list(walk.folder.glob("reports/*")))
    assert 1 == walk("import", "terminal-bench", written(walk.folder, files[0][0]), "--fail-on-fail").code
