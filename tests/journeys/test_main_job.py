"""The main job as a release manager walks it: suite, run, trace, verdicts, decision, all from one command."""

import json
import shutil

from tests.journeys.walking import Walker, case, greet

TEN = [case(number) for number in range(10)]


def test_one_command_decides(walk: Walker) -> None:
    """`gate SUITE` runs the suite and exits 0 on a go; the run folder holds everything that it rests on."""
    said = walk("gate", greet(walk.folder, TEN), "--json")
    assert (0, "go") == (said.code, said.object["decision"])
    files = {path.name for path in walk.run_folder(said.run).iterdir()}
    wanted = {
        "manifest.json",
        "suite.json",
        "plan.jsonl",
        "events-0000.jsonl",
        "verdicts.jsonl",
        "decision.json",
    }
    assert wanted <= files


def test_a_failing_suite_is_a_no_go(walk: Walker) -> None:
    """An agent that never does it gives exit 1, and the root is named."""
    said = walk("gate", greet(walk.folder, TEN, steps="[{reply: go away}]"), "--json")
    assert (1, "no-go") == (said.code, said.object["decision"])
    assert [("reply", "outcome: reply contains", 10)] == [
        (root["stage"], root["cause"], root["trials"]) for root in said.object["roots"]
    ]


def test_the_law_holds_in_what_is_printed(walk: Walker) -> None:
    """Planned = pass + fail + error, in the JSON object of every verb that measures."""
    place = greet(walk.folder, [*TEN[:5], *(case(n, expected="bye") for n in range(5, 8))])
    ran = walk("run", place, "--trials", 2, "--json").object
    for said in (ran, walk("score", ran["run"], "--json").object, walk("show", ran["run"], "--json").object):
        assert (16, 10, 6, 0) == (said["planned"], said["pass"], said["fail"], said["error"])
        assert {"signature", "causes", "coverage"} <= said.keys()


def test_a_failing_trial_is_a_result(walk: Walker) -> None:
    """`run` gives 0 where everything was measured, and 1 only when it was asked to."""
    place = greet(walk.folder, [case(0, expected="bye")])
    assert [0, 1] == [walk("run", place, *flags).code for flags in ((), ("--fail-on-fail",))]


def test_scoring_needs_nothing_but_the_run(walk: Walker) -> None:
    """Without the suite's folder and the verdicts of before, `score` gives the same bytes."""
    suite = """\
suite: greet
cases: cases.jsonl
metrics:
  outcome: {primary: true, check: reply}
  polite:
    {tier: compare, scope: trace, primary: true, check: {python: {function: "own.py:polite"}}}
"""
    place = greet(
        walk.folder, [case(n, expected="bye" if n == 3 else "hello") for n in range(5)], suite=suite
    )
    (place / "own.py").write_text("def polite(sheet):\n    return bool(sheet.replies)\n")
    run = walk("run", place, "--json").run
    verdicts = walk.run_folder(run) / "verdicts.jsonl"
    before = verdicts.read_bytes()
    shutil.rmtree(walk.folder / "suites")
    verdicts.unlink()
    assert 0 == walk("score", run).code
    assert before == verdicts.read_bytes()
    assert b'"name":"polite","outcome":"pass"' in before


def test_every_figure_carries_its_signature(walk: Walker) -> None:
    """The suite's hash changes with its cases; the seed is recorded, not compared."""
    place = greet(walk.folder, TEN[:1])
    first = walk("run", place, "--json").object["signature"]
    (place / "cases.jsonl").write_text(json.dumps(case(1)) + "\n")
    second = walk("run", place, "--seed", 5, "--json").object["signature"]
    assert first["suite_hash"] != second["suite_hash"]
    assert (0, 5) == (first["seed"], second["seed"])


def test_flags_override_the_policy_and_it_is_said(walk: Walker) -> None:
    """`--trials` takes the place of the policy's, and the decision says so."""
    said = walk("gate", greet(walk.folder, TEN), "--trials", 2, "--json").object
    assert 20 == said["planned"]
    assert any("--trials 2 instead of the policy's 1" in text for text in said["warnings"])


def test_the_trace_of_a_trial_can_be_read(walk: Walker) -> None:
    """`show RUN CASE TRIAL` prints verdicts and every event, Chinese text included, within 80 columns."""
    place = greet(walk.folder, [case(0, expected="再见")], steps="[{reply: 您好，退款已经完成}]")
    run = walk("run", place, "--json").run
    page = walk("show", run, "case-0", 0).out
    assert "您好，退款已经完成" in page
    assert "outcome" in page
    assert ">   3" in page


def test_blame_shows_one_cluster_for_one_cause(walk: Walker) -> None:
    """Ten cases that fall for the same reason are one cluster with one example."""
    run = walk("run", greet(walk.folder, TEN, steps="[{reply: go}]"), "--json").run
    clusters = walk("blame", run, "--json").object["clusters"]
    assert [10] == [one["cluster"]["trials"] for one in clusters]
    assert ["reply"] == clusters[0]["example"]["primary"]


def test_the_list_names_runs_and_decisions(walk: Walker) -> None:
    """`list` shows every run with its decision and its size."""
    walk("gate", greet(walk.folder, TEN))
    runs = walk("list", "--json").object["runs"]
    assert [("greet", "go", True)] == [(one["suite"], one["decision"], one["size"] > 0) for one in runs]


def test_a_python_policy_varies_with_its_seed(walk: Walker) -> None:
    """A policy draws from the trial's seed: trials differ, and the same run can be made again."""
    place = greet(walk.folder, TEN)
    (place / "policies.py").write_text(
        "def coin(request, rng):\n    return [{'reply': 'hello' if rng.random() < 0.5 else 'no'}]\n"
    )
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:coin'}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    runs = [walk("run", place, "--trials", 4, "--json").object for _ in range(2)]
    assert 0 < runs[0]["pass"] < 40
    verdicts = [(walk.run_folder(run["run"]) / "verdicts.jsonl").read_bytes() for run in runs]
    assert verdicts[0] == verdicts[1]
    assert runs[0]["pass"] != walk("run", place, "--trials", 4, "--seed", 9, "--json").object["pass"]


def test_json_stays_json_on_errors(walk: Walker) -> None:
    """With --json even a refusal is one JSON object on stdout."""
    said = walk("gate", "missing", "--json")
    assert (2, 2) == (said.code, json.loads(said.out)["exit_code"])
