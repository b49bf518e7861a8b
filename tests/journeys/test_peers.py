"""What lets other tools look green, typed at our command line."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.walking import Walker, case, greet

ROOT = Path(__file__).parents[2]


def test_peer_02_a_suite_without_cases_is_undecided(walk: Walker) -> None:
    """peers.md 1.2: no cases, exit 3, for every verb that would measure, and it says why."""
    place = greet(walk.folder, [])
    for verb in ("check", "run", "gate"):
        said = walk(verb, place)
        assert 3 == said.code, verb
        assert re.search(r"no cases", said.out + said.err), verb


def test_peer_02_a_filter_that_matches_nothing_is_undecided(walk: Walker) -> None:
    """peers.md 1.2: nothing selected, exit 3, and the filter is named."""
    place = greet(walk.folder, [case(0)])
    said = walk("gate", place, "--only", "id=other")
    assert 3 == said.code
    assert "nothing was selected" in said.err
    assert "id=other" in said.err
    assert not (walk.folder / "reports").exists()


def test_peer_03_half_measured_is_undecided(walk: Walker) -> None:
    """peers.md 1.3: one pass, one provider error, threshold .5: coverage .5, bounds .5 to 1, undecided."""
    place = greet(walk.folder, [case(0), case(1)])
    (place / "policies.py").write_text(
        "from evalkit import DependencyError\n\n"
        "def broken(request, rng):\n"
        "    if request.messages[-1].content.endswith('1'):\n"
        "        raise DependencyError(400)\n"
        "    return [{'reply': 'hello'}]\n"
    )
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:broken'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    said = walk("gate", place, "--json")
    figure = said.object["estimates"][0]
    assert (3, "undecided", 0.5) == (said.code, said.object["decision"], said.object["coverage"])
    assert (0.5, 1.0) == (figure["worst"], figure["best"])


def test_peer_16_a_run_in_which_everything_was_unmeasured_is_not_green(walk: Walker) -> None:
    """peers.md 1.16: all trials errors: exit 3 from `run`, `score` and `gate`."""
    place = greet(walk.folder, [case(0)])
    (place / "policies.py").write_text("def broken(request, rng):\n    raise KeyError('x')\n")
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:broken'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    ran = walk("run", place, "--json")
    assert (3, {"broken_case": 1}) == (ran.code, ran.object["causes"])
    assert [3, 3] == [walk(verb, ran.run).code for verb in ("score", "gate")]


def test_peer_16_a_disk_that_fills_up_is_not_green(tmp_path: Path) -> None:
    """peers.md 1.16: no room left in the middle of a run: exit 4, message, no half-written verdicts."""
    greet(tmp_path, [case(number) for number in range(40)])
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
        "from evalkit.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", code, "run", "suites/greet", "--trials", "9"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 4 == done.returncode, done.stderr
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    left = {path.name for path in (tmp_path / "reports").rglob("*") if path.is_file()}
    assert {"verdicts.jsonl", ".verdicts.jsonl.tmp"}.isdisjoint(left)


def test_peer_16_a_reports_folder_that_is_a_file_is_exit_4(walk: Walker) -> None:
    """peers.md 1.16: nothing can be written where a file stands in the way: exit 4, message, no traceback."""
    place = greet(walk.folder, [case(0)])
    (walk.folder / "reports").write_text("in the way")
    said = walk("run", place)
    assert 4 == said.code
    assert "cannot make a run folder" in said.err


def test_peer_19_a_secret_of_the_environment_reaches_no_file(
    walk: Walker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """peers.md 1.19: what the environment calls a key is redacted by value in every file of the run."""
    monkeypatch.setenv("MODEL_API_KEY", "sk-very-secret-42")
    cases = [case(0), case(1, expected="sk-very-secret-42")]
    place = greet(walk.folder, cases, steps="[{reply: hello sk-very-secret-42}]")
    run = walk("gate", place, "--json").object["run"]
    assert 2 == walk("score", run, "--json").object["pass"]
    for path in walk.run_folder(run).rglob("*.*"):
        assert "sk-very-secret-42" not in path.read_text(), path.name


def test_peer_22_a_case_that_always_fails_is_listed(walk: Walker) -> None:
    """peers.md 1.22: the threshold is met, and the case that failed ten of ten is named all the same."""
    cases = [*(case(n) for n in range(39)), case(39, expected="bye")]
    said = walk("gate", greet(walk.folder, cases), "--trials", 10, "--json").object
    assert "go" == said["decision"]
    assert any("case-39" in text for text in said["warnings"])
    per_case = "require: [{metric: outcome, at_least: 0.5, per: case}]\ntrials: 10\n"
    (walk.folder / "strict.yaml").write_text(per_case)
    again = walk("gate", said["run"], "--policy", "strict.yaml", "--json").object
    assert ["case=case-39"] == [one["slice"] for one in again["estimates"] if one["decision"] == "no-go"]


def test_peer_24_the_environment_is_not_expanded(walk: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    """peers.md 1.24: `{{ env.X }}` and `$X` stay the text that was written."""
    monkeypatch.setenv("GREETING", "expanded")
    one: dict[str, object] = {
        "id": "a",
        "input": "{{ env.GREETING }} ${GREETING}",
        "expect": [{"reply": {"contains": "hello"}}],
    }
    run = walk("run", greet(walk.folder, [one]), "--json").run
    stored = (walk.run_folder(run) / "suite.json").read_text()
    assert "{{ env.GREETING }} ${GREETING}" == json.loads(stored)["cases"][0]["turns"][0]["user"]


def test_a_world_that_does_not_build_leaves_no_run(walk: Walker) -> None:
    """What is refused before the first trial leaves nothing that looks like a measurement: no folder."""
    suite = "suite: greet\nworld: {database: world.sql}\ncases: cases.jsonl\n"
    place = greet(walk.folder, [case(0)], suite=suite)
    (place / "world.sql").write_text("create table t (x nonsense);")
    assert 2 == walk("run", place).code
    assert [] == [path.name for path in (walk.folder / "reports").glob("*")]
