"""The page on a phone, on paper and to a screen reader."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.visiting import Visits

_WIDER = """() => {
  const most = document.documentElement.clientWidth;
  const held = (one) => { for (let up = one; up; up = up.parentElement)
    if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(up).overflowX)) return true; };
  return [...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > most + 1 && !held(one))
    .map((one) => `${one.closest('[id]')?.id} ${one.tagName} ${one.getAttribute('class')}`).slice(0, 9);
}"""


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_page_never_scrolls_sideways(visit: Visits, name: str, width: int) -> None:
    """No page is wider than its window, with everything opened; wide tables scroll by themselves."""
    tab = visit(name, width=width)
    tab.open_all()
    assert [] == tab.ask(_WIDER)
    assert width >= tab.ask("() => document.documentElement.scrollWidth")


def test_a_phone_shows_the_decision_first(visit: Visits) -> None:
    """On a phone the decision and its first reason stand on the first screen, in letters of 14 px or more."""
    tab = visit("plain", width=390)
    expect(tab.one("#decision h1")).to_be_in_viewport()
    expect(tab.one("#decision .says.why li")).to_be_in_viewport()
    size = "() => parseFloat(getComputedStyle(document.querySelector('#decision .says.why li')).fontSize)"
    assert 14 <= tab.ask(size)


def test_fingers_hit_what_they_aim_at(visit: Visits) -> None:
    """Boxes and buttons of the filter are at least 24 px high (WCAG 2.2, 2.5.8)."""
    heights = visit("plain", width=390).ask(
        "() => [...document.querySelectorAll('.tools label, .tools button, [type=search], summary')]"
        ".map((one) => one.getBoundingClientRect().height).filter((height) => height > 0)"
    )
    assert len(heights) > 6
    assert 24 <= min(heights)


def test_paper_shows_what_is_folded(visit: Visits) -> None:
    """On paper, what is folded in the decision and the root causes is shown, and tools are not."""
    tab = visit("plain")
    signature = tab.one("#decision details.rd dl")
    expect(signature).to_be_hidden()
    tab.page.emulate_media(media="print")
    expect(signature).to_be_visible()
    assert 20 < (signature.bounding_box() or {"height": 0})["height"]
    for selector in ("nav.toc", "fieldset.tools", "a.skip"):
        expect(tab.one(selector)).to_be_hidden()


def test_paper_cuts_nothing_off(visit: Visits) -> None:
    """On paper nothing scrolls: every region is as high and as wide as what it holds."""
    tab = visit("plain")
    tab.page.emulate_media(media="print")
    cut = tab.ask(
        """() => [...document.querySelectorAll('.scroll, .names')]
        .filter((one) => one.checkVisibility() && getComputedStyle(one).overflowY !== 'visible'
                         && one.scrollHeight > one.clientHeight + 2)
        .map((one) => one.getAttribute('aria-label') || one.className)"""
    )
    assert [] == cut
    assert tab.page.pdf().startswith(b"%PDF")


def test_nothing_moves_where_that_is_asked(visit: Visits) -> None:
    """Who asks for less motion gets none; there is no animation for anybody."""
    script = """() => [getComputedStyle(document.documentElement).scrollBehavior,
        document.getAnimations().length,
        [...document.querySelectorAll('*')].filter((one) =>
            parseFloat(getComputedStyle(one).transitionDuration) > 0).length]"""
    assert ["auto", 0, 0] == visit("plain", reduced_motion="reduce").ask(script)
    assert ["smooth", 0, 0] == visit("plain", reduced_motion="no-preference").ask(script)


def test_headings_stand_in_order(visit: Visits, name: str) -> None:
    """There is one first heading, every section has one, and no level is left out on the way down."""
    tab = visit(name)
    levels: list[int] = tab.ask(
        "() => [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((one) => Number(one.tagName[1]))"
    )
    assert 1 == levels[0]
    assert 1 == levels.count(1)
    assert [] == [
        (at, levels[at - 1], levels[at]) for at in range(1, len(levels)) if levels[at] > levels[at - 1] + 1
    ]


def test_a_screen_reader_finds_its_way(visit: Visits, name: str) -> None:
    """There are landmarks, every section and region has a name, and the page says its language and title."""
    tab = visit(name)
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert 1 == tab.page.get_by_role(role).count(), role
    assert "en" == tab.ask("() => document.documentElement.lang")
    assert tab.page.title().startswith("no-go · ")
    assert 9 == tab.page.locator("main > section[aria-labelledby]").count()
    named = """() => [...document.querySelectorAll('[role=region], [role=img], nav, fieldset')]
        .filter((one) => !one.getAttribute('aria-label'))
        .filter((one) => !document.getElementById(one.getAttribute('aria-labelledby')))
        .map((one) => one.outerHTML.slice(0, 80))"""
    assert [] == tab.ask(named)
    silent = "() => [...document.querySelectorAll('svg:not([role=img]):not([aria-hidden=true])')].length"
    assert 0 == tab.ask(silent)


def test_tables_have_heads(visit: Visits, name: str) -> None:
    """Every table has a head, every cell of a head a scope, and every row one that names it."""
    tab = visit(name)
    faults = tab.ask(
        """() => [...document.querySelectorAll('table')].flatMap((table) => [
          table.tHead ? '' : 'no head',
          ...[...table.querySelectorAll('th')].map((one) => one.scope ? '' : `no scope: ${one.textContent}`),
          ...[...table.querySelectorAll('tbody tr')]
            .map((one) => one.querySelector('th[scope=row]') ? '' : 'no name'),
        ]).filter(Boolean)"""
    )
    assert 5 < tab.page.locator("table").count()
    assert [] == faults


def test_no_id_stands_twice(visit: Visits, name: str) -> None:
    """Every id is there once, so that every link and label means one thing."""
    ids = visit(name).ask("() => [...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
