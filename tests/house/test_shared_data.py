"""Tests that need the shared data are skipped visibly without it, and fail where it is required."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import REPOSITORY

TESTS = """
import pytest

def test_reads(shared_data):
    assert (shared_data / "README.md").is_file()

def test_gives_up(shared_data):
    pytest.skip("no such table")

def test_needs_nothing():
    pass
"""


@pytest.fixture
def laid_out(tmp_path: Path) -> Path:
    """A repository of one conftest and three tests, without data beside it."""
    tests = tmp_path / "repository" / "tests"
    tests.mkdir(parents=True)
    shutil.copy(REPOSITORY / "tests" / "conftest.py", tests)
    (tests / "test_planted.py").write_text(TESTS, encoding="utf-8")
    (tests.parent / "pytest.ini").write_text("[pytest]\nmarkers =\n  shared_data: d\n", encoding="utf-8")
    return tests.parent


def _run(repository: Path, *options: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EVALKIT_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
        "1"  # nothing here needs one, and they take a second to load
    )
    if data is not None:
        environment["EVALKIT_SHARED_DATA"] = str(data)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(
        command, cwd=repository, env=environment, capture_output=True, text=True, check=False
    )


def _with_data(repository: Path) -> Path:
    folder = repository.parent / "shared" / "data"
    folder.mkdir(parents=True)
    (folder / "README.md").touch()
    return folder


def test_without_data_the_skips_are_counted(laid_out: Path) -> None:
    """Without the folder the tests that take it are skipped, and a line before the last says how many."""
    done = _run(laid_out)
    assert done.returncode == 0
    assert "shared data missing: 2 tests skipped" in done.stdout
    assert "1 passed, 2 skipped" in done.stdout.splitlines()[-1]


def test_required_data_that_is_missing_fails(laid_out: Path) -> None:
    """With `--require-shared-data` the same tests fail."""
    done = _run(laid_out, "--require-shared-data")
    assert done.returncode == 1
    assert "1 passed" in done.stdout.splitlines()[-1]
    assert "2 failed" in done.stdout.splitlines()[-1] or "2 errors" in done.stdout.splitlines()[-1]


def test_data_beside_the_repository_is_found(laid_out: Path) -> None:
    """The folder `../shared/data` is taken where no variable names another."""
    _with_data(laid_out)
    assert "2 passed, 1 skipped" in _run(laid_out).stdout.splitlines()[-1]


def test_the_variable_names_the_folder(laid_out: Path, tmp_path: Path) -> None:
    """`EVALKIT_SHARED_DATA` names the folder, and the marker selects the tests that take it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "README.md").touch()
    assert "1 passed, 1 skipped" in _run(laid_out, "-m", "shared_data", data=folder).stdout.splitlines()[-1]


def test_a_skip_for_another_reason_fails_too(laid_out: Path) -> None:
    """Where the data is required, a test of it may not skip itself."""
    _with_data(laid_out)
    done = _run(laid_out, "--require-shared-data")
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout.splitlines()[-1]
