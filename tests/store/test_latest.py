"""`latest` is the run that was begun last, whatever it is called and wherever it stands in the list."""

import json
from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.store.folder import RunFolder


def begun(reports: Path, name: str, started: str, suite: str = "refund") -> None:
    """Write as much of a run as says when it began."""
    (reports / name).mkdir(parents=True)
    (reports / name / "manifest.json").write_text(json.dumps({"suite": suite, "started": started}))


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Three runs, of which the last in time is the first by name."""
    begun(tmp_path, "a", "2026-11-30T12:00:00Z")
    begun(tmp_path, "z", "2026-11-30T10:00:00Z")
    begun(tmp_path, "m", "2026-11-30T11:00:00Z", suite="greet")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "run"), [("latest", "a"), ("latest:greet", "m"), ("latest:refund", "a"), ("z", "z")]
)
def test_the_latest_is_the_last_begun(reports: Path, name: str, run: str) -> None:
    """Of all runs, or of those of one suite; another name is just a name."""
    assert run == RunFolder.find(reports, name).name


def test_a_run_that_is_called_latest_comes_first(reports: Path) -> None:
    """A real name is never taken for a wish."""
    begun(reports, "latest", "2020-01-01T00:00:00Z")
    assert "latest" == RunFolder.find(reports, "latest").name


def test_what_cannot_be_read_or_is_hidden_is_not_the_latest(reports: Path) -> None:
    """A torn manifest and a merge that was killed are passed over."""
    begun(reports, ".merge-x", "2027-01-01T00:00:00Z")
    begun(reports, "torn", "2027-01-01T00:00:00Z")
    (reports / "torn" / "manifest.json").write_text('{"suite": "refund", "sta')
    assert "a" == RunFolder.find(reports, "latest").name


@pytest.mark.parametrize("name", ["latest:other", "latest"])
def test_without_a_run_there_is_no_latest(tmp_path: Path, name: str) -> None:
    """No run of that suite, or none at all, is no such run."""
    if name != "latest":
        begun(tmp_path, "a", "2026-11-30T12:00:00Z")
    with pytest.raises(InputError, match="no such run"):
        RunFolder.find(tmp_path, name)
