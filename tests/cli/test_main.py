"""The command line says what went wrong, and its exit code says what it means."""

import subprocess
import sys
from pathlib import Path

import pytest

from evalkit.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--version"], 0, "evalkit, version"),
        (["--help"], 0, "Exit codes: 0 go"),
        ([], 2, "Usage"),
        (["frobnicate"], 2, "No such command 'frobnicate'"),
        (["run"], 2, "Missing argument 'SUITE'"),
        (["show", "missing"], 2, "no such run"),
        (["run", "nowhere"], 2, "nowhere"),
        (["gate", "nowhere", "--trials", "0"], 2, "--trials"),
    ],
)
def test_exit_codes(
    words: list[str],
    code: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Usage and input errors give 2, and name what is wrong."""
    monkeypatch.chdir(tmp_path)
    assert code == main(words)
    printed = capsys.readouterr()
    assert told in printed.out + printed.err


def test_a_bug_says_that_it_is_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Whatever nobody expected gives 70 and asks for a report; it never looks like a verdict."""
    run = tmp_path / "run"
    run.mkdir()
    (run / "manifest.json").mkdir()
    assert main(["show", str(run)]) in (2, 70)
    assert "Traceback" not in capsys.readouterr().out


def test_a_closed_pipe_is_not_a_success(tmp_path: Path) -> None:
    """The reader went away: exit 4 and no traceback."""
    words = [sys.executable, "-m", "evalkit", "schema", "suite"]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert 4 == process.wait(timeout=60)
    assert b"Traceback" not in told
