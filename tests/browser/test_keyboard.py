"""Whatever a mouse can do, keys can do, and one sees where one is."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.visiting import Visit, Visits

_STOPS = 160  # more than a page of twenty cases with one open trial has

_HERE = """() => {
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
  const section = one.closest('section, nav, header');
  return {
    what: `${section && (section.id || section.className) || ''} ${one.tagName.toLowerCase()}`
          + (one.type ? ` ${one.type}` : ''),
    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    seen: box.width > 1 && box.height > 1 && box.right > 0 && box.bottom > 0
          && box.left < innerWidth && box.top < innerHeight,
    name: one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.[0]?.textContent || '',
  };
}"""


def _walk(tab: Visit) -> list[dict[str, Any]]:
    """Return every stop of the Tab key, until it leaves the page."""
    stops: list[dict[str, Any]] = []
    for _ in range(_STOPS):
        tab.page.keyboard.press("Tab")
        here = tab.ask(_HERE)
        if here["what"].endswith(" body"):
            break
        stops.append(here)
    return stops


def test_every_stop_can_be_seen(visit: Visits) -> None:
    """Wherever Tab stops there is an outline, in view, on something with a name; everything is a stop."""
    tab = visit("plain", reduced_motion="reduce")  # where one is must be in view at once
    stops = _walk(tab)
    assert [] == [one for one in stops if not (one["outline"] and one["seen"] and one["name"])]
    found = {one["what"] for one in stops}
    wanted = {
        " a",
        "toc a",
        "board input search",
        "board input checkbox",
        "board button button",
        "board div",
        "board a",
        "clusters a",
        "trials summary",
        "trials button button",
        "decision button button",
        "decision summary",
    }
    assert set() == wanted - found
    controls = (
        "() => [...document.querySelectorAll('button, input')].filter((one) => one.checkVisibility()).length"
    )
    assert tab.ask(controls) == sum("button" in one["what"] or "input" in one["what"] for one in stops)


def test_the_first_stop_skips_to_the_decision(visit: Visits) -> None:
    """The first stop is a link past the header; after it, Tab goes on in the page itself."""
    tab = visit("plain")
    skip = tab.one("a.skip")
    expect(skip).not_to_be_in_viewport()
    tab.page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    tab.page.keyboard.press("Enter")
    expect(tab.one("main")).to_be_focused()
    tab.page.keyboard.press("Tab")
    assert tab.ask("() => document.activeElement.closest('section').id") == "decision"


def test_one_sees_the_outline(visit: Visits) -> None:
    """The outline has a contrast of 3 to 1 to what is around it, in light and dark."""
    for scheme in ("light", "dark"):
        tab = visit("plain", color_scheme=scheme)
        tab.one("#t1 > summary").focus()
        tab.page.keyboard.press("Shift+Tab")
        tab.page.keyboard.press("Tab")
        assert 3 <= tab.ask(_OUTLINE)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_keys_sort(visit: Visits, key: str) -> None:
    """A head of a table sorts by either key."""
    tab = visit("plain")
    tab.one("table.board th button").focus()
    tab.page.keyboard.press(key)
    expect(tab.one("table.board th")).to_have_attribute("aria-sort", "ascending")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_keys_open(visit: Visits, key: str) -> None:
    """A closed trial opens and closes by either key."""
    tab = visit("plain")
    tab.one("#t2 > summary").focus()
    tab.page.keyboard.press(key)
    expect(tab.one("#t2 .trace")).to_be_visible()
    tab.page.keyboard.press(key)
    expect(tab.one("#t2 .trace")).to_be_hidden()


def test_keys_filter(visit: Visits) -> None:
    """Typing filters at once; Space unchecks a box; the count is told to who cannot see it."""
    tab = visit("plain")
    tab.one("input[type=search]").focus()
    tab.page.keyboard.type("00003")
    assert ["1 of 20 rows"] == tab.seen("fieldset.tools output")
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Space")
    assert ["0 of 20 rows"] == tab.seen("fieldset.tools output")
    assert "output" == tab.ask("() => document.querySelector('fieldset.tools output').localName")


def test_a_wide_table_scrolls_by_keys(visit: Visits) -> None:
    """What is wider than a phone is a region that takes the focus and scrolls by the arrow keys."""
    tab = visit("plain", width=390)
    region = tab.one("#board .scroll")
    region.focus()
    for _ in range(4):
        tab.page.keyboard.press("ArrowRight")
    tab.page.wait_for_function("() => document.querySelector('#board .scroll').scrollLeft > 0")


_OUTLINE = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map((one) => Number(one) / 255)
        .map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b + .05;
  };
  const [one, other] = [getComputedStyle(document.activeElement).outlineColor,
                        getComputedStyle(document.body).backgroundColor].map(light);
  return Math.max(one, other) / Math.min(one, other);
}"""
