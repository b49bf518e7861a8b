"""Colours: every text can be read in light and dark, and no outcome is told by colour alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.visiting import Visit, Visits

_MEASURE = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
_OUTCOMES = frozenset("rubedpo")


def _too_faint(visit: Visit) -> list[str]:
    """Return the texts that are too faint; signs of the style sheet beside a text need 3 to 1 (1.4.11)."""
    found: list[dict[str, Any]] = visit.ask(_MEASURE)
    assert len(found) > 5
    faint = [one for one in found if one["ratio"] < (3 if one["large"] or one["pseudo"] else 4.5)]
    return sorted({f"{one['where']}: {one['text']} {one['ratio']:.2f}" for one in faint})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(visit: Visits, name: str, scheme: str) -> None:
    """Every text has a contrast of 4.5 to 1, 3 to 1 where it is large, with everything opened."""
    tab = visit(name, color_scheme=scheme)
    tab.open_all()
    assert [] == _too_faint(tab)


def test_paper_has_contrast(visit: Visits) -> None:
    """What is printed from a dark screen can be read on paper."""
    tab = visit("plain", color_scheme="dark")
    tab.page.emulate_media(media="print")
    assert [] == _too_faint(tab)


def test_dark_is_dark(visit: Visits) -> None:
    """The two schemes differ: what was measured was not one of them twice."""
    colour = "() => getComputedStyle(document.body).backgroundColor"
    found = [visit("plain", color_scheme=scheme).ask(colour) for scheme in ("light", "dark")]
    assert 2 == len(set(found))


def test_a_faint_text_is_found(visit: Visits) -> None:
    """Self-test: grey on white is measured as by the standard, and so are patterns, opacity, drawings."""
    tab = visit("plain", color_scheme="light")
    tab.page.goto("about:blank")  # no policy there
    body = (
        "<p style='background:#fff;color:#777'>grey</p><p style='background:#fff;color:#767676'>just</p>"
        "<p style='background:linear-gradient(#fff,#777);color:#000'>pattern</p>"
        "<p style='background:#fff;color:#000;opacity:.4'>pale</p>"
        "<svg><rect width='99' height='40' fill='#000'></rect><text y='20' fill='#000'>drawn</text></svg>"
    )
    tab.page.set_content(body)
    found = {one["text"]: round(one["ratio"], 2) for one in tab.ask(_MEASURE)}
    assert {"grey": 4.48, "just": 4.54, "pattern": 4.69, "pale": 2.85, "drawn": 1.0} == found


def test_no_outcome_is_told_by_colour_alone(visit: Visits) -> None:
    """Every outcome has a glyph and a word of its own, in the legend and wherever it stands."""
    tab = visit("plain")
    tab.open_all()
    script = """() => [...document.querySelectorAll('.sw, .board b, td.p, .m')]
        .map((one) => [one.className.replace(/^(m|sw) */, ''), one.textContent.trim()[0] || ''])
        .filter(([code]) => code)"""
    pairs = {(code, glyph) for code, glyph in tab.ask(script)}
    assert {code for code, _ in pairs} == _OUTCOMES
    assert len(_OUTCOMES) == len({glyph for _, glyph in pairs})
    words = tab.texts("#board .legend strong")
    assert len(words) == len(set(words)) == len(_OUTCOMES) + 1


def test_every_cell_says_its_outcome(visit: Visits) -> None:
    """A cell is read aloud as its words: none that holds a verdict is empty or a glyph alone."""
    tab = visit("plain")
    script = """() => [...document.querySelectorAll('.board td[class]:not(.n):not(.p)')].map((cell) =>
        [...cell.querySelectorAll('b[role=img]')].map((one) => one.ariaLabel).join())"""
    cells = tab.ask(script)
    assert len(cells) > 5
    words = ("fail", "not measured", "fail below", "not reached", "pass, degraded", "not asked")
    assert [] == [text for text in cells if not any(word in text for word in words)]


def test_outcomes_differ_in_grey(visit: Visits) -> None:
    """Fail, explained and unmeasured differ in glyph and pattern where no colour is to be had."""
    tab = visit("plain")
    looks = tab.ask(
        """() => ['r', 'e', 'u'].map((code) => {
          const style = getComputedStyle(document.querySelector(`.board td.${code}`));
          return style.backgroundImage.replace(/(rgba?|color)\\([^)]*\\)/g, '') + style.boxShadow;
        })"""
    )
    assert 3 == len(set(looks))
