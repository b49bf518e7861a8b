"""A budget ends a run in time, leaves it incomplete and balanced, and `resume` goes on with another one."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal
from tests.journeys.walking import Said, Walker, case, greet

SPENDS = "[{reply: hello, usage: {input: 900, cache_read: 0, cache_write: 0, output: 50}}]"
PRICES = "prices: {input: 10, output: 20}\n"  # 900 and 50 tokens come to one cent
TEN = [case(number) for number in range(10)]


def priced(folder: Path, steps: str = SPENDS, suite: str = "suite: greet\ncases: cases.jsonl\n") -> Path:
    """Write a suite of ten cases whose trials cost a cent each."""
    place = greet(folder, TEN, steps=steps, suite=suite)
    arm = place / "arms" / "champion.yaml"
    arm.write_text(arm.read_text() + PRICES)
    return place


def call(folder: Path, *words: object) -> Said:
    """Call the command line as a process of its own."""
    command = [sys.executable, "-m", "evalkit", *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return Said(done.returncode, done.stdout, done.stderr)


def test_dollars_end_a_run_and_resume_goes_on(tmp_path: Path) -> None:
    """Twelve of twenty cents: twelve trials, exit 3, never green; what is left is owed, for the rest."""
    priced(tmp_path)
    said = call(tmp_path, "run", "suites/greet", "--trials", 2, "-j", 1, "--budget-usd", 0.12)
    assert 3 == said.code, said.err
    assert "budget of 0.12 USD reached after 12 of 20 trials" in said.out
    assert "spent 11,400 tokens, 0.12 USD" in said.out
    (folder,) = (tmp_path / "reports").iterdir()
    assert f"next: evalkit resume {folder.name} --budget-usd 0.12" in said.out
    gated = call(tmp_path, "gate", folder.name, "--json")
    assert (3, "undecided") == (gated.code, gated.object["decision"])
    again = call(tmp_path, "resume", folder.name, "--budget-usd", "0.12", "--json")
    assert (0, True, None) == (again.code, again.object["complete"], again.object["ended_by"])
    assert 20 == again.object["spent"]["executions"]
    assert again.object["spent"]["usd"] == pytest.approx(0.2)


def test_what_a_budget_leaves_is_balanced(walk: Walker) -> None:
    """Round by round: where twelve of twenty trials ran, every case has one, and two cases have both."""
    place = priced(walk.folder)
    run = walk("run", place, "--trials", 2, "-j", 1, "--budget-usd", 0.12, "--json").run
    journal = Journal(walk.run_folder(run))
    plan = RunFolder(walk.run_folder(run)).plan()
    ran = Counter(one.case for one in plan if journal.last((one.arm, one.case, one.trial)) is not None)
    assert {1: 8, 2: 2} == Counter(ran.values())


def test_trials_that_were_begun_end(walk: Walker) -> None:
    """Under four jobs a budget is overspent by what runs at that moment, and no trial is cut."""
    run = walk("run", priced(walk.folder), "--trials", 2, "-j", 4, "--budget-usd", 0.12, "--json")
    journal = Journal(walk.run_folder(run.run))
    assert 0 == journal.unclosed
    assert 12 <= journal.n_closed <= 15


def test_minutes_end_a_run(walk: Walker) -> None:
    """A budget of time needs no prices, and says what it is."""
    place = greet(walk.folder, TEN, steps="[{reply: hello, delay_ms: 200}]")
    said = walk("run", place, "--trials", 9, "-j", 1, "--budget-minutes", 0.01)
    assert 3 == said.code
    assert "budget of 0.01 min reached after " in said.out
    assert "--budget-minutes 0.01" in said.out.splitlines()[-1]


def test_a_budget_that_is_not_reached_says_nothing(walk: Walker) -> None:
    """A run that could have spent more is a run like any other."""
    said = walk("run", priced(walk.folder), "--budget-usd", 5, "--budget-minutes", 60, "--json")
    assert (0, True, None) == (said.code, said.object["complete"], said.object["ended_by"])
    assert "reached" not in said.err


@pytest.mark.parametrize("verb", ["run", "gate"])
def test_dollars_for_an_arm_without_prices_are_refused(walk: Walker, verb: str) -> None:
    """Nobody could tell when they are spent: exit 2 before the first trial, with the arm's file."""
    said = walk(verb, greet(walk.folder, TEN), "--budget-usd", 1)
    assert (2, False) == (said.code, (walk.folder / "reports").exists())
    assert "arms/champion.yaml: prices: arm champion has no prices" in said.err


@pytest.mark.parametrize("amount", ["0", "-1", "nan", "inf", "much"])
def test_an_amount_is_a_number_above_nought(walk: Walker, amount: str) -> None:
    """Nothing to spend, and what is no amount, is refused."""
    assert 2 == walk("run", priced(walk.folder), "--budget-usd", amount).code


def test_unknown_cost_is_not_free(walk: Walker) -> None:
    """A reply that tells no tokens ends a run under a budget of dollars, and the reason is said."""
    place = priced(walk.folder, steps="[{reply: hello}]")
    said = walk("run", place, "-j", 1, "--budget-usd", 1, "--json")
    assert (3, {"cancelled": 9}) == (said.code, said.object["causes"])
    expected = "a reply of unknown cost under a budget of 1.00 USD after 1 of 10 trials"
    assert expected == said.object["ended_by"]


def test_a_gate_that_ran_out_of_budget_is_undecided(walk: Walker) -> None:
    """A cut run decides nothing, whatever its figures say; a budget for a run that stands is refused."""
    said = walk("gate", priced(walk.folder), "--trials", 2, "-j", 1, "--budget-usd", 0.12, "--json")
    assert (3, "undecided") == (said.code, said.object["decision"])
    assert "budget of 0.12 USD reached after 12 of 20 trials" in said.err
    refused = walk("gate", said.run, "--budget-usd", 1)
    assert 2 == refused.code
    assert "--budget-usd would have to run it again" in refused.err


def test_a_retry_keeps_to_its_budget(walk: Walker) -> None:
    """New attempts are counted like first ones; the trials that are left stay unmeasured."""
    place = priced(walk.folder)
    policy = "from pathlib import Path\nfrom evalkit import DependencyError\n\ndef flaky(request, rng):\n"
    policy += "    if Path('down').exists():\n        raise DependencyError(400)\n"
    policy += "    return [{'reply': 'hello', 'usage': {'cost_usd': 0.01}}]\n"
    (place / "policies.py").write_text(policy)
    arm = "arm: champion\nmodel: {provider: scripted, policy: 'policies.py:flaky'}\n"
    (place / "arms" / "champion.yaml").write_text(arm + PRICES)
    (walk.folder / "down").touch()
    run = walk("run", place, "--json").run
    (walk.folder / "down").unlink()
    again = walk("retry", run, "--errors", "-j", 1, "--budget-usd", 0.03, "--json")
    assert (3, 3, {"environment": 7}) == (again.code, again.object["pass"], again.object["causes"])
    assert f"evalkit retry {run} --errors --budget-usd 0.03" == again.object["next"]
    assert 0 == walk("retry", run, "--errors").code


def test_a_forecast_comes_before_what_costs(walk: Walker) -> None:
    """First unknown, then bounded by limits, then the mean of the run before; on stderr, and asks nothing."""
    place = priced(walk.folder)
    first = walk("run", place, "--json")
    assert "forecast: 10 trials, cost unknown: no earlier run tells it" in first.err
    second = walk("run", place, "--trials", 3, "--budget-usd", 0.15, "-j", 1, "--json")
    assert f"forecast: 30 trials, about 0.30 USD (mean of {first.run});" in second.err
    assert "warning: the budget of 0.15 USD ends the run after about 15 trials of 30" in second.err
    resumed = walk("resume", second.run, "--json")
    assert "forecast: 15 trials, about 0.15 USD (mean of " in resumed.err
    bounded = "suite: greet\ncases: cases.jsonl\nlimits: {cost_usd: 0.5}\n"
    (place / "suite.yaml").write_text(bounded)
    assert ", at most 5.00 USD by limits;" in walk("run", place).err


def test_what_costs_nothing_has_no_forecast(walk: Walker) -> None:
    """A scripted arm without prices sends no bill, and says no line about one."""
    assert "forecast" not in walk("run", greet(walk.folder, TEN)).err


def test_the_object_tells_what_the_block_tells(walk: Walker) -> None:
    """What was spent, what ended the run and what to type next are fields of the JSON object."""
    found = walk("run", priced(walk.folder), "--json").object
    spent = found["spent"]
    assert (10, 9500, pytest.approx(0.1)) == (spent["executions"], spent["tokens"], spent["usd"])
    assert f"evalkit gate {found['run']}" == found["next"]
    assert json.loads(json.dumps(found)) == found
