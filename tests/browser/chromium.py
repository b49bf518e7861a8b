"""Which Chromium there is, and how it is started; Playwright's own is never downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return the program: `$EVALKIT_CHROMIUM`, or the first on the path; None where there is none."""
    named = os.environ.get("EVALKIT_CHROMIUM")
    if named:
        return named
    return next((found for name in _NAMES if (found := shutil.which(name)) is not None), None)


@contextmanager
def browsing(program: str) -> Iterator[Browser]:
    """Start a browser and end it.

    Args:
        program: As `chromium` returns it.

    Yields:
        The browser.
    """
    # As root Chromium starts without its sandbox or not at all; the pages are our own.
    sandbox = not hasattr(os, "geteuid") or os.geteuid() != 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=sandbox)
        try:
            yield browser
        finally:
            browser.close()
