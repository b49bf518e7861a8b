"""A stored run that somebody touched: nothing of it is lost, counted twice or taken for measured."""

import json
from pathlib import Path

import pytest

from tests.journeys.walking import Walker, case, greet


@pytest.fixture
def walk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Walker:
    """Stand in a folder with a suite of three cases."""
    greet(tmp_path, [case(number) for number in range(3)])
    return Walker(tmp_path, capsys, monkeypatch)


def test_a_trial_that_was_not_planned_completes_nothing(walk: Walker) -> None:
    """Three closing lines are not three planned trials, where one is of another case."""
    run = walk("run", "suites/greet", "--json").run
    journal = walk.run_folder(run) / "events-0000.jsonl"
    journal.write_text(journal.read_text().replace('"case":"case-1"', '"case":"case-9"'))
    scored = walk("score", run, "--json")
    assert (3, 3, False) == (scored.code, scored.object["planned"], scored.object["complete"])
    assert {"cancelled": 1} == scored.object["causes"]


@pytest.mark.parametrize("verb", ["score", "resume", "gate"])
@pytest.mark.parametrize(("file", "old", "new"), [("suite.json", "hello", "h"), ("plan.jsonl", "", "")])
def test_what_was_changed_by_hand_is_refused(walk: Walker, verb: str, file: str, old: str, new: str) -> None:
    """No verb decides by another suite or another plan than the run began with."""
    run = walk("run", "suites/greet", "--json").run
    path = walk.run_folder(run) / file
    text = path.read_text()
    path.write_text(text.replace(old, new) if old else text + text.splitlines(keepends=True)[0])
    (walk.run_folder(run) / "verdicts.jsonl").unlink()
    told = walk(verb, run, "--json")
    assert 2 == told.code
    assert file in told.object["error"]


def test_a_run_without_a_manifest_is_listed(walk: Walker) -> None:
    """A run that was killed before its manifest does not vanish."""
    run = walk("run", "suites/greet", "--json").run
    (walk.run_folder(run) / "manifest.json").unlink()
    (line,) = walk("list", "--json").object["runs"]
    assert run == line["name"]
    assert "manifest.json" in line["problem"]
    assert run in walk("list").out
    assert "killed" in json.loads(walk("show", run, "--json").out)["error"]


def test_a_run_that_was_copied_finds_its_suite_in_the_working_folder(walk: Walker) -> None:
    """An artefact of another machine lies deeper than the run did; its suite is looked for from here."""
    run = walk("run", "suites/greet", "--json").run
    there = walk.folder / "downloaded" / "artefacts" / "deep" / run
    there.parent.mkdir(parents=True)
    walk.run_folder(run).rename(there)
    assert walk("gate", str(there), "--json").code in (0, 3)
    assert 0 == walk("resume", str(there), "--json").code
