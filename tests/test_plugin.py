"""The pytest plugin: suites as items, verdicts as outcomes, one run for each suite."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalkit.pipeline import suite_session
from tests.journeys.walking import case, greet

pytest_plugins = ("pytester",)

# Sessions inside this process forget what they loaded, and numpy cannot be loaded twice: it is kept here.
KEPT = (suite_session,)

PASSING = case(1, tags={"risk": "high"})
FAILING = case(2, expected="farewell", tags={"risk": "low"})

# A check that raises is the suite's own bug: nobody examined the trial.
BROKEN = """\
suite: greet
cases: cases.jsonl
metrics:
  outcome: {primary: true, check: {python: {function: "own.py:boom"}}}
"""
TOOLS = """\
def look(shelf: str) -> str:
    \"\"\"Look at a shelf.

    Args:
        shelf: Which.
    \"\"\"
    return shelf
"""
FAULTY = case(3, mock={"look": [{"fault": "timeout_before", "times": 1}]})


@pytest.fixture
def suites(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite with a case that passes and one that fails, in a folder where pytest loads no other plugin."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("EVALKIT_REPORTS", raising=False)
    return greet(pytester.path, [PASSING, FAILING])


def run_pytest(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Call pytest with the plugin, as a person does."""
    return pytester.runpytest_inprocess("-p", "evalkit.plugin", *words)


def kinds(pytester: pytest.Pytester) -> Iterator[tuple[str, str]]:
    """Yield what junit.xml says of each item: its name, and failure, error, skipped or nothing."""
    text = (pytester.path / "junit.xml").read_text()
    for item in text.split("<testcase ")[1:]:
        name = item.partition(' name="')[2].partition('"')[0]
        yield name, next((word for word in ("failure", "error", "skipped") if f"<{word} " in item), "")


def runs(pytester: pytest.Pytester) -> list[Path]:
    """Return the run folders that were left."""
    return sorted((pytester.path / "reports").glob("*/manifest.json"))


@pytest.mark.usefixtures("suites")
def test_one_item_for_each_case_and_trial(pytester: pytest.Pytester) -> None:
    """Items are named by case and trial; what passes passes, what fails fails, in one run."""
    result = run_pytest(pytester, "suites", "--evalkit-trials", "2", "-v")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines_random(["*case-1?0?*PASSED*", "*case-1?1?*PASSED*", "*case-2?1?*FAILED*"])
    assert 1 == len(runs(pytester))
    assert pytest.ExitCode.TESTS_FAILED == result.ret


@pytest.mark.usefixtures("suites")
def test_a_failure_says_why_and_what_to_type(pytester: pytest.Pytester) -> None:
    """Root stage, event and suggestion; no traceback; the run's name at the end."""
    result = run_pytest(pytester, "suites")
    text = result.stdout.str()
    (run,) = (path.parent.name for path in runs(pytester))
    for word in ("outcome failed:", "farewell", "root", "left at", f"evalkit show {run} case-2 0"):
        assert word in text
    assert "Traceback" not in text
    result.stdout.fnmatch_lines([f"run {run}: 2 planned = 1 pass + 1 fail + 0 error*"])


@pytest.mark.usefixtures("suites")
@pytest.mark.parametrize(("words", "planned"), [("case-1", 1), ("low", 1), ("case", 2)])
def test_only_what_was_selected_is_run(pytester: pytest.Pytester, words: str, planned: int) -> None:
    """`-k` selects by case and by the values of tags, and no other case is executed."""
    run_pytest(pytester, "suites", "-k", words)
    (manifest,) = runs(pytester)
    assert planned == json.loads(manifest.read_text())["plan"]["planned"]


@pytest.mark.usefixtures("suites")
def test_the_first_failure_ends_it(pytester: pytest.Pytester) -> None:
    """`-x` stops at the first item that fails; its run stays."""
    result = run_pytest(pytester, "suites", "-x", "--evalkit-trials", "3")
    result.assert_outcomes(passed=3, failed=1)
    assert 1 == len(runs(pytester))


def test_nothing_is_run_to_list(pytester: pytest.Pytester, suites: Path) -> None:
    """`--collect-only` costs no trial."""
    result = run_pytest(pytester, str(suites / "suite.yaml"), "--collect-only", "-q")
    result.stdout.fnmatch_lines(["*case-1?0?", "*case-2?0?"])
    assert [] == runs(pytester)


@pytest.mark.usefixtures("suites")
def test_a_plain_pytest_runs_no_suite(pytester: pytest.Pytester) -> None:
    """Trials may cost money: a path has to be named, in the command or in testpaths."""
    assert pytest.ExitCode.NO_TESTS_COLLECTED == run_pytest(pytester).ret
    assert [] == runs(pytester)
    pytester.makeini("[pytest]\ntestpaths = suites\n")
    run_pytest(pytester).assert_outcomes(passed=1, failed=1)


def test_a_suite_that_does_not_load_is_a_collection_error(pytester: pytest.Pytester, suites: Path) -> None:
    """All problems are told, with file and key, and the exit code is not 0."""
    (suites / "suite.yaml").write_text("suite: greet\ncases: cases.jsonl\nmetric: {}\nlimit: {}\n")
    result = run_pytest(pytester, "suites")
    result.assert_outcomes(errors=1)
    assert pytest.ExitCode.INTERRUPTED == result.ret
    text = result.stdout.str()
    assert all(word in text for word in ("suite.yaml:3", "suite.yaml:4", "metrics", "limits"))


@pytest.mark.usefixtures("suites")
def test_an_unknown_arm_is_a_collection_error(pytester: pytest.Pytester) -> None:
    """It is told before anything is run, with the arms that there are."""
    result = run_pytest(pytester, "suites", "--evalkit-arm", "champoin")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*champion*"])
    assert [] == runs(pytester)


def with_arms(suites: Path, *arms: str) -> None:
    """Give the suite these arms in place of the one that it has."""
    text = (suites / "arms" / "champion.yaml").read_text()
    (suites / "arms" / "champion.yaml").unlink()
    for arm in arms:
        (suites / "arms" / f"{arm}.yaml").write_text(text.replace("arm: champion", f"arm: {arm}"))


def test_an_arm_to_be_named_is_told_in_words_of_pytest(pytester: pytest.Pytester, suites: Path) -> None:
    """The error names the option that pytest takes, and no option of the command line."""
    with_arms(suites, "a", "b")
    text = run_pytest(pytester, "suites").stdout.str()
    assert "--evalkit-arm greet=ARM" in text
    assert "there are: a, b" in text
    assert " --arm" not in text


def test_suites_whose_arms_differ_run_together(pytester: pytest.Pytester, suites: Path) -> None:
    """An arm goes to every suite that has it, SUITE=ARM to one suite; a suite that is not there is told."""
    other = Path(shutil.copytree(suites, suites.parent / "other"))
    (other / "suite.yaml").write_text((suites / "suite.yaml").read_text().replace("greet", "other", 1))
    with_arms(suites, "a", "b")
    with_arms(other, "b", "c")
    words = ("--evalkit-arm", "a", "--evalkit-arm", "other=c", "--evalkit-arm", "third=c")
    result = run_pytest(pytester, "suites", *words)
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["--evalkit-arm third=c: no such suite was collected"])
    arms = [list(json.loads(path.read_text())["arms"]) for path in runs(pytester)]
    assert [["a"], ["c"]] == sorted(arms)


@pytest.mark.usefixtures("suites")
@pytest.mark.parametrize("trials", ["0", "1001", "many"])
def test_a_wrong_number_of_trials_is_bad_usage(pytester: pytest.Pytester, trials: str) -> None:
    """As on the command line of evalkit."""
    assert pytest.ExitCode.USAGE_ERROR == run_pytest(pytester, "suites", "--evalkit-trials", trials).ret


def test_what_was_not_measured_is_an_error(pytester: pytest.Pytester, suites: Path) -> None:
    """Not a failure, and never a pass: pytest counts it among the errors, and so does a build server."""
    (suites / "suite.yaml").write_text(BROKEN)
    cases = ({"id": name, "input": "hello"} for name in ("case-1", "case-2"))
    (suites / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases))
    (suites / "own.py").write_text("def boom(sheet):\n    raise LookupError('no shelf')\n")
    result = run_pytest(pytester, "suites", "--junitxml", "junit.xml")
    result.assert_outcomes(errors=2)
    text = result.stdout.str()
    assert "not measured: case-1[0]: outcome broken_case" in text
    assert "Traceback" not in text
    assert [("case-1[0]", "error"), ("case-2[0]", "error")] == list(kinds(pytester))


def test_a_case_that_is_not_planned_is_skipped(pytester: pytest.Pytester, suites: Path) -> None:
    """A case that declares a fault has no place in mode real; its item says so, and nothing else is lost."""
    (suites / "tools.py").write_text(TOOLS)
    (suites / "suite.yaml").write_text("suite: greet\nworld: {tools: tools.py}\ncases: cases.jsonl\n")
    (suites / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (PASSING, FAULTY)))
    result = run_pytest(pytester, "suites", "--evalkit-mode", "real", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*case-3 declares a fault and is not planned in mode real*"])


@pytest.mark.usefixtures("suites")
def test_junit_names_failures(pytester: pytest.Pytester) -> None:
    """A build server sees which case failed, and why."""
    run_pytest(pytester, "suites", "--junitxml", "junit.xml")
    assert [("case-1[0]", ""), ("case-2[0]", "failure")] == list(kinds(pytester))
    assert "farewell" in (pytester.path / "junit.xml").read_text()


@pytest.mark.usefixtures("suites")
def test_workers_share_one_run(pytester: pytest.Pytester) -> None:
    """Under xdist a suite is run once, whoever needs it first; all workers report from that run."""
    result = pytester.runpytest_subprocess(
        "-p", "evalkit.plugin", "-p", "xdist", "-n", "2", "suites", "--evalkit-trials", "3"
    )
    result.assert_outcomes(passed=3, failed=3)
    (run,) = (path.parent.name for path in runs(pytester))
    result.stdout.fnmatch_lines([f"run {run}: 6 planned = 3 pass + 3 fail + 0 error*"])


@pytest.mark.usefixtures("suites")
def test_workers_run_no_suite_that_nobody_named(pytester: pytest.Pytester) -> None:
    """What holds for one process holds for its workers."""
    pytester.makepyfile(test_own="def test_own(): pass")
    pytester.runpytest_subprocess("-p", "evalkit.plugin", "-p", "xdist", "-n", "1").assert_outcomes(passed=1)
    assert [] == runs(pytester)


def test_the_plugin_costs_nothing_where_it_is_not_used() -> None:
    """It is imported in every session of pytest; no room of evalkit is loaded."""
    script = (
        "import sys, evalkit.plugin\n"
        "print(sorted(name for name in sys.modules if name.startswith('evalkit')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "['evalkit', 'evalkit.plugin']\n" == done.stdout


def test_pytest_is_told_of_the_plugin() -> None:
    """The package declares it as pytest's entry point."""
    declared = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nevalkit = "evalkit.plugin"\n' in declared
