"""A plan that is run in parts on several machines is, merged, the run that was not divided."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalkit.store.folder import RunFolder
from evalkit.store.joining import UNFINISHED
from evalkit.store.journal import Journal
from tests.journeys.walking import Said, Walker, case, greet

REFUND = Path(__file__).resolve().parents[2]
NINE = [case(number, expected="bye" if number % 4 == 0 else "hello") for number in range(9)]
RESULTS = ("verdicts.jsonl", "blame.jsonl", "plan.jsonl")


def shards(walk: Walker, place: Path, of: int, *flags: object) -> list[str]:
    """Run every shard of a suite and return their names."""
    return [walk("run", place, "--shard", f"{n}/{of}", "--json", *flags).run for n in range(1, of + 1)]


def results(folder: Path) -> dict[str, bytes]:
    """Return the files of a run that must not depend on how it was run."""
    return {name: (folder / name).read_bytes() for name in RESULTS}


def fingerprint(folder: Path) -> dict[str, str]:
    """Return what every file of a folder holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def call(folder: Path, *words: object) -> Said:
    """Call the command line as a process of its own."""
    command = [sys.executable, "-m", "evalkit", *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    return Said(done.returncode, done.stdout, done.stderr)


def test_three_shards_of_refund_are_the_whole_run(tmp_path: Path) -> None:
    """Two arms in three shards, merged, give the plan, verdicts and blame of one run, to the byte."""
    for name in ("suites", "golden"):
        shutil.copytree(REFUND / name, tmp_path / name)
    run = ("run", "suites/refund", "--arm", "champion", "--arm", "challenger", "--trials", 2, "--json")
    whole = call(tmp_path, *run)
    parts = [call(tmp_path, *run, "--shard", f"{n}/3") for n in (1, 2, 3)]
    assert [0] * 4 == [said.code for said in (whole, *parts)]
    merged = call(tmp_path, "merge", *(said.run for said in reversed(parts)), "--json")
    assert (0, True) == (merged.code, merged.object["complete"]), merged.err
    assert results(Path(whole.object["folder"])) == results(Path(merged.object["folder"]))
    for key in ("planned", "pass", "fail", "error", "causes", "coverage", "arms"):
        assert whole.object[key] == merged.object[key]
    sizes = [said.object["planned"] for said in parts]
    assert max(sizes) - min(sizes) <= 4


def test_a_merged_run_is_a_run(walk: Walker) -> None:
    """It is scored, shown, gated and resumed like any other, and knows what it was put together from."""
    place = greet(walk.folder, NINE)
    names = shards(walk, place, 3)
    merged = walk("merge", *names, "--json")
    folder = walk.run_folder(merged.run)
    before = results(folder)
    assert [0, 0, 0] == [walk(verb, merged.run).code for verb in ("score", "show", "resume")]
    assert before == results(folder)
    assert ["go", "no-go", "undecided"].count(walk("gate", merged.run, "--json").object["decision"]) == 1
    manifest = RunFolder(folder).manifest()
    assert (names, None) == ([part.run for part in manifest.parts], manifest.shard)


def test_a_shard_alone_decides_nothing(walk: Walker) -> None:
    """Its gate is undecided and says what to do; `gate SUITE --shard` is refused before anything runs."""
    place = greet(walk.folder, NINE)
    run = walk("run", place, "--shard", "1/4", "--json").run
    said = walk("gate", run, "--json")
    assert (3, "undecided") == (said.code, said.object["decision"])
    assert "this run is shard 1 of 4" in said.object["reasons"][0]
    refused = walk("gate", place, "--shard", "1/4")
    assert (2, 1) == (refused.code, len(list((walk.folder / "reports").iterdir())))
    assert "evalkit merge" in refused.err


@pytest.mark.parametrize("written", ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "-1/3", "1/9999"])
def test_a_shard_is_written_as_a_part_of_a_number(walk: Walker, written: str) -> None:
    """What is no part of anything is refused, exit 2, and nothing is run."""
    said = walk("run", greet(walk.folder, NINE), "--shard", written)
    assert (2, False) == (said.code, (walk.folder / "reports").exists())
    assert "1/4 for the first of four" in said.err


def test_copied_shards_merge_and_stay_as_they_are(walk: Walker) -> None:
    """Folders that were fetched from elsewhere, without hidden files, merge by their paths, untouched."""
    place = greet(walk.folder, NINE)
    whole = results(walk.run_folder(walk("run", place, "--json").run))
    fetched = []
    for number, name in enumerate(shards(walk, place, 3)):
        target = walk.folder / "artefacts" / f"part {number}" / "run"
        shutil.copytree(walk.run_folder(name), target, ignore=shutil.ignore_patterns(".*"))
        fetched.append(target)
    shutil.rmtree(walk.folder / "reports")
    before = [fingerprint(folder) for folder in fetched]
    merged = walk("merge", *fetched, "--json")
    assert 0 == merged.code, merged.err
    assert whole == results(Path(merged.object["folder"]))
    assert before == [fingerprint(folder) for folder in fetched]
    assert 0 == walk("resume", merged.run).code


def test_a_killed_shard_merges_and_is_finished_afterwards(walk: Walker) -> None:
    """A torn shard leaves the merged run incomplete, and `resume` finishes it to the same verdicts."""
    place = greet(walk.folder, NINE)
    whole = results(walk.run_folder(walk("run", place, "--trials", 2, "--json").run))
    names = shards(walk, place, 2, "--trials", 2)
    torn = walk.run_folder(names[1])
    manifest = json.loads((torn / "manifest.json").read_text())
    (torn / "manifest.json").write_text(json.dumps({**manifest, "ended": "", "complete": False}))
    journal = torn / "events-0000.jsonl"
    journal.write_bytes(journal.read_bytes()[:-200])
    for name in ("verdicts.jsonl", "blame.jsonl"):
        (torn / name).unlink()
    merged = walk("merge", *names, "--json")
    assert (3, False) == (merged.code, merged.object["complete"])
    owed = 18 - Journal(walk.run_folder(merged.run)).n_closed
    assert {"cancelled": owed} == merged.object["causes"]
    assert 3 == walk("gate", merged.run).code
    resumed = walk("resume", merged.run, "--json")
    assert (0, True) == (resumed.code, resumed.object["complete"])
    assert whole == results(walk.run_folder(merged.run))


def test_a_missing_shard_is_refused_or_left_unmeasured(walk: Walker) -> None:
    """All shards are needed; with --partial their trials are cancelled, never green, and there to resume."""
    place = greet(walk.folder, NINE)
    whole = results(walk.run_folder(walk("run", place, "--json").run))
    names = shards(walk, place, 3)
    refused = walk("merge", names[0], names[2])
    assert 2 == refused.code
    assert "shard 2 of 3 is missing" in refused.err
    assert "shards 1, 3 of 3 are missing" in walk("merge", names[1]).err
    merged = walk("merge", names[0], names[2], "--partial", "--json")
    assert (3, {"cancelled": 3}, False) == (
        merged.code,
        merged.object["causes"],
        merged.object["complete"],
    )
    assert merged.object["coverage"] == pytest.approx(6 / 9)
    assert "undecided" == walk("gate", merged.run, "--json").object["decision"]
    assert 0 == walk("resume", merged.run).code
    assert whole == results(walk.run_folder(merged.run))


def test_a_retried_shard_keeps_its_attempts(walk: Walker) -> None:
    """What a shard tried again is tried again in the merged run, and the last attempt counts."""
    place = greet(walk.folder, NINE[1:4])
    policy = "from pathlib import Path\nfrom evalkit import DependencyError\n\ndef flaky(request, rng):\n"
    policy += (
        "    if Path('down').exists():\n        raise DependencyError(400)\n    return [{'reply': 'hello'}]\n"
    )
    (place / "policies.py").write_text(policy)
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:flaky'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    (walk.folder / "down").touch()
    names = shards(walk, place, 2)
    (walk.folder / "down").unlink()
    assert 0 == walk("retry", names[0], "--errors").code
    merged = walk("merge", *names, "--json")
    assert (3, {"environment": 1}) == (merged.code, merged.object["causes"])
    assert 0 == walk("retry", merged.run, "--errors").code


def test_a_shard_can_be_resumed(walk: Walker) -> None:
    """A shard that lost its last trials runs these, and no trial of another shard."""
    names = shards(walk, greet(walk.folder, NINE), 2)
    folder = walk.run_folder(names[0])
    before = results(folder)
    journal = folder / "events-0000.jsonl"
    journal.write_bytes(journal.read_bytes()[:-10])
    resumed = walk("resume", names[0], "--json")
    assert (0, 5) == (resumed.code, resumed.object["planned"])
    assert before == results(folder)


def refused(walk: Walker, *names: object) -> str:
    """Return why a merge is refused; nothing is left behind."""
    before = sorted(path.name for path in (walk.folder / "reports").iterdir())
    said = walk("merge", *names)
    assert (2, "") == (said.code, said.out)
    assert before == sorted(path.name for path in (walk.folder / "reports").iterdir())
    return said.err


def test_what_is_no_shard_is_refused(walk: Walker) -> None:
    """A whole run, and a shard that is named twice, are refused with the reason."""
    place = greet(walk.folder, NINE)
    whole, names = walk("run", place, "--json").run, shards(walk, place, 2)
    assert "this run is no shard" in refused(walk, names[0], whole)
    copy = walk.folder / "copy"
    shutil.copytree(walk.run_folder(names[0]), copy)
    assert "shard 1 of 2 is there twice" in refused(walk, names[0], names[1], copy)
    assert "no such run" in refused(walk, names[0], "missing")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--seed", "7"), ["differ in seed"]),
        (("--trials", "2"), ["differ in trials"]),
        (("--mode", "real"), ["differ in mode"]),
        (("--only", "id!=case-3"), ["differ in only"]),
        (("--seed", "7", "--trials", "2"), ["differ in seed", "differ in trials"]),
    ],
)
def test_shards_of_different_plans_are_refused(
    walk: Walker, flags: tuple[str, ...], words: list[str]
) -> None:
    """Every field in which two shards differ is named, at once, and nothing is merged."""
    place = greet(walk.folder, NINE)
    names = [
        walk("run", place, "--shard", "1/2", "--json").run,
        walk("run", place, "--shard", "2/2", *flags, "--json").run,
    ]
    told = refused(walk, *names)
    assert [] == [word for word in words if word not in told]


def test_shards_of_different_suites_and_arms_are_refused(walk: Walker) -> None:
    """Another suite, another arm, or the same arm with another policy is another measurement."""
    place = greet(walk.folder, NINE)
    first = walk("run", place, "--shard", "1/2", "--json").run
    arm = place / "arms" / "champion.yaml"
    before = arm.read_text()
    arm.write_text(before.replace("hello", "hi"))
    other = walk("run", place, "--shard", "2/2", "--json").run
    arm.write_text(before)
    (place / "cases.jsonl").write_text("".join(json.dumps(case(n)) + "\n" for n in range(9)))
    third = walk("run", place, "--shard", "2/2", "--json").run
    assert "differ in arm champion" in refused(walk, first, other)
    assert "differ in suite_hash" in refused(walk, first, third)
    halves = walk("run", place, "--shard", "1/3", "--json").run
    assert "differ in number of shards" in refused(walk, third, halves)


def test_a_shard_with_trials_of_another_is_refused(walk: Walker) -> None:
    """A trial that two runs hold, or that none of them planned, is counted for nobody."""
    names = shards(walk, greet(walk.folder, NINE), 2)
    one, two = (walk.run_folder(name) for name in names)
    shutil.copyfile(one / "events-0000.jsonl", two / "events-0001.jsonl")
    assert "holds 5 trials that are not planned for shard 2 of 2" in refused(walk, *names)


def test_a_forged_shard_is_refused(walk: Walker) -> None:
    """A manifest that speaks of another part than its plan holds is found out."""
    names = shards(walk, greet(walk.folder, NINE), 3)
    path = walk.run_folder(names[1]) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["shard"]["number"] = 3
    path.write_text(json.dumps(manifest))
    assert "is not shard 3 of 3 of the plan" in refused(walk, names[0], names[1], "--partial")


def test_a_shard_that_lost_its_arms_is_refused(walk: Walker) -> None:
    """What a manifest does not hold differs from what another one holds."""
    names = shards(walk, greet(walk.folder, NINE), 3)
    path = walk.run_folder(names[1]) / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "arms": {}}))
    assert "differ in arms" in refused(walk, *names)


@pytest.mark.skipif(os.name != "posix", reason="locks are those of POSIX")
def test_a_shard_that_still_runs_is_refused(walk: Walker) -> None:
    """What another process writes to is not whole, and is not read as if it were."""
    names = shards(walk, greet(walk.folder, NINE), 2)
    with RunFolder(walk.run_folder(names[0])).lock():
        assert "another process is writing to this run" in refused(walk, *names)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 needs a POSIX system")
def test_a_killed_merge_leaves_no_run(tmp_path: Path) -> None:
    """Killed at any moment, a merge leaves no run, or a whole one; the shards merge again afterwards."""
    greet(tmp_path, [case(number) for number in range(40)])
    parts = [
        call(tmp_path, "run", "suites/greet", "--shard", f"{n}/2", "--trials", 30, "--json").run
        for n in (1, 2)
    ]
    reports = tmp_path / "reports"
    cut = 0
    for wait in (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
        process = subprocess.Popen(
            [sys.executable, "-m", "evalkit", "merge", *parts],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and not list(reports.glob(f"{UNFINISHED}*")):
            time.sleep(0.002)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        cut += bool(list(reports.glob(f"{UNFINISHED}*")))
        for folder in reports.glob("*merged*"):
            assert RunFolder(folder).manifest().complete
            shutil.rmtree(folder)
        for folder in reports.glob(f"{UNFINISHED}*"):
            shutil.rmtree(folder)
    assert cut >= 2
    assert 0 == call(tmp_path, "merge", *parts).code


def test_memory_stays_flat_as_shards_grow(tmp_path: Path) -> None:
    """Merging ten times the trials needs at most a fifth more memory."""
    greet(tmp_path, [case(number) for number in range(10)])
    peaks = [_peak(tmp_path, trials) for trials in (50, 500)]
    assert peaks[1] < 1.2 * peaks[0], peaks


def _peak(folder: Path, trials: int) -> int:
    """Return the peak resident memory of one merge, in kB."""
    names = [
        call(folder, "run", "suites/greet", "--trials", trials, "--shard", f"{n}/2", "--json").run
        for n in (1, 2)
    ]
    code = (
        "import resource, sys; from evalkit.cli.main import main; main(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    words = [sys.executable, "-c", code, "merge", *names, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=folder, timeout=300)
    assert 10 * trials == json.loads(done.stdout)["pass"]
    return int(done.stderr.split()[-1])
