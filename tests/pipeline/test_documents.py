"""What a report of a run shows: chosen from its rows, and what is left out is told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evalkit.pipeline.documents import document
from evalkit.pipeline.setting import Setting, surroundings
from evalkit.records.document import Document
from tests.journeys.walking import Walker, case, greet

FAILING = {"expect": [{"reply": {"contains": "no such thing"}}]}


@pytest.fixture
def walk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Walker:
    """Stand in a folder with a suite of five cases that pass and four that fail."""
    failing = [case(number) | FAILING for number in range(5, 9)]
    greet(tmp_path, [*(case(number) for number in range(5)), *failing])
    return Walker(tmp_path, capsys, monkeypatch)


def _setting() -> Setting:
    return surroundings(os.environ, lambda _line: None, "0")


def _document(walk: Walker, *words: object) -> Document:
    run = walk("run", "suites/greet", "--json", *words).run
    return document(run, _setting())


def test_two_trials_of_a_cluster_and_three_that_passed_are_shown(walk: Walker) -> None:
    """Examples come from different cases, failing ones first."""
    found = _document(walk, "--trials", 3)
    shown = [(one.why, one.view.case, one.view.trial) for one in found.trials]
    failed = [("failed", "case-5", 0), ("failed", "case-6", 0)]
    assert [*failed, *(("passing", f"case-{number}", 0) for number in range(3))] == shown
    assert all(one.view.trace is not None for one in found.trials)


def test_what_is_not_shown_is_told(walk: Walker) -> None:
    """Trials without evidence in the document are counted, by how they ended."""
    told = _document(walk, "--trials", 3).left_out
    assert ["10 of 12 failed", "12 of 15 passed"] == [" ".join(line.split()[:4]) for line in told]


def test_every_closed_trial_counts_for_the_spread(walk: Walker) -> None:
    """Seconds are known of all trials, money of none."""
    spreads = {one.name: one for one in _document(walk).spreads["champion"]}
    assert (9, 0) == (spreads["agent"].n, spreads["agent"].unknown)
    assert (0, 9) == (spreads["cost"].n, spreads["cost"].unknown)


def test_a_decision_on_other_verdicts_is_not_shown(walk: Walker) -> None:
    """A decision that no longer belongs to the verdicts of the run is left out, and that is told."""
    run = walk("gate", "suites/greet", "--json").run
    kept = document(run, _setting()).decision
    assert kept is not None
    path = walk.run_folder(run) / "decision.json"
    stored = json.loads(path.read_text())
    stored["counts"]["passed"] += 1
    path.write_text(json.dumps(stored))
    changed = document(run, _setting())
    assert (None, True) == (changed.decision, "before the verdicts changed" in changed.dropped)
    assert f"evalkit gate {run}" == changed.ask


FORMATS = ("html", "md", "json", "xml")


def test_every_format_says_that_a_decision_was_dropped(walk: Walker) -> None:
    """A gate was asked, and its answer holds no more: no format says that nobody asked."""
    run = walk("gate", "suites/greet", "--json").run
    path = walk.run_folder(run) / "decision.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "stale": True}))
    outputs = [word for name in FORMATS for word in ("-o", f"r.{name}")]
    said = walk("report", run, *outputs, "--annotations")
    for name in FORMATS:
        text = (walk.folder / f"r.{name}").read_text()
        assert "was made before the verdicts changed" in text
        assert "was asked of this run" not in text
        assert "No gate was asked" not in text
    assert "::The last decision, undecided about arm champion, was made before the verdicts" in said.out
    assert "before the verdicts changed" in walk("report", run, "--json").object["dropped"]


def test_a_decision_about_another_arm_is_named(walk: Walker) -> None:
    """A report of one arm says that the last decision was about another one, and how to decide about this."""
    arms = walk.folder / "suites" / "greet" / "arms"
    champion = (arms / "champion.yaml").read_text()
    (arms / "other.yaml").write_text(champion.replace("champion", "other"))
    run = walk("run", "suites/greet", "--arm", "champion", "--arm", "other", "--json").run
    walk("gate", run, "--arm", "champion")
    found = document(run, _setting(), "other")
    assert "is about arm champion, not shown here" in found.dropped
    assert f"evalkit gate {run} --arm other" == found.ask


def test_what_leads_to_a_decision_is_a_command_that_works(walk: Walker) -> None:
    """Without a policy beside the suite the gate wants one; what is unfinished is finished first."""
    (walk.folder / "suites" / "greet" / "gate.yaml").unlink()
    found = _document(walk)
    run = found.board.manifest.run
    assert f"evalkit gate {run} --policy FILE" == found.ask
    manifest = walk.run_folder(run) / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "complete": False}))
    walk("report", run, "-o", "r.md", "-o", "r.html")
    for name in ("r.md", "r.html"):
        text = (walk.folder / name).read_text()
        assert (True, False) == (f"evalkit resume {run}" in text, f"evalkit gate {run}" in text)


def test_a_tool_that_raises_is_named_and_shown(walk: Walker) -> None:
    """The first broken trial is what to look at next, and the block says what it says."""
    place = walk.folder / "suites" / "greet"
    (place / "own.py").write_text("def sound(facts):\n    return undefined_name\n")
    broken = case(0) | {"expect": [{"python": {"function": "own.py:sound"}}]}
    (place / "cases.jsonl").write_text(json.dumps(broken))
    said = walk("run", place, "--json").object
    assert f"evalkit show {said['run']} case-0 0" == said["next"]
    assert ["NameError" in said["notes"][0], "broken_case: the first is case-0 #0" in said["notes"][0]] == [
        True
    ] * 2
    assert f"next: evalkit show {said['run']} case-0 0" in walk("show", said["run"]).out
    assert f"next: evalkit show {said['run']} case-0 0" in walk("gate", said["run"]).out
