"""A visit to a page: a tab of its own that writes down all that a page must not do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Locator, Page, Route, expect

_PATIENCE = 20_000  # milliseconds; a page answers in a tenth of one second, a busy machine does not
expect.set_options(timeout=_PATIENCE)

# Violations are written down by the page itself; what runs before a page is not under its policy.
_WATCH = """
window.broken = [];
addEventListener("securitypolicyviolation",
                 (event) => window.broken.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


@dataclass(kw_only=True)
class Visit:
    """One open tab.

    Attributes:
        page: The tab.
        url: Where it is.
        requests: Addresses that the page asked for.
        said: Lines of its console, errors, dialogs and windows that it opened.
    """

    page: Page
    url: str
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def one(self, selector: str) -> Locator:
        """Return the first element that fits.

        Args:
            selector: CSS.
        """
        return self.page.locator(selector).first

    def ask(self, script: str, value: object = None) -> Any:
        """Return what a function of JavaScript says in the page.

        Args:
            script: The function.
            value: Its argument.
        """
        return self.page.evaluate(script, value)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that fit, as they are laid out.

        Args:
            selector: CSS.
        """
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def seen(self, selector: str) -> list[str]:
        """Return the texts of the elements that fit and take room on the page.

        Args:
            selector: CSS.
        """
        script = "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())"
        found: list[str] = self.page.locator(selector).evaluate_all(script)
        return found

    def open_all(self) -> None:
        """Open whatever can be opened."""
        self.ask("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@dataclass(kw_only=True)
class Visits:
    """Opens tabs and closes them.

    Attributes:
        browser: Where.
        files: Pages by name.
        open: What is open.
    """

    browser: Browser
    files: dict[str, Path]
    open: list[Visit] = field(default_factory=list)

    def __call__(
        self, name: str, *, anchor: str = "", script: bool = True, width: int = 1280, **media: Any
    ) -> Visit:
        """Open a page in a tab of its own.

        Args:
            name: Which.
            anchor: With #; where it is opened.
            script: Whether the browser runs scripts.
            width: Of the window, pixels.
            media: Further settings of the tab: color_scheme, reduced_motion.
        """
        tab = self.browser.new_context(
            java_script_enabled=script, viewport={"width": width, "height": 900}, **media
        )
        tab.set_default_timeout(_PATIENCE)
        page = tab.new_page()
        visit = Visit(page=page, url=self.files[name].as_uri() + anchor)
        _watch(visit)
        if script:
            tab.add_init_script(_WATCH)
        page.goto(visit.url)
        self.open.append(visit)
        return visit

    def close(self) -> None:
        """Close all tabs."""
        for visit in self.open:
            visit.page.context.close()
        self.open.clear()


def _watch(visit: Visit) -> None:
    """Write down what a page does; nothing but files can be had."""

    def answer(route: Route) -> None:
        visit.requests.append(route.request.url)
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            route.abort()

    def refuse(dialog: Dialog) -> None:
        visit.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    visit.page.context.route("**/*", answer)
    visit.page.on("console", lambda line: visit.said.append(f"console {line.type}: {line.text}"))
    visit.page.on("pageerror", lambda error: visit.said.append(f"error: {error}"))
    visit.page.on("popup", lambda page: visit.said.append(f"window: {page.url}"))
    visit.page.on("dialog", refuse)
