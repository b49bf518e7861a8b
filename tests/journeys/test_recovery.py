"""What was closed is never lost and never counted twice, whatever ends the process."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal
from tests.journeys.walking import Walker, case, greet

SLOW = "[{reply: hello, delay_ms: 60}]"
FORTY = [case(number, expected="bye" if number % 7 == 0 else "hello") for number in range(40)]
KILLING = Path(__file__).with_name("killing.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 needs a POSIX system")
def test_peer_14_fifty_kills_lose_nothing_and_count_nothing_twice(tmp_path: Path) -> None:
    """peers.md 1.14: killed 50 times, 20 of them with trials open, every run resumes to the same verdicts."""
    greet(tmp_path, FORTY, steps=SLOW)
    words = [sys.executable, str(KILLING), str(tmp_path), "50", "7"]
    root = Path(__file__).parents[2]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=root, timeout=400)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert [] == found["different"]
    assert found["kills"] >= 50
    assert found["open"] >= 20


def attempts_in(folder: Path) -> list[list[int]]:
    """Return the numbers of the closed attempts of every planned trial, in plan order."""
    journal = Journal(folder)
    keys = [(one.arm, one.case, one.trial) for one in RunFolder(folder).plan()]
    return [[one.attempt for one in journal.attempts(key)] for key in keys]


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start the command line as a process of its own."""
    command = [sys.executable, "-m", "evalkit", *words]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_events(reports: Path) -> Path:
    """Return the run as soon as its journal holds a line."""
    for _ in range(2000):
        found = [path for path in reports.glob("*/events-0000.jsonl") if path.stat().st_size > 0]
        if found:
            return found[0].parent
        time.sleep(0.01)
    raise AssertionError("the run never began")


def test_an_interrupt_ends_cleanly_and_resume_finishes(walk: Walker) -> None:
    """Ctrl-C exits 130, says how to go on, keeps what was closed; `resume` runs the rest and no more."""
    greet(walk.folder, FORTY, steps="[{reply: hello, delay_ms: 60}]")
    process = start(walk.folder, "run", "suites/greet", "--trials", "3", "-j", "2", "--json")
    folder = wait_for_events(walk.folder / "reports")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert 130 == process.returncode, err
    assert "10 s to end; Ctrl-C again cuts them" in err
    partial = json.loads(out)
    closed = Journal(folder).n_closed
    assert (120, 120 - closed) == (partial["planned"], partial["causes"]["cancelled"])
    assert 0 < closed < 120
    assert 0 == Journal(folder).unclosed
    resumed = walk("resume", folder.name, "--json")
    assert (0, True, 120) == (resumed.code, resumed.object["complete"], resumed.object["planned"])
    attempts = Counter(len(attempts) for attempts in attempts_in(folder))
    assert Counter({1: 120}) == attempts


def test_an_incomplete_run_is_undecided(walk: Walker) -> None:
    """A gate about a run that still owes trials says undecided, exit 3, and how to finish it."""
    place = greet(walk.folder, FORTY[1:5])
    run = walk("run", place, "--json").run
    journal = walk.run_folder(run) / "events-0000.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]))
    assert 3 == walk("score", run).code
    said = walk("gate", run, "--json")
    assert (3, "undecided") == (said.code, said.object["decision"])
    assert f"evalkit resume {run}" in said.out


def test_resuming_a_whole_run_changes_nothing(walk: Walker) -> None:
    """Where nothing is owed, `resume` runs nothing and the verdicts keep their bytes."""
    run = walk("run", greet(walk.folder, FORTY[:5]), "--json").run
    folder = walk.run_folder(run)
    before = (folder / "verdicts.jsonl").read_bytes()
    assert 0 == walk("resume", run).code
    assert before == (folder / "verdicts.jsonl").read_bytes()
    assert ["events-0000.jsonl"] == [path.name for path in folder.glob("events-*.jsonl")]


def test_a_changed_suite_is_not_resumed(walk: Walker) -> None:
    """Missing trials of another suite would be another measurement: exit 2, and the run stays as it is."""
    place = greet(walk.folder, FORTY[:5])
    run = walk("run", place, "--json").run
    (place / "cases.jsonl").write_text(json.dumps(case(0, expected="other")) + "\n")
    said = walk("resume", run)
    assert 2 == said.code
    assert "the suite has changed since this run began" in said.err


def test_a_changed_policy_is_not_resumed(walk: Walker) -> None:
    """The agent under test is part of what is measured: another policy is another arm, exit 2."""
    place = greet(walk.folder, FORTY[:5])
    policy = "def hello(request, rng):\n    return [{'reply': 'hello'}]\n"
    (place / "policies.py").write_text(policy)
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:hello'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    run = walk("run", place, "--json").run
    (place / "policies.py").write_text(policy.replace("hello'}", "bye'}"))
    said = walk("resume", run)
    assert 2 == said.code
    assert "an arm has changed since this run began" in said.err


BROKEN = """\
from pathlib import Path
from evalkit import DependencyError

def flaky(request, rng):
    if Path("down").exists():
        raise DependencyError(503)
    return [{"reply": "hello"}]
"""


def test_retry_measures_what_was_not_measured_and_nothing_else(walk: Walker) -> None:
    """A provider that is down gives errors; `retry --errors` makes a second attempt of these alone."""
    place = greet(walk.folder, [case(0), case(1, expected="bye")])
    (place / "policies.py").write_text(BROKEN.replace("503", "400"))
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:flaky'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    (walk.folder / "down").touch()
    ran = walk("run", place, "--json")
    assert (3, {"environment": 2}) == (ran.code, ran.object["causes"])
    (walk.folder / "down").unlink()
    again = walk("retry", ran.run, "--errors", "--json")
    assert (0, 1, 1, 0) == (again.code, again.object["pass"], again.object["fail"], again.object["error"])
    folder = walk.run_folder(ran.run)
    assert [[0, 1], [0, 1]] == attempts_in(folder)
    assert 0 == walk("retry", ran.run, "--errors").code
    assert [[0, 1], [0, 1]] == attempts_in(folder)


def test_retry_takes_only_the_named_cause(walk: Walker) -> None:
    """`--errors=harness` leaves errors of the environment alone."""
    place = greet(walk.folder, [case(0)])
    (place / "policies.py").write_text(BROKEN.replace("503", "400"))
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:flaky'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    (walk.folder / "down").touch()
    run = walk("run", place, "--json").run
    assert 3 == walk("retry", run, "--errors=harness").code
    assert [[0]] == attempts_in(walk.run_folder(run))


def test_memory_stays_flat_as_trials_grow(tmp_path: Path) -> None:
    """Ten thousand trials need at most a fifth more memory than one thousand, end to end."""
    greet(tmp_path, [case(number) for number in range(10)])
    peaks = [_peak(tmp_path, trials) for trials in (100, 1000)]
    assert peaks[1] < 1.2 * peaks[0], peaks


@pytest.mark.nightly
def test_memory_stays_flat_up_to_a_hundred_thousand_trials(tmp_path: Path) -> None:
    """A hundred thousand trials in one run need at most a fifth more memory than one thousand."""
    greet(tmp_path, [case(number) for number in range(100)])
    peaks = [_peak(tmp_path, trials, cases=100) for trials in (10, 1000)]
    assert peaks[1] < 1.2 * peaks[0], peaks


def _peak(folder: Path, trials: int, cases: int = 10) -> int:
    """Return the peak resident memory of one run, in kB."""
    code = (
        "import resource, sys; from evalkit.cli.main import main; main(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    words = [sys.executable, "-c", code, "run", "suites/greet", "--trials", str(trials), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=folder, timeout=1200)
    assert cases * trials == json.loads(done.stdout)["pass"]
    return int(done.stderr.split()[-1])


def test_a_killed_run_can_be_looked_at(walk: Walker) -> None:
    """Without verdicts, `show`, `blame` and `gate` read the journal: incomplete, and undecided."""
    run = walk("run", greet(walk.folder, FORTY[:5]), "--json").run
    folder = walk.run_folder(run)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "ended": "", "complete": False}))
    for name in ("verdicts.jsonl", "blame.jsonl"):
        (folder / name).unlink()
    lines = (folder / "events-0000.jsonl").read_text().splitlines(keepends=True)
    (folder / "events-0000.jsonl").write_text("".join(lines[:-1]))
    shown = walk("show", run, "--json")
    assert (0, 5, {"cancelled": 1}) == (shown.code, shown.object["planned"], shown.object["causes"])
    assert 0 == walk("blame", run).code
    decided = walk("gate", run, "--json")
    assert (3, "undecided") == (decided.code, decided.object["decision"])
    assert not (folder / "verdicts.jsonl").exists()


def test_a_run_is_found_again_from_another_folder(walk: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite's place is kept relative to the run: `gate` and `resume` work from wherever one stands."""
    run = walk("run", greet(walk.folder, FORTY[1:7]), "--json").run
    elsewhere = walk.folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    place = walk.run_folder(run)
    assert 0 == walk("gate", place).code
    assert 0 == walk("resume", place).code
