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
    assert (None, True) == (changed.decision, "before the verdicts changed" in changed.left_out[0])
