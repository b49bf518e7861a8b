"""The command line next to code that prints, hangs on and goes elsewhere, and with nobody to tell."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TOOL = '''
import asyncio, os, sys, threading, time
print("printed while it was loaded")
os.chdir("/")
async def _stubborn():
    while True:
        try:
            await asyncio.sleep(600)
        except BaseException:
            pass
{wait}def act() -> str:
    """Act."""
    {body}
    return "done"
'''
POLICY = """
def good(request, rng):
    if any(message.role == "tool" for message in request.messages):
        return [{"reply": "done"}]
    return [{"call": {"tool": "act", "args": {}}}]
"""
SUITE = "suite: shop\nworld: {database: world.sql, tools: tools.py}\ncases: cases\n"
CASE = "id: one\ninput: go\nexpect: [{reply: {contains: done}}, {state: {sql: select 1, equals: 1}}]\n"
FILES = {
    "suite.yaml": SUITE,
    "world.sql": "create table t (a int);\n",
    "policies.py": POLICY,
    "arms/good.yaml": "arm: good\nmodel: {provider: scripted, policy: 'policies.py:good'}\n",
    "cases/one.yaml": CASE,
}


def written(folder: Path, body: str, wait: str = "") -> Path:
    """Write a suite whose only tool does this, and return the folder to stand in."""
    for name, text in {**FILES, "tools.py": TOOL.replace("{body}", body).replace("{wait}", wait)}.items():
        path = folder / "suites" / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def called(folder: Path, *words: str, behind: str = "") -> subprocess.CompletedProcess[bytes]:
    """Type words after `evalkit` in a process of its own; `behind` is for the shell."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "EVALKIT_REPORTS": "", "PYTHONIOENCODING": "ascii"}
    line = f"exec {sys.executable} -m evalkit {' '.join(words)} {behind}"
    return subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    "body",
    [
        "print('noise'); sys.stdout.write('noise')",
        "os.write(1, b'noise')",
        "os.system('echo noise')",
        "sys.stdout.close()",
        "os.close(1)",
        "sys.stdout = None",
        "sys.stdout.buffer.write(b'\\xff noise')",
        "os.chdir('/')",
    ],
)
def test_stdout_is_for_results_alone(tmp_path: Path, body: str) -> None:
    """Whatever a tool prints, closes or leaves, stdout holds one JSON object and the run is whole."""
    done = called(written(tmp_path, body), "run", "suites/shop", "--json")
    found = json.loads(done.stdout)
    assert (0, 1, True) == (done.returncode, found["pass"], found["complete"]), done.stderr


@pytest.mark.parametrize(
    "body",
    [
        "threading.Thread(target=time.sleep, args=(600,)).start()",
        "asyncio.get_running_loop().run_in_executor(None, time.sleep, 600)",
        "global task; task = asyncio.ensure_future(_stubborn())",
    ],
)
def test_threads_of_a_suite_do_not_hold_the_process(tmp_path: Path, body: str) -> None:
    """What a tool left running ends with the run."""
    began = time.monotonic()
    done = called(written(tmp_path, body, "async "), "run", "suites/shop", "--json")
    assert (0, 1) == (done.returncode, json.loads(done.stdout)["pass"]), done.stderr
    assert 100 > time.monotonic() - began


@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["schema", "suite"], ["nonsense", "--json"]])
def test_a_result_that_nobody_can_read_is_no_success(tmp_path: Path, words: list[str]) -> None:
    """Stdout is closed or full: 4, no traceback."""
    for shell in (">&-", ">/dev/full"):
        done = called(tmp_path, *words, behind=shell)
        assert (4, b"") == (done.returncode, done.stdout)
        assert b"Traceback" not in done.stderr


def test_the_journal_never_takes_the_place_of_stdout(tmp_path: Path) -> None:
    """With stdout and stderr closed, what a tool prints reaches no file of the run."""
    done = called(
        written(tmp_path, "os.write(1, b'noise'); os.write(2, b'noise')"),
        "run",
        "suites/shop",
        behind=">&- 2>&-",
    )
    assert 4 == done.returncode
    (run,) = (tmp_path / "reports").iterdir()
    assert all(b"noise" not in file.read_bytes() for file in run.rglob("*") if file.is_file())
    assert 0 == called(tmp_path, "score", run.name).returncode


def test_an_encoding_without_the_letters_is_no_bug(tmp_path: Path) -> None:
    """A terminal that knows no Chinese gets escapes, and the exit code that it would get anyhow."""
    folder = written(tmp_path, "pass")
    case = folder / "suites" / "shop" / "cases" / "one.yaml"
    case.write_text(CASE.replace("one", "退款", 1), encoding="utf-8")
    run = json.loads(called(folder, "run", "suites/shop", "--json").stdout)["run"]
    shown = called(folder, "show", run)
    assert 0 == shown.returncode, shown.stderr
    assert b"\\u9000\\u6b3e" in shown.stdout


@pytest.mark.parametrize("words", [["show", "a" * 5000], ["run", "a" * 5000], ["gate", "a" * 5000]])
def test_a_name_that_no_file_can_have_is_bad_input(tmp_path: Path, words: list[str]) -> None:
    """What cannot be read is the input's fault: 2, and not 4."""
    assert 2 == called(tmp_path, *words).returncode


def test_what_a_run_was_not_asked_is_not_said_of_it(tmp_path: Path) -> None:
    """A stored run is judged as it stands: options that would need another run are refused."""
    folder = written(tmp_path, "pass")
    run = json.loads(called(folder, "run", "suites/shop", "--json").stdout)["run"]
    for option in ("--trials 5", "--only id=one", "--skip id=two", "--mode real", "--seed 7"):
        done = called(folder, "gate", run, option)
        assert 2 == done.returncode
        assert option.split()[0].encode() in done.stderr


def test_a_cause_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    """A misspelt cause retries nothing, and that is no success."""
    folder = written(tmp_path, "pass")
    run = json.loads(called(folder, "run", "suites/shop", "--json").stdout)["run"]
    assert 2 == called(folder, "retry", run, "--errors=enviroment").returncode


def test_what_breaks_the_command_line_itself_is_no_verdict(tmp_path: Path) -> None:
    """Code of a suite that breaks what errors are told with gives 70: exit 1 would say no-go."""
    done = called(written(tmp_path, "import json; json.dumps = None"), "run", "suites/shop", "--json")
    assert (70, b"") == (done.returncode, done.stdout)
