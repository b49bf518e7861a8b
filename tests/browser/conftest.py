"""A browser, and pages to look at: a plain one, a Chinese one and a hostile one.

Tests that take a browser are skipped where no Chromium is found; `--require-browser` (`make test-browser`)
makes such a skip a failure. The browser lives as long as this package's tests: while Playwright runs, its
thread has a running event loop, and other tests in the same process start theirs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import browsing, chromium
from tests.browser.planting import CHINESE, hostile, plain
from tests.browser.visiting import Visits
from tests.report.html.making import document
from tests.report.html.reading import page

OPTION = "--require-browser"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that turns a missing browser into failures."""
    parser.addoption(OPTION, action="store_true", help="a test of the HTML report that is skipped fails")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where the browser is required."""
    report = yield
    if report.skipped and item.config.getoption(OPTION, default=False):
        report.outcome = "failed"
        report.longrepr = f"skipped, but {OPTION} allows no skip: {report.longrepr}"
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this package."""
    program = chromium()
    if program is None:
        pytest.skip("no Chromium here (set EVALKIT_CHROMIUM, or install the package chromium)")
    with browsing(program) as found:
        yield found


@pytest.fixture(scope="package")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages, as files."""
    made = {
        "plain": plain(),
        "chinese": document(20, 5, word=CHINESE),
        "hostile": hostile(),
        "large": document(4000, 5, shown=30),
    }
    folder = tmp_path_factory.mktemp("pages")
    for name, one in made.items():
        (folder / f"{name}.html").write_text(page(one), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture
def visit(browser: Browser, files: dict[str, Path]) -> Iterator[Visits]:
    """Opens pages; every tab is closed at the end of a test."""
    visits = Visits(browser=browser, files=files)
    yield visits
    visits.close()


@pytest.fixture(params=["plain", "chinese", "hostile"])
def name(request: pytest.FixtureRequest) -> str:
    """Each of the pages that differ in their texts."""
    found: str = request.param
    return found
