"""evalkit from Python: the same as the command line does, as values and exceptions."""

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import evalkit
from evalkit.errors import InputError, Undecidable
from evalkit.pipeline.suites import LoadedSuite
from evalkit.records.flat import VerdictRow
from tests.journeys.walking import Walker, case, greet

GATE = "mode: mock\ntrials: 2\nrequire: [{metric: outcome, at_least: %s}]\n"


@pytest.fixture
def greeting(tmp_path: Path) -> Path:
    """A suite of two cases, of which the agent passes the first."""
    cases = [case(1), case(2, expected="farewell", tags={"kind": "end"})]
    return greet(tmp_path, cases, gate=GATE % 0.9)


def ran(greeting: Path, **options: Any) -> evalkit.Run:
    """Run the suite beside itself."""
    return evalkit.run_suite(greeting, reports=greeting.parents[1] / "reports", **options)


def test_a_suite_is_loaded_and_run(greeting: Path) -> None:
    """The run lies in a folder of its own, and knows what it came to."""
    suite = evalkit.load_suite(greeting)
    run = evalkit.run_suite(suite, arm="champion", trials=2, reports=greeting.parents[1] / "reports")
    assert (4, 2, 2, 0) == (run.counts.planned, run.counts.passed, run.counts.failed, run.counts.errors)
    assert run.measured
    assert (run.folder / "verdicts.jsonl").is_file()
    assert run.folder.name == run.name
    assert f"<Run {run.name}: 2 pass, 2 fail, 0 error>" == repr(run)
    assert {"champion": run.counts} == run.arms


def test_the_run_is_the_one_that_the_command_line_makes(greeting: Path, walk: Walker) -> None:
    """Verdicts of the same suite, seed and number of trials are the same, byte for byte."""
    said = walk("run", greeting, "--trials", 2, "--seed", 3, "--json")
    run = ran(greeting, trials=2, seed=3)
    typed = walk.run_folder(said.run) / "verdicts.jsonl"
    assert typed.read_bytes() == (run.folder / "verdicts.jsonl").read_bytes()


def test_cases_are_selected(greeting: Path) -> None:
    """`only` and `skip` are the expressions of the command line; nothing left is undecidable."""
    assert {"case-2"} == {row.case for row in ran(greeting, only="kind=end").rows()}
    assert {"case-1"} == {row.case for row in ran(greeting, skip="kind=end").rows()}
    with pytest.raises(Undecidable, match="nothing was selected"):
        ran(greeting, only="kind=start")


def test_verdicts_are_a_frame(greeting: Path) -> None:
    """One row for each stage and metric of each trial, with what is undefined missing."""
    frame = ran(greeting, trials=3).verdicts()
    deciding = frame[frame["deciding"]]
    assert {"case-1": "pass", "case-2": "fail"} == dict(
        zip(deciding["case"], deciding["outcome"], strict=True)
    )
    assert 6 == len(deciding)
    assert deciding["cause"].isna().all()
    assert deciding["measure"].isna().all()
    assert [0, 1, 2] == sorted(deciding["trial"].unique())


def test_a_frame_has_the_types_of_its_columns(greeting: Path) -> None:
    """Whatever stands in the rows at hand, an empty column included."""
    expected = {int: "Int64", float: "Float64", bool: "boolean", str: "string", tuple: "object"}
    frame = ran(greeting).verdicts()
    for name, hint in get_type_hints(VerdictRow).items():
        parts = {type(one) if isinstance(one, str) else one for one in _leaves(hint)} - {type(None)}
        (kind,) = parts
        assert expected[kind] == str(frame.dtypes[name]), name


def _leaves(hint: Any) -> list[Any]:
    """Return the types and literal values that a hint is made of; a tuple is one."""
    if getattr(hint, "__origin__", None) is tuple:
        return [tuple]
    inner = get_args(hint)
    return [leaf for one in inner for leaf in _leaves(one)] if inner else [hint]


def test_a_run_is_held_against_a_policy(greeting: Path) -> None:
    """The suite's own policy, one beside the suite, one named by its path; the decision is kept."""
    run = ran(greeting, trials=2)
    (greeting / "easy.yaml").write_text(GATE % 0.01)
    assert "go" != run.gate().decision
    assert run.gate().decision == evalkit.gate(run, policy="gate.yaml").decision
    easy = evalkit.gate(run, policy="easy.yaml")
    assert easy.decision == evalkit.gate(run, greeting / "easy.yaml", arm="champion").decision
    assert f'"{easy.decision}"' in (run.folder / "decision.json").read_text()


def test_a_run_is_opened_again(greeting: Path) -> None:
    """By name or path, with the same counts; nothing is executed."""
    run = ran(greeting)
    reports = run.folder.parent
    assert run.counts == evalkit.open_run(run.name, reports=reports).counts
    assert run.counts == evalkit.open_run(run.folder).counts
    assert 1 == len(list(reports.iterdir()))
    with pytest.raises(InputError, match="no such run"):
        evalkit.open_run("yesterday", reports=reports)


def test_why_trials_failed(greeting: Path) -> None:
    """Attributions come as records."""
    assert ["case-2"] == [one.case for one in ran(greeting).attributions()]


def test_what_is_wrong_is_raised(greeting: Path) -> None:
    """All problems of a suite at once; an unknown arm, policy and keyword."""
    run = ran(greeting)
    with pytest.raises(InputError, match="rival"):
        ran(greeting, arm="rival")
    with pytest.raises(InputError, match=r"hard\.yaml"):
        run.gate("hard.yaml")
    with pytest.raises(TypeError, match="unexpected keyword argument 'trails'"):
        ran(greeting, trails=2)
    (greeting / "suite.yaml").write_text("suite: greet\ncases: none.jsonl\nmetric: {}\n")
    with pytest.raises(InputError) as told:
        evalkit.load_suite(greeting)
    assert 2 <= len(told.value.problems)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("trials", 0),
        ("trials", True),
        ("trials", 1.5),
        ("trials", 10**9),
        ("jobs", 0),
        ("seed", -1),
        ("mode", "x"),
        ("mode", ["mock"]),
    ],
)
def test_an_impossible_option_is_refused_before_anything_is_written(
    greeting: Path, name: str, value: object
) -> None:
    """The bounds are those of the command line."""
    with pytest.raises(InputError, match=f"{name}= takes"):
        ran(greeting, **{name: value})
    assert not (greeting.parents[1] / "reports").exists()


def test_a_loaded_suite_outlives_a_change_of_the_working_folder(
    greeting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was found once, and is found again."""
    monkeypatch.chdir(greeting.parents[1])
    suite = evalkit.load_suite(greeting.relative_to(greeting.parents[1]))
    monkeypatch.chdir(greeting)
    assert 2 == evalkit.run_suite(suite, reports=greeting.parents[1] / "reports").counts.planned


def test_errors_name_what_can_be_typed_here(greeting: Path) -> None:
    """They name keywords, and no option of the command line."""
    text = (greeting / "arms" / "champion.yaml").read_text()
    (greeting / "arms" / "rival.yaml").write_text(text.replace("arm: champion", "arm: rival"))
    with pytest.raises(InputError, match=r"name the arm with arm= .*champion, rival"):
        ran(greeting)
    run = ran(greeting, arm=("champion", "rival"))
    with pytest.raises(InputError, match="arm= with one of champion, rival"):
        run.gate()
    (greeting / "gate.yaml").unlink()
    with pytest.raises(InputError, match="name one with policy="):
        run.gate(arm="rival")


def test_nothing_is_printed(greeting: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither results nor progress: a script prints what it likes."""
    ran(greeting, trials=3).gate()
    assert ("", "") == tuple(capfd.readouterr())


def test_a_loaded_suite_says_what_it_is(greeting: Path) -> None:
    """Cases and folder can be looked at before anything is run."""
    loaded = evalkit.load_suite(str(greeting / "suite.yaml"))
    assert isinstance(loaded, LoadedSuite)
    assert (["case-1", "case-2"], greeting) == ([case.id for case in loaded.suite.cases], loaded.folder)


def test_pandas_waits_for_the_first_frame(greeting: Path) -> None:
    """A script that asks for no frame does not pay for it."""
    script = (
        "import sys, evalkit\n"
        f"run = evalkit.run_suite({str(greeting)!r}, reports={str(greeting.parent)!r})\n"
        "before = 'pandas' in sys.modules\n"
        "run.verdicts()\n"
        "print(before, 'pandas' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "False True\n" == done.stdout
