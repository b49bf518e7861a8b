"""The page is closed: nothing leaves it, nothing that others wrote runs, and the browser has no complaint."""

from __future__ import annotations

import pytest

from tests.browser.planting import PLANTED
from tests.browser.visiting import Visit, Visits

_ONCE_EACH = ("mouseover", "focus", "click", "toggle", "submit", "error", "load")


def _use(visit: Visit) -> None:
    """Open everything, sort, filter, follow links, and fire every event at every element."""
    visit.open_all()
    visit.page.locator("th button").first.click()
    visit.page.locator("input[type=search]").first.fill("x")
    visit.page.locator("input[type=search]").first.fill("")
    visit.page.locator("a[href^='#t']").first.click()
    visit.ask(
        """(names) => document.querySelectorAll('body *').forEach((one) =>
        names.forEach((name) => one.tagName === 'A' && name === 'click'
            || one.dispatchEvent(new Event(name, {bubbles: false}))))""",
        list(_ONCE_EACH),
    )
    visit.page.wait_for_timeout(100)


def test_no_request_leaves_the_page(visit: Visits, name: str) -> None:
    """However a page is used, a browser asks for the file itself and nothing else."""
    tab = visit(name)
    _use(tab)
    assert [tab.url] == tab.requests


def test_a_browser_has_no_complaint(visit: Visits, name: str) -> None:
    """No line in the console, no error, no dialog, no window, and no violation of the policy."""
    tab = visit(name)
    _use(tab)
    assert [] == tab.said
    assert [] == tab.ask("() => window.broken")


def test_what_is_injected_is_text(visit: Visits) -> None:
    """No element that a hostile text describes comes to be; the text itself can be read."""
    tab = visit("hostile")
    _use(tab)
    assert 0 == tab.page.locator(f"#{PLANTED}").count()
    assert tab.ask(f"() => typeof window.{PLANTED}") == "undefined"
    assert 0 == tab.page.locator("img, iframe, object, embed, form, base, meta[http-equiv=refresh]").count()
    assert f"<img id={PLANTED}" in "".join(tab.texts("#decision .says"))


def test_hostile_and_harmless_pages_have_the_same_elements(visit: Visits) -> None:
    """A browser builds the head and the sections of a page alike, whatever its texts say."""
    script = """() => [document.head, document.body, document.querySelector('main')]
        .map((one) => [...one.children].map((child) => `${child.tagName} ${child.id}`))"""
    assert visit("plain").ask(script) == visit("hostile").ask(script)


def test_no_link_leaves_the_page(visit: Visits, name: str) -> None:
    """Every link leads to a place in the page that exists."""
    tab = visit(name)
    aims = tab.ask("() => [...document.links].map((one) => one.getAttribute('href'))")
    assert len(aims) > 20
    assert [] == [aim for aim in aims if not aim.startswith("#")]
    missing = "(aims) => aims.filter((aim) => !document.getElementById(decodeURIComponent(aim.slice(1))))"
    assert [] == tab.ask(missing, aims)


def test_no_character_turns_or_hides_text(visit: Visits) -> None:
    """Control characters, and those that turn the direction of text, are written out where they are shown."""
    tab = visit("hostile")
    text = tab.ask("() => document.body.textContent")
    bad = {*map(chr, range(9)), "\x1b", "\x7f", "\x85", "\x9b", *"\u2028\u202e\u2066\u200f\ufeff\ufffd"}
    assert set() == bad & set(text)
    assert "\\u202e" in text
    assert "\\ud800" in text


@pytest.mark.parametrize(
    "planted",
    [
        "const one = document.createElement('script'); one.text = 'window.planted = 1'",
        "const one = new Image(); one.setAttribute('onerror', 'window.planted = 1'); one.src = 'https://evil.invalid/'",
        "const one = document.createElement('style'); one.textContent = 'body{display:none}'",
        "const one = document.createElement('iframe'); one.src = 'https://evil.invalid/'",
    ],
    ids=["script", "handler", "style", "frame"],
)
def test_the_policy_holds(visit: Visits, planted: str) -> None:
    """Self-test: what slips through all escaping is refused by the policy, and these tests see it."""
    tab = visit("plain")
    tab.ask(f"() => {{ {planted}; document.body.append(one); }}")
    tab.page.wait_for_function("() => window.broken.length > 0")
    assert tab.ask("() => typeof window.planted") == "undefined"
    assert tab.ask("() => getComputedStyle(document.body).display") == "block"
    assert [] != tab.said
    assert [tab.url] == [url for url in tab.requests if url.startswith(("file:", "http"))]


def test_the_policy_allows_nothing_inline(visit: Visits, name: str) -> None:
    """The policy that the browser reads begins with nothing, and makes no exception."""
    policy = visit(name).one("meta[http-equiv='Content-Security-Policy']").get_attribute("content") or ""
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
