"""Fixtures of the journeys."""

from pathlib import Path

import pytest

from tests.journeys.walking import Walker


@pytest.fixture
def walk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Walker:
    """Return a command line that is called in an empty folder."""
    return Walker(tmp_path, capsys, monkeypatch)
