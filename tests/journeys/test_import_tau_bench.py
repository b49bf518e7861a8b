"""Somebody else's recorded trials as a run: imported, shown, scored again, decided about.

The recording is tau-bench airline, GPT-4o, ten tasks with four trials each (sierra-research/tau-bench, MIT).
Its figures, by the authors' own convention and by ours, stand in the README of the shared data.
"""

import itertools
import json
from pathlib import Path

import pytest

from evalkit.errors import OutputError
from evalkit.pipeline.importing import import_run
from evalkit.pipeline.setting import Setting
from evalkit.store.folder import RunFolder
from evalkit.world.clock import SystemClock
from tests.exchange.recordings import entry, failed, unfinished, written
from tests.journeys.walking import Said, Walker

POLICY = "mode: imported\ntrials: 4\nrequire: [{metric: task_success, at_least: %s}]\n"


@pytest.fixture
def recording(shared_data: Path) -> Path:
    """The recorded trials."""
    return shared_data / "tau-bench" / "airline-10x4.json"


def brought_in(walk: Walker, recording: Path) -> Said:
    """Import the recording."""
    return walk("import", "tau-bench", recording, "--json")


def test_every_trial_is_counted(walk: Walker, recording: Path) -> None:
    """40 planned; the one trial that never completed is an error, and the exit code says unmeasured."""
    said = brought_in(walk, recording)
    assert 3 == said.code
    found = said.object
    assert (40, 18, 21, 1) == (found["planned"], found["pass"], found["fail"], found["error"])
    assert {"not_observed": 1} == found["causes"]


def test_our_figures_and_the_authors_stand_side_by_side(walk: Walker, recording: Path) -> None:
    """pass^1..4 by our convention and by theirs, with the difference in words."""
    shown = walk("show", brought_in(walk, recording).run, "--json").object
    assert (40, 1, {"not_observed": 1}) == (shown["planned"], shown["error"], shown["causes"])
    (figures,) = shown["estimates"].values()
    values = {one["statistic"]: one["value"] for one in figures if one["metric"] == "task_success"}
    ours = [values[f"pass^{k}"] for k in (1, 2, 3, 4)]
    assert pytest.approx([0.458333, 0.283333, 0.225, 0.2], abs=1e-6) == ours
    assert [0.45, 0.283333, 0.225, 0.2] == shown["source"]["authors pass^1..4"]
    assert [round(value, 6) for value in ours] == shown["source"]["evalkit pass^1..4, airline-10x4"]
    assert "task 2 trial 1" in shown["source"]["why they differ"]


def test_every_message_is_in_the_traces(walk: Walker, recording: Path) -> None:
    """The journal holds as many turns, replies, calls and observations as the file has messages."""
    messages = [one for trial in json.loads(recording.read_text()) for one in trial["traj"]]
    run = walk.run_folder(brought_in(walk, recording).run)
    lines = (run / "events-0000.jsonl").read_bytes().splitlines()
    kinds = [json.loads(line)["body"]["type"] for line in lines]
    roles = [message["role"] for message in messages]
    assert 264 == kinds.count("tool_returned") == kinds.count("tool_called") == roles.count("tool")
    assert roles.count("user") == kinds.count("user_turn")
    assert roles.count("assistant") == kinds.count("model_reply")
    assert sum(one["role"] == "assistant" and not one.get("tool_calls") for one in messages) == kinds.count(
        "replied"
    )
    assert [40, 40] == [kinds.count("opened"), kinds.count("closed")]


def test_the_unmeasured_trial_says_why(walk: Walker, recording: Path) -> None:
    """Its trace is whole; only the authors' finding is missing, and no verdict is made of that."""
    run = brought_in(walk, recording).run
    (view,) = walk("show", run, "airline-2", 1, "--json").object["trials"]
    outcomes = {row["name"]: (row["outcome"], row.get("cause")) for row in view["verdicts"]}
    assert {
        "act": ("pass", None),
        "reply": ("pass", None),
        "task_success": ("error", "not_observed"),
        "outputs_told": ("error", "not_observed"),
    } == outcomes
    assert 0 == walk("show", run, "airline-2", 1).code


def test_a_fail_shows_at_what_the_authors_looked_at(walk: Walker, recording: Path) -> None:
    """Two roots: the end state where that was examined, the replies where outputs were asked for."""
    clusters = walk("blame", brought_in(walk, recording).run, "--json").object["clusters"]
    roots = {tuple(one["cluster"]["roots"]): one["cluster"]["trials"] for one in clusters}
    assert {("act",): 15, ("reply",): 6} == roots


def test_scoring_again_gives_the_same_bytes(walk: Walker, recording: Path) -> None:
    """`score` needs nothing but the run, and a second import has the same verdicts."""
    first = walk.run_folder(brought_in(walk, recording).run)
    before = (first / "verdicts.jsonl").read_bytes()
    (first / "verdicts.jsonl").unlink()
    assert 3 == walk("score", first.name).code
    assert before == (first / "verdicts.jsonl").read_bytes()
    second = walk.run_folder(brought_in(walk, recording).run)
    assert first != second
    assert before == (second / "verdicts.jsonl").read_bytes()


@pytest.mark.parametrize(("at_least", "code", "decision"), [(0.9, 1, "no-go"), (0.1, 0, "go")])
def test_a_policy_decides_about_it(
    walk: Walker, recording: Path, at_least: float, code: int, decision: str
) -> None:
    """`gate RUN --policy` holds the recorded outcome against a policy, whole coverage or not."""
    policy = walk.folder / "policy.yaml"
    policy.write_text(POLICY % at_least)
    said = walk("gate", brought_in(walk, recording).run, "--policy", policy, "--json")
    assert (code, decision) == (said.code, said.object["decision"])


def test_evidence_of_others_is_no_stronger_than_a_rule(walk: Walker, recording: Path) -> None:
    """A policy that asks for an isolated world is not satisfied by what somebody else found."""
    policy = walk.folder / "policy.yaml"
    policy.write_text(POLICY % 0.1 + "min_grade: isolated\n")
    said = walk("gate", brought_in(walk, recording).run, "--policy", policy, "--json")
    assert (3, "undecided") == (said.code, said.object["decision"])
    rows = RunFolder(walk.run_folder(said.run)).verdicts()
    assert {"rule"} == {row.grade for row in rows if row.of == "metric" and row.grade is not None}


def test_losses_and_figures_are_printed(walk: Walker, recording: Path) -> None:
    """A person who imports reads what the source does not tell, and why the figures differ."""
    out = walk("import", "tau-bench", recording).out
    assert "what the source does not tell:" in out
    for word in (
        "time:",
        "usage:",
        "world:",
        "authors pass^1..4: 0.45, 0.283333, 0.225, 0.2",
        "why they differ",
    ):
        assert word in out


def test_an_imported_run_has_nothing_to_execute(walk: Walker) -> None:
    """`resume` and `retry` refuse it: whoever ran it is not here."""
    run = walk("import", "tau-bench", written(walk.folder, [entry(), unfinished(2, 1)]), "--json").run
    assert [2, 2] == [
        walk(verb, run, *flags).code for verb, flags in (("resume", ()), ("retry", ("--errors",)))
    ]


def test_everything_measured_is_exit_zero(walk: Walker) -> None:
    """A failing trial is a result; only what was not measured gives 3."""
    codes = [
        walk("import", "tau-bench", written(walk.folder, entries)).code
        for entries in (
            [entry(), failed(2, 1)],
            [entry(), unfinished(2, 1)],
            [entry(2), entry(2, 1), entry(8)],
        )
    ]
    assert [0, 3, 3] == codes


@pytest.mark.parametrize(
    ("content", "code"), [("[", 2), ("{}", 2), ("[1]", 2), (json.dumps([entry(), entry()]), 2), ("[]", 3)]
)
def test_a_refused_file_leaves_nothing(walk: Walker, content: str, code: int) -> None:
    """All problems, exit 2, and no folder under reports/."""
    said = walk("import", "tau-bench", written(walk.folder, content))
    assert code == said.code
    assert "airline.json" in said.err
    assert [] == list(walk.folder.glob("reports/*"))


class StoppingClock(SystemClock):
    """A clock that cannot be read for the third time."""

    def __init__(self) -> None:
        """Start to count."""
        super().__init__()
        self._asked = itertools.count(1)

    def wall(self) -> str:
        """Return the time of day, twice."""
        if next(self._asked) > 2:
            raise OutputError("no clock left")
        return super().wall()


def test_a_run_that_cannot_be_finished_is_taken_away(tmp_path: Path) -> None:
    """Whatever breaks after the folder was made, no half of a run is left."""
    setting = Setting(
        reports=tmp_path / "reports",
        clock=StoppingClock(),
        ids=lambda: "unused",
        secrets=(),
        notice=lambda _line: None,
        host="test",
        version="test",
    )
    with pytest.raises(OutputError, match="no clock left"):
        import_run("tau-bench", written(tmp_path, [entry()]), setting)
    assert [] == list((tmp_path / "reports").iterdir())
