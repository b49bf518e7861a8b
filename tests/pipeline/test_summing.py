"""What a run came to: what was not planned, and what was not measured, in words that fit their number."""

from __future__ import annotations

import json

import pytest

from tests.journeys.walking import Walker, case, greet

SUITE = """\
suite: greet
cases: cases.jsonl
metrics:
  outcome: {scope: outcome, primary: true, tier: gate, check: reply}
  cheap: {scope: trace, primary: true, tier: observe, check: {within: {cost_usd: 0.05}}}
"""


def test_cases_that_a_real_run_leaves_out_are_told_everywhere(walk: Walker) -> None:
    """A run that is smaller than its suite says so where it ends, in the board and in the decision."""
    run = walk("run", greet(walk.folder, [case(1)]), "--json").run
    path = walk.run_folder(run) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["plan"]["not_in_mode"] = ["fault-002", "fault-7"]
    path.write_text(json.dumps(manifest))
    told = "not planned in real mode, they declare faults: 2 cases (fault-002, fault-7)"
    assert [told] == walk("score", run, "--json").object["notes"]
    assert told in " ".join(walk("score", run).out.split())
    assert told in walk("show", run, "--json").object["notes"]
    assert told in walk("gate", run, "--json").object["warnings"]


@pytest.mark.parametrize(("trials", "words"), [(1, "its only trial"), (2, "2 of 2 trials")])
def test_one_trial_is_not_counted_out_of_one(walk: Walker, trials: int, words: str) -> None:
    """`in 1 of 1 trials` is no sentence."""
    place = greet(walk.folder, [case(1)], suite=SUITE)
    notes = walk("run", place, "--trials", trials, "--json").object["notes"]
    assert [f"champion: cheap was not measured in {words}"] == notes


def test_the_time_between_two_calls_is_not_worked(walk: Walker) -> None:
    """A run that is gone on with an hour later did not take an hour."""
    run = walk("run", greet(walk.folder, [case(1)]), "--json").run
    path = walk.run_folder(run) / "manifest.json"
    manifest = json.loads(path.read_text())
    past = {"started": "2026-01-01T10:00:00.000Z", "ended": "2026-01-01T10:00:03.000Z"}
    path.write_text(json.dumps({**manifest, **past}))
    assert "mode mock, 3.0 s, " in walk("resume", run).out
    assert json.loads(path.read_text())["paused"] > 86400
