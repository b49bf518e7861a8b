"""What every test may ask for: the shared data, the settings of hypothesis, the count of what was skipped.

Tests that read the shared data take the fixture `shared_data`. Without the folder they are skipped, counted
in a closing line, and made failures by `--require-shared-data` (`make test-data`).
"""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.journeys.walking import Walker

REPOSITORY = Path(__file__).resolve().parents[1]
MARKER = "shared_data"

# Broken on purpose; evalkit's own plugin would collect them as suites.
collect_ignore_glob = ["suite/broken/*"]

# Deterministic in CI: a red build must be the change's doing, and the same seed must find it again at a desk.
settings.register_profile("ci", derandomize=True, deadline=None, database=None, print_blob=True)
# Deep at night: new seeds each time, thirty times the default of 100 examples.
settings.register_profile(
    "nightly", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that turns a missing data folder into failures."""
    parser.addoption(
        "--require-shared-data",
        action="store_true",
        help="a test of the shared data that is skipped, for whatever reason, fails",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that take the fixture, so that `-m shared_data` finds them and nobody marks by hand."""
    for item in items:
        if MARKER in getattr(item, "fixturenames", ()):
            item.add_marker(MARKER)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of shared data: `$EVALKIT_SHARED_DATA`, or `../shared/data` beside the repository."""
    folder = Path(os.environ.get("EVALKIT_SHARED_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no shared data here (set EVALKIT_SHARED_DATA, or put it at ../shared/data)")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the skip of a data test into a failure where the data is required."""
    report = yield
    if report.skipped and MARKER in item.keywords and item.config.getoption("--require-shared-data"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but --require-shared-data allows no skip: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests did not run for want of data, before pytest's own closing line."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(MARKER in report.keywords for report in skipped)
    if count:
        terminalreporter.write_line(f"shared data missing: {count} tests skipped, nothing shown", yellow=True)


@pytest.fixture
def walk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Walker:
    """Return the command line, called in an empty folder."""
    return Walker(tmp_path, capsys, monkeypatch)
